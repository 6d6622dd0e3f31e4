#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list, check, diff and strip: their output and exit status.
. "${0%/*}/../lib.sh"

mkdir -p kernel
unit kernel/a <<'C'
struct s { int x; };
static __attribute__((noinline, used)) int dup(struct s *s) { return s->x; }
int f(int a) { return a; }
int gone(void) { return 1; }
C
unit kernel/b <<'C'
static __attribute__((noinline, used)) long dup(char *p, int n) { return p[n]; }
C
image old kernel/a.o kernel/b.o
unit kernel/a <<'C'
struct s { int x; };
int added(void) { return 2; }
int added_too(void) { return 3; }
static __attribute__((noinline, used)) int dup(struct s *s) { return s->x; }
int f(long a) { return a; }
C
unit kernel/b <<'C'
static __attribute__((noinline, used)) long dup(char *p, unsigned n) { return p[n]; }
C
image new kernel/a.o kernel/b.o
encode old
encode new

begin 'list prints only shared names by default'
expect 0 "$ABTF" list old.btf
expect_eq "$(grep -c 'dup(' out)" 2
has_not out ' f\(int a\)'
expect 0 "$ABTF" list --all old.btf
says ' f\(int a\)'
expect 0 "$ABTF" list -j old.btf
jq -e '.functions | length == 2' out >/dev/null || fail 'the JSON list does not have 2 functions'

begin 'list prints the place of the declaration from DWARF'
cp old with-btf
"$ABTF" encode -q with-btf
expect 0 "$ABTF" list with-btf dup@kernel/a.c
says 'kernel/a\.c:2'
expect 0 "$ABTF" list with-btf dup@kernel/b.c
says 'kernel/b\.c:1'

begin 'messages and listings contain no control characters'
hostile=$'e\e[2J' control=$'c\302\233' reverse=$'r\342\200\256' raw=$'x\233\377' umlaut=$'\303\274'
for name in "$hostile" "$control" "$reverse" "$raw"; do
	expect 1 "$ABTF" list "$name$umlaut"
	expect_eq "$out" "abtf: error: $(LC_ALL=C sed "s/[^a-z0-9[A-Z]/?/g" <<<"$name")$umlaut: cannot read: No such file or directory"
done
unit "kernel/$hostile$control$reverse$umlaut" <<<'int odd(int a) { return a; }'
image odd kernel/e*.o
for options in '' --json; do
	# shellcheck disable=SC2086 # none or one
	expect 0 "$ABTF" list --all $options odd
	says 'kernel/e'
	has_not out $'[\e\233\200]'
done
expect_eq "$(jq -r '.functions[] | select(.name == "odd").decl_file' out)" "kernel/e?[2Jc??r???$umlaut.c"
has_not out $'[\200-\377]'
"$ABTF" encode -q -o odd.btf odd
tool objcopy --redefine-sym "odd=$hostile" odd
expect 1 "$ABTF" check odd odd.btf
says "where 'e\?\[2J' starts"

begin "check: an image's own BTF has no violations"
expect 0 "$ABTF" check old old.btf
expect 0 "$ABTF" check with-btf

begin 'check: the BTF of another image has violations'
expect 1 "$ABTF" check new old.btf
[ "$(grep -c . out)" -ge 2 ] || fail 'no line per violation'

begin 'check reports an address that is four bytes off, of another function, or outside of text'
id=$(sed -nE 's/^\[([0-9]+)\] FUNC f .*/\1/p' old.dump)
addr=$(sed -nE 's/^.* FUNC f addr (0x[0-9a-f]+) .*/\1/p' old.dump)
other=$(sed -nE 's/^.* FUNC gone addr (0x[0-9a-f]+) .*/\1/p' old.dump)
for lie in $((addr + 4)) $((other)) 0x7fff0000; do
	"$edit" old.btf lie.btf "$id" 3 "$lie"
	expect 1 "$ABTF" check old lie.btf
	says 'FUNC f\)'
done

begin 'a record with a wrong guard or reserved flags is rejected by all commands'
for word in 0x00000000 0xfe000000 0xff020000; do
	"$edit" old.btf lie.btf "$id" 4 $word
	expect 2 "$ABTF" check old lie.btf
	expect 1 "$ABTF" list lie.btf
	expect 2 "$ABTF" diff old.btf lie.btf
	expect 1 "$ABTF" strip lie.btf lie-plain.btf
done

begin 'diff prints only counts for equal files'
equal='4 and 4 functions: 4 matched, 0 removed, 0 added, 0 with another prototype, 0 of 4 with another address'
expect 0 "$ABTF" diff old.btf old.btf
expect_eq "$out" "$equal"
cp old copy
expect 0 "$ABTF" encode copy
expect 0 "$ABTF" diff copy old.btf
expect_eq "$out" "$equal"

begin 'diff reports functions that were added or removed, and changed prototypes and addresses'
expect 1 "$ABTF" diff old.btf new.btf
says '^- gone: int gone\(void\)'
says '^\+ added: int added\(void\)'
says '^\+ added_too: '
says '^! f'
says 'int f\(int a\)'
says 'int f\(long( int)? a\)'
says '^! dup@kernel/b.c'
says '^! dup@kernel/a.c.*address|^! dup@kernel/a.c.*0x'
has_not out '^[-+] dup'
expect 1 "$ABTF" diff -j old.btf new.btf
jq -e . out >/dev/null || fail 'no JSON'
expect 1 "$ABTF" diff -q old.btf new.btf
expect_none <<<"$out"

begin 'diff: images without BTF are compared by their DWARF'
expect 1 "$ABTF" diff old new
mv out images
expect 1 "$ABTF" diff old.btf new.btf
cmp out images || fail 'the output differs'

begin 'diff compares BTF without addresses'
unit kernel/c <<<'int shift(void) { return 1; }'
target gcc
unit kernel/a <<'C'
struct s { int x; };
static __attribute__((noinline, used)) int dup(struct s *s) { return s->x; }
int f(int a) { return a; }
int gone(void) { return 1; }
C
unit kernel/b <<'C'
static __attribute__((noinline, used)) long dup(char *p, int n) { return p[n]; }
C
image moved kernel/b.o kernel/a.o
encode moved
expect 1 "$ABTF" diff old.btf moved.btf
expect 0 "$ABTF" diff -n old.btf moved.btf
"$ABTF" strip moved.btf moved.plain
expect 0 "$ABTF" diff old.btf moved.plain

begin 'strip removes records; ids, names and tags stay'
expect 0 "$ABTF" strip old.btf plain.btf
"$dump" plain.btf >plain.dump
expect_eq "$(sed -E 's/ addr 0x[0-9a-f]+//' old.dump)" "$(cat plain.dump)"
expect_eq $(($(stat -c %s old.btf) - $(stat -c %s plain.btf))) $((8 * $(grep -c ' FUNC ' old.dump)))
expect 0 "$ABTF" strip plain.btf again.btf
cmp plain.btf again.btf || fail 'stripping plain BTF changes it'
"$ABTF" strip old.btf - | cmp - plain.btf || fail 'strip to stdout writes different BTF'
expect 0 "$ABTF" strip with-btf from-image.btf
cmp plain.btf from-image.btf || fail 'strip of an image writes different BTF'

begin 'strip --loadable: FUNCs that no kernel accepts without a record are omitted, with their tags'
unit kernel/k -I"$selftests/example/include" <<'C'
#include <linux/btf_ids.h>
__attribute__((used)) int the_kfunc(int a) { return a; }
BTF_KFUNCS_START(set)
BTF_ID_FLAGS(func, the_kfunc, "0")
BTF_KFUNCS_END(set)
C
image tagged kernel/a.o kernel/b.o kernel/k.o
encode tagged
# a tag on each of the twins, in addition to the tag of the kfunc
kfunc=$(sed -nE 's/^\[([0-9]+)\] FUNC the_kfunc .*/\1/p' tagged.dump)
tag=$(sed -nE 's/^\[([0-9]+)\] DECL_TAG bpf_kfunc .*/\1/p' tagged.dump)
twin=$(sed -nE 's/^\[([0-9]+)\] FUNC dup@kernel.b.c .*/\1/p' tagged.dump)
"$edit" tagged.btf on-twin.btf "$tag" 2 "$twin"
expect 0 "$ABTF" strip --loadable tagged.btf t.btf
"$dump" t.btf >t.dump
expect_eq "$(grep -c . t.dump)" $(($(grep -c . tagged.dump) - 2))
expect_text "$(grep 'FUNC \|DECL_TAG' t.dump | cut -d' ' -f1-5)" <<T
[$((kfunc - 4))] FUNC f linkage 1:
[$((kfunc - 3))] FUNC gone linkage 1:
[$((kfunc - 2))] FUNC the_kfunc linkage 1:
[$((tag - 2))] DECL_TAG bpf_kfunc on [$((kfunc - 2))]
T
expect 0 "$ABTF" strip --loadable on-twin.btf t.btf
"$dump" t.btf >t.dump
expect_eq "$(grep -c . t.dump)" $(($(grep -c . tagged.dump) - 3))
has_not t.dump 'dup|DECL_TAG'
# without such names, nothing is omitted
"$ABTF" encode -q --features=func_addr -o pure.btf tagged
"$ABTF" strip pure.btf want.btf
expect 0 "$ABTF" strip --loadable pure.btf t.btf
cmp want.btf t.btf || fail 'the BTF differs'

begin 'wrong usage: status 2'
for args in '' nonsense 'encode' 'encode --report r a b' 'encode -j 0 old' 'encode --no-such old' 'list' \
	    'check' 'check a b c' 'diff a' 'strip a' 'encode --features=no_such -o x old'; do
	# shellcheck disable=SC2086
	expect 2 "$ABTF" $args
	[ -n "$out" ] || fail "no message: $args"
done

begin '--max-uncompressed rejects sizes that are not numbers, 0, or 2^63 bytes and more'
for limit in '' 0 -1 +1 ' 1' 1x 8796093022208; do
	expect 2 "$ABTF" list --max-uncompressed="$limit" old
	says '^abtf: error: --max-uncompressed expects a number of megabytes: '
done
expect 0 "$ABTF" list --max-uncompressed=8796093022207 old

begin 'make help fits one screen, and help-dev lists all other targets'
make -s -C "$top" help >help
make -s -C "$top" help-dev >help-dev
[ "$(wc -l <help)" -le 24 ] || fail 'help is longer than a screen'
awk 'length > 100' help help-dev | expect_none 'lines that are too long'
find_lines -h '@[A-Za-z]*@' help help-dev | expect_none 'placeholders'
# make's own list, with variables expanded; prerequisites of other targets are not for users
make -npq -C "$top" help 2>/dev/null | sed -n 's/^\.PHONY: //p' | tr ' ' '\n' >targets || true
[ "$(wc -l <targets)" -gt 50 ] || fail 'make listed few targets'
grep -vxE 'all|help|encoder|compare|judge|setup-(bench|patches|compilers)|vm-source|vm-guest' targets |
	while read -r target; do
		grep -qhE "make $target( |\$)" help help-dev || fail "no help for make $target"
	done

begin '--help and --version work for every command'
expect 0 "$ABTF" --version
says '^abtf [0-9]'
expect 0 "$ABTF" --help
for command in encode list check diff strip report symbolize; do
	says "$command"
done
for command in encode list check diff strip report symbolize; do
	expect 0 "$ABTF" $command --help
	says "Usage: abtf $command"
done

# options_of SECTION...: long options that the man page explains in these sections
options_of() {
	awk -v sections="$*" '
	/^\.S[hs] / { sub(/^\.S[hs] /, ""); on = index(";" sections ";", ";" $0 ";") }
	on && /^\.It Fl/' "$top/encoder/abtf.1" | grep -oE -- '-[a-z_-]{2,}' | sed 's/^-*/--/' | sort
}

# options_in FILE: options at the start of the lines of a --help
options_in() {
	grep -oE -- '^  (-[A-Za-z], |    )--[a-z_-]+' "$1" | grep -oE -- '--.*' | sort
}

begin 'the man page explains exactly the options of --help'
for command in encode list check diff strip report symbolize; do
	"$ABTF" $command --help >help
	find='FINDING THE IMAGE'
	grep -q -e '--build-id' help || find=
	expect_text "$command $(options_in help)" <<<"$command $(sort <(options_of "$command;$find") <(echo --help))"
done
"$ABTF_PAHOLE" --help >help
expect_text "$(options_in help)" <<<"$(sort <(options_of 'CALLED AS PAHOLE') <(echo --help))"

begin 'an image without .BTF: check and strip report it'
for args in '2 check old' '1 strip old x'; do
	# shellcheck disable=SC2086
	expect ${args%% *} "$ABTF" ${args#* }
	says '\.BTF'
done

begin 'no output is lost silently, but the reader of a pipe may exit'
exec 9> >(:)
wait $!
for args in 'list --all old.btf' 'list -j old.btf' 'list --probe=bpftrace old dup' 'list --probe=json old dup' \
	'list --table old' 'symbolize old _text+0' 'symbolize -j old _text+0' 'check old old.btf' \
	'check -j old old.btf' 'diff old.btf new.btf' 'diff -j old.btf new.btf' 'strip old.btf -' \
	'encode -o - old' 'report -o - old' 'list --help' 'help' '--version'; do
	# shellcheck disable=SC2086 # arguments
	expect 1 sh -c 'exec "$@" >/dev/full' - "$ABTF_PROGRAM" $args
	says '^abtf: error: stdout: (cannot write|(cannot write: )?No space left on device)$'
	# shellcheck disable=SC2086
	expect 1 sh -c 'exec "$@" >&9' - "$ABTF_PROGRAM" $args
	find_lines error out | expect_none
done
awk 'BEGIN { for (i = 0; i < 100000; i++) print "_text+0" }' >many
expect 1 sh -c 'exec "$1" symbolize old <many >/dev/full' - "$ABTF_PROGRAM"
says '^abtf: error: stdout: cannot write$'
expect 1 sh -c 'exec "$1" symbolize old <many >&9' - "$ABTF_PROGRAM"
printf %s "$out" | expect_none
exec 9>&-

begin '--version prints the same for the program and every command'
expect_eq "$("$ABTF" --version | sed 's/.*pahole \([0-9.]*\))$/v\1/')" "$("$ABTF_PAHOLE" --version)"
for c in '' encode list check diff strip report symbolize; do
	# shellcheck disable=SC2086 # no argument at all
	expect 0 "$ABTF" $c --version
	says '^abtf [0-9]+\.[0-9]+\.[0-9]+ \(stands in for pahole [0-9.]+\)$'
done

begin 'messages about arguments contain no control characters'
for argument in $'--\e]0;x\a' $'-\e' $'-\x9b' $'--json=\e[2J' $'--sysr\e' $'-q\x9b' $'-\x9b\x9b' $'-\xc2\x9b'; do
	for command in "$ABTF list" "$ABTF help" "$ABTF"; do
		expect 2 $command "$argument"
		if grep -aP '[^\n\x20-\x7e]' out; then fail "$command $(printf %q "$argument")"; fi
	done
done
expect 2 "$ABTF" list --sysroot
says "error: list: option '--sysroot' requires an argument"
for command in list report check symbolize; do
	expect 2 "$ABTF" $command --sysroot=. vmlinux
	says "error: $command: --sysroot expects --running, --module, --build-id or --notes"
done
expect 2 "$ABTF" list --json=3
says "error: list: option '--json' doesn't allow an argument"
expect 2 "$ABTF" list -Z
says "error: list: unknown option '-Z'"
expect 2 "$ABTF" list --no-such
says "error: list: unknown or ambiguous option '--no-such'"

begin 'an option with an argument is rejected if repeated, except for list options'
: >repeated
for command in $("$ABTF" --complete-options | find_lines -vx help); do
	"$ABTF" "$command" --complete-options >options
	has options '^--[a-z-]+='
	while read -r option _ kind words; do
		case $option$kind in
		*=file | *=dir | *=text | *=jobs) value=64 ;;
		*=*) value=${words%%,*} ;;
		*) continue ;;
		esac
		expect 2 "$ABTF" "$command" "$option$value" "$option$value"
		grep -q "option '${option%=}' was given twice" out || echo "$command ${option%=}" >>repeated
	done <options
done
# where all commands find images; see list --output
expect_text "$(sed -E 's/^[a-z]* (--build-id|--notes)$/\1/' repeated | sort -u)" <<'T'
--build-id
--notes
encode --features
encode --lang
encode --lang-exclude
encode --strip-prefix
T
