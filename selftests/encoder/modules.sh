#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Modules: relocatable files, split BTF on a base, and relocated addresses.
. "${0%/*}/../lib.sh"

# records MODULE: print "TYPE SYMBOL + ADDEND" for each entry of .rela.BTF
records() {
	readelf -rW "$1" | awk '/^Relocation section .\.rela\.BTF/ { on = 1; next }
		/^Relocation section/ { on = 0 }
		on && $3 ~ /^R_/ { print $3, $5, $6, $7 }'
}

# split MODULE.btf: print names and prototypes of the module's FUNCs, sorted by id
split() {
	"$dump" "$1" vmlinux | sed -nE 's/^\[[0-9]+\] FUNC ([^ ]+) .*: (.*)/\1: \2/p' |
		sed 's/@[^ ]*(/(/'
}

build() {
	cat >common.h <<-'C'
	struct later;
	struct task { int pid; struct task *next; struct later *later; int grid[2][3]; };
	typedef struct task task_t;
	enum state { IDLE, BUSY };
	C
	unit base "$@" <<-'C'
	#include "common.h"
	static __attribute__((noinline, used)) int twin(int a) { return a; }
	int base_func(task_t *t, enum state s) { return t->pid + s; }
	C
	unit m1 "$@" <<-'C'
	#include "common.h"
	struct later { long only_here; };
	struct private { task_t *task; struct later *later; };
	static __attribute__((noinline, used)) int twin(int a) { return a + 1; }
	static __attribute__((noinline, used)) int dup(struct private *p) { return p->task->pid; }
	int mod_func(task_t *t, enum state s) { return t->pid - s; }
	int __attribute__((section(".init.text"))) start(void) { return 1; }
	int __attribute__((section(".init.text"))) both(int a) { return a; }
	int counter __attribute__((section(".data..percpu"))) = 1;
	C
	unit m2 "$@" <<-'C'
	#include "common.h"
	static __attribute__((noinline, used)) int dup(char *s) { return *s; }
	static __attribute__((noinline, used)) int both(char *s) { return s[1]; }
	void __attribute__((section(".exit.text"))) stop(enum state s) { }
	C
	image vmlinux base.o
	"$ABTF" encode -q vmlinux
	module mod.ko m1.o m2.o
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
	build
	cp mod.ko pristine.ko

	begin "$where: split BTF in place, and every record with its relocation"
	expect 0 "$ABTF" encode --base vmlinux mod.ko
	expect 0 "$ABTF" check --base vmlinux mod.ko
	says '7 functions, 5 with an address, 3 with a file: 0 violations'
	section mod.ko .BTF mod.btf
	expect_text "$(split mod.btf)" <<-'F'
	both@m2.c: int both(char *s)
	dup@m1.c: int dup(struct private *p)
	dup@m2.c: int dup(char *s)
	mod_func: int mod_func(task_t *t, enum state s)
	start: int start(void)
	stop: void stop(enum state s)
	twin: int twin(int a)
	F
	expect_eq "$(records mod.ko | cut -d' ' -f2 | tr '\n' ' ')" \
		'both dup dup mod_func twin '
	expect_eq "$(records mod.ko | cut -d' ' -f1,3,4 | sort -u)" "$type + 0"

	begin "$where: types of the base are not repeated, types that it only declares are written"
	"$dump" mod.btf vmlinux >mod.dump
	has_not mod.dump '(STRUCT|ENUM|TYPEDEF|INT) (task|task_t|state|int) '
	has mod.dump 'STRUCT later '
	has mod.dump 'STRUCT private '
	has mod.dump 'VAR counter'
	expect_eq "$(strings -a mod.btf | grep -cx 'task_t\|pid\|twin')" 0 'strings of the base'

	begin "$where: encoding is idempotent; without func_addr, .rela.BTF is removed"
	cp mod.ko twice.ko
	expect 0 "$ABTF" encode --base vmlinux twice.ko
	cmp mod.ko twice.ko || fail 'the file differs'
	expect 0 "$ABTF" encode --base vmlinux --features=default twice.ko
	cp pristine.ko plain.ko
	plain='var,float,decl_tag,type_tag,enum64,optimized_func,consistent_func'
	expect 0 "$ABTF" encode --base vmlinux --features=$plain plain.ko
	expect 0 "$ABTF" encode --base vmlinux --features=$plain twice.ko
	expect_eq "$(readelf -SW twice.ko | grep -c rela.BTF)" 0
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
	expect_eq "$(split plain.btf)" "$(split mod.btf)"
	expect 0 "$compare" --base base.btf mod.btf plain.btf

	begin "$where: detached BTF has the bytes of .BTF"
	expect 0 "$ABTF" encode --base vmlinux -o detached.btf pristine.ko
	cmp detached.btf mod.btf || fail 'the detached BTF differs from .BTF'
	expect 0 "$ABTF" check --base vmlinux pristine.ko detached.btf
	expect 0 "$ABTF" encode --base base.btf -o detached2.btf pristine.ko
	cmp detached2.btf mod.btf || fail 'a plain base with the same ids changes the output'
done
target gcc
build
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
build -gdwarf-4
expect 0 "$ABTF" encode --base vmlinux mod.ko
expect 0 "$ABTF" check --base vmlinux mod.ko
section mod.ko .BTF got.btf
expect_eq "$(split got.btf)" "$(split want.btf)"
build

begin 'functions in several pieces, and with -ffunction-sections, have the right addresses'
build -ffunction-sections
unit pieces -ffunction-sections <<-'C'
extern void __attribute__((cold)) rare(int a);
int pieces(int a) { if (a == 7) rare(a); return a * 3; }
C
need_symbol pieces.o 't pieces.cold'
module mod.ko m1.o m2.o pieces.o
expect 0 "$ABTF" encode --base vmlinux mod.ko
expect 0 "$ABTF" check --base vmlinux mod.ko
says '8 functions, 6 with an address'
expect_eq "$(records mod.ko | grep pieces | cut -d' ' -f2-)" 'pieces + 0'
build

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
expect_eq "$(split same.btf)" 'other@s1.c: int other(int a)'
expect 0 "$ABTF" check --base vmlinux same.ko same.btf
expect 0 "$ABTF" encode --base vmlinux --report same.report same.ko
expect_eq "$(skipped same)" "$(printf '%s: init_text\n' other same)"

begin 'a forward with two definitions in the base: resolved within a struct'
unit c1 <<<'struct chan { int a; }; struct user { struct chan *c; }; int f(struct user *u) { return u->c->a; }'
unit c2 <<<'struct chan { long b[2]; }; long g(struct chan *c) { return c->b[1]; }'
unit c3 <<<'struct chan; struct user { struct chan *c; }; int h(struct user *u, struct chan *c) { return u->c == c; }'
unit c4 <<<'struct chan; int i(struct chan *c) { return !c; }'
image two c1.o c2.o
"$ABTF" encode -q two
module c3.ko c3.o
module c4.ko c4.o
"$ABTF" encode -q --base two c3.ko
"$dump" c3.ko two >c3.dump
has_not c3.dump 'FWD|STRUCT'
"$ABTF" encode -q --base two c4.ko
"$dump" c4.ko two >c4.dump
has c4.dump 'FWD chan'

begin 'a forward whose name has two definitions in the module is not shared with the base'
unit c5 <<<'struct chan { int a; }; int k(struct chan *c) { return c->a; }'
image one c1.o
"$ABTF" encode -q one
module c245.ko c5.o c2.o c4.o
"$ABTF" encode -q --base one c245.ko
"$dump" c245.ko one >c245.dump
has c245.dump 'FWD chan'
has c245.dump 'STRUCT chan size 16'
# the same if the forward comes first
module c452.ko c4.o c5.o c2.o
"$ABTF" encode -q -j1 --base one c452.ko
"$dump" c452.ko one >c452.dump
has c452.dump 'FWD chan'
has c452.dump 'STRUCT chan size 16'
has_not c452.dump 'STRUCT chan size 4'

begin '32-bit: relocations are too small for an address, so there are no addresses'
target m32
unit m32 <<<'int f(int a) { return a; } int __attribute__((section(".init.text"))) g(void) { return 1; }'
module m32.ko m32.o
expect 0 "$ABTF" encode m32.ko
says 'functions are encoded without addresses'
"$dump" m32.ko >m32.dump
expect_eq "$(grep -c ' FUNC [fg] [^a]' m32.dump)" 2
expect_eq "$(readelf -SW m32.ko | grep -c rela.BTF)" 0
expect 1 "$ABTF" encode --features=+func_addr m32.ko
target gcc
unit m64 <m32.c
module m64.ko m64.o
"$ABTF" encode -q m64.ko
section m64.ko .BTF m64.btf
target m32
tool objcopy --update-section .BTF=m64.btf --add-section .rela.BTF=m32.c m32.ko rela32.ko
limited "$python" - <<'P'
import struct
d = bytearray(open('rela32.ko', 'rb').read())
start, = struct.unpack_from('<I', d, 0x20)
nr, names = struct.unpack_from('<HH', d, 0x30)
strings, = struct.unpack_from('<I', d, start + 40 * names + 16)
header = {}
for i in range(nr):
    at = strings + struct.unpack_from('<I', d, start + 40 * i)[0]
    header[bytes(d[at:d.index(0, at)])] = i
at = start + 40 * header[b'.rela.BTF']
struct.pack_into('<I', d, at + 4, 4)
struct.pack_into('<5I', d, at + 20, 12, header[b'.symtab'], header[b'.BTF'], 4, 12)
open('rela32.ko', 'wb').write(d)
P
expect 2 "$ABTF" check rela32.ko
says '\.rela\.BTF: a 32-bit file cannot have it'
CC='clang --target=arm-linux-gnueabi' machine=
unit arm <m32.c
expect 0 "$ABTF" encode arm.o
says 'functions are encoded without addresses'
"$dump" arm.o >arm.dump
expect_eq "$(grep -c ' FUNC [fg] [^a]' arm.dump)" 2
target gcc

for where in aarch64 s390x gcc; do
	target $where
	build
	begin "$where: kfuncs are tagged"
	unit k -I"$selftests/example/include" <<-'C'
	#include <linux/btf_ids.h>
	__attribute__((used)) int the_kfunc(int a) { return a; }
	__attribute__((used)) int no_kfunc(int a) { return a + 1; }
	BTF_KFUNCS_START(set)
	BTF_ID_FLAGS(func, the_kfunc, "0")
	BTF_KFUNCS_END(set)
	C
	module k.ko k.o m2.o
	cp k.ko k.pristine
	expect 0 "$ABTF" encode --base vmlinux k.ko
	expect 0 "$ABTF" check --base vmlinux k.ko
	section k.ko .BTF k.btf
	"$dump" k.btf vmlinux >k.dump
	has k.dump 'DECL_TAG bpf_kfunc on \[[0-9]+\] the_kfunc'
	has_not k.dump 'DECL_TAG bpf_kfunc on \[[0-9]+\] no_kfunc'
	has k.dump 'FUNC no_kfunc addr'
done
mv k.pristine k.ko
expect 0 "$ABTF" encode --base vmlinux k.ko
cp mod.ko pristine.ko
"$ABTF" encode -q --base vmlinux -o want.btf pristine.ko

begin 'check finds wrong relocations'
"$ABTF" encode -q --base vmlinux mod.ko
rela=$((0x$(readelf -SW mod.ko | sed -nE 's/.* \.rela\.BTF +RELA +[0-9a-f]+ ([0-9a-f]+) .*/\1/p')))
poke() {
	cp mod.ko broken.ko
	printf '%b' "$2" | dd of=broken.ko bs=1 seek=$((rela + $1)) conv=notrunc status=none
	expect 1 "$ABTF" check --base vmlinux broken.ko
}
poke 0 '\001'
says 'no relocation in .rela.BTF'
says 'where there is no record'
poke 8 '\002'
says 'is of type 2'
poke 12 '\377\377\377'
says 'which is not a function'
poke 16 '\004'
says 'addend 0x4'
# the second and third function have the same name: use the symbol of the third one for both
dd if=mod.ko bs=1 skip=$((rela + 60)) count=4 status=none >symbol
cp mod.ko broken.ko
dd if=symbol of=broken.ko bs=1 seek=$((rela + 36)) conv=notrunc status=none
expect 1 "$ABTF" check --base vmlinux broken.ko
says "type [0-9]+ \(FUNC dup@m1.c\): 0x[0-9a-f]+ is not where 'dup' starts, expected 0x"

begin 'wrong relocations in the input are errors'
cp pristine.ko mod.ko
info=$((0x$(readelf -SW mod.ko | sed -nE 's/.* \.rela\.debug_info +RELA +[0-9a-f]+ ([0-9a-f]+) .*/\1/p')))
lie() {
	cp mod.ko broken.ko
	printf '%b' "$2" | dd of=broken.ko bs=1 seek=$((info + $1)) conv=notrunc status=none
	expect 1 "$ABTF" encode --base vmlinux broken.ko
	says "rela.debug_info: relocation 0 "
}
lie 8 '\002'
says 'type 2 of machine 62'
lie 6 '\377\377'
says "past the section's end"
lie 12 '\377\377\377\177'
says 'no such symbol'
lie 16 '\377\377\377\377\377\377\377\177'
says 'does not fit in 4 bytes'

for where in gcc aarch64 s390x riscv64 powerpc64le; do
	target $where
	begin "$where: a clone, in a unit with init text: locations of parameters are relative to relocations"
	unit sections <<-'C'
	/* so that the unit does not start at 0, and offsets from its start differ */
	__asm__(".space 52");
	extern void f(int), g(void);
	static __attribute__((noinline)) int noret(int *p, int x)
	{
		f(*p);
		g();
		f(x + *p);
		return x + 1;
	}
	void user(int *p, int x) { noret(p, x); g(); noret(p, x + 1); }
	__attribute__((section(".init.text"))) int start(int a) { f(a); return a; }
	C
	need_symbol sections.o 't noret.isra.0'
	expect 0 "$ABTF" encode sections.o
	verify sections.o
	says 'agrees with 3 prototypes, .* 0 functions are missing'
	expect 0 "$ABTF" list -aj sections.o
	expect_eq "$(jq -r '.functions[] | .name' <<<"$out" | tr '\n' ' ')" 'noret.isra.0 start user '
done

relax='-Xclang -target-feature -Xclang +relax'
for where in gcc "clang-19 --target=loongarch64-linux-gnu $relax" \
		'clang-19 --target=riscv64-linux-gnu'; do
	target riscv64
	case $where in
	gcc)	type=R_RISCV_ADD16 ;;
	*riscv*) CC=$where machine='' type='SET_ULEB128|unrecognized: 3c' ;;
	*)	CC=$where machine='' type='R_LARCH_SUB16' ;;
	esac
	begin "${CC%% -X*}: differences of labels that only relocations describe"
	have "${CC%% *}" || { skip "no ${CC%% *}"; continue; }
	# with one section, offsets in location lists are relative to the unit's start
	grep -v init.text sections.c | unit differences
	readelf -rW differences.o >relocations
	version=$(${CC%% *} -dumpversion)
	if [[ $CC = clang* ]] && [ "${version%%.*}" -lt 19 ] && ! grep -qE "$type" relocations; then
		skip 'this compiler needs no relocations for these differences'
		continue
	fi
	has relocations "$type"
	# LLVM also writes the unrelocated value, which is wrong (libdw reads it, so the judge
	# cannot be used)
	"$python" - <<-'P'
	import struct, subprocess
	data = bytearray(open('differences.o', 'rb').read())
	out = subprocess.run(['readelf', '-SW', 'differences.o'], capture_output=True, text=True).stdout
	at = {w[1]: (int(w[4], 16), int(w[5], 16)) for w in
	      (l.replace('[ ', '[').split() for l in out.splitlines() if ' .' in l)}
	start, size = at['.rela.debug_loclists']
	for i in range(start, start + size, 24):
	    offset, kind = struct.unpack_from('<QI', data, i)
	    if kind == 60:
	        data[at['.debug_loclists'][0] + offset] &= 0x80
	open('differences.o', 'wb').write(data)
	P
	expect 0 "$ABTF" encode differences.o
	expect 0 "$ABTF" list -aj differences.o
	expect_eq "$(jq -r '.functions[] | .prototype' <<<"$out" | sed 's/\.isra\.0//')" \
'void noret(int *p, int x)
void user(int *p, int x)'
done

begin 'riscv64: relocations with a wrong type, offset or symbol: an error or BTF, never a crash'
cat >lie.py <<'P'
import random, struct, subprocess, sys
good = open('differences.o', 'rb').read()
out = subprocess.run(['readelf', '-SW', 'differences.o'], capture_output=True, text=True).stdout
where = [l.replace('[ ', '[').split() for l in out.splitlines() if ' .rela.debug_' in l]
where = [(int(w[4], 16), int(w[5], 16) // 24) for w in where]
random.seed(3)
failed = 0
for i in range(400):
    bad = bytearray(good)
    for _ in range(random.choice((1, 1, 3))):
        at, nr = where[i % len(where)]
        at += 24 * random.randrange(nr)
        # change a type, and sometimes an offset or a symbol
        struct.pack_into('<I', bad, at + 8, random.choice((0, 1, 2, *range(33, 41), *range(51, 62), 200)))
        if random.random() < .5:
            struct.pack_into('<Q', bad, at, random.choice((1, 40, 1000, 2**63, random.getrandbits(12))))
        if random.random() < .2:
            struct.pack_into('<I', bad, at + 12, random.choice((0, 0xffffffff, random.getrandbits(8))))
    open('bad.o', 'wb').write(bad)
    r = subprocess.run([sys.argv[1], 'encode', '-q', '-o', 'bad.btf', 'bad.o'], capture_output=True)
    failed += r.returncode
    if r.returncode not in (0, 1) or r.returncode and not r.stderr:
        sys.exit(f'{i}: exit status {r.returncode}: {r.stderr[-2000:].decode()}')
if not 0 < failed < 400:
    sys.exit(f'{failed} of 400 fail: both must occur')
P
limited "$python" lie.py "$ABTF"
target gcc

begin 'wrong headers (missing sections, huge sizes) are errors'
shoff=$(readelf -h pristine.ko | sed -n 's/.*Start of section headers: *\([0-9]*\).*/\1/p')
index_of() {
	readelf -SW pristine.ko | sed -nE "s/^ *\[ *([0-9]+)\] +${1//./\\.} .*/\1/p" | head -n 1
}
# damage OFFSET BYTES: encoding fails, in place and detached, without a crash
damage() {
	local status

	cp pristine.ko broken.ko
	printf '%b' "$2" | dd of=broken.ko bs=1 seek="$1" conv=notrunc status=none
	cmp -s broken.ko pristine.ko && fail "nothing was changed at $1"
	cp broken.ko before.ko
	expect 1 "$ABTF" encode --base vmlinux broken.ko
	says 'broken.ko: '
	cmp broken.ko before.ko || fail 'encoding failed, but wrote to the module'
	status=0
	"$ABTF" encode -q --base vmlinux -o broken.btf broken.ko 2>err || status=$?
	[ $status = 1 ] || fail "detached: status $status"
}
all='\377\377\377\377' huge='\377\377\377\377\377\377\377\177'
rela=$((shoff + 64 * $(index_of .rela.debug_info)))
symtab=$((shoff + 64 * $(index_of .symtab)))
debug=$((shoff + 64 * $(index_of .debug_info)))
damage $((rela + 32)) "$huge"		# sh_size
damage $((rela + 40)) "$all"		# sh_link
damage $((rela + 56)) '\001'		# sh_entsize
damage $((rela + 24)) "$huge"		# sh_offset
damage $((symtab + 32)) "$huge"
damage $((symtab + 40)) "$all"
damage $((symtab + 56)) '\000'
damage $((debug + 32)) "$huge"
damage 60 '\377\376'			# e_shnum
damage 62 '\376\376'			# e_shstrndx
damage 40 "$huge"			# e_shoff
# a symbol in a missing section, or in none, is not a function
at=$((0x$(readelf -SW pristine.ko | sed -nE 's/.* \.symtab +SYMTAB +[0-9a-f]+ ([0-9a-f]+) .*/\1/p')))
nr=$(readelf -sW pristine.ko | awk '$8 == "mod_func" { sub(":", "", $1); print $1 }')
for shndx in '\377\376' '\177\000' '\000\000'; do
	cp pristine.ko broken.ko
	printf '%b' "$shndx" | dd of=broken.ko bs=1 seek=$((at + 24 * nr + 6)) conv=notrunc status=none
	status=0
	"$ABTF" encode -q --base vmlinux broken.ko 2>err || status=$?
	case $status in
	0)	expect 0 "$ABTF" check --base vmlinux broken.ko
		says '6 functions, 4 with an address' ;;
	1)	has err 'broken.ko: ' ;;
	*)	fail "section $shndx: status $status" ;;
	esac
done

begin 'truncated or damaged modules: a message, or valid BTF'
damaged --output=broken.btf pristine.ko broken.ko cut:0:END:977 set:0:END:977:ffffffffffffffff -- \
	"$ABTF_PROGRAM" encode -q --base vmlinux -o broken.btf broken.ko
damaged pristine.ko broken.ko set:0:END:977:ffffffffffffffff -- "$ABTF_PROGRAM" encode -q --base vmlinux broken.ko

begin 'a base with the other byte order, and a missing base, are errors'
target s390x
unit other <<<'int x(void) { return 1; }'
module other.ko other.o
target gcc
expect 1 "$ABTF" encode --base vmlinux other.ko
says 'big-endian, but the base is not'
while read -r base message; do
	expect 1 "$ABTF" encode --base $base pristine.ko
	says "^abtf: error: $base: $message"
done <<'T'
nowhere cannot read: No such file or directory$
m1.c BTF magic is
pristine.ko no .BTF section
T

begin 'many modules: a module that fails is reported, the others are encoded'
mkdir -p tree/a tree/b
cp pristine.ko tree/a/x.ko
cp pristine.ko tree/b/x.ko
cp k.ko tree/b/k.ko
head -c 3000 pristine.ko >tree/b/bad.ko
expect 1 "$ABTF" encode --base vmlinux -j4 -o made tree/a/x.ko tree/b/x.ko tree/b/bad.ko ./tree/b/k.ko
says 'bad.ko: '
says '1 of 4 images failed'
expect_eq "$(find made -type f | sort | tr '\n' ' ')" \
	'made/tree/a/x.ko.btf made/tree/b/k.ko.btf made/tree/b/x.ko.btf '
cmp made/tree/a/x.ko.btf want.btf || fail 'a call for one module writes other BTF'
"$ABTF" encode -q --base vmlinux -o one.btf tree/b/k.ko
cmp made/tree/b/k.ko.btf one.btf || fail 'a call for one module writes other BTF'
expect 1 "$ABTF" encode --base vmlinux -j2 tree/a/x.ko tree/b/bad.ko tree/b/x.ko
expect 0 "$ABTF" check --base vmlinux tree/a/x.ko tree/b/x.ko
cmp tree/a/x.ko tree/b/x.ko || fail 'the output differs'

begin 'many modules: two outputs with the same name, or a file instead of a directory, are errors'
expect 1 "$ABTF" encode --base vmlinux -o out2 tree/a/x.ko tree/b/../a/x.ko
says 'would both be written to out2/tree/a/x.ko.btf'
[ ! -e out2 ] || fail 'a file was written'
expect 2 "$ABTF" encode --base vmlinux -o one.btf tree/a/x.ko tree/b/x.ko
expect 2 "$ABTF" encode --base vmlinux --report r.json tree/a/x.ko tree/b/x.ko
here=${PWD##*/}
expect 0 "$ABTF" encode --base vmlinux -o out3/ "../$here/tree/a/x.ko"
[ -e "out3/$here/tree/a/x.ko.btf" ] || fail "out3 lacks $here/tree/a/x.ko.btf: $(find out3)"

begin 'kill -9 while encoding many modules: each file is the old or the new one'
mkdir -p killed
cp tree/a/x.ko new.ko
nr_killed=0
for i in $(seq 0 23); do
	for m in 1 2 3 4 5 6 7 8; do cp pristine.ko killed/$m.ko; done
	"$ABTF" encode -q --base vmlinux -j2 killed/?.ko &
	pid=$!
	sleep "0.0$((i % 6))$((i % 7))"
	kill -9 $pid 2>/dev/null || true
	status=0
	wait $pid 2>/dev/null || status=$?
	[ $status != 137 ] || nr_killed=$((nr_killed + 1))
	for m in 1 2 3 4 5 6 7 8; do
		cmp -s killed/$m.ko pristine.ko || cmp -s killed/$m.ko new.ko ||
			{ fail "round $i: $m.ko is neither"; break 2; }
	done
	rm -f killed/.*.ko.*
done
echo "$nr_killed of 24 killed"
[ $nr_killed != 0 ] || fail 'no process was killed, each ended before'

begin 'names in the same order in each unit, but not equal'
target gcc
unit n1 <<-'C'
struct first { int alpha_member; int beta_member; int gamma_member; };
int first_func(struct first *p) { return p->beta_member; }
C
unit n2 <<-'C'
struct second { int alpha_member; int beta_member_longer; int gamma_membeR; };
int second_func(struct second *p) { return p->beta_member_longer; }
C
module names.ko n1.o n2.o
# one thread, which predicts that the second unit has the names of the first one
expect 0 "$ABTF" encode -j1 -o names.btf names.ko
"$dump" names.btf >names.dump
expect_text "$(types names '^STRUCT (first|second)')" <<'T'
STRUCT first size 12 { int alpha_member @0; int beta_member @32; int gamma_member @64; }
STRUCT second size 12 { int alpha_member @0; int beta_member_longer @32; int gamma_membeR @64; }
T

begin 'abtf-pahole encodes a module'
flags="--btf_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func"
"$ABTF_PAHOLE" -J $flags -j vmlinux
cp pristine.ko p.ko
expect 0 "$ABTF_PAHOLE" -J -j $flags --btf_base vmlinux p.ko
expect_eq "$(readelf -SW p.ko | grep -c rela.BTF)" 0
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
