#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --probe: kprobe lines for tools, in vmlinux and in modules.  selftests/kernel/tests/probes.sh
# uses them in a guest.
. "${0%/*}/../lib.sh"

mkdir -p kernel fs
unit kernel/core <<'C'
struct s { int x; };
static __attribute__((noinline, used)) int dup(struct s *s) { return s->x; }
int only(int a) { return a; }
static __attribute__((noinline, used, section(".init.text"))) int begin(void) { return 1; }
C
unit fs/core <<'C'
static __attribute__((noinline, used)) long dup(char *p, int n) { return p[n]; }
C
image vmlinux kernel/core.o fs/core.o
encode vmlinux

first=$(offset_of dup@kernel/core.c) second=$(offset_of dup@fs/core.c)
[ "$first" != "$second" ] && [ -n "$second" ]

# plus OFFSET: print "+0x10", or nothing for 0
plus() {
	[ $(($1)) = 0 ] || printf '+0x%x' "$1"
}

# prints FORMAT SELECTOR <<'T': compare the output with the here-document
prints() {
	expect 0 quietly "$ABTF" list --probe="$1" vmlinux "$2"
	expect_text "$out"
}

begin 'bpftrace: several probes are separated by commas'
prints bpftrace dup@fs/core.c <<<"kprobe:_text$(plus "$second")"
prints bpftrace dup <<T
kprobe:_text$(plus "$first") /* dup@kernel/core.c */,
kprobe:_text$(plus "$second") /* dup@fs/core.c */
T

begin 'bpftrace: a name cannot end its comment'
unit 'star*/one' <<'C'
static __attribute__((noinline, used)) int dup(int *p) { return *p; }
C
image star 'star*/one.o' fs/core.o
expect 0 quietly "$ABTF" list --probe=bpftrace star dup
says '^kprobe:_text.* /\* dup@star\?/one\.c \*/,?$'
expect_eq "$(grep -o '\*/' out | wc -l)" 2

# a backslash at the end of a // comment would continue it on the next line
begin 'libbpf: a name cannot continue its comment on the next line'
unit back <<'C'
static __attribute__((noinline, used)) int dup(int *p) { return *p; }
C
tool objcopy --redefine-sym 'dup=dup\' back.o
image back back.o fs/core.o
expect 0 quietly "$ABTF" list --all --probe=libbpf back 'dup*'
says '^SEC.*// dup\?$'
has_not out '\\$'

begin 'a name cannot end the quotes around a probe'
unit "quote'\"\$(x)/one" <<'C'
static __attribute__((noinline, used)) int dup(int *p) { return *p; }
C
image quote "quote'\"\$(x)/one.o" fs/core.o
for tool in bpftrace libbpf cilium bcc aya; do
	expect 0 quietly "$ABTF" list --probe=$tool quote dup
	says "(//|#|/\*) dup@quote\?\?\?\?x\?/one\.c"
done

begin 'the installed bpftrace accepts the list and its comments'
if have bpftrace; then
	"$ABTF" list --probe=bpftrace vmlinux dup 2>/dev/null >list
	bpftrace -d --no-warnings -e "$(cat list) { @[comm] = count(); }" >parsed 2>&1
	expect_eq "$(sed -n '/AST after: parser/,/^ *=/s/^ *kprobe:_text+*//p' parsed)" \
		"$(printf '%d\n' "$first" "$second" | sed 's/^0$//')"
else
	skip 'no bpftrace'
fi

begin 'bpftrace: notes are only printed on a terminal'
expect 0 "$ABTF" list --probe=bpftrace vmlinux dup
has_not out 'note:'
COMMAND="'$ABTF' list --probe=bpftrace vmlinux dup" script -qec 'eval "$COMMAND" >/dev/null' /dev/null >said </dev/null
has said 'note: bpftrace 0\.25 and later need --unsafe'
has said "note: ignore bpftrace's warning that _text is not traceable"
has_not said 'name of a module'

begin 'libbpf: SEC() with the offset from _text'
prints libbpf dup@fs/core.c <<<"SEC(\"kprobe/_text$(plus "$second")\")	// dup@fs/core.c"

begin 'perf: commands that define and remove an event'
event=dup_${second#0x}
prints perf dup@fs/core.c <<T
sudo sh -c 'echo p:probe/$event _text$(plus "$second") >>/sys/kernel/tracing/kprobe_events'	# sudo perf record -e probe:$event; to remove it: sudo perf probe -d $event
T

begin 'tracefs: the definition of an event'
prints tracefs dup@fs/core.c <<<"p:abtf/$event _text$(plus "$second")"

begin 'cilium/ebpf: a call of link.Kprobe()'
prints cilium dup@fs/core.c <<<"link.Kprobe(\"_text\", prog, &link.KprobeOptions{Offset: $second})	// dup@fs/core.c"

begin 'bcc and aya: a call that attaches the probe'
prints bcc dup@fs/core.c <<<"b.attach_kprobe(event=\"_text\", event_off=$second, fn_name=\"probe\")	# dup@fs/core.c"
prints aya dup@fs/core.c <<<"program.attach(\"_text\", $second)?;	// dup@fs/core.c"

begin '--retprobe prints return probes'
while IFS='|' read -r tool line; do
	expect 0 quietly "$ABTF" list --retprobe --probe="$tool" vmlinux dup@fs/core.c
	expect_eq "$out" "$line" "$tool"
done <<T
tracefs|r:abtf/${event}_ret _text$(plus "$second")
libbpf|bpf_program__attach_kprobe_opts(prog, "_text", &(struct bpf_kprobe_opts){ .sz = sizeof(struct bpf_kprobe_opts), .offset = $second, .retprobe = true });	// dup@fs/core.c
cilium|link.Kretprobe("_text", prog, &link.KprobeOptions{Offset: $second})	// dup@fs/core.c
aya|program.attach("_text", $second)?;	// dup@fs/core.c
T
expect 0 quietly "$ABTF" list --retprobe --probe=perf vmlinux dup@fs/core.c
says "'echo r:probe/${event}_ret _text.* -d ${event}_ret$"
expect 0 quietly "$ABTF" list --retprobe --probe=json vmlinux dup@fs/core.c
expect_eq "$(jq -c '.probes | map(.retprobe)' <<<"$out")" '[true]'
for tool in bpftrace bcc; do
	expect 2 "$ABTF" list --retprobe --probe=$tool vmlinux dup@fs/core.c
	says 'this tool cannot set a return probe at an offset'
done
expect 2 "$ABTF" list --retprobe vmlinux dup
expect 2 "$ABTF" list --retprobe --inlined --probe=tracefs vmlinux dup
expect 2 "$ABTF" list --retprobe --probe=tracefs vmlinux dup@fs/core.c+1

begin 'JSON is not silently replaced by the syntax of a tool'
expect 2 "$ABTF" list -j --probe=bpftrace vmlinux dup
says 'use --probe=json"'
expect 0 quietly "$ABTF" list -j --probe=json vmlinux dup

begin 'JSON contains the build id'
id=$(build_id vmlinux)
expect 0 quietly "$ABTF" list --probe=json vmlinux dup
expect_eq "$(jq -c '[.build_id, .module, .probes[1]]' <<<"$out")" \
	"[\"$id\",null,{\"name\":\"dup@fs/core.c\",\"call\":null,\"section\":null,\"offset\":$((second)),\"symbol\":\"_text\",\"symbol_offset\":$((second)),\"runtime_address\":null,\"retprobe\":false,\"args\":null}]"
expect_eq "$(jq '.probes | length' <<<"$out")" 2

begin 'BTF alone gives the same probe'
expect 0 quietly "$ABTF" list --probe=tracefs vmlinux.btf dup@fs/core.c
expect_eq "$out" "p:abtf/$event _text$(plus "$second")"

begin 'init text is rejected'
expect 4 "$ABTF" list --probe=bpftrace vmlinux begin
says 'the kernel rejects kprobes at 1 of 1 functions, which are omitted: 1 init'
has_not out kprobe:

begin 'BTF without addresses gives no probe'
"$ABTF" strip vmlinux.btf plain.btf
expect 1 "$ABTF" list --probe=perf plain.btf only
says 'plain.btf: BTF without addresses'

begin 'wrong usage of --probe is rejected'
expect 2 "$ABTF" list --probe=dtrace vmlinux dup
says '--probe expects bpftrace, libbpf, perf, tracefs, cilium, bcc, aya or json'
expect 2 "$ABTF" list --probe=perf vmlinux
says '--probe needs a SELECTOR'

begin 'names of events are cut to the length that the kernel accepts'
long=$(printf 'x%.0s' {1..90})
unit long <<<"static __attribute__((noinline, used)) int $long(int a) { return a; }
static __attribute__((noinline, used)) int y(int a) { return a; }"
image long long.o
expect 0 quietly "$ABTF" list --probe=tracefs long "$long"
event=${out%% _text*}
expect_eq ${#event} $((63 + 7)) "$out"

begin 'names at one address that only differ in invalid characters are two events'
unit dots <<'C'
int first(int a) { return a; }
extern __typeof(first) second __attribute__((alias("first")));
extern __typeof(first) third __attribute__((alias("first")));
C
tool objcopy --redefine-sym 'first=a.b' --redefine-sym 'second=a$b' --redefine-sym 'third=a_b' dots.o
image dots dots.o
for tool in tracefs perf; do
	expect 0 quietly "$ABTF" list --all --probe=$tool dots 'a*'
	grep -oE 'p:(abtf|probe)/[^ ]*' out >dots.events
	expect_eq "$(wc -l <dots.events) $(sort -u dots.events | wc -l)" '3 3'
	find_lines -vE '/a_b_[0-9a-f]+$' dots.events | expect_none
done

# A module: .modinfo has its name, and sections move apart when it is loaded.
modinfo='static const char modinfo[] __attribute__((section(".modinfo"), used)) = "license=GPL\0name=my_mod";'
unit drivers_a <<C
$modinfo
static __attribute__((noinline, used)) int twin(int a) { return a; }
static __attribute__((noinline, used)) int between(int a) { return a + 1; }
C
unit drivers_b <<'C'
static __attribute__((noinline, used)) int twin(long a) { return a; }
static __attribute__((noinline, used, section(".text.unlikely"))) int lone_twin(int a) { return a; }
static __attribute__((noinline, used, section(".init.text"))) int setup(int a) { return a; }
C
unit drivers_c <<'C'
static __attribute__((noinline, used, section(".text.unlikely"))) int lone_twin(long a) { return a; }
C
module mod.ko drivers_a.o drivers_b.o drivers_c.o
distance=$(nm mod.ko | sed -nE 's/ t twin$//p' | sort | tail -n 1)
distance=$((0x$distance - 0x$(nm mod.ko | sed -nE 's/ t between$//p')))

begin 'a module: probes are relative to a unique symbol in the same section'
expect 0 quietly "$ABTF" list --probe=json mod.ko between
expect_eq "$(jq -c '[.module] + (.probes[] | [.symbol, .symbol_offset])' <<<"$out")" '["my_mod","between",0]'
expect 0 quietly "$ABTF" list --probe=json mod.ko twin@drivers_b.c
expect_eq "$(jq -c '[.module] + (.probes[] | [.symbol, .symbol_offset])' <<<"$out")" "[\"my_mod\",\"between\",$distance]"
expect 0 quietly "$ABTF" list --probe=tracefs mod.ko twin@drivers_b.c
says "^p:abtf/twin_my_mod_between_[0-9a-f]+ my_mod:between\+0x[0-9a-f]+$"
expect 0 quietly "$ABTF" list --probe=libbpf mod.ko twin@drivers_b.c
says 'bpf_program__attach_kprobe_opts\(prog, "my_mod:between", '
expect 0 quietly "$ABTF" list --probe=bpftrace mod.ko twin@drivers_b.c
says '^kprobe:my_mod:between\+0x[0-9a-f]+$'
expect 0 quietly "$ABTF" list --probe=bcc mod.ko twin@drivers_b.c
says '^b.attach_kprobe\(event="my_mod:between", event_off=0x'
expect 0 quietly "$ABTF" list --probe=perf mod.ko twin@drivers_b.c
says "'echo p:probe/twin_my_mod_between_[0-9a-f]+ my_mod:between\+0x"

begin 'a module: a tool that cannot name the module needs a symbol that is unique everywhere'
expect 0 "$ABTF" list --probe=cilium mod.ko twin@drivers_b.c
says '^link.Kprobe\("between", '
says 'warning: mod.ko: this tool does not accept the name of a module: if another module or vmlinux has the symbol'
mkdir -p root/proc/sys/kernel root/lib/modules/6.1
echo 6.1 >root/proc/sys/kernel/osrelease
cp mod.ko root/lib/modules/6.1/my-mod.ko
# loads LINE...: write /proc/kallsyms with the module and these lines
loads() {
	printf '%s\n' '0000000000000000 T _text' "$@" >root/proc/kallsyms
	nm mod.ko | awk '{ printf "0000000000000000 %s %s\t[my_mod]\n", $2, $3 }' >>root/proc/kallsyms
}
loads
expect 0 quietly "$ABTF" list --running --module my_mod --sysroot=root --probe=cilium twin@drivers_b.c
says '^link.Kprobe\("between", '
has_not out 'does not accept'
for other in '0000000000000000 t between' $'0000000000000000 t between\t[other_mod]'; do
	loads "$other"
	for tool in tracefs perf bpftrace bcc aya libbpf; do
		expect 0 quietly "$ABTF" list --running --module my_mod --sysroot=root --probe=$tool twin@drivers_b.c
		says 'my_mod:between'
	done
	expect 4 "$ABTF" list --running --module my_mod --sysroot=root --probe=cilium twin@drivers_b.c
	says 'no symbol before it in its section has a unique name among all that are loaded, .*: use libbpf, tracefs, perf, bcc or aya'
done
rm -r root

begin 'a module: events of two modules, and of long names, differ'
long=a_function_with_a_rather_long_name_of_the_driver
for name in first_mod second_mod; do
	unit $name <<-C
		static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=$name";
		__attribute__((noinline)) int my_open(int *a) { return *a; }
		__attribute__((noinline)) int ${long}_one(int *a) { return *a + 1; }
		__attribute__((noinline)) int ${long}_two(int *a) { return *a + 2; }
	C
	module $name.ko $name.o
	quietly "$ABTF" list --probe=tracefs $name.ko my_open ${long}_one ${long}_two >>events
done
expect_eq "$(wc -l <events) $(cut -d' ' -f1 events | sort -u | wc -l)" '6 6'
cut -d' ' -f1 events | find_lines -vE '^p:abtf/[A-Za-z0-9_]{1,63}$' | expect_none

begin 'a module: two functions with the same distance from two symbols are two events'
for side in left right; do
	unit drivers_$side <<-C
		$(test $side = right || echo "$modinfo")
		__attribute__((noinline, used)) int $side(int a) { return a; }
		static __attribute__((noinline, used)) int twin(int a) { return a; }
	C
done
module pair.ko drivers_left.o drivers_right.o
expect 0 quietly "$ABTF" list --probe=tracefs pair.ko twin@drivers_left.c
left=$out
expect 0 quietly "$ABTF" list --probe=tracefs pair.ko twin@drivers_right.c
expect_eq "${out#*+}" "${left#*+}" 'distance'
expect_eq "$(cut -d' ' -f1 <<<"$left"$'\n'"$out" | sort -u | wc -l)" 2 'events'

begin 'a module: "a_b" with symbol "c" is not "a" with symbol "b_c"; both may start with a digit'
for name in 8a_b/c 8a/b_c 9a/b_c; do
	unit joined <<-C
		static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=${name%/*}";
		int ${name#*/}(int a) { return a; }
		static __attribute__((noinline, used)) int twin(int a) { return a + 1; }
		static __attribute__((noinline, used, section(".text.unlikely"))) int twin_2(int a) { return a; }
	C
	tool objcopy --redefine-sym twin_2=twin joined.o
	module ${name%/*}.ko joined.o
	quietly "$ABTF" list --probe=tracefs ${name%/*}.ko twin || :
done >events
expect_eq "$(wc -l <events) $(cut -d' ' -f1 events | sort -u | wc -l)" '3 3'
cut -d' ' -f1 events | find_lines -vE '^p:abtf/twin_[0-9a-z_]{1,58}$' | expect_none
has events ' 8a_b:c\+0x'

begin "a module: the name of a distribution's debug file contains the module's name"
mkdir -p debug
tool objcopy --only-keep-debug mod.ko debug/my-mod.ko.debug
readelf -SW debug/my-mod.ko.debug >sections.txt
has sections.txt '\.modinfo +NOBITS'
expect 0 quietly "$ABTF" list --probe=json debug/my-mod.ko.debug twin@drivers_b.c
expect_eq "$(jq -c '[.module] + (.probes[] | [.symbol, .symbol_offset])' <<<"$out")" "[\"my_mod\",\"between\",$distance]"
cp debug/my-mod.ko.debug 'debug/my;mod.ko.debug'
cp debug/my-mod.ko.debug debug/other
for file in 'my;mod.ko.debug' other; do
	expect 1 "$ABTF" list --probe=json "debug/$file" twin@drivers_b.c
	says "\.modinfo does not contain the module's name"
done

begin 'a module: without a unique symbol, an address in the running kernel is used; JSON has the section'
expect 4 "$ABTF" list --probe=tracefs mod.ko twin@drivers_a.c
says 'twin@drivers_a.c: no symbol before it in its section has a unique name, and its address is unknown: as root, with the module loaded, use --running --module$'
expect 4 "$ABTF" list --probe=tracefs mod.ko lone_twin
expect_eq "$(grep -c 'no symbol before it' out)" 2
expect 4 "$ABTF" list --probe=libbpf mod.ko twin@drivers_a.c
says 'and this tool does not accept an address: use tracefs or perf$'
expect 0 quietly "$ABTF" list --probe=json mod.ko lone_twin@drivers_c.c
into=$(jq '.probes[].offset' <<<"$out")
expect_eq "$into" "$((0x$(nm mod.ko | sort -r | awk '$3 == "lone_twin" && !nr++ { print $1 }')))"
[ "$into" != 0 ] || fail 'the function is the first of its section'
expect_eq "$(jq -c '[.module] + (.probes[] | [.symbol, .section, .runtime_address])' <<<"$out")" '["my_mod",null,".text.unlikely",null]'
mkdir -p live/proc/sys/kernel live/lib/modules/6.1 live/sys/module/my_mod/sections
echo 6.1 >live/proc/sys/kernel/osrelease
echo live >live/sys/module/my_mod/initstate
cp mod.ko live/lib/modules/6.1/my-mod.ko
live='list --running --module=my_mod --sysroot=live'
# shellcheck disable=SC2086 # words
{
	expect 4 "$ABTF" $live --probe=tracefs lone_twin@drivers_c.c
	for hidden in 0x0 text ''; do
		echo "$hidden" >live/sys/module/my_mod/sections/.text.unlikely
		expect 4 "$ABTF" $live --probe=tracefs lone_twin@drivers_c.c
		says 'its address is unknown: as root'
	done
	echo 0xffffffffc0100000 >live/sys/module/my_mod/sections/.text.unlikely
	expect 0 "$ABTF" $live --probe=tracefs lone_twin@drivers_c.c
	address=$(printf '0x%x' $((0xffffffffc0100000 + into)))
	says "^p:abtf/lone_twin_my_mod__text_unlikely_[0-9a-f]{8} $address$"
	says 'warning: .* the probe has its address, which is valid on this boot, until the module is unloaded$'
	expect 0 quietly "$ABTF" $live --probe=json lone_twin@drivers_c.c
	expect_eq "$(jq -r '.probes[].runtime_address' <<<"$out")" "$address"
	expect 0 quietly "$ABTF" $live --probe=perf --retprobe lone_twin@drivers_c.c
	says "echo r:probe/lone_twin_my_mod__text_unlikely_[0-9a-f]{8}_ret $address >>"
	expect 4 "$ABTF" $live --probe=bpftrace lone_twin@drivers_c.c
	# this does not apply to a module of another machine
	$CC $machine -r -nostdlib -Wl,--build-id=0xabcd -o live/lib/modules/6.1/my-mod.ko \
		drivers_[abc].o
	expect 4 "$ABTF" ${live/--running/--build-id=abcd} --probe=tracefs lone_twin@drivers_c.c
	says 'its address is unknown'
}
expect 4 "$ABTF" list --probe=json mod.ko setup
says 'omitted: 1 init'

begin 'a module: encoding and a base do not change probes'
"$ABTF" encode -q vmlinux
cp mod.ko encoded.ko
"$ABTF" encode -q --base vmlinux encoded.ko
for ko in mod.ko encoded.ko; do
	expect 0 quietly "$ABTF" list --probe=json --base vmlinux $ko twin@drivers_b.c
	expect_eq "$(jq -c '[.module] + (.probes[] | [.symbol, .symbol_offset])' <<<"$out")" "[\"my_mod\",\"between\",$distance]"
done

begin 'a module: BTF alone does not identify the section'
"$ABTF" encode -q --base vmlinux -o mod.btf mod.ko
expect 1 "$ABTF" list --probe=json --base vmlinux mod.btf between
says 'specify the module with --image'
expect 0 quietly "$ABTF" list --probe=json --base vmlinux --image mod.ko mod.btf between
expect_eq "$(jq -r '.probes[].symbol' <<<"$out")" between

begin 'a module: names that a tool would misread are not used as anchors or modules'
sed 's/my_mod/my;mod/' drivers_a.c | unit bad_name
module bad.ko bad_name.o
expect 1 "$ABTF" list --probe=json bad.ko between
says "\.modinfo does not contain the module's name"
unit object <<<'int f(int a) { return a; }'
module object.ko object.o
expect 1 "$ABTF" list --probe=json object.ko f
says 'is relocatable, but not a module'
tool objcopy --redefine-sym 'between=a;b' mod.ko renamed.ko
expect 4 "$ABTF" list --probe=tracefs renamed.ko twin@drivers_b.c
says 'no symbol before it'

begin 'a module: parts of functions have no probe'
unit cold <<<"$modinfo; int fn_cold(int a) { return a; }"
module cold.ko cold.o
"$ABTF" encode -q cold.ko
tool strip -d -o stripped.ko cold.ko
sed 's/fn_cold/fn.cold/g' stripped.ko >lie.ko
expect 4 "$ABTF" list --probe=libbpf lie.ko fn.cold
says 'fn.cold: no symbol before it in its section has a unique name'
