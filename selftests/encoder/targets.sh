#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Images with other word sizes and byte orders, compressed debug sections, DWARF 4 and 5.
. "${0%/*}/../lib.sh"

cat >a.c <<'C'
struct s { long l; struct s *next; int bits:5; unsigned more:11; char tail; };
enum e { NEG = -3, POS = 4 };
static __attribute__((noinline, used)) int dup(struct s *s, enum e e) { return s->bits + e; }
long use(struct s *s, unsigned short us, long long ll) { return s->l + us + ll; }
int __attribute__((section(".init.text"))) setup(void) { return 1; }
int table[4] __attribute__((section(".data..percpu")));
C
cat >b.c <<'C'
static __attribute__((noinline, used)) long dup(long x) { return x; }
C
cat >golden <<'F'
dup@a.c = dup: int dup(struct s *s, enum e e)
dup@b.c = dup: long int dup(long int x)
setup: int setup(void)
use = use: long int use(struct s *s, short unsigned int us, long long int ll)
F

# build [FLAG...]: link vmlinux from two units
build() {
	unit a "$@" <a.c
	unit b "$@" <b.c
	image vmlinux a.o b.o
}

for where in gcc clang m32 aarch64 s390x; do
	for version in 4 5; do
		target $where
		build -gdwarf-$version
		encode vmlinux
		begin "$where, DWARF $version: functions with addresses"
		expect_eq "$(readelf --debug-dump=info vmlinux 2>/dev/null | grep -m1 -o 'Version: *[0-9]' | grep -o '.$')" $version
		# clang writes "long", and gcc "long int"
		if [ $where = clang ]; then
			expect_funcs vmlinux < <(sed 's/long long int/long long/g; s/long int/long/g; s/short unsigned int/unsigned short/g' golden)
		else
			expect_funcs vmlinux <golden
		fi
		expect 0 "$ABTF" check vmlinux vmlinux.btf
		expect 0 "$ABTF" list vmlinux.btf dup@b.c
		says 'long.* dup\(long'

		begin "$where, DWARF $version: bytes are in the target's order, sizes are the target's"
		case $where in
		s390x)	magic=eb9f long=8 ptr=8 bits='bits:5 @128; unsigned int more:11 @133; char tail @144' ;;
		m32)	magic=9feb long=4 ptr=4 bits='bits:5 @64; unsigned int more:11 @69; char tail @80' ;;
		*)	magic=9feb long=8 ptr=8 bits='bits:5 @128; unsigned int more:11 @133; char tail @144' ;;
		esac
		expect_eq "$(od -An -tx1 -N2 vmlinux.btf | tr -d ' ')" $magic
		has vmlinux.dump "STRUCT s .*int $bits;"
		has vmlinux.dump "INT long( int)? size $long "
		has vmlinux.dump "STRUCT s size .*long( int)? l @0; struct s \*next @$((ptr * 8));"
		has vmlinux.dump 'ENUM e signed size 4 \{ NEG = -3; POS = 4; \}'

		begin "$where, DWARF $version: strip, in place and ELF output keep the order"
		expect 0 "$ABTF" strip vmlinux.btf plain.btf
		expect_eq "$(od -An -tx1 -N2 plain.btf | tr -d ' ')" $magic
		expect 0 "$compare" -a vmlinux.btf plain.btf
		expect 0 bpftool btf dump file plain.btf
		cp vmlinux in-place
		expect 0 "$ABTF" encode in-place
		expect 0 "$ABTF" check in-place
		expect_eq "$("$dump" in-place)" "$(cat vmlinux.dump)"
		expect 0 "$ABTF" encode -o small.elf vmlinux
		expect_eq "$("$dump" small.elf)" "$(cat vmlinux.dump)"
		expect_eq "$(readelf -h small.elf | grep -E 'Class|Data|Machine')" \
			"$(readelf -h vmlinux | grep -E 'Class|Data|Machine')"
	done
done

begin 'images of several machines in one call, in any order, give the same BTF as alone'
plain=--features=encode_force,var,float,decl_tag,type_tag,enum64,optimized_func,consistent_func
for where in gcc m32 aarch64 s390x; do
	target $where
	unit seven <<-'C'
		struct s { long a; char b; } __attribute__((packed));
		long seven(long a, long b, long c, long d, long e, long f, struct s s) { return a + s.b; }
		long nine(int a, int b, int c, int d, int e, int f, int g, int h, struct s s) { return h + s.a; }
	C
	image machine-$where seven.o
	expect 0 "$ABTF" encode $plain -o machine-$where.btf machine-$where
done
for order in 'gcc m32 aarch64 s390x' 's390x aarch64 m32 gcc' 'm32 gcc s390x aarch64'; do
	# shellcheck disable=SC2086 # a list
	rm -rf many && expect 0 "$ABTF" encode -j1 $plain -o many/ $(printf ' machine-%s' $order)
	for where in $order; do
		cmp "many/machine-$where.btf" "machine-$where.btf" || fail "$where: the BTF differs in a call with $order"
	done
done

target gcc
build
encode vmlinux
cp vmlinux.btf golden.btf
for how in zlib zlib-gnu zlib-gabi; do
	begin "debug sections compressed with $how give the same BTF"
	objcopy --compress-debug-sections=$how vmlinux $how
	if [ $how = zlib-gnu ]; then
		readelf -SW $how | matches zdebug_info
	else
		readelf -SW $how | matches 'debug_info.* C '
	fi
	"$ABTF" encode -q -o c.btf $how
	cmp c.btf golden.btf || fail 'the BTF differs'

	begin "an image whose debug sections are compressed with $how is encoded in place"
	cp $how in-place
	expect 0 "$ABTF" encode in-place
	expect 0 "$ABTF" check in-place
	expect_eq "$(readelf -SW in-place | grep -c debug_info)" 1
done

begin 'debug sections compressed with zstd give the same BTF'
if have llvm-objcopy && llvm-objcopy --compress-debug-sections=zstd vmlinux zstd 2>/dev/null; then
	made=llvm-objcopy
else
	# binutils 2.40 and llvm 14 of Debian 12 may lack zstd: try both.
	made=
fi
if [ -z "$made" ]; then
	if objcopy --compress-debug-sections=zstd vmlinux zstd 2>objcopy.err; then
		made=objcopy
	fi
fi
if [ -n "$made" ]; then
	readelf -SW zstd | matches 'debug_info.* C '
	"$ABTF" encode -q -o c.btf zstd
	cmp c.btf golden.btf || fail 'the BTF differs'

	begin 'invalid zstd data is an error'
	readelf -SW zstd | sed -nE 's/^ *\[ *[0-9]+\] +\.debug_info +[^ ]+ +[0-9a-f]{16} ([0-9a-f]+) ([0-9a-f]+) .*/\1/p' >place
	cp zstd broken
	printf '\377\377\377\377' | dd of=broken bs=1 seek=$((0x$(cat place) + 40)) conv=notrunc status=none
	expect 1 "$ABTF" encode -o broken.btf broken
	says 'debug_info'
else
	skip "no objcopy here writes zstd: $(head -n 1 objcopy.err)"
fi

begin 'a wrong uncompressed size: a message, and no allocation of a gigabyte'
readelf -SW zlib | sed -nE 's/^ *\[ *[0-9]+\] +\.debug_info +[^ ]+ +[0-9a-f]{16} ([0-9a-f]+) ([0-9a-f]+) .*/\1/p' >place
for size in '\377\377\377\377\377\377\377\177' '\001\000\000\000\000\000\000\000' '\000\000\000\000\100\000\000\000'; do
	cp zlib broken
	printf '%b' "$size" | dd of=broken bs=1 seek=$((0x$(cat place) + 8)) conv=notrunc status=none
	expect 1 "$ABTF" encode -o broken.btf broken
	says 'debug_info'
done

begin 'sections that uncompress to more than the limit: a message before anything is uncompressed'
gcc -x c -o zeros.o -c - <<-'C'
	__asm__(".section .debug_info, \"\"\n.zero 300 << 20\n.previous\n");
C
objcopy --compress-debug-sections=zlib zeros.o bomb.o
rm zeros.o
for command in 'encode -o bomb.btf' list check report; do
	# check exits with 1 for violations, so bad input has status 2
	[ "$command" = check ] && expected=2 || expected=1
	# shellcheck disable=SC2086 # a list
	expect $expected "$ABTF" $command bomb.o
	says '^abtf: error: bomb.o: section \[[0-9]+\] .debug_info: compressed sections would take more than 256 MB, the file has 0; --max-uncompressed=MB raises the limit$'
done
expect 1 "$ABTF" encode --max-uncompressed=10 -o bomb.btf bomb.o
says 'more than 10 MB'
expect 1 "$ABTF" encode --max-uncompressed=301 -o bomb.btf bomb.o
says 'nothing to encode: its debug information describes no type'
expect 2 "$ABTF" encode --max-uncompressed=0 -o bomb.btf bomb.o
says "--max-uncompressed expects a number of megabytes: 0"

begin 'functions of C units without DWARF, and of assembly units with DWARF, are skipped'
cat >asm.S <<'S'
	.text
	.globl in_asm
	.type in_asm, @function
in_asm:	ret
	.size in_asm, . - in_asm
	.section .note.GNU-stack,""
S
gcc -g -c -o asm.o asm.S
unit none -g0 <<<'int no_debug(int a) { return a; }'
image mixed a.o b.o asm.o none.o
encode mixed
# The assembler describes its functions, without types.
funcs mixed in_asm | expect_none
expect_eq "$(funcs mixed | wc -l)" 4
expect_eq "$(skipped mixed)" "$(printf 'in_asm: no_prototype\nno_debug: no_dwarf')"
# pahole treats them as void f(void)
"$ABTF_PAHOLE" -J --btf_encode_detached=mixed.pahole mixed
"$dump" mixed.pahole >mixed.dump
has mixed.dump 'FUNC in_asm .*void in_asm\(void\)'

begin 'an image without any DWARF: a message'
strip -g -o stripped vmlinux
expect 1 "$ABTF" encode -o t.btf stripped
says 'stripped'
says 'debug|DWARF'

begin 'an image without symbols: types, or a message with the reason'
strip -s --keep-section=.debug_info --keep-section=.debug_abbrev --keep-section=.debug_str \
	--keep-section=.debug_line_str --keep-section=.debug_line --keep-section=.debug_rnglists \
	--keep-section=.debug_loclists -o nosyms vmlinux
rm -f t.btf
status=0
"$ABTF" encode -o t.btf nosyms >out 2>&1 || status=$?
case $status in
0)	[ -s t.btf ] || fail 'no BTF' ;;
1)	has out nosyms ;;
*)	fail "status $status" ;;
esac

begin 'lang-exclude omits units of a language'
target clang
unit plus -x c++ -std=gnu++17 <<<'struct plus { int a; }; extern "C" int in_cxx(plus *p) { return p->a; }'
target gcc
image langs a.o b.o plus.o
encode langs
has langs.dump 'STRUCT plus '
for option in --lang-exclude=rust,c++14,c++ --lang_exclude=c++14,c++; do
	encode langs $option
	has_not langs.dump 'in_cxx|plus'
	expect_eq "$(funcs langs | wc -l)" 4
done
expect 2 "$ABTF" encode --lang-exclude=klingon -o t.btf langs

begin 'relocatable files with thread-local variables are encoded'
for where in gcc clang m32 s390x powerpc64le; do
	target $where
	# as in user space
	machine=${machine/-mcmodel=kernel -mno-red-zone/}
	unit threads <<-'C'
	_Thread_local int one = 3;
	static _Thread_local long two;
	long threads(long l) { two += l; return one + two; }
	C
	need_dwarf threads.o 'DW_OP_(form_tls_address|GNU_push_tls_address)'
	"$ABTF_PAHOLE" -J --btf_encode_detached=threads.btf threads.o
	"$dump" threads.btf >threads.dump
	has threads.dump "FUNC threads"
done

begin 'BPF programs: relocations of either byte order, FUNCs without addresses'
cat >prog.c <<'C'
struct s { int a; struct s *next; };
int counter = 1;
__attribute__((section("xdp"))) int prog(struct s *s) { return s->next->a + counter; }
static __attribute__((noinline)) int helper(struct s *s, int i) { return s->a + i; }
__attribute__((section("tc"))) int other(struct s *s) { return helper(s, 1) - helper(s->next, s->a); }
C
cat >golden <<'F'
helper: int helper(struct s *s, int i)
other: int other(struct s *s)
prog: int prog(struct s *s)
F
for cc in clang $(command -v clang-19); do
	for machine in bpfel bpfeb; do
		for version in 4 5; do
			"$cc" -target $machine -O2 -g -gdwarf-$version -c -o prog.o prog.c
			expect_eq "$(readelf -h prog.o | sed -n 's/.*Machine: *//p')" 'Linux BPF' "$cc"
			expect 0 "$ABTF_PAHOLE" -J --btf_features=default --btf_encode_detached=prog.o.btf prog.o
			"$dump" prog.o.btf >prog.o.dump
			expect_eq "$(funcs prog.o)" "$(cat golden)" "$cc -target $machine -gdwarf-$version"
			has prog.o.dump 'STRUCT s size 16 \{ int a @0; struct s \*next @64; \}'
		done
	done
done
expect 0 "$ABTF" encode -o prog.o.btf prog.o
says 'no addresses of functions'
expect 1 "$ABTF" encode --features=+func_addr -o prog.o.btf prog.o
says 'no addresses of functions'

begin 'objects of a machine without a row: a message that names it'
for machine in mips:MIPS mips64:MIPS powerpc:PowerPC hexagon:Hexagon; do
	clang -target "${machine%:*}-linux-gnu" -O2 -g -c -o other.o prog.c
	expect 1 "$ABTF" encode -o other.btf other.o
	says "debug_info: relocations of ${machine#*:} \(machine [0-9]+\) are not supported"
done
