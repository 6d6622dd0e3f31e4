#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# BTF with one word that violates the format (Documentation/bpf/btf.rst, and *_check_meta() in
# kernel/bpf/btf.c) is rejected with a message; BTF at the limit of the rule is accepted.
. "${0%/*}/../lib.sh"

# Each case is a directory with BTF, the title and a pattern for the message; an empty pattern means
# that the BTF is accepted.
"$python" - <<'E_PY'
import os, re, struct

strings = b'\0'
def name(s):
    global strings
    at = strings.find(b'\0' + s + b'\0') + 1
    if not at:
        at = len(strings)
        strings += s + b'\0'
    return at

INT, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, VOLATILE, CONST, RESTRICT = range(1, 12)
FUNC, PROTO, VAR, DATASEC, FLOAT, TAG, TYPE_TAG, ENUM64 = 12, 13, 14, 15, 16, 17, 18, 19
def t(kind, text, size, *words, vlen=0, flag=0):
    return [name(text) if text else 0, flag << 31 | kind << 24 | vlen, size, *words]

def good():
    return [
        t(INT, b'int', 4, 1 << 24 | 32),                                     # 1
        t(STRUCT, b's', 8, name(b'a'), 1, 0, name(b'b'), 1, 32, vlen=2),      # 2
        t(UNION, b'u', 8, name(b'a'), 1, 0, name(b'b'), 2, 0, vlen=2),        # 3
        t(PROTO, b'', 1, name(b'p'), 1, 0, 0, vlen=2),                        # 4
        t(FUNC, b'f', 4, 0x1000, 0xff000000, vlen=1, flag=1),                 # 5
        t(VAR, b'v', 1, 1),                                                   # 6
        t(DATASEC, b'.data', 4, 6, 0, 4, vlen=1),                             # 7
        t(TAG, b'tag', 2, 1),                                                 # 8
        t(ENUM, b'e', 4, name(b'A'), 1, vlen=1),                              # 9
        t(FLOAT, b'double', 8),                                               # 10
        t(FWD, b'later', 0),                                                  # 11
        t(ARRAY, b'', 0, 1, 1, 3),                                            # 12
        t(TYPEDEF, b'alias', 2),                                              # 13
        t(PTR, b'', 13),                                                      # 14
        t(ENUM64, b'e64', 8, name(b'B'), 1, 0, vlen=1),                       # 15
        t(TAG, b'arg', 5, 0),                                                 # 16
        t(STRUCT, b'bits', 4, name(b'a'), 1, 3 << 24 | 29, vlen=1, flag=1),   # 17
        t(PROTO, b'', 0, 0, 1, vlen=1),                                       # 18
        t(TYPE_TAG, b'user', 1),                                              # 19
    ]

nr = 0
def case(title, said, change=lambda types: None, head=lambda words: None, more=b'', text=None,
         checked=False):
    global nr
    types = good()
    change(types)
    data = b''.join(struct.pack('<%dI' % len(w), *w) for w in types)
    strs = strings if text is None else text(strings)
    words = [1 << 16 | 0xeb9f, 24, 0, len(data), len(data), len(strs)]
    head(words)
    nr += 1
    where = 'case%03d' % nr
    os.mkdir(where)
    with open(where + '/btf', 'wb') as f:
        f.write(struct.pack('<6I', *words) + data + strs + more)
    if checked:
        os.mkdir(where + '/checked')
    with open(where + '/title', 'w') as f:
        f.write(title)
    with open(where + '/said', 'w') as f:
        # "..." stands for any text
        f.write('.*'.join(re.sub(r'([][.?*+(){}|^$])', r'\\\1', part) for part in said.split('...')))

def word(type_id, at, value):
    def change(types):
        types[type_id - 1][at] = value
    return change

def header(at, value):
    def change(words):
        words[at] = value(words[at]) if callable(value) else value
    return change

case('no rule is broken', '')
# names
case('a name beyond the strings', 'name is at string offset 100000, expected less than', word(2, 0, 100000))
case('a struct without a name', '', word(2, 0, 0))
case('an integer without a name', 'name is empty or not printable', word(1, 0, 0))
case('a function without a name', 'name is empty, expected an identifier', word(5, 0, 0))
case('a pointer with a name', 'has a name, expected none', word(14, 0, 1))
case('an identifier that starts with a digit', 'name contains byte 0x31', word(2, 0, name(b'1s')))
case('a struct called NAME@FILE', 'name contains byte 0x40', word(2, 0, name(b's@a.c')))
case('a function called NAME@FILE', '', word(5, 0, name(b'f@a.c')))
case('a function called NAME@', 'name contains byte 0x40', word(5, 0, name(b'f@')))
case('a function called @FILE', 'name contains byte 0x40', word(5, 0, name(b'@a.c')))
case('a function whose FILE has a blank', 'name contains byte 0x20', word(5, 0, name(b'f@a b.c')))
case('a name of 512 bytes', '', word(2, 0, name(b'n' * 512)))
case('a name of 513 bytes', 'name is longer than 512 bytes', word(2, 0, name(b'm' * 513)))
case('a member that is no identifier', "a member's name contains byte 0x2d", word(2, 3, name(b'a-b')))
# since Linux 6.8: __btf_name_char_ok()
case('a member with a dot', '', word(2, 3, name(b'.a')))
case('an enumerator without a name', "an enumerator's name is empty", word(9, 3, 0))
case('a tag without a value', 'value of 0 bytes, expected 1 to 4096', word(8, 0, 0))
case('a tag of 4,097 bytes', 'value of 4097 bytes, expected 1 to 4096', word(8, 0, name(b'v' * 4097)))
# integers, floats, enums
case('bits beyond the integer', '33 bits in 4 bytes', word(1, 3, 1 << 24 | 33))
case('an offset beyond the integer', '33 bits in 4 bytes', word(1, 3, 1 << 24 | 1 << 16 | 32))
case('an integer of 129 bits', '129 bits in 32 bytes', lambda y: y.__setitem__(0, t(INT, b'int', 32, 129)))
case('an integer that is signed and bool', 'encoding is 0x5', word(1, 3, 5 << 24 | 32))
case('an integer that is signed and char', 'encoding is 0x3', word(1, 3, 3 << 24 | 32))
case('an unknown encoding', 'encoding is 0x8', word(1, 3, 8 << 24 | 32))
case('unknown bits of an integer', 'data is 0x10000020', word(1, 3, 1 << 28 | 32))
case('a float of 12 bytes', '', word(10, 2, 12))
case('a float of 6 bytes', '6 bytes, expected 2, 4, 8, 12 or 16', word(10, 2, 6))
case('an enum of 3 bytes', '3 bytes, expected 1, 2, 4 or 8', word(9, 2, 3))
case('an enum64 of 16 bytes', '16 bytes, expected 1, 2, 4 or 8', word(15, 2, 16))
# references
case('a member of type void', 'a member is type 0, expected 1 to 19', word(2, 4, 0))
case('a pointer to void', '', word(14, 2, 0))
case('a type that is not there', 'target is type 20, expected 0 to 19', word(14, 2, 20))
case('a pointer to a function', 'target is type 5, a FUNC, expected a type', word(14, 2, 5))
case('a function without a prototype', 'prototype is type 2, a STRUCT, expected a FUNC_PROTO', word(5, 2, 2))
case('a forward declaration with a target', 'target is type 1, expected 0', word(11, 2, 1))
case('an array with a size', 'size is 4, expected 0', word(12, 2, 4))
case('an array of void', 'element is type 0, expected 1', word(12, 3, 0))
case('an array whose index is void', 'index is type 0, expected 1', word(12, 4, 0))
case('a section with a struct', 'a variable is type 2, a STRUCT, expected a VAR', word(7, 3, 2))
case('a tag of an integer', 'target is type 1, a INT, expected a STRUCT', word(8, 2, 1))
case('a typedef of itself', 'refers to itself', word(13, 2, 13))
case('a typedef that a pointer leads back to', 'refers to itself', word(13, 2, 14))
case('an array of itself', 'refers to itself', word(12, 3, 12))
# BPF_BTF_LOAD rejects these, but not the kernel at boot: see btf_resolve()
def values(title, said, change):
    case(title, said and said + ' contains itself as a value', change, checked=True)
values('a struct with itself', '(STRUCT s):', word(2, 7, 2))
values('a struct with a union that contains the struct', '(STRUCT s):', word(2, 7, 3))
values('a struct with an array of a typedef of itself', '(STRUCT s):',
       lambda y: (word(2, 7, 12)(y), word(12, 3, 13)(y)))
values('a struct in a pointer in a union', '', word(2, 7, 14))
values('a struct in an array and in a typedef, which is in the array', '',
       lambda y: (word(12, 3, 13)(y), word(3, 4, 12)(y), word(3, 7, 13)(y)))
# the kernel rejects these, also at boot: see btf_check_type_tags(), which ends at types with lower ids
def chain(kinds):
    """The pointer leads to these modifiers of an integer, which follow all other types."""
    def change(types):
        first = len(types) + 1
        types[13][2] = first
        for n, kind in enumerate(kinds):
            types.append(t(kind, b'm%d' % n if kind in (TYPEDEF, TYPE_TAG) else b'',
                           first + n + 1 if n + 1 < len(kinds) else 1))
    return change
case('32 typedefs in a row', '', chain([TYPEDEF] * 32), checked=True)
case('33 typedefs in a row', 'type 20 ... (TYPEDEF m0): more than 32 typedefs, qualifiers and tags in a row',
     chain([TYPEDEF] * 33), checked=True)
case('33 modifiers of all kinds in a row', 'type 20 ... (TYPE_TAG m0): more than 32 typedefs',
     chain([TYPE_TAG] * 2 + [TYPEDEF, CONST, VOLATILE, RESTRICT] * 7 + [TYPEDEF] * 3), checked=True)
case('33 typedefs in a row, with ids in the other order', '',
     lambda y: y.extend(t(TYPEDEF, b'm%d' % n, n + 19 if n else 1) for n in range(33)), checked=True)
case('a tag in front of a qualifier', '', chain([TYPE_TAG, TYPE_TAG, CONST]), checked=True)
case('a tag after a qualifier', 'type 20 ... (CONST): leads to type 21, a TYPE_TAG, expected it before',
     chain([CONST, TYPE_TAG]), checked=True)
# members
case('a member of a union that does not start at 0', 'member 1 is at bit 8, expected 0 in a union', word(3, 8, 8))
case('members out of order', 'member 1 is at bit 0, the one before it at 32',
     lambda y: (word(2, 5, 32)(y), word(2, 8, 0)(y)))
case('a member at the end', '', word(2, 8, 64))
case('a member beyond the end', 'member 1 is at bit 65, beyond 8 bytes', word(2, 8, 65))
case('a bit-field beyond the end', 'member 0 is at bit 33, beyond 4 bytes', word(17, 5, 3 << 24 | 33))
# functions
case('linkage of an extern function', '', word(5, 1, 1 << 31 | FUNC << 24 | 2))
case('an unknown linkage of a function', 'linkage is 3, expected 0 to 2', word(5, 1, 1 << 31 | FUNC << 24 | 3))
case('an unknown linkage of a variable', 'linkage is 3, expected 0 to 2', word(6, 3, 3))
case('a wrong guard', 'addr_hi is 0xfe000000, expected 0xff000000', word(5, 4, 0xfe000000))
case('a reserved bit', 'addr_hi is 0xff010000, expected 0xff000000', word(5, 4, 0xff010000))
case('an offset of 4 GB', 'addr_hi is 0xff000001, expected 0xff000000', word(5, 4, 0xff000001))
case('a parameter with a name and no type', 'parameter 1 has a name and no type', word(4, 5, name(b'q')))
case('"..." that is not the last parameter', 'a parameter is type 0, expected 1', word(4, 4, 0))
case('a tag of the first parameter after the last', 'component is 2, expected -1 to 1', word(16, 3, 2))
case('a tag of a member after the last', 'component is 2, expected -1 to 1', word(8, 3, 2))
case('a tag of a typedef', '', lambda y: (word(8, 2, 13)(y), word(8, 3, 0xffffffff)(y)))
case('a tag of a component of a typedef', 'component is 0, expected -1 to -1', lambda y: (word(8, 2, 13)(y), word(8, 3, 0)(y)))
case('component -2', 'component is -2, expected -1', word(8, 3, 0xfffffffe))
# info
case('elements of a pointer', 'vlen is 1, expected 0', word(14, 1, PTR << 24 | 1))
case('kind_flag of a variable', 'kind_flag is set, expected it clear', word(6, 1, 1 << 31 | VAR << 24))
case('an unknown kind', 'info is 0x14000000, expected a kind of 1 to 19', word(14, 1, 20 << 24))
case('an unknown bit', 'info is 0x02800000, expected a kind', word(14, 1, PTR << 24 | 1 << 23))
case('more elements than bytes', 'STRUCT takes ... bytes, ... are left', word(17, 1, STRUCT << 24 | 0xffff))
# the header
case('another version', 'BTF version 2, flags 0x0', head=header(0, 2 << 16 | 0xeb9f))
case('an unknown flag', 'BTF version 1, flags 0x1', head=header(0, 1 << 24 | 1 << 16 | 0xeb9f))
case('another magic', 'BTF magic is 9f ec', head=header(0, 1 << 16 | 0xec9f))
case('a short header', 'BTF header of 20 bytes', head=header(1, 20))
case('a header beyond the end', 'BTF header of 1000000 bytes', head=header(1, 1000000))
case('types of 4n + 2 bytes', 'not a multiple of 4', head=header(3, lambda n: n - 2))
case('types that end in the middle of one', 'bytes are left, a type takes at least 12', head=header(3, lambda n: n - 4))
case('types that reach into the strings', 'expected types before strings', head=header(3, lambda n: n + 12))
case('strings beyond the end', 'expected types before strings within', head=header(5, lambda n: n + 1))
case('strings that do not end', 'does not end with a NUL', head=header(5, lambda n: n - 1), text=lambda s: s[:-1] + b'x\0')
case('strings that do not start with ""', 'does not start with an empty string', text=lambda s: b'x' + s[1:])
case('zeroes after the strings', '', more=bytes(7))
case('other bytes after the strings', 'BTF has data 0x01 7 bytes after its strings', more=bytes(7) + b'\1')
E_PY

# its function f is elsewhere than in the BTF
echo 'int f(int x) { return x; }' | unit a
image image a.o
for dir in case*; do
	begin "$(cat "$dir/title")"
	if [ -d "$dir/checked" ]; then
		expect 0 "$ABTF" list -a "$dir/btf"
		expect $([ -s "$dir/said" ] && echo 2 || echo 1) "$ABTF" check image "$dir/btf"
		says "$dir/btf: .*$(cat "$dir/said")"
	elif [ -s "$dir/said" ]; then
		expect 1 "$ABTF" list -a "$dir/btf"
		says "$dir/btf: .*$(cat "$dir/said")"
	else
		expect 0 "$ABTF" list -a "$dir/btf"
	fi
done
