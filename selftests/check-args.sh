#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make check-args: compares the locations of arguments that "abtf list --args" and "perf probe" find,
# for all functions that share a name and for inlined calls, in an x86-64 image. perf reads the image
# once per name, which takes half an hour or more.
#   VMLINUX=FILE    this image (see real-image.sh)
#   SAMPLE=N        number of inlined calls (2000), of names that have up to 200 of them
#   KEEP=1          use perf's output of an earlier run if there is any
# shellcheck source=real-image.sh
. "$(dirname "$0")/real-image.sh" args
[ -n "${KEEP:-}" ] || rm -rf perf
mkdir -p perf
# shellcheck disable=SC2064 # of now
trap "rm -f $PWD/image $PWD/disassembly" EXIT

# perf writes to its home directory
HOME=$PWD /usr/bin/python3 - "$abtf" "$image" "${SAMPLE:-2000}" <<'P'
import collections, functools, hashlib, json, mmap, os, re, shutil, struct, subprocess, sys
abtf, image, sample = sys.argv[1], sys.argv[2], int(sys.argv[3])

def ours(*args):
    out = subprocess.run([abtf, 'list', *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         timeout=3600)
    return json.loads(out.stdout)

# perf prints SYMBOL+OFFSET, and several symbols have the same name: its copy of the image has
# no other symbols than the start of each section of code, so that all offsets are unique.
def write_image():
    shutil.copyfile(image, 'image')
    with open('image', 'r+b') as file:
        elf = mmap.mmap(file.fileno(), 0)
        headers, = struct.unpack_from('<Q', elf, 0x28)
        nr, = struct.unpack_from('<H', elf, 0x3c)
        sections = [struct.unpack_from('<IIQQQQIIQQ', elf, headers + 64 * i) for i in range(nr)]
        symtab = next(i for i, section in enumerate(sections) if section[1] == 2)
        at, size, strtab = (sections[symtab][i] for i in (4, 5, 6))
        starts, kept = {}, [bytes(24)]
        for offset in range(at, at + size, 24):
            name, _, _, section, value, _ = struct.unpack_from('<IBBHQQ', elf, offset)
            begin = sections[strtab][4] + name
            text = elf[begin:elf.find(b'\0', begin)].decode()
            if text in ('_text', '_sinittext'):
                kept.append(struct.pack('<IBBHQQ', name, 0x12, 0, section, value, 0))
                starts[text] = value
        kept = b''.join(kept)
        elf[at:at + len(kept)] = kept
        struct.pack_into('<Q', elf, headers + 64 * symtab + 32, len(kept))
        struct.pack_into('<I', elf, headers + 64 * symtab + 44, 1)
        elf.flush()
    return starts

# [(OFFSET, {PARAMETER: (PLACE, BITS)})], None if perf fails
def ask_perf(name, starts):
    path = f'perf/{name}'
    if not os.path.exists(path):
        out = subprocess.run(['perf', 'probe', '-k', 'image', '-s', '.', '--max-probes=10000',
                              '-D', f'{name} $params'], capture_output=True, text=True, timeout=3600)
        with open(path, 'w') as file:
            file.write(out.stdout if out.returncode == 0 else 'failed')
    places = []
    for line in open(path):
        if line == 'failed':
            return None
        _, place, *args = line.split()
        symbol, offset = place.split('+')
        params = {}
        for arg in args:
            param, place, bits = re.fullmatch(r'(\w+)=(.*):[a-z]+(\d+)', arg).groups()
            params[param] = place, int(bits)
        places.append((starts[symbol] + int(offset) - starts['_text'], params))
    return places

def place_of(arg):
    if arg['reason']:
        return None
    if not arg['registers']:
        return f'\\{arg["add"]}'
    place = f'%{arg["registers"][0]}' if len(arg['registers']) == 1 else 'several registers'
    for offset in arg['offsets']:
        place = f'{offset:+}({place})'
    return place + (f'{arg["add"]:+}' if arg['add'] else '')

# If locations differ, DWARF shows that perf is wrong for a known reason: it treats a value as an
# address (DW_OP_stack_value), only reads the first of several pieces, or treats a constant of one or
# two bytes, which has no sign in DWARF, as signed.
def difference(arg, mine, other, bits):
    if mine[0] == other[0] == '\\':
        mine, other = int(mine[1:], 0), int(other[1:], 0)
        if (mine - other) % (1 << bits) == 0:
            return 'same'
        if other < 0 <= mine and mine - other in (1 << 8, 1 << 16):
            return 'perf wrong: sign of constant'
    elif mine == 'several registers':
        if other == '%' + arg['registers'][0]:
            return 'perf wrong: first piece'
    elif arg['size'] * 8 == bits:
        if mine == other:
            return 'same'
        if not arg['offsets'] and other == f'{arg["add"]:+}(%{arg["registers"][0]})':
            return 'perf wrong: memory, not value'
        # a value that the function computes from its parameter before its first instruction
        if not arg['offsets'] and not arg['add'] and re.fullmatch(r'[+-]\d+\(' + mine + r'\)', other):
            return 'perf wrong: memory, not value'
    return 'different'

# A place as objdump writes it: "0x18(%rsp)" for +24(%sp), "%eax" for 32 bits in %ax
def operand(place, bits):
    def name(reg, bits):
        if reg[0] == 'r' and reg[1].isdigit():
            return '%' + reg + {32: 'd', 64: ''}[bits]
        return '%' + {32: 'e', 64: 'r'}[bits] + reg
    memory = re.fullmatch(r'([+-]\d+)\(%(\w+)\)', place)
    if memory:
        return f'{int(memory[1]):#x}({name(memory[2], 64)})'
    return name(place[1:], bits) if place[0] == '%' else None

def registers_of(text):
    return {re.sub('^[er](?=[a-z])|(?<=[0-9])d$', '', reg) for reg in re.findall(r'%(\w+)', text)}

# Disassemble the image once: where each symbol starts in the file "disassembly", and the jumps to each
# address
@functools.cache
def disassemble():
    with open('disassembly', 'w') as file:
        subprocess.run(['objdump', '-d', '--no-show-raw-insn', image], stdout=file, timeout=3600, check=True)
    starts, sources, at = {}, {}, 0
    for line in open('disassembly', 'rb'):
        symbol = re.match(rb'([0-9a-f]+) <', line)
        if symbol:
            starts[int(symbol[1], 16)] = at
        jump = re.match(rb' *([0-9a-f]+):\tj\S+ *([0-9a-f]+)[ \n]', line)
        if jump:
            sources.setdefault(int(jump[2], 16), set()).add(int(jump[1], 16))
        at += len(line)
    return starts, sources

# The instructions of the function that an offset is in, and the jumps into it, also from other
# functions, such as its unlikely code
def read_code(text, offset):
    out = subprocess.run([abtf, 'symbolize', image, f'_text+{offset:#x}'], capture_output=True, text=True, timeout=3600)
    into = re.search(r'\+(0x[0-9a-f]+)', out.stdout)
    starts, sources = disassemble()
    first = text + offset - int(into[1], 16) if into else None
    if first not in starts:
        return {}, {}
    code = {}
    with open('disassembly') as file:
        file.seek(starts[first])
        next(file)
        for line in file:
            if re.match(r'[0-9a-f]+ <', line):
                break
            insn = re.match(r' *([0-9a-f]+):\t(\S+) *([^\s#]*)', line)
            if insn:
                code[int(insn[1], 16)] = insn[2], insn[3]
    return code, sources

# Test whether two places have the same value at an instruction: on each way to it, one is copied to
# the other, and only instructions follow that change neither. Jumps by a register or table are not
# seen, but a kernel with retpolines has no tables.
def is_copied(text, offset, mine, other, bits):
    places = [operand(place, bits) for place in (mine, other)] if bits in (32, 64) else [None]
    if None in places:
        return False
    used = registers_of(' '.join(places))
    code, sources = read_code(text, offset)
    order = sorted(code)
    todo, seen = [text + offset], set()
    while todo:
        at = todo.pop()
        if at in seen:
            continue
        seen.add(at)
        i = order.index(at) if at in code else 0
        if not i:
            return False
        for way in sources.get(at, set()) | {order[i - 1]}:
            insn, operands = code.get(way, ('?', ''))
            if operands in (','.join(places), ','.join(places[::-1])) and insn == 'mov':
                continue
            if insn == 'jmp' and way not in sources.get(at, set()):
                continue
            target = re.fullmatch(r'.*,(%([er][a-z]{2}|r\d+d?))', operands)
            sets_other = insn in ('mov', 'lea') and target and not registers_of(target[1]) & used
            if not (sets_other or insn[0] == 'j' or re.fullmatch('(test|cmp)[bwlq]?', insn)):
                return False
            todo.append(way)
    return True

# Why perf finds an argument and abtf does not
reassigned = 'DWARF may describe another value of it'
known_reasons = ("abtf does not understand DWARF's expression", 'DWARF has no location of it at this instruction',
                 reassigned)

def compare(what, mine, theirs, rejected):
    counts = collections.Counter()
    reasons = collections.Counter()
    for key in sorted(mine.keys() | theirs.keys()):
        name, offset = key
        ours, perfs = mine.get(key, []), theirs.get(key, [])
        counts['places: both'] += min(len(ours), len(perfs))
        if len(ours) > len(perfs):
            counts['places: only abtf'] += len(ours) - len(perfs)
        elif not ours and key in rejected:
            counts['places: kernel rejects kprobes'] += len(perfs)
        elif len(ours) < len(perfs):
            counts['places: only perf'] += len(perfs) - len(ours)
            print(f'  {what} {name} {offset:#x}: {len(ours)} of abtf, {len(perfs)} of perf')
        # several copies of one function at one instruction
        for args in ours:
            if not perfs:
                break
            known = {arg['name']: place_of(arg) for arg in args}
            params = max(perfs, key=lambda perf: sum(known.get(p) == perf[p][0] for p in perf))
            perfs = [perf for perf in perfs if perf is not params]
            for arg in args:
                place, (other, bits) = place_of(arg), params.pop(arg['name'], (None, 0))
                # an address in the image: perf reads a symbol that is called like the parameter
                if other and re.fullmatch('@' + arg['name'] + r'[+-]\d+', other):
                    kind = 'perf wrong: symbol, not address'
                # perf prints the constant that the function may assign to its parameter
                elif other and arg['reason'] == reassigned and other.startswith('\\'):
                    kind = 'perf unsure: constant'
                elif place and other:
                    kind = difference(arg, place, other, bits)
                    if kind == 'different' and is_copied(starts['_text'], offset, place, other, bits):
                        kind = 'two places of one value'
                else:
                    kind = 'only abtf' if place else 'only perf' if other else 'neither'
                if kind == 'only perf' and arg['reason'] not in known_reasons:
                    kind = 'different'
                counts[kind] += 1
                if kind == 'only perf':
                    reasons[arg['reason']] += 1
                if kind not in ('same', 'neither', 'only abtf'):
                    print(f'  {what} {name} {offset:#x}: {arg["name"]}: {kind}: {place} of',
                          f'{arg["size"] * 8} bits ({arg["reason"]}), perf: {other} of {bits}')
            # perf also prints parameters of calls that are nested in this one
            counts['parameters of other functions in perf'] += len(params)
    print(f'{what}: ' + ', '.join(f'{kind}: {nr}' for kind, nr in sorted(counts.items())))
    for reason, nr in reasons.most_common():
        print(f'  only perf: {nr}: {reason}')
    return counts

starts = write_image()
names = {re.match(r'[^.@]*', function['name'])[0] for function in ours('-j', image)['functions']}
inlined = ours('-aj', '--inlined', image)['inlined']
order = sorted((hashlib.sha256(call['function'].encode()).hexdigest(), call['function'], call['inlined_calls'])
               for call in inlined if call['function'].isidentifier() and call['inlined_calls'] <= 200)
sampled, nr = set(), 0
for _, name, inlined in order:
    if nr < sample:
        sampled.add(name)
        nr += inlined

bodies, calls, others = ({}, {}), ({}, {}), set()
# some functions only exist inlined
sources = {re.match(r'[^.@]*', function['name'])[0] for function in ours('-aj', image)['functions']}
for function in ours('-aj', '--args', image, *sorted((names | sampled) & sources))['functions']:
    name = re.match(r'[^.@]*', function['name'])[0]
    if name not in names:
        others.add((name, function['offset']))
    elif '.cold' not in function['name']:
        bodies[0].setdefault((name, function['offset']), []).append(function['args'])
for probe in ours('-a', '--inlined', '--args', '--probe=json', image, *sorted(sampled))['probes']:
    calls[0].setdefault((probe['call'].split()[0], probe['offset']), []).append(probe['args'])
rejected = {(call['function'], call['offset'])
            for call in ours('-aj', '--inlined', image, *sorted(sampled))['calls']}

failed = []
for name in sorted(names | sampled):
    places = ask_perf(name, starts)
    if places is None:
        failed.append(name)
    for offset, params in places or []:
        # perf does not show whether it is a body or a copy
        if (name, offset) in bodies[0]:
            bodies[1].setdefault((name, offset), []).append(params)
        elif name in sampled and (name, offset) not in others:
            calls[1].setdefault((name, offset), []).append(params)
for mine, _ in (bodies, calls):
    for key in [key for key in mine if key[0] in failed]:
        del mine[key]
print(f'{len(names)} shared names, {len(sampled)} names that were inlined; perf fails with '
      f'{len(failed)} of them: {" ".join(failed)}')
entries, inlined = compare('entries', *bodies, set()), compare('inlined calls', *calls, rejected)

# What perf may have in addition, in percent of what both have; docs/measuring.md has the numbers of 6.12. If
# the code of several calls is interleaved, the two do not always find the same first instruction.
exceeded = 0
for what, counts, limits in (('entries', entries, (0, 0, 10)), ('inlined calls', inlined, (1, 15, 30))):
    for kind, both, limit in zip(('places: only perf', 'only perf', 'parameters of other functions in perf'),
                                 ('places: both', 'same', 'same'), limits):
        if counts[kind] * 100 > counts[both] * limit:
            print(f'{what}: {kind}: {counts[kind]} are more than {limit} % of {counts[both]}')
            exceeded = 1
    if counts['different'] or not counts['same']:
        exceeded = 1
sys.exit(exceeded)
P
