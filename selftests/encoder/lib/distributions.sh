# SPDX-License-Identifier: GPL-2.0-only
# For tests that search for images and modules, after ../../lib.sh: vmlinux, whole, stripped and split, the
# module nf_mod likewise, and functions that install them below the directory root
# shellcheck shell=bash disable=SC2034 # tests use these variables

unset DEBUGINFOD_URLS
export XDG_CACHE_HOME=/dev/null
release=6.12.1-amd64

flags='-pg -mfentry -mrecord-mcount'
# shellcheck disable=SC2086 # lists of flags
unit kernel/core $flags <<'C'
struct s { int x; };
static __attribute__((noinline, used)) int dup(struct s *s) { return s->x; }
__attribute__((noinline, no_instrument_function)) int hidden(int a) { __asm__ volatile(""); return a; }
static __attribute__((noinline)) int listed(int a) { __asm__ volatile(""); return a; }
static void *entry __attribute__((section("_kprobe_blacklist"), used)) = listed;
C
# shellcheck disable=SC2086
unit kernel/other $flags <<'C'
static __attribute__((noinline, used)) long dup(char *p, int n) { return p[n]; }
void __attribute__((no_instrument_function)) __fentry__(void) {}
C
link+=' -Wl,--defsym=__start_mcount_loc=__start___mcount_loc,--defsym=__stop_mcount_loc=__stop___mcount_loc'
image vmlinux kernel/core.o kernel/other.o
image another kernel/other.o
tool strip -o stripped vmlinux
tool objcopy --only-keep-debug vmlinux split
id=$(build_id vmlinux)
tool objcopy -O binary --only-section=.notes vmlinux notes
"$ABTF" list -aj vmlinux >list
[ "$(jq -r '.functions[] | "\(.name) \(.flags[0])"' list | sort | tr '\n' ' ')" = \
	'__fentry__ notrace dup@kernel/core.c null dup@kernel/other.c null hidden notrace listed noprobe ' ]
jq -r '.functions[].flags[]?' list | find_lines unknown | expect_none

# shellcheck disable=SC2086
unit mod $flags <<'C'
static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=nf_mod";
__attribute__((noinline, used)) int in_mod(int a) { return a; }
__attribute__((noinline, no_instrument_function)) int hidden(int a) { __asm__ volatile(""); return a; }
static __attribute__((noinline, used)) int listed(int a) { return a; }
static void *entry __attribute__((section("_kprobe_blacklist"), used)) = listed;
C
# it comes first, so that sections have other numbers in a stripped file
unit first <<<'__asm__(".section .debug_first, \"\", @progbits; .quad 1");'
echo 'SECTIONS { .debug_first 0 : { *(.debug_first) } .text 0 : { *(.text) } }' >first.lds
unit stranger <<<'static __attribute__((noinline, used)) int in_stranger(int a) { return a; }'
# shellcheck disable=SC2086
$CC $machine -r -nostdlib -Wl,--build-id -o mod.ko -T first.lds mod.o first.o
# shellcheck disable=SC2086
$CC $machine -r -nostdlib -Wl,--build-id -o stranger.ko stranger.o
tool strip --strip-debug -o stripped.ko mod.ko
tool objcopy --only-keep-debug mod.ko split.ko
eu-strip -f eu.ko.debug -o eu.ko mod.ko
ko_id=$(build_id mod.ko)
"$ABTF" list -aj mod.ko >mod.list
[ "$(jq -r '.functions[] | "\(.name) \(.flags[0])"' mod.list | sort | tr '\n' ' ')" = \
	'hidden notrace in_mod null listed noprobe ' ]
# text_index FILE: print the section number of .text
text_index() {
	readelf -SW "$1" | sed -nE 's/^ *\[ *([0-9]+)\] \.text .*/\1/p'
}
[ "$(text_index stripped.ko)" -lt "$(text_index eu.ko.debug)" ]

# new_machine: create the directory root, of a system that runs vmlinux, with nf_mod loaded
new_machine() {
	rm -rf root
	mkdir -p root/sys/kernel root/proc/sys/kernel root/sys/module/nf_mod/notes
	cp notes root/sys/kernel/notes
	echo $release >root/proc/sys/kernel/osrelease
	tool objcopy -O binary --only-section=.note.gnu.build-id --set-section-flags \
		.note.gnu.build-id=alloc mod.ko root/sys/module/nf_mod/notes/.note.gnu.build-id
}

# put FILE PATH: copy FILE to root/PATH, compressed by its suffix
put() {
	copy_to "$1" "root/$2"
}

# copy_to FILE PATH: copy FILE to PATH, compressed by its suffix
copy_to() {
	mkdir -p "${2%/*}"
	case $2 in
	*.gz)	gzip -c "$1" >"$2" ;;
	*.xz)	xz -c "$1" >"$2" ;;
	*.zst)	zstd -qc "$1" >"$2" ;;
	*)	cp "$1" "$2" ;;
	esac
}

# put_link TARGET PATH: create the link root/PATH to TARGET
put_link() {
	mkdir -p "root/${2%/*}"
	ln -s "$1" "root/$2"
}

# expect_found: list --running must print the list of vmlinux
expect_found() {
	expect 0 "$ABTF" list -aj --running --sysroot=root
	cmp -s out list || fail "vmlinux: the list differs: $out"
}

# expect_module_listed: the last output must list the module; a file may have no build id
expect_module_listed() {
	cmp -s <(jq -c .functions out) <(jq -c .functions mod.list) || fail "nf_mod: the functions differ: $out"
}

# expect_module_found: list --running --module must print the list of nf_mod
expect_module_found() {
	expect 0 "$ABTF" list -aj --running --module nf_mod --sysroot=root
	expect_module_listed
}
