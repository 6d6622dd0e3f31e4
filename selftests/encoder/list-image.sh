#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list reads images without BTF, or without addresses in BTF, and separate debug files.  It does not
# write to the image.
. "${0%/*}/../lib.sh"

mkdir -p kernel fs
unit kernel/core <<'C'
struct s { int x; };
static __attribute__((noinline, used)) int dup(struct s *s) { return s->x; }
int only(int a) { return a; }
C
unit fs/core <<'C'
static __attribute__((noinline, used)) long dup(char *p, int n) { return p[n]; }
C
image vmlinux kernel/core.o fs/core.o
encode vmlinux
# only BTF in a separate file has ids
expected=$("$ABTF" list -aj -i vmlinux vmlinux.btf | sed 's/"id": [0-9][0-9]*/"id": null/')
sum=$(sha256sum vmlinux)

# lists FILE: expect the same list as from the image's BTF in a separate file
lists() {
	expect 0 "$ABTF" list -aj "$1"
	expect_eq "$(sed 's/"id": [0-9][0-9]*/"id": null/' <<<"$out")" "$expected" "$1"
}

begin 'an image without BTF is listed as if it was encoded'
[ "$(jq '[.functions[] | select(.name | startswith("dup@"))] | length' <<<"$expected")" = 2 ] ||
	fail 'expected two dup with a file'
jq -e '.functions | all(.offset != null and .decl_line > 0)' >/dev/null <<<"$expected" || fail 'a function has no offset or line'
lists vmlinux
expect_eq "$(sha256sum vmlinux)" "$sum"

begin 'an image whose BTF has no addresses is listed from DWARF'
cp vmlinux plain
"$ABTF" encode -q --features=default plain
"$ABTF" strip plain plain.btf
tool objcopy --remove-section .BTF plain
tool objcopy --add-section .BTF=plain.btf plain
readelf -SW plain | matches ' \.BTF ' || fail 'the image has no .BTF'
lists plain

begin 'without DWARF, functions come from BTF'
tool objcopy --strip-debug plain stripped
expect 0 "$ABTF" list -aj stripped
expect_eq "$(jq -c '.functions | map(.offset)' <<<"$out")" "$(jq -c '.functions | map(.offset)' <<<"$expected")"
expect_eq "$(jq -r '.functions[] | select(.name == "only") | .prototype' <<<"$out")" 'int only(int a)'

begin 'an image with addresses in its BTF: its BTF is listed'
cp vmlinux own
"$ABTF" encode -q --features=func_addr,func_unit own
"$ABTF" strip own own.btf
expect_eq "$("$ABTF" list -aj own | jq -c '.functions | map(.id)')" \
	  "$("$ABTF" list -aj own.btf | jq -c '.functions | map(.id)')"

begin 'a file from objcopy --only-keep-debug, whose code is NOBITS, is listed'
tool objcopy --only-keep-debug vmlinux vmlinux.debug
readelf -SW vmlinux.debug | matches '\.text *NOBITS' || fail 'precondition: .text has bytes'
lists vmlinux.debug
tool objcopy --only-keep-debug own own.debug
lists own.debug

begin 'debug sections may be compressed'
tool objcopy --compress-debug-sections vmlinux packed
lists packed

begin 'a module is listed with its base and without'
cp vmlinux base
"$ABTF" encode -q base
module mod.ko kernel/core.o fs/core.o
expect 0 "$ABTF" list -aj mod.ko
expect_eq "$(jq -c '.functions | map(.name) | sort' <<<"$out")" '["dup@fs/core.c","dup@kernel/core.c","only"]'
without=$out
expect 0 "$ABTF" list -aj --base base mod.ko
expect_eq "$out" "$without"
cp mod.ko encoded.ko
"$ABTF" encode -q --base base encoded.ko
expect 0 "$ABTF" list -aj --base base encoded.ko
expect_eq "$(jq -c '.functions | map(del(.id))' <<<"$out")" "$(jq -c '.functions | map(del(.id))' <<<"$without")"
[ "$(jq '.functions[0].id' <<<"$out")" -gt "$("$ABTF" list -aj base | jq '.functions | map(.id) | max')" ] ||
	fail "ids do not follow the base's ids"

begin 'a module with split BTF is listed from DWARF without its base'
expect 0 "$ABTF" list -aj encoded.ko
expect_eq "$out" "$without"
cp mod.ko split.ko
"$ABTF" encode -q --features=default --base base split.ko
expect 0 "$ABTF" list -aj split.ko
expect_eq "$out" "$without"
cp split.ko whole.ko
tool objcopy --strip-debug split.ko
expect 1 "$ABTF" list -aj split.ko
says 'specify vmlinux with --base'
expect 2 "$ABTF" check split.ko
says 'specify vmlinux with --base'
expect 1 "$ABTF" list --base split.ko split.ko
says 'specify vmlinux with --base'
expect 0 "$ABTF" list -a --base base split.ko

begin 'the image may be the file with BTF, and there are only ids if a function has one'
for file in mod.ko whole.ko; do
	expect 0 "$ABTF" list -aj --image $file $file
	expect_eq "$out" "$without"
done
expect_eq "$("$ABTF" list --base base --image mod.ko mod.ko dup | awk 'NR == 1 { print $1 }')" OFFSET
expect_eq "$("$ABTF" list --base base --image whole.ko whole.ko only | awk 'NR == 1 { print $1 }')" ID
expect_eq "$("$ABTF" list --base base encoded.ko dup | awk 'NR == 1 { print $1 }')" ID

# the same names as in vmlinux, at other addresses
unit fs/new <<'C'
int first(int a) { return a * 3; }
static __attribute__((noinline, used)) long dup(char *p, int n) { return p[n]; }
C
image other kernel/core.o fs/new.o
cp vmlinux own && "$ABTF" encode -q own

begin 'separate BTF must be of the same build as the image'
"$ABTF" encode -q -o vmlinux.elf vmlinux
for btf in vmlinux.elf own; do
	expect 1 "$ABTF" list -a -i other $btf
	says "error: $btf: the BTF is of another build than other: the build ids differ"
	names=$("$ABTF" list -aj -i vmlinux $btf | jq -c '.functions | map(.name)')
	expect_eq "$names" "$(jq -c '.functions | map(.name)' <<<"$expected")" $btf
done
for options in -aj --table --probe=bpftrace; do
	expect 1 "$ABTF" list $options -i other vmlinux.btf dup@fs/core.c
	says 'vmlinux.btf: the BTF is of another build than other: no function dup@fs/core.c is at offset 0x[0-9a-f]+, and [12] of 3 addresses in BTF are wrong'
done
# without symbols, build ids are compared
tool strip -o bare-other other
expect 1 "$ABTF" list -a -i bare-other vmlinux.elf
says 'the build ids differ'
expect 0 "$ABTF" list -a -i bare-other vmlinux.btf

begin 'separate BTF of a module must be of the same build as the module'
"$ABTF" encode -q --base base -o mod.btf mod.ko
module other.ko kernel/core.o fs/new.o
expect 0 "$ABTF" list -a -b base -i mod.ko mod.btf
expect 1 "$ABTF" list -a -b base -i other.ko mod.btf
says 'mod.btf: the BTF is of another build than other.ko: no function dup@fs/core.c is at offset'

begin 'separate BTF of a module has no offsets without the module, which has the sections'
"$ABTF" encode -q --base base -o mod.elf mod.ko
for btf in mod.btf mod.elf; do
	expect 0 "$ABTF" list -aj -b base $btf
	expect_eq "$(jq -c '.functions[] | [.section, .offset]' <<<"$out" | sort -u)" '[null,null]' $btf
	says 'mod.(btf|elf): the BTF of a module does not have the sections'
	expect 0 "$ABTF" list -a -b base $btf
	says '^ +[0-9]+ +-  global   only '
	says "^abtf: warning: $btf: the BTF of a module"
	for options in --table --probe=json; do
		expect 1 "$ABTF" list $options -b base $btf only
		says 'error.*specify the module with --image'
	done
	expect 0 "$ABTF" list -j -b base -i mod.ko $btf only
	expect_eq "$(jq -c '.functions[] | [.section, .offset]' <<<"$out")" '[".text",16]' $btf
done

begin 'an image has its own BTF, also if symbols were removed since'
tool strip --discard-all -o public own
nm public >symbols.txt
has_not symbols.txt ' [tT] dup'
expect 0 "$ABTF" list -aj public
expect_eq "$(jq -c '.functions | map(.name)' <<<"$out")" "$(jq -c '.functions | map(.name)' <<<"$expected")"

begin 'an image with neither DWARF nor BTF is an error'
tool strip -o bare vmlinux
expect 1 "$ABTF" list bare
says 'no .BTF section; no debug information \(.debug_info\): build with -g$'

begin 'BTF without addresses: missing shared names do not prove that there are none'
"$ABTF" encode -q --features=var,float,enum64 -o plain.btf vmlinux
expect 0 "$ABTF" list plain.btf
says "warning: plain.btf: BTF without addresses omits names that several functions share: use --running, .* lists all 1$"
tool objcopy --add-section .BTF=plain.btf bare bare-plain
expect 1 "$ABTF" list --table bare-plain
says 'bare-plain: BTF without addresses, and no symbols to find them by'
expect_eq "$(grep -c . out)" 1

begin 'objcopy --only-keep-debug leaves sections without bytes'
encode vmlinux
cp vmlinux loaded
"$ABTF" encode -q loaded
tool objcopy --set-section-flags .BTF=alloc,readonly loaded
tool objcopy --only-keep-debug loaded loaded.debug
readelf -SW loaded.debug >sections.txt
has sections.txt '\.BTF +NOBITS'
expect 2 "$ABTF" check loaded.debug
says 'loaded.debug: section .BTF has no bytes \(objcopy --only-keep-debug omits them\): use a separate BTF file'
expect 0 "$ABTF" check loaded.debug vmlinux.btf
says '0 violations'

begin 'other files, which may be endless, are rejected'
for file in /dev/zero /dev/urandom /dev/null; do
	expect 1 limited "$ABTF" list $file
	says "^abtf: error: $file: BTF (magic is|of 0 bytes)"
done
# a file that starts like BTF, and never ends
mkfifo pipe
{ printf '\x9f\xeb'; cat /dev/zero; } >pipe 2>/dev/null &
expect 1 limited "$ABTF" list pipe
says 'pipe: File too large'

begin 'a pipe is opened once: its writer is not killed, and its data is read'
for ((i = 0; i < 50; i++)); do
	cat vmlinux.btf >pipe &
	expect 0 limited "$ABTF" list pipe
	wait $! || fail "the writer ended with status $?"
done

begin 'no message suggests writing to the image'
for command in list 'list -a'; do
	# shellcheck disable=SC2086
	expect 0 "$ABTF" $command vmlinux
	has_not out 'abtf encode'
done

begin 'without shared names, list prints the number of functions that --all lists'
unit lone <<'C'
int lone(int a) { return a; }
asm(".text; .type __pfx_lone, @function; __pfx_lone: nop; .size __pfx_lone, 1;"
    ".type lone.cold, @function; lone.cold: nop; .size lone.cold, 1");
C
image lone lone.o
module lone.ko lone.o
for file in lone lone.ko; do
	expect 0 "$ABTF" list $file
	says 'no functions share a name; --all lists all 2$'
	expect_eq "$("$ABTF" list -aj $file | jq '.functions | length')" 2
done
expect 0 "$ABTF" list --table lone
says 'no functions share a name; --all lists all 2$'

begin 'a module without functions: an empty table, and not an error'
unit data <<'C'
int table[3] = { 1, 2, 3 };
static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=only_data";
C
# shellcheck disable=SC2086
$CC $machine -r -nostdlib -Wl,--build-id -o data.ko data.o
expect 0 "$ABTF" list --table --all data.ko
says 'data.ko: no functions$'
expect_eq "$(grep -v warning out)" "abtf-table 1 $(build_id data.ko) only_data all 0"
expect 0 "$ABTF" list --table --output=tables data.ko
expect_eq "$(cat "$(find tables -type f)")" "abtf-table 1 $(build_id data.ko) only_data shared 0"
expect 3 "$ABTF" list -p perf data.ko f
says "no function named 'f'"
expect_eq "$(echo ' f+0x1/0x2 [only_data]' | "$ABTF" symbolize data.ko)" ' f+0x1/0x2 [only_data]'
# without symbols, functions are not known
tool strip --strip-all -o bare.ko data.ko
expect 1 "$ABTF" list --table bare.ko
