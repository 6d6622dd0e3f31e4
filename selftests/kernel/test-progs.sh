#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Builds test_progs and its modules (tools/testing/selftests/bpf of the patched tree), and runs the tests
# of addresses of functions on the stock and on the patched kernel. It fails if a test
# or subtest that passes on the stock kernel does not pass on the patched one, or if a new one does not
# pass. With kernels newer than 6.12, it only builds what these tests need, and lists files that the
# compiler cannot build.
#
#	TESTS='A B'	these tests instead; names as test_progs -a takes them
#	VMLINUX_BTF=F	BTF for vmlinux.h, see rich-btf.sh
#	PAHOLE=FILE	encoder of the stock kernel; the default, apt's pahole, does not tag kfuncs, so
#			two tests of newer kernels fail there
#	VM_TIMEOUT=S	seconds until a guest is killed (1200)
#
# Both guests must have been built (make vm-guest, with and without KERNEL=stock).
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"
# shellcheck source=bpf-selftests.sh
. "$here/bpf-selftests.sh"
[ -z "$cross" ] || die "ARCH=$arch: BPF selftests are only built and run on this machine"
# our make exports it empty, and kbuild would use this as an architecture
unset ARCH

tests='fentry_test fexit_test fentry_fexit module_attach tracing_struct modify_return
	btf_dedup_split btf_distill btf btf_dump btf_invalid btf_write btf_endian
	btf_func_addr func_name'
[ "$kver" = 6.12 ] || tests+=' fexit_sleep fexit_stress fsession_test module_fentry_shadow tracing_failure
	tracing_multi_test tracing_multi_attach_rollback tracing_multi_bench_attach
	get_func_args_test get_func_args_fsession_test get_func_ip_test get_func_ip_fsession_test
	kfunc_call kfunc_dynptr_param kfunc_implicit_args kfunc_implicit_args_tracing
	kfunc_module_order kfunc_param_nullable ksyms_btf ksyms_module resolve_btfids map_kptr
	struct_ops_module tp_btf_nullable btf_field_iter btf_kind btf_module btf_permute
	btf_sanitize_layout btf_split btf_sysfs btf_tag'
tests=${TESTS:-$tests}
new='btf_func_addr func_name'
modules='bpf_testmod bpf_test_no_cfi bpf_test_modorder_x bpf_test_modorder_y bpf_test_twins'
src=$linux/test-progs
bpf=$src/tools/testing/selftests/bpf
# Since 6.15, the modules are in a separate directory.
kmods=$bpf/test_kmods
dir=$guests/test-progs
mkdir -p "$dir"

# A separate work tree, because the selftests write next to their sources.
commit=$(git -C "$linux/patched" rev-parse HEAD)
if [ -e "$src/Makefile" ]; then
	git -C "$src" checkout -q -f --detach "$commit"
else
	git -C "$linux/src" worktree prune
	git -C "$linux/src" worktree add -q -f --detach "$src" "$commit"
fi
# some light skeletons are signed, and the test kernel verifies no signatures
sed -i 's/^LSKELS_SIGNED := /LSKELS += /' "$bpf/Makefile"
sed -i '/->keyring_id\>/d' "$bpf"/prog_tests/*.c

# bpf_make KERNEL ARGUMENTS...: run the selftests' makefile
bpf_make() {
	local build=$linux/kernel-$1 encoder
	shift
	encoder=$(find "$build/tools-abtf" -name '*pahole' | head -n 1)
	bpf_selftests "$bpf" "$build" PAHOLE="$encoder" "$@" >>"$dir/build.log" 2>&1 || {
		tail -n 20 "$dir/build.log" >&2
		die "test_progs does not build; the whole log is $dir/build.log"
	}
}

# named_in FILE...: print the programs that these files use as source, object or skeleton
named_in() {
	grep -ohE '[A-Za-z0-9_]+\.(c|bpf\.o|skel\.h|lskel\.h|subskel\.h)\b' "$@" | sed 's/\..*//' | sort -u
}

# Remove programs and tests that are not requested, except those that the makefile
# names.  Files that a program includes are kept.
trim() {
	local name files=() before

	for name in $tests; do
		mapfile -t -O ${#files[@]} files < <(grep -lE "^void (serial_)?test_$name\\((void)?\\)" "$bpf"/prog_tests/*.c)
	done
	[ ${#files[@]} != 0 ] || die "unknown tests: $tests"
	find "$bpf/prog_tests" -name '*.c' | grep -vxF "$(printf '%s\n' "${files[@]}")" | xargs -r rm
	named_in "$bpf/Makefile" "${files[@]}" "$bpf"/*.c >"$dir/programs"
	find "$bpf/progs" -name 'btf_dump_test_case_*.c' -printf '%f\n' | sed 's/\.c$//' >>"$dir/programs"
	for before in 1 2 3; do
		# shellcheck disable=SC2046 # names without spaces
		named_in $(sed "s|.*|$bpf/progs/&.c|" "$dir/programs" | xargs ls 2>/dev/null) >"$dir/included"
		sort -u -o "$dir/programs" "$dir/programs" "$dir/included"
	done
	find "$bpf/progs" -name '*.c' | grep -vxF "$(sed "s|.*|$bpf/progs/&.c|" "$dir/programs")" | xargs -r rm
}

: >"$dir/build.log"
echo "${0##*/}: building test_progs (log: $dir/build.log)"
[ ! -d "$kmods" ] || trim
bpf_make patched test_progs
not_built=$(not_built "$dir/build.log")
[ -z "$not_built" ] || printf 'The compiler cannot build:\n%s\n' "$not_built"

# Copy the program with its libraries, and the files that tests read, for the guest.
collect() {
	local files=$dir/$1 module

	rm -rf "$files"
	mkdir -p "$files/progs"
	# uprobes need its symbols
	strip -g -o "$files/test_progs" "$bpf/test_progs"
	ldd "$bpf/test_progs" | grep -o '/[^ ]*' | xargs -I{} cp -L {} "$files/"
	cp "$bpf"/progs/btf_dump_test_case_*.c "$files/progs/"
	if [ -d "$kmods" ]; then
		cp "$bpf"/*.bpf.o "$files/"
		[ ! -e "$bpf/resolve_btfids.test.o.BTF" ] || cp "$bpf/resolve_btfids.test.o.BTF" "$files/"
		make -s -C "$kmods" clean KDIR="$linux/kernel-$1" KMOD_O_VALID="$linux/kernel-$1" >>"$dir/build.log" 2>&1
	else
		cp "$bpf"/btf_dump_test_case_*.bpf.o "$bpf"/test_btf_*.bpf.o "$bpf/xdping_kern.bpf.o" "$files/"
	fi
	for module in $modules; do
		# modules are built for each kernel, with the kernel's encoder
		[ -d "$kmods" ] || make -s -C "$bpf/$module" clean KDIR="$linux/kernel-$1" >>"$dir/build.log" 2>&1
		rm -f "$bpf/$module.ko"
		bpf_make "$1" "$bpf/$module.ko"
		cp "$bpf/$module.ko" "$files/"
	done
	{
		echo 'cd /files/$1 && mkdir -p /lib64 && cp ld-linux-x86-64.so.2 /lib64/'
		echo 'export LD_LIBRARY_PATH=$PWD'
		printf './test_progs'
		# no time limit for single tests: when emulated, attaching to all functions takes minutes
		[ ! -d "$kmods" ] || printf ' -w 0'
		printf ' -a %s' $tests
		# the stock kernel would be left with a freed trampoline
		[ "$1" != stock ] || printf ' -d tracing_multi_test/aliases'
		printf ' 2>&1\n'
	} >"$files/run.sh"
}

# run KERNEL: run test_progs, with output to KERNEL.out
run() {
	local status=0

	collect "$1"
	KERNEL=$1 DEBUG='' FUNC_ADDR='' LINUX='' FILES="$dir/$1" VM_TIMEOUT="${VM_TIMEOUT:-1200}" \
		"$here/vm.sh" "sh /files/$1/run.sh $1" >"$dir/$1.out" 2>&1 || status=$?
	# test_progs exits with 1 if some tests failed
	[ $status -le 1 ] || { tail -n 30 "$dir/$1.out" >&2; die "the $1 guest ended with status $status"; }
}

echo "${0##*/}: on the stock kernel"
run stock
echo "${0##*/}: on the patched kernel"
run patched

# shellcheck disable=SC2086 # on one line, as awk wants it
awk -v tests="$(echo $tests)" -v new="$new" -f "$here/test-progs.awk" "$dir/stock.out" "$dir/patched.out"
