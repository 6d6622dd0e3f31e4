#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --table writes a table, and examples/abtf_probe.h reads it.  selftests/kernel/tests/probes.sh
# attaches probes in a guest.
. "${0%/*}/../lib.sh"

mkdir -p kernel/sched fs
unit kernel/sched/core <<'C'
static __attribute__((noinline, used)) int dup(int a) { return a; }
int only(int a) { return a; }
static __attribute__((noinline, used, section(".init.text"))) int begin(void) { return 1; }
C
unit fs/core <<'C'
static __attribute__((noinline, used)) long dup(char *p, int n) { return p[n]; }
C
unit core <<'C'
static __attribute__((noinline, used)) char dup(char *p, long n) { return p[n]; }
C
image vmlinux kernel/sched/core.o fs/core.o core.o
encode vmlinux
id=$(build_id vmlinux)

begin 'a table has a version and the build id, then names, offsets and flags'
expect 0 "$ABTF" list --table vmlinux
expect_text "$out" <<T
abtf-table 1 $id vmlinux shared 3
dup@kernel/sched/core.c $(offset_of dup@kernel/sched/core.c) unknown
dup@fs/core.c $(offset_of dup@fs/core.c) unknown
dup@core.c $(offset_of dup@core.c) unknown
T
expect 0 "$ABTF" list --table --all vmlinux
says "^abtf-table 1 $id vmlinux all 5$"
says "^only $(offset_of only) unknown$"
says '^begin 0x[0-9a-f]* init$'
mv out table
expect 0 "$ABTF" list --table --image vmlinux vmlinux.btf dup@fs/core.c
expect_text "$(cat out)" <<T
abtf-table 1 $id vmlinux selected 1
dup@fs/core.c $(offset_of dup@fs/core.c) unknown
T

begin 'the name of each of several bodies of a source function selects only this body'
# a clone in the file of its original, in another file, and in an unknown file
unit near -O3 -fipa-cp-clone <<'C'
int sink;
__attribute__((noinline)) int both(int a, int b)
{
	for (int i = 0; i < b; i++)
		sink += a ^ i;
	return a + b;
}
int near_1(int a) { return both(a, 3); }
int near_2(int a) { return both(a + 1, 3); }
C
cat >clone.h <<'C'
static __attribute__((noinline)) int apart(int a, int b)
{
	for (int i = 0; i < b; i++)
		sink += a ^ i;
	return a + b;
}
C
unit far_1 -O2 -I. <<'C'
extern int sink;
#include "clone.h"
int far_1(int a, int b) { return apart(a, b); }
C
unit far_2 -O2 -I. <<'C'
extern int sink;
#include "clone.h"
int far_2(int a) { return apart(a, 3); }
C
# asm_unit UNIT SYMBOL...: assemble functions that only have symbols
asm_unit() {
	local name

	for name in "${@:2}"; do
		echo "asm(\".text; .type $name, @function; $name: nop; .size $name, 1\");"
	done | unit "$1"
}
asm_unit asm_1 lone lone.isra.0 lone.cold store warm warm.cold
asm_unit asm_2 store
image clones near.o far_1.o far_2.o asm_1.o asm_2.o
need_symbol clones 'T both'
need_symbol clones 't both\.constprop\.0'
need_symbol clones 't apart'
need_symbol clones 't apart\.constprop\.0'
text=$(nm clones | awk '$3 == "_text" { print $1 }')
# place_of SYMBOL [NUMBER]: print its offset from _text; NUMBER selects one of several symbols
place_of() {
	nm clones | sort | awk -v name="$1" '$3 == name { print $1 }' | sed -n "${2:-1}p" |
		{ read -r at; printf '0x%x' $((0x$at - 0x$text)); }
}
sorted_table() {
	sed '1d; s/,\?clone$//; s/ unknown$//' out | LC_ALL=C sort
}
sort_lines() {
	LC_ALL=C sort
}
expect 0 "$ABTF" list --table clones
sort_lines >expected <<T
apart.constprop.0@far_2.c $(place_of apart.constprop.0)
apart@far_1.c $(place_of apart)
both.constprop.0@near.c $(place_of both.constprop.0)
both@near.c#1 $(place_of both)
lone.isra.0 $(place_of lone.isra.0)
lone@_text+$(place_of lone) $(place_of lone)
store@_text+$(place_of store) $(place_of store)
store@_text+$(place_of store 2) $(place_of store 2)
T
expect_eq "$(sorted_table)" "$(cat expected)"
# selected functions have the same names
expect 0 "$ABTF" list --table clones both@near.c apart
expect_eq "$(sorted_table)" "$(grep '^both\|^apart' expected)"
expect 0 "$ABTF" list --table --all clones
sort_lines >>expected <<T
far_1 $(place_of far_1)
far_2 $(place_of far_2)
lone.cold $(place_of lone.cold)
near_1 $(place_of near_1)
near_2 $(place_of near_2)
warm $(place_of warm)
warm.cold $(place_of warm.cold)
T
expect_eq "$(sorted_table)" "$(sort_lines <expected)"
mv out clones.table
# names in BTF may already contain a file
unit other <<<'static __attribute__((noinline, used)) int both(int a) { return a; }'
image more near.o other.o
expect 0 "$ABTF" list --table more
says '^both@near.c#1 '
says '^both@other.c '
says '^both.constprop.0@near.c '

begin 'an image without a build id gives no table'
expect 1 "$ABTF" list --table vmlinux.btf
says 'has no build id'
expect 2 "$ABTF" list --table --json vmlinux

begin 'the header compiles as C and C++ without a warning'
strict='-Wall -Wextra -Werror -fsyntax-only'
echo '#include "abtf_probe.h"' >use.c
# shellcheck disable=SC2086 # lists of flags
{
	expect 0 gcc -std=gnu11 $strict -I"$top/examples" use.c
	expect 0 clang -std=gnu11 $strict -I"$top/examples" use.c
	expect 0 clang -x c++ -std=c++17 $strict -I"$top/examples" use.c
}

cat >find.c <<'C'
#define ABTF_ROOT "root"
#include "abtf_probe.h"
int main(int argc, char **argv)
{
	struct abtf_place place;
	int err = abtf_find(argv[1], argv[2], &place);
	unsigned long address = 0;
	const char *state = err || argc < 4 ? "" : abtf_strerror(abtf_addresses(&place, 1, &address));

	if (err)
		puts(err == -ESTALE ? "another kernel" : err == -ENOENT ? "none" :
		     err == -ENOTUNIQ ? "several" : err == -EOPNOTSUPP ? "rejected" :
		     err == -EBADMSG ? "damaged" : abtf_strerror(err));
	else if (argc > 3)
		printf("%s %s+0x%lx %s %#lx\n", place.module, place.start, (unsigned long)place.offset,
		       state, address);
	else
		printf("0x%lx\n", (unsigned long)place.offset);
	return 0;
}
C
gcc -O2 -g -fsanitize=address,undefined -I"$top/examples" -o find find.c -lbpf
export ASAN_OPTIONS=detect_leaks=0
mkdir -p root/sys/kernel root/proc
ln -s ../../../notes root/sys/kernel/notes
# notes_of IMAGE: write the notes that the kernel would have in /sys to the file "notes"
notes_of() {
	tool objcopy -O binary --only-section=.notes "$1" notes
	[ -s notes ] || tool objcopy -O binary --only-section=.note.gnu.build-id "$1" notes
}
notes_of vmlinux

begin 'the header finds the same functions as a selector'
while read -r wanted answer; do
	expect_eq "$(./find table "$wanted")" "$answer" "$wanted"
	case $wanted in *@/*)
		expect "$([ "$answer" = none ] && echo 3 || echo 0)" "$ABTF" list vmlinux "$wanted" ;;
	esac
done <<T
dup@fs/core.c $(offset_of dup@fs/core.c)
dup@sched/core.c $(offset_of dup@kernel/sched/core.c)
dup@/sched/core.c none
dup@/kernel/sched/core.c $(offset_of dup@kernel/sched/core.c)
dup@//kernel/sched/core.c none
dup@core.c $(offset_of dup@core.c)
only $(offset_of only)
dup several
dup@ore.c none
dup@mm/core.c none
du none
onl none
only@core.c none
begin rejected
T

begin 'NAME is found only if it has one body, and each body by its name'
notes_of clones
while read -r wanted answer; do
	expect_eq "$(./find clones.table "$wanted")" "$answer" "$wanted"
done <<T
both several
both@near.c several
both@near.c#1 $(place_of both)
both.constprop.0 $(place_of both.constprop.0)
apart several
apart@far_1.c $(place_of apart)
apart@far_2.c $(place_of apart.constprop.0)
apart.constprop.0 $(place_of apart.constprop.0)
lone several
lone.isra.0 $(place_of lone.isra.0)
lone.cold $(place_of lone.cold)
store several
warm $(place_of warm)
T
while read -r name offset flags; do
	case $flags in
	''|unknown|clone|unknown,clone) answer=$offset ;;
	*)	answer=rejected ;;
	esac
	expect_eq "$(./find clones.table "$name")" "$answer" "$name"
done < <(sed 1d clones.table)
[ "$(wc -l <clones.table)" -gt 5 ] || fail 'the table is too short for this test'
notes_of vmlinux

begin 'a damaged table is rejected, and CR LF accepted'
sed 's/$/\r/' table >crlf
expect_eq "$(./find crlf only)" "$(offset_of only)"
for line in other 'other 0x10 clone 7' 'other 0xg' 'other a/b+0x10' 'other +0x10' 'other 0x10 ' "$(printf '%9000s 0x10' x)"; do
	{ cat table; echo "$line"; } >damaged
	expect_eq "$(./find damaged only)" damaged "$line"
done
head -c -1 table >damaged
expect_eq "$(./find damaged only)" damaged
# without the end, a name may seem to be unique
for lines in $(seq $(($(wc -l <table) - 1))); do
	head -n "$lines" table >damaged
	expect_eq "$(./find damaged dup)" damaged "$lines lines"
done
expect_eq "$(./find table dup)" several
# an older abtf did not print the number of functions
sed '1s, [0-9]*$,,; 2d' table >older
expect_eq "$(./find older only)" "$(./find table only)"
{ cat table; echo 'other 0x10 clone;'; } >newer
expect_eq "$(./find newer other)" rejected

begin 'a table of another kernel is rejected'
image another fs/core.o
notes_of another
expect_eq "$(./find table only)" 'another kernel'
notes_of vmlinux
sed '1s/. vmlinux/ vmlinux/' table >short
expect_eq "$(./find short only)" 'another kernel'
sed '1s/ vmlinux/0 vmlinux/' table >long
expect_eq "$(./find long only)" 'another kernel'
: >empty
expect_eq "$(./find empty only)" damaged
for line in "$id vmlinux" 'abtf-table 2' "abtf-table 10 $id vmlinux"; do
	{ echo "$line"; sed 1d table; } >version
	expect_eq "$(./find version only)" 'the table is from another version of abtf' "$line"
done
{ echo "$id"; sed 1d table; } >unversioned
expect_eq "$(./find unversioned only)" "$(./find table only)" 'the table of an earlier release'
expect_eq "$(./find unversioned vmlinux:only)" "$(./find table vmlinux:only)"
expect_eq "$(./find unversioned my_mod:only)" "$(./find table my_mod:only)"
sed '1s/.$//' unversioned >stale
expect_eq "$(./find stale only)" 'another kernel'
for line in "abtf-table 1 $id" "abtf-table 1 $id " "abtf-table 1 "; do
	{ echo "$line"; sed 1d table; } >damaged
	expect_eq "$(./find damaged only)" damaged "$line"
done
expect_eq "$(./find nowhere only)" 'no table for this kernel or module'

begin 'truncated or wrong notes: no crash, and not the error for a function that is missing'
mv notes good
no_id='the build id of the kernel or module cannot be read'
expect_eq "$(./find table only)" "$no_id" 'no notes'
for size in 0 1 11 12 15 16 20 35; do
	head -c $size good >notes
	expect_eq "$(./find table only)" "$no_id" "$size bytes"
done
for at in 0 4; do
	cp good notes
	printf '\xff\xff\xff\xff' | dd of=notes bs=1 seek=$at conv=notrunc status=none
	./find table only >out 2>&1 || fail "at $at: $(cat out)"
	has_not out 0x
done

begin 'a table of a module: offsets are from a unique symbol, or the start of a section'
unit left <<'C'
static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=my_mod";
static __attribute__((noinline, used)) int twin(int a) { return a; }
__attribute__((noinline, used)) int between(int a) { return a; }
C
unit right <<'C'
static __attribute__((noinline, used)) int twin(long a) { return a; }
C
# shellcheck disable=SC2086 # lists of flags
$CC $machine -r -nostdlib -Wl,--build-id -o mod.ko left.o right.o
mod_id=$(build_id mod.ko)
distance=$(nm mod.ko | sort | awk '{ at[NR] = $1; name[NR] = $3 } END { print at[NR], at[NR - 1] }' |
	{ read -r twin between; printf '0x%x' $((0x$twin - 0x$between)); })
expect 0 "$ABTF" list --table --all mod.ko
expect_text "$out" <<T
abtf-table 1 $mod_id my_mod all 3
between between+0x0 unknown
twin@left.c [.text]+0x0 unknown
twin@right.c between+$distance unknown
T
mv out mod.table
# shellcheck disable=SC2086
$CC $machine -r -nostdlib -Wl,--build-id -o plain.ko right.o
expect 1 "$ABTF" list --table plain.ko
says 'is relocatable, but not a module'

begin 'a table of a module is only used for the loaded module'
cp good notes
expect_eq "$(./find mod.table between)" 'the module is not loaded'
mkdir -p root/sys/module/my_mod/notes root/sys/module/my_mod/sections
objcopy -O binary --only-section=.note.gnu.build-id --set-section-flags .note.gnu.build-id=alloc \
	mod.ko root/sys/module/my_mod/notes/.note.gnu.build-id
for wanted in between my_mod:between my_mod:twin@right.c twin@right.c; do
	case $wanted in *between) answer=0x0 ;; *) answer=$distance ;; esac
	expect_eq "$(./find mod.table $wanted)" "$answer" $wanted
done
expect_eq "$(./find mod.table twin)" several
mv root/sys/module/my_mod/notes/.note.gnu.build-id saved
: >root/sys/module/my_mod/notes/.note.gnu.build-id
expect_eq "$(./find mod.table between)" "$no_id"
mv saved root/sys/module/my_mod/notes/.note.gnu.build-id
expect_eq "$(./find mod.table other:between)" none
expect_eq "$(./find table my_mod:only)" none
expect_eq "$(./find mod.table ../my_mod:between)" none
printf '%s\n' '0000000000001000 T _text' '0000000000002000 t between' \
	$'0000000000003000 t between\t[my_mod2]' $'0000000000004000 t between\t[my_mod]' >root/proc/kallsyms
# answer TABLE NAME: look NAME up
answer() {
	./find "$1" "$2" address
}
expect_eq "$(answer mod.table twin@right.c)" \
	"my_mod between+$distance Success $(printf 0x%x $((0x4000 + distance)))"
expect_eq "$(answer mod.table twin@left.c)" 'my_mod [.text]+0x0 Operation not permitted 0'
echo 0x8000 >root/sys/module/my_mod/sections/.text
expect_eq "$(answer mod.table twin@left.c)" 'my_mod [.text]+0x0 Success 0x8000'
expect_eq "$(answer table only)" " _text+$(offset_of only) Success $(printf 0x%x $((0x1000 + $(offset_of only))))"
sed -i 's/^0*4000/0000000000000000/' root/proc/kallsyms
expect_eq "$(answer mod.table between)" 'my_mod between+0x0 Operation not permitted 0'
sed -i '/my_mod\]/d' root/proc/kallsyms
expect_eq "$(answer mod.table between)" 'my_mod between+0x0 not in the table 0'

begin 'of a directory of tables, that of the running kernel or of the module is read'
for file in table mod.table; do
	name=$(cut -d ' ' -f 3 $file | head -n 1)
	mkdir -p "tables/${name:0:2}"
	cp $file "tables/${name:0:2}/${name:2}.table"
done
expect_eq "$(./find tables only)" "$(offset_of only)"
expect_eq "$(./find tables my_mod:between)" 0x0
expect_eq "$(./find tables between)" none
expect_eq "$(./find tables other:between)" 'the module is not loaded'
rm "tables/${mod_id:0:2}/${mod_id:2}.table"
expect_eq "$(./find tables my_mod:between)" 'no table for this kernel or module'
notes_of another
expect_eq "$(./find tables only)" 'no table for this kernel or module'
notes_of vmlinux
cp mod.table "tables/${id:0:2}/${id:2}.table"
expect_eq "$(./find tables my_mod:between)" 'no table for this kernel or module'
for what in mkfifo mkdir; do
	rm "tables/${id:0:2}/${id:2}.table"
	$what "tables/${id:0:2}/${id:2}.table"
	expect_eq "$(limited ./find tables only)" damaged $what
done

begin 'examples/: a build in a directory that does not exist yet'
expect 0 make -s -C "$top/examples" O="$PWD/new/dir"
[ -x new/dir/count_calls ] || fail 'no count_calls'

begin 'count_calls: an error names the function that caused it'
cp good notes
mkdir fake
cat >fake/count_calls.skel.h <<'C'
struct count_calls {
	struct { struct bpf_program *count, *count_multi; } progs;
	struct { long calls; } *bss;
};
static struct count_calls fake;
static struct count_calls *count_calls__open(void) { return &fake; }
static int count_calls__load(struct count_calls *skel) { return 0; }
static void count_calls__destroy(struct count_calls *skel) { }
C
cat >fake/attach.c <<'C'
#include <stddef.h>
void *fake_attach(void *prog, const char *name, void *opts) { return &fake_attach; }
void *fake_attach_multi(void *prog, const char *name, void *opts) { return NULL; }
int fake_autoload(void *prog, int on) { return 0; }
C
# a copy, without a skeleton in its directory
cp "$top/examples/count_calls.c" fake/
gcc -w -Ifake -I"$top/examples" -DABTF_ROOT='"root"' -Dbpf_program__attach_kprobe_opts=fake_attach \
	-Dbpf_program__attach_kprobe_multi_opts=fake_attach_multi \
	-Dbpf_program__set_autoload=fake_autoload \
	-o fake/count_calls fake/count_calls.c fake/attach.c
for how in '' -r -m; do
	# shellcheck disable=SC2086 # one option or none
	expect 1 fake/count_calls $how table dup@fs/core.c dup@mm/core.c only -- true
	expect_eq "$out" 'dup@mm/core.c: not in the table'
done
expect 1 fake/count_calls table dup@fs/core.c dup only -- true
expect_eq "$out" 'dup: several functions match'
expect 1 fake/count_calls table begin -- true
expect_eq "$out" 'begin: the kernel rejects probes on it (notrace, noprobe, init, or a flag of a later abtf)'
{ cat table; echo other; } >damaged
expect 1 fake/count_calls damaged only -- true
expect_eq "$out" 'only: the table is damaged'

begin 'offsets are relative to _text, to the global symbol rather than a local one'
unit lure <<'C'
asm(".text\n\tnop\n_text:\n\tnop");
int bait(int a) { return a; }
C
image lured lure.o kernel/sched/core.o
expect_eq "$(nm lured | awk '$3 == "_text" { print $2 }' | sort | tr -d '\n')" Tt
encode lured
at=$(nm lured | awk '$3 == "bait" { print $1 }')
text=$(nm lured | awk '$3 == "_text" && $2 == "T" { print $1 }')
expect 0 "$ABTF" list --table --all lured
says "^bait $(printf '0x%x' $((0x$at - 0x$text))) unknown$"
objcopy --localize-symbol=_text vmlinux local
expect_eq "$(nm local | awk '$3 == "_text" { print $2 }')" t
encode local
cmp local.btf vmlinux.btf || fail 'a local _text was used'
