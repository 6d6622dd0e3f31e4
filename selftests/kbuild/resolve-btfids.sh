#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# resolve_btfids moves the addresses in BTF from the first link to the final one,
# or refuses.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/link.sh"

build() {
	unit a <<-'C'
	int __attribute__((section(".head.text"))) startup(void) { return 0; }
	static __attribute__((noinline, used)) int twin(int a) { return a; }
	int alone(int a) { return a + 1; }
	int __attribute__((section(".init.text"))) setup(int a) { return a; }
	static int __attribute__((section(".init.text"), noinline, used)) both(int a) { return a; }
	int __attribute__((section(".exit.text"))) teardown(int a) { return a; }
	C
	unit b <<-'C'
	struct thing { int a; struct thing *next; };
	static __attribute__((noinline, used)) long twin(struct thing *t) { return t->a + 2; }
	int other(struct thing *t) { return t->a; }
	static int __attribute__((section(".init.text"), noinline, used)) both(char *s) { return *s; }
	C
	# What only the final link has, each piece moves what is behind it.
	unit late -g0 <<-'C'
	static const __attribute__((section(".head.text"), used)) char head[100] = { 1 };
	const char kallsyms_names[20000] = { 1 };
	static __attribute__((section(".init.data"), used)) char data[300] = { 1 };
	C
}

# moves: of every function of BTF, by how much its address differs between the links
moves() {
	join <("$ABTF" list -aj encoded.btf | jq -r '.[] | "\(.id) \(.offset) \(.name)"' | sort) \
		<("$ABTF" list -aj vmlinux | jq -r '.[] | "\(.id) \(.offset)"' | sort) |
		sort -n | awk '{ print $3, $4 - $2 }'
}

positive() {
	build
	links a.o b.o -- late.o
	text=$(moved .text) init=$(moved .init.text) exit=$(moved .exit.text)

	begin "$1: every function moves by what its section has moved"
	# Else this would show nothing.
	expect_eq "$(printf '%s\n' 0 "$text" "$init" "$exit" | sort -u | wc -l)" 4 'different distances'
	expect 1 "$ABTF" check vmlinux
	resolve
	expect_eq "$out" ''
	expect_text "$(moves)" <<-F
	alone $text
	both@a.c $init
	both@b.c $init
	other $text
	setup $init
	startup 0
	teardown $exit
	twin@a.c $text
	twin@b.c $text
	F
	begin "$1: abtf check finds no fault with the final image"
	expect 0 "$ABTF" check vmlinux
	says '^vmlinux: 9 .*0 violations'

	begin "$1: nothing else in the file has changed"
	section vmlinux .BTF final.btf
	"$ABTF" strip encoded.btf want.btf
	"$ABTF" strip final.btf got.btf
	cmp want.btf got.btf || fail 'BTF differs in more than addresses'
	expect_eq "$(stat -c %s vmlinux)" "$(stat -c %s vmlinux.linked)" 'size'
	tool objcopy --remove-section=.BTF vmlinux without.now
	tool objcopy --remove-section=.BTF vmlinux.linked without.then
	cmp without.then without.now || fail 'something but .BTF differs'
}

positive x86_64
begin 'records that are right already stay, and .BTF is not written'
cp .tmp_vmlinux1 vmlinux
objcopy --add-section .BTF=encoded.btf vmlinux
cp vmlinux vmlinux.linked
resolve
section vmlinux .BTF now.btf
cmp now.btf encoded.btf || fail 'it was changed'

begin 'an image in the likeness of a kernel: 22 functions of one name, and all others'
mapfile -t objects < <(find "$top/build/example" -name '*.o' | sort)
links "${objects[@]}" -- late.o
expect_eq "$("$ABTF" list -aj encoded.btf | jq '[.[] | select(.name | startswith("cpumask_weight@"))] | length')" 22
resolve
expect 0 "$ABTF" check vmlinux
says '0 violations'
[ "$(moves | cut -d' ' -f2 | sort -u | wc -l)" -ge 2 ] || fail 'they all moved alike'

target s390x
endian=big
positive 's390x, in the other byte order'
endian=little
target gcc
build

begin 'a function that is not in the final link'
links a.o b.o -- late.o
objcopy --redefine-sym alone=someone a.o gone.o
link vmlinux gone.o b.o btf.o late.o
cp vmlinux vmlinux.linked
refused
says '^FAILED vmlinux: no function alone starts at 0x[0-9a-f]+, as in .tmp_vmlinux1$'

begin '... or not at that place of its section'
unit before <<'C'
int before(void) { return 3; }
C
link vmlinux before.o a.o b.o btf.o late.o
cp vmlinux vmlinux.linked
refused
says '^FAILED vmlinux: no function [a-z@.]+ starts at 0x'

begin '... or changed places with another'
links a.o b.o -- late.o
objcopy --redefine-sym alone=swap --redefine-sym startup=alone a.o tmp.o
objcopy --redefine-sym swap=startup tmp.o swapped.o
link vmlinux swapped.o b.o btf.o late.o
cp vmlinux vmlinux.linked
refused
says '^FAILED vmlinux: no function (alone|startup) starts at 0x'

begin '... or is data now'
links a.o b.o -- late.o
# shellcheck disable=SC2086 # lists of flags
$CC $common $machine -S -o a.S a.c
sed 's/alone, @function/alone, @object/' a.S >data.S
gcc -c -o data.o data.S
link vmlinux data.o b.o btf.o late.o
need_symbol vmlinux '[A-Z] alone'
cp vmlinux vmlinux.linked
refused
says 'no function alone starts at'

begin '... or stands before _text, where no address is'
links a.o b.o -- late.o
sed 's/_text = \.;//; s/_stext = \.;/_stext = .; _text = .;/' "$selftests/kbuild/lib/vmlinux.lds" >other.lds
# shellcheck disable=SC2086 # lists of flags
$CC $common $machine $link -Wl,--build-id=none -Wl,-T,other.lds -o vmlinux a.o b.o btf.o late.o
cp vmlinux vmlinux.linked
refused
says '^FAILED vmlinux: no function startup starts at 0x[0-9a-f]+, as in .tmp_vmlinux1$'

begin 'the first link: not there, no ELF file, another one, without _text'
links a.o b.o -- late.o
mv .tmp_vmlinux1 first
refused
says '^FAILED cannot read .tmp_vmlinux1: No such file or directory$'
: >.tmp_vmlinux1
refused
says '^FAILED'
echo 'This is none.' >.tmp_vmlinux1
refused
says '^FAILED (cannot read )?.tmp_vmlinux1: (no symbols|invalid)'
link .tmp_vmlinux1 before.o b.o a.o
refused
says '^FAILED .tmp_vmlinux1: no function [a-z@.]+ starts at 0x[0-9a-f]+$'
strip -o .tmp_vmlinux1 first
refused
says '^FAILED .tmp_vmlinux1: no symbols'
strip -N _text -o .tmp_vmlinux1 first
refused
says '^FAILED .tmp_vmlinux1: no.* _text'
mv first .tmp_vmlinux1
strip -N _text vmlinux
cp vmlinux vmlinux.linked
refused
says '^FAILED vmlinux: no.* _text'

begin 'a clone is not the function that it was made of, and ThinLTO changes nothing'
links a.o b.o -- late.o
for symbol in alone.isra.0 alone.llvm. alone.llvm.1a alone.llvm.1.isra.0 alon; do
	objcopy --redefine-sym alone=$symbol a.o other.o
	link vmlinux other.o b.o btf.o late.o
	cp vmlinux vmlinux.linked
	refused
	says '^FAILED vmlinux: no function alone starts at'
done
objcopy --redefine-sym alone=alone.llvm.123 a.o other.o
link vmlinux other.o b.o btf.o late.o
resolve

begin 'BTF in which not every function has an address'
"$ABTF" strip encoded.btf mixed.btf
btf_object btf.o mixed.btf
link vmlinux a.o b.o btf.o late.o
cp vmlinux vmlinux.linked
refused
says '^FAILED vmlinux: function [a-z@.]+ has no address in BTF$'
