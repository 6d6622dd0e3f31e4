#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Modules: relocatable files, split BTF on a base, and relocated addresses.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/modules.sh"

# list_relocations MODULE: print "TYPE SYMBOL + ADDEND" for each entry of .rela.BTF
list_relocations() {
	readelf -rW "$1" | awk '/^Relocation section .\.rela\.BTF/ { on = 1; next }
		/^Relocation section/ { on = 0 }
		on && $3 ~ /^R_/ { print $3, $5, $6, $7 }'
}

# list_funcs MODULE.btf: print names and prototypes of the module's FUNCs, sorted by id
list_funcs() {
	"$dump" "$1" vmlinux | sed -nE 's/^\[[0-9]+\] FUNC ([^ ]+) .*: (.*)/\1: \2/p' |
		sed 's/@[^ ]*(/(/'
}

for where in gcc clang aarch64 s390x riscv64 powerpc64le; do
	target $where
	case $where in
	aarch64) type=R_AARCH64_ABS64 ;;
	s390x)	 type=R_390_64 ;;
	riscv64) type=R_RISCV_64 ;;
	powerpc64le) type=R_PPC64_ADDR64 ;;
	*)	 type=R_X86_64_64 ;;
	esac
	build_module
	cp mod.ko pristine.ko

	begin "$where: split BTF in place, and every record with its relocation"
	expect 0 "$ABTF" encode --base vmlinux mod.ko
	expect 0 "$ABTF" check --base vmlinux mod.ko
	says '7 functions, 5 with an address, 3 with a file: 0 violations'
	section mod.ko .BTF mod.btf
	expect_text "$(list_funcs mod.btf)" <<-'F'
	both@m2.c: int both(char *s)
	dup@m1.c: int dup(struct private *p)
	dup@m2.c: int dup(char *s)
	mod_func: int mod_func(task_t *t, enum state s)
	start: int start(void)
	stop: void stop(enum state s)
	twin: int twin(int a)
	F
	expect_eq "$(list_relocations mod.ko | cut -d' ' -f2 | tr '\n' ' ')" \
		'both dup dup mod_func twin '
	expect_eq "$(list_relocations mod.ko | cut -d' ' -f1,3,4 | sort -u)" "$type + 0"

	begin "$where: types of the base are not repeated, types that it only declares are written"
	"$dump" mod.btf vmlinux >mod.dump
	has_not mod.dump '(STRUCT|ENUM|TYPEDEF|INT) (task|task_t|state|int) '
	has mod.dump 'STRUCT later '
	has mod.dump 'STRUCT private '
	has mod.dump 'VAR counter'
	strings -a mod.btf | find_lines -x 'task_t\|pid\|twin' | expect_none 'strings of the base'

	begin "$where: encoding is idempotent; without func_addr, .rela.BTF is removed"
	cp mod.ko twice.ko
	expect 0 "$ABTF" encode --base vmlinux twice.ko
	cmp mod.ko twice.ko || fail 'the file differs'
	expect 0 "$ABTF" encode --base vmlinux --features=default twice.ko
	cp pristine.ko plain.ko
	plain='var,float,decl_tag,type_tag,enum64,optimized_func,consistent_func'
	expect 0 "$ABTF" encode --base vmlinux --features=$plain plain.ko
	expect 0 "$ABTF" encode --base vmlinux --features=$plain twice.ko
	readelf -SW twice.ko | find_lines rela.BTF | expect_none
	section plain.ko .BTF a.btf
	section twice.ko .BTF b.btf
	cmp a.btf b.btf || fail 'the BTF differs'

	begin "$where: addresses survive ld -r, strip and signing"
	expect 0 tool ld -r -o linked.ko mod.ko
	expect 0 tool strip -d -o stripped.ko mod.ko
	expect 0 tool strip --strip-unneeded -o unneeded.ko mod.ko
	files='linked.ko stripped.ko unneeded.ko'
	if have llvm-strip; then
		expect 0 llvm-strip -d -o llvm.ko mod.ko
		files="$files llvm.ko"
	fi
	{ cat mod.ko; echo '~Module signature appended~'; } >signed.ko
	for f in $files signed.ko; do
		expect 0 "$ABTF" check --base vmlinux $f
		says '7 functions, 5 with an address, 3 with a file: 0 violations'
	done

	begin "$where: list and strip accept --base"
	expect 0 "$ABTF" list --all --base vmlinux mod.ko
	says ' dup@m2.c '
	expect 0 "$ABTF" strip --base vmlinux mod.ko plain.btf
	expect 0 "$ABTF" strip vmlinux base.btf
	expect_eq "$(list_funcs plain.btf)" "$(list_funcs mod.btf)"
	expect 0 "$compare" --base base.btf mod.btf plain.btf

	begin "$where: detached BTF has the bytes of .BTF"
	expect 0 "$ABTF" encode --base vmlinux -o detached.btf pristine.ko
	cmp detached.btf mod.btf || fail 'the detached BTF differs from .BTF'
	expect 0 "$ABTF" check --base vmlinux pristine.ko detached.btf
	expect 0 "$ABTF" encode --base base.btf -o detached2.btf pristine.ko
	cmp detached2.btf mod.btf || fail 'a plain base with the same ids changes the output'
done
target gcc
build_module
cp mod.ko pristine.ko

begin 'a relocatable file can be encoded without a base'
expect 0 "$ABTF" encode mod.ko
expect 0 "$ABTF" check mod.ko
says '7 functions, 5 with an address'
"$dump" mod.ko >full.dump
has full.dump 'STRUCT task '

begin 'compressed debug sections and other versions of DWARF lead to the same BTF'
cp pristine.ko mod.ko
"$ABTF" encode -q --base vmlinux -o want.btf mod.ko
for how in zlib zlib-gnu; do
	objcopy --compress-debug-sections=$how pristine.ko compressed.ko
	expect 0 "$ABTF" encode --base vmlinux -o got.btf compressed.ko
	cmp got.btf want.btf || fail "$how differs"
done
# Neither binutils 2.40 nor libelf 0.188 writes zstd.
"$CC" -O2 -o compress -x c - -lzstd <<'C'
/* compress FILE: compress its .debug_* sections with zstd, and append them to the file */
#include <elf.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <zstd.h>
int main(int argc, char **argv)
{
	static char in[1 << 20], out[1 << 20];
	FILE *f = fopen(argv[1], "r+");
	size_t end = fread(in, 1, sizeof(in), f), i, nr = 0;
	Elf64_Ehdr *e = (void *)in;
	Elf64_Shdr *s = (void *)(in + e->e_shoff);
	const char *names = in + s[e->e_shstrndx].sh_offset;

	for (i = 1; i < e->e_shnum; i++) {
		Elf64_Chdr c = { .ch_type = 2 /* ELFCOMPRESS_ZSTD */, .ch_size = s[i].sh_size,
				 .ch_addralign = s[i].sh_addralign };
		size_t n;

		if (strncmp(names + s[i].sh_name, ".debug_", 7))
			continue;
		n = ZSTD_compress(out, sizeof(out), in + s[i].sh_offset, s[i].sh_size, 3);
		if (ZSTD_isError(n) || fseek(f, end, SEEK_SET) || fwrite(&c, sizeof(c), 1, f) != 1 ||
		    fwrite(out, n, 1, f) != 1)
			return 1;
		s[i].sh_offset = end;
		s[i].sh_size = sizeof(c) + n;
		s[i].sh_flags |= SHF_COMPRESSED;
		end += (sizeof(c) + n + 7) / 8 * 8;
		nr++;
	}
	return !nr || fseek(f, e->e_shoff, SEEK_SET) ||
	       fwrite(s, sizeof(*s), e->e_shnum, f) != e->e_shnum || fclose(f);
}
C
cp pristine.ko compressed.ko
./compress compressed.ko
readelf -tW compressed.ko | grep -A3 ' \.debug_info' | matches ZSTD || fail '.debug_info is not compressed'
expect 0 "$ABTF" encode --base vmlinux -o got.btf compressed.ko
cmp got.btf want.btf || fail 'the BTF differs with zstd'
expect 0 "$ABTF" encode --base vmlinux compressed.ko
expect 0 "$ABTF" check --base vmlinux compressed.ko
says '7 functions, 5 with an address'
build_module -gdwarf-4
expect 0 "$ABTF" encode --base vmlinux mod.ko
expect 0 "$ABTF" check --base vmlinux mod.ko
section mod.ko .BTF got.btf
expect_eq "$(list_funcs got.btf)" "$(list_funcs want.btf)"

begin 'functions in several pieces, and with -ffunction-sections, have the right addresses'
build_module -ffunction-sections
unit pieces -ffunction-sections <<-'C'
extern void __attribute__((cold)) rare(int a);
int pieces(int a) { if (a == 7) rare(a); return a * 3; }
C
need_symbol pieces.o 't pieces.cold'
module mod.ko m1.o m2.o pieces.o
expect 0 "$ABTF" encode --base vmlinux mod.ko
expect 0 "$ABTF" check --base vmlinux mod.ko
says '8 functions, 6 with an address'
expect_eq "$(list_relocations mod.ko | grep pieces | cut -d' ' -f2-)" 'pieces + 0'
build_module

begin 'detached: functions with the same name and offset in two sections are ambiguous, so omitted'
unit s1 <<-'C'
static __attribute__((noinline, used)) int same(int a) { return a; }
static __attribute__((noinline, used)) int other(int a) { return a; }
C
unit s2 <<-'C'
static __attribute__((noinline, used, section(".init.text"))) int same(char *s) { return *s; }
asm(".pushsection .exit.text,\"ax\"; .skip 256; .popsection");
static __attribute__((noinline, used, section(".exit.text"))) int other(char *s) { return *s; }
C
module same.ko s1.o s2.o
expect 0 "$ABTF" encode --base vmlinux --report same.report -o same.btf same.ko
expect_eq "$(skipped same)" "$(printf '%s\n' 'other: init_text' 'same: ambiguous_address' 'same: init_text')"
expect_eq "$(list_funcs same.btf)" 'other@s1.c: int other(int a)'
expect 0 "$ABTF" check --base vmlinux same.ko same.btf
expect 0 "$ABTF" encode --base vmlinux --report same.report same.ko
expect_eq "$(skipped same)" "$(printf '%s: init_text\n' other same)"

begin 'abtf-pahole encodes a module'
flags="--btf_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func"
"$ABTF_PAHOLE" -J $flags -j vmlinux
cp pristine.ko p.ko
expect 0 "$ABTF_PAHOLE" -J -j $flags --btf_base vmlinux p.ko
readelf -SW p.ko | find_lines rela.BTF | expect_none
"$dump" p.ko vmlinux >p.dump
has p.dump 'FUNC mod_func'
has_not p.dump 'STRUCT task |FUNC dup'
expect 0 "$ABTF_PAHOLE" -J $flags --btf_features=+func_addr,func_unit --btf_base vmlinux p.ko
expect 0 "$ABTF" check --base vmlinux p.ko
says '7 functions, 5 with an address'
# a base without addresses has an array of arrays, like a module
expect 0 "$ABTF" encode --base vmlinux -o split.btf pristine.ko
"$dump" split.btf vmlinux >split.dump
has_not split.dump 'STRUCT task '
strip -g -o nodebug.ko pristine.ko
cp nodebug.ko before.ko
expect 0 "$ABTF_PAHOLE" -J $flags --btf_base vmlinux nodebug.ko
cmp nodebug.ko before.ko || fail 'a file was written'
expect 1 "$ABTF" encode --base vmlinux nodebug.ko
says 'no debug information'
