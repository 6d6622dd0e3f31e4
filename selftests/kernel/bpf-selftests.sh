# SPDX-License-Identifier: GPL-2.0-only
# Builds the kernel's BPF selftests, except those that Debian 12's compilers cannot compile. Sourced
# after env.sh.
# shellcheck shell=bash disable=SC2154

# bpf_selftests DIR KDIR ARGUMENTS...: make in DIR, a source's tools/testing/selftests/bpf,
# for the kernel built in KDIR.  A kernel newer than 6.12 skips files that do not compile
# and prints lines "SKIP-... NAME"; 6.12 builds everything or stops.
# clang 19 crashes on libarena, which none of the tests here needs.
bpf_selftests() {
	local dir=$1 build=$2 rich_btf
	shift 2

	rich_btf=$("$here/rich-btf.sh") || return
	# does not compile in 6.12.117, with any compiler
	rm -f "$dir/prog_tests/bpf_attr_size.c"
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u V -u T -u KERNEL -u LINUX -u TESTS -u ARCH \
		make -C "$dir" -j"$(nproc)" O= CLANG="${CLANG:-clang-19}" LLC="${LLC:-llc-19}" \
		LLVM_STRIP="${LLVM_STRIP:-llvm-strip-19}" feature-llvm=0 VMLINUX_BTF="$rich_btf" \
		KDIR="$build" KMOD_O_VALID="$build" BPF_STRICT_BUILD=0 \
		LIBARENA_SKEL='' LIBARENA_ASAN_SKEL='' CLANG_HAS_ARENA_ASAN='' "$@"
}

# not_built LOG...: print the names in these lines
not_built() {
	sed -n 's/^ *SKIP-[A-Z]* *//p' "$@" | sort -u
}
