#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# libbpf-patch/helper with the distribution's libbpf, and with that of the patched
# tree, as the one that is newer: which function each section name of a BPF object
# gets.  No kernel is asked; root/sys and root/proc here play it.
#	LINUX=DIR	the source tree (build/linux/patched, made if it is not there)
. "${0%/*}/../lib.sh"
have clang || { begin 'the helper'; skip 'no clang'; exit 77; }

# 99 is no exit status of the test's, so no report of a sanitizer goes unseen.
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99:halt_on_error=1
if [ -z "${LINUX:-}" ]; then
	make --no-print-directory -s -C "$top" vm-source
	LINUX=$top/build/linux/patched
fi
new=$top/build/libbpf/plain/libbpf.a
flock "$top/build/libbpf.lock" make --no-print-directory -C "$selftests/libbpf/patched" LINUX="$LINUX" "$new"

# build NAME ARGUMENTS...: the test with the libbpf that they name
build() {
	gcc -O1 -g -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -fsanitize=address,undefined \
		-o "$1" "$selftests/libbpf/helper-test.c" "${@:2}"
}
build with-old -lbpf -lelf
build with-new -isystem "$LINUX/tools/lib" -isystem "$LINUX/tools/include/uapi" "$new" -lelf -lz
tests='with-old with-new'

sys=root/sys/kernel

# object <<'S': sections.o with one program for each line's first word
object() {
	{
		echo '#include <linux/bpf.h>'
		echo '#include <bpf/bpf_helpers.h>'
		awk '{ printf "SEC(\"%s\") int p%d(void *ctx) { return 0; }\n", $1, NR }'
		echo 'char _license[] SEC("license") = "GPL";'
	} >sections.c
	clang -target bpf -O2 -g -I"/usr/include/$(uname -m)-linux-gnu" -c -o sections.o sections.c
}

# expect_chosen [-f FILE] <<'E': lines of "SECTION RESULT"; what was said is in "said"
expect_chosen() {
	local test

	cat >want
	object <want
	for test in $tests; do
		status=0
		./$test "$@" sections.o >got 2>said.$test || status=$?
		expect_eq $status 0 $test
		[ $status = 0 ] || tail -n 30 said.$test
		# programs of one section stand together, in whatever order libbpf has them
		expect_text "$(tr '\t' ' ' <got | sort)" < <(sort want)
	done
	expect_text "$(cat said.with-new)" <said.with-old
	mv said.with-old said
}

# show_as_kernel IMAGE: what a kernel would show of it
show_as_kernel() {
	rm -rf root
	mkdir -p $sys/btf $sys/btf_addr
	"$ABTF" encode -q -o $sys/btf_addr/vmlinux "$1"
	"$ABTF" strip $sys/btf_addr/vmlinux $sys/btf/vmlinux
	objcopy -O binary --only-section=.notes "$1" $sys/notes
	[ -s $sys/notes ] || { echo "precondition: $1 has no notes"; return 1; }
	"$ABTF" list -aj $sys/btf_addr/vmlinux >all.json
}

# function NAME UNIT .FIELD: what the encoder says of it
function_of() {
	jq -r --arg name "$1" --arg unit "$2" \
		".[] | select(.name == \$name and .unit == \$unit)$3" all.json
}

show_as_kernel "$example"
unit=kernel/events/core.c
id=$(function_of type_show $unit .id)
at=$(function_of type_show $unit .offset)

begin 'fentry: the selector of each function of the example picks its id'
jq -r '.[] | "fentry/\(.selector) id \(.id)"' all.json >funcs
expect_eq "$(grep -c 'cpumask_weight@' funcs)" 22
expect_chosen <funcs
expect_eq "$(cat said)" ''

begin 'kprobe: ... and its address, or says that it is init text'
jq -r '.[] | select(.unit) | [.selector, .offset, .flags[]] | @tsv' all.json |
	while read -r selector offset flag; do
		if [ "$flag" = init ]; then
			echo "kprobe/$selector ENXIO"
		else
			printf 'kprobe/%s kprobe _text+0x%x\n' "$selector" "$offset"
		fi
	done >funcs
expect_eq "$(grep -c ENXIO funcs)" "$(jq '[.[] | select(.unit and .flags != [])] | length' all.json)"
has funcs 'param_setup.* ENXIO'
expect_chosen <funcs
has said "prog 'p[0-9]+': 'param_setup' is init or exit text, which is not there any more"

begin 'by number, by less of the path, with an offset; in every kind of section'
expect_chosen <<E
fentry/type_show@2 id $id
fentry.s/type_show@events/core.c id $id, sleepable
fexit/type_show@$unit id $id
fexit.s/type_show@0002 id $id, sleepable
fmod_ret/type_show@2 id $id
fmod_ret.s/type_show@2 id $id, sleepable
fentry/vmlinux:type_show@2 id $id
kprobe/type_show@2 kprobe _text+$(printf 0x%x $at)
kretprobe/type_show@2 kretprobe _text+$(printf 0x%x $at)
kprobe/vmlinux:type_show@events/core.c kprobe _text+$(printf 0x%x $at)
kprobe/type_show@events/core.c+0x10 kprobe _text+$(printf 0x%x $((at + 16)))
kretprobe/type_show@2+8 kretprobe _text+$(printf 0x%x $((at + 8)))
E

begin 'a bare name that is enough works as ever'
expect_chosen <<E
fentry/start_kernel id $(jq '.[] | select(.name == "start_kernel").id' all.json)
kprobe/start_kernel kprobe start_kernel+0x0
kprobe/start_kernel+0x4 kprobe start_kernel+0x4
kretprobe/start_kernel kretprobe start_kernel+0x0
kprobe/not_in_btf kprobe not_in_btf+0x0
kprobe EOPNOTSUPP
fentry EINVAL
E
has said "prog 'p7': SEC\(\) names no function"

begin 'several fit: they are listed, each with what picks it'
expect_chosen <<<'fentry/type_show EADDRNOTAVAIL'
expect_text "$(cat said)" <<'E'
prog 'p1': 3 functions are 'type_show', choose one of:
  type_show@drivers/base/cacheinfo.c
  type_show@kernel/events/core.c
  type_show@kernel/irq/irqdesc.c
E
expect_chosen <<'E'
fexit/cpumask_weight@core.c EADDRNOTAVAIL
kprobe/type_show EADDRNOTAVAIL
kretprobe/cpumask_weight EADDRNOTAVAIL
kretprobe/cpumask_weight@core.c EADDRNOTAVAIL
E
units=$(jq '[.[] | select(.name == "cpumask_weight" and (.unit | endswith("/core.c")))] | length' all.json)
has said "prog 'p4': $units functions are 'cpumask_weight@core.c', choose one of:"
has said '^  cpumask_weight@kernel/sched/core.c$'

begin 'none fits: the others are listed'
expect_chosen <<<'fentry/type_show@kernel/nowhere.c ESRCH'
expect_text "$(cat said)" <<'E'
prog 'p1': no 'type_show' is of that file, there are:
  type_show@drivers/base/cacheinfo.c
  type_show@kernel/events/core.c
  type_show@kernel/irq/irqdesc.c
E
expect_chosen <<'E'
fentry/type_show@vents/core.c ESRCH
fentry/type_show@4 ESRCH
fentry/type_show@99999999999999999999999 ESRCH
fentry/nobody ESRCH
fentry/nobody@1 ESRCH
kprobe/nobody@kernel/cpu.c ESRCH
kprobe/type_show@4 ESRCH
E
has said "prog 'p[0-9]+': no function is called 'nobody'"

begin 'malformed selectors'
expect_chosen <<'E'
fentry/type_show@ EINVAL
fentry/type_show@0 EINVAL
fentry/@kernel/cpu.c EINVAL
fentry/:type_show EINVAL
fentry/m1: EINVAL
fentry/../btf/m1:type_show EINVAL
kprobe/type_show@2+ ESRCH
kprobe/type_show@2+8x EINVAL
kprobe/type_show@2+99999999999999999999 EINVAL
kprobe/+8 EINVAL
E

begin 'bpf_program__set_attach_target() has the last word'
object <<<'fentry/type_show'
for test in $tests; do
	expect_eq "$(TARGET_ID=77 ./$test sections.o | cut -f2)" 'id 77' $test
done

begin 'a file for kprobes, on a kernel whose BTF has one FUNC for a name'
have pahole || { skip 'no pahole'; exit 77; }
pahole -J --btf_encode_detached=$sys/btf/vmlinux "$example"
rm -r $sys/btf_addr
"$ABTF" encode -q -o debug.elf "$example"
expect_chosen -f debug.elf <<E
kprobe/type_show@2 kprobe _text+$(printf 0x%x $at)
kprobe/type_show@$unit kprobe _text+$(printf 0x%x $at)
kprobe/type_show EADDRNOTAVAIL
kprobe/start_kernel kprobe start_kernel+0x0
fentry/start_kernel id $(bpftool btf dump file $sys/btf/vmlinux | sed -n "s/^\[\([0-9]*\)\] FUNC 'start_kernel' .*/\1/p")
fentry/cpumask_weight@$unit ESRCH
E
has said "no 'cpumask_weight' is of that file \(BTF does not say files\), there is:"
cp "$example" in-place
"$ABTF" encode -q in-place
expect_chosen -f in-place <<<"kprobe/type_show@2 kprobe _text+$(printf 0x%x $at)"

begin 'without the file: the error says what is missing'
expect_chosen <<'E'
kprobe/type_show@2 ENODATA
kprobe/start_kernel kprobe start_kernel+0x0
E
has said 'no addresses: the kernel has no .*/sys/kernel/btf_addr/vmlinux, and no file was given'

begin 'files of another kernel, that do not say of which, or are none'
objcopy --dump-section .note.gnu.build-id=note debug.elf copy.elf
expect_eq "$(stat -c %s note)" 36 'bytes of the note'
{ head -c 16 note; head -c 20 /dev/zero; } >other
objcopy --update-section .note.gnu.build-id=other debug.elf other.elf
! cmp -s debug.elf other.elf || fail 'the build id was not changed'
expect_chosen -f other.elf <<'E'
kprobe/type_show@2 ESTALE
kprobe/start_kernel ESTALE
E
has said 'other.elf: not of the running kernel: its build id is another'
objcopy --remove-section=.note.gnu.build-id debug.elf silent.elf
expect_chosen -f silent.elf <<<'kprobe/type_show@2 EINVAL'
has said 'silent.elf: expected an ELF file with a build id and .BTF'
"$ABTF" encode -q -o raw.btf "$example"
expect_chosen -f raw.btf <<<'kprobe/type_show@2 EINVAL'
expect_chosen -f not.there <<<'kprobe/type_show@2 ENOENT'

begin 'a twin that BTF has not: the other one is not taken for it'
unit a <<'C'
static __attribute__((noinline, used)) int twin(int a) { return a; }
C
unit b -g0 <<'C'
static __attribute__((noinline, used)) int twin(int a) { return a; }
C
image vmlinux a.o b.o
show_as_kernel vmlinux
expect_eq "$(jq length all.json)" 1
expect_chosen <<'E'
fentry/twin EADDRNOTAVAIL
fentry/twin@a.c id 3
kprobe/twin EADDRNOTAVAIL
kprobe/twin@1 kprobe _text+0x0
E
has said "there are several functions 'twin'; BTF has one of them:"
has said '^  twin@a.c$'

# m1 has two twins beside vmlinux's one, and one of a function that m2 has, too.
begin 'modules: which object, which function, which address'
unit base <<'C'
static __attribute__((noinline, used)) int twin(int a) { return a; }
int alone(int a) { return a; }
C
unit one <<'C'
static __attribute__((noinline, used)) int pad(void) { return 7; }
static __attribute__((noinline, used)) int twin(int a) { return a + 1; }
static __attribute__((noinline, used)) int shared(int a) { return a; }
C
unit two <<'C'
static __attribute__((noinline, used)) long twin(long a) { return a + 2; }
int only_m1(void) { return 1; }
C
unit three <<'C'
static __attribute__((noinline, used)) int shared(int a) { return a; }
C
image vmlinux base.o
show_as_kernel vmlinux
for made in 'm1 one.o two.o' 'm2 three.o'; do
	# shellcheck disable=SC2086 # name and objects
	set -- $made
	module "$@"
	"$ABTF" encode -q --base $sys/btf_addr/vmlinux -o "$sys/btf_addr/$1" "$1"
	"$ABTF" strip --base $sys/btf_addr/vmlinux "$sys/btf_addr/$1" "$sys/btf/$1"
	"$ABTF" list -aj --base $sys/btf_addr/vmlinux "$sys/btf_addr/$1" >"$1.json"
done
mkdir -p root/proc root/sys/bus/event_source/devices/kprobe
echo 7 >root/sys/bus/event_source/devices/kprobe/type
printf '%s\n' 'm10 16384 0 - Live 0xffffffffc0f00000' \
	'm1 16384 1 m2,m10, Live 0xffffffffc0200000 (OE)' 'm2 16384 0 - Live 0x0000000000000000' >root/proc/modules
m1() {
	jq -r ".[] | select(.name == \"$1\" and .rank == $2)$3" m1.json
}
at=$(printf 0x%x $((0xffffffffc0200000 + $(m1 twin 2 .offset))))
expect_eq "$(jq -r '.[].selector' m1.json | tr '\n' ' ')" 'm1:only_m1 m1:pad m1:shared m1:twin@one.c m1:twin@two.c '
expect_chosen <<E
fentry/twin id 4
fentry/m1:twin@two.c id $(m1 twin 2 .id), fd of m1
fentry/m1:twin@1 id $(m1 twin 1 .id), fd of m1
fentry.s/twin@two.c id $(m1 twin 2 .id), fd of m1, sleepable
fentry/only_m1 id $(m1 only_m1 1 .id), fd of m1
fentry/m2:shared id $(jq '.[0].id' m2.json), fd of m2
fentry/m2:alone id 3, fd of m2
fentry/m1:twin EADDRNOTAVAIL
fentry/m2:twin id 4, fd of m2
fentry/m1:twin@3 ESRCH
fentry/twin@2 ESRCH
fentry/twin@base.c ESRCH
fentry/shared EADDRNOTAVAIL
fentry/m3:shared ENOENT
kprobe/m1:twin@2 kprobe NULL+$at
kretprobe/m1:twin@two.c kretprobe NULL+$at
kprobe/twin@two.c kprobe NULL+$at
kprobe/m2:shared EPERM
E
has said "prog 'p[0-9]+': 2 functions are 'shared', choose one of:"
has said '^  m1:shared@1$'
has said '^  m2:shared@1$'
has said '^  m1:twin@one.c$'
rm root/sys/bus/event_source/devices/kprobe/type
expect_chosen <<<'kprobe/m1:twin@2 EOPNOTSUPP'

begin 'damaged BTF: an error, whatever it is'
show_as_kernel "$example"
cp $sys/btf_addr/vmlinux good
size=$(stat -c %s good)
object <<<'kprobe/type_show@2'
: >damaged
for ((i = 0; i < 200; i++)); do
	if [ $((i % 2)) = 0 ]; then
		head -c $((size * i / 200)) good >$sys/btf_addr/vmlinux
	else
		cp good $sys/btf_addr/vmlinux
		printf "\\x$(printf %x $((i * 7 % 256)))" | dd bs=1 conv=notrunc status=none \
			of=$sys/btf_addr/vmlinux seek=$((size * (i - 1) / 200))
	fi
	for test in $tests; do
		status=0
		./$test sections.o >got 2>said || status=$?
		[ $status = 0 ] || { fail "$test: $status, round $i"; head -n 30 said; break 2; }
		cut -f2 got >>damaged
	done
done
sort damaged | uniq -c
expect_eq "$(wc -l <damaged)" 400
[ "$(grep -c EINVAL damaged)" -ge 200 ] || fail 'half a file was taken for good'
