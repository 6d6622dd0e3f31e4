# SPDX-License-Identifier: GPL-2.0-only
# For tests of encode --from-btf, after ../../lib.sh
# shellcheck shell=bash disable=SC2034 # tests use these variables

# replace_btf IMAGE BTF: replace the .BTF section of IMAGE
replace_btf() {
	tool objcopy -R .BTF -R .rela.BTF "$1"
	tool objcopy --add-section ".BTF=$2" "$1"
}

# amend IMAGE OPTION...: like encode, but read BTF
amend() {
	encode "$1" --from-btf "${@:2}"
}

# check_sums IMAGE: check that the numbers in IMAGE.report add up
check_sums() {
	jq -e '.encoded + ([.skipped[]] | add) == .instances and
		([.funcs[]] | add) == .funcs_read and
		(.functions | length) == .instances and
		([.functions[] | select(.encoded)] | length) == .encoded and
		([.functions[] | select(.symbol == null)] | length) == .funcs.kept' "$1.report" >truth ||
		{ fail 'the sums in the report are wrong'; jq 'del(.functions)' "$1.report"; }
}

cat >a.c <<'C'
#ifdef __clang__
#define __user __attribute__((btf_type_tag("user")))
#define __note __attribute__((btf_decl_tag("note")))
/* the inner tag comes first in DWARF, the outer tag in BTF */
#define __outer __attribute__((btf_decl_tag("outer")))
#define __inner __attribute__((btf_decl_tag("inner")))
#else
#define __user
#define __note
#define __outer
#define __inner
#endif
struct s { long l __inner; struct s *next; int bits:5; unsigned more:11; char tail; } __outer;
enum e { NEG = -3, POS = 4 };
enum wide { WIDE = 0x100000000ULL };
struct later;
union u { float f; double d; struct later *later; int grid[2][3]; };
static __attribute__((noinline, used)) int dup(struct s *s, enum e e) { return s->bits + e; }
static __attribute__((noinline, used)) int each(int i, int by)
{
	__asm__ volatile("" : : "r"(by));	/* otherwise, clang 22 drops the parameter */
	return i * 3;
}
long use(struct s *s __note, unsigned short us, long long ll) { return s->l + us + ll + each(1, us); }
int print(const char *fmt, ...) { return fmt[0]; }
void copy(void __user *to, union u *u, enum wide w) { *(int *)to = w; }
int __attribute__((section(".init.text"))) setup(int (*f)(struct s *, ...)) { return f(0); }
int table[4] __attribute__((section(".data..percpu"))) = { 1 };
int other = 3;
C
cat >b.c <<'C'
struct s { char *another; };
struct has { struct s *s; };
struct later { struct has *has; };
static __attribute__((noinline, used)) long dup(long x) { return x; }
int only(struct later *l, struct has *h) { return l->has == h; }
C

# build_vmlinux [FLAG...]: build vmlinux from these units
build_vmlinux() {
	unit a "$@" <a.c
	unit b "$@" <b.c
	image vmlinux a.o b.o
}

most=encode_force,var,float,decl_tag,type_tag,enum64,optimized_func,consistent_func

# build_in_directory: build vmlinux from the same units in drivers/net, and encode it
build_in_directory() {
	mkdir -p drivers/net
	cp a.c b.c drivers/net
	unit drivers/net/a <a.c
	unit drivers/net/b <b.c
	image vmlinux drivers/net/a.o drivers/net/b.o
	"$ABTF" encode -q vmlinux
}

# build_module: build mod.ko, split from vmlinux
build_module() {
	"$ABTF" encode -q vmlinux
	unit m <<-'C'
	struct s { long l; struct s *next; int bits:5; unsigned more:11; char tail; };
	struct mine { struct s *s; long grid[2]; };
	static __attribute__((noinline, used)) int dup(struct mine *m) { return m->s->l; }
	int mod(struct s *s, int a) { return s->bits + a; }
	int __attribute__((section(".init.text"))) start(void) { return 1; }
	static __attribute__((noinline, used, section(".init.text"))) int both(int a) { return a; }
	int counter __attribute__((section(".data..percpu"))) = 1;
	C
	unit n <<<'static __attribute__((noinline, used)) int both(char *s) { return s[1]; }'
	module mod.ko m.o n.o
}
