# SPDX-License-Identifier: GPL-2.0-only
# For tests of list --args on x86-64, after ../../lib.sh: an image with members of many kinds
# shellcheck shell=bash disable=SC2034 # tests use these variables

mkdir -p kernel
cat >kernel/core.c <<'C'
typedef unsigned long u64;
struct pt_regs {
	u64 r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip, cs, flags, sp, ss;
};
struct name { int len; const char *text; };
struct node { struct node *next; struct name *names[4]; char comm[16]; };
struct bits { unsigned a : 3; int b : 5; unsigned long c : 40; unsigned d : 8; };
struct object {
	int z;
	union { struct { short q; char *label; }; long r; };
	struct node node;
	struct bits bits;
	const struct object *const *list;
	_Bool on;
	struct unknown *unknown;
};
typedef struct { unsigned val; } kuid_t;
struct pair { short x, w; int y; };
struct pt_regs regs;
#define F __attribute__((noinline, used)) static
F int f(struct object *o, char *s, kuid_t uid, struct pair pair, _Bool ctx, unsigned char tag) { asm(""); return 0; }
F long far(int a, int b, int c, int d, int e, int g, int h, struct node *n, struct object big) { asm(""); return 0; }
F struct pair made(int a) { asm(""); return (struct pair){}; }
F void nothing(void) { asm(""); }
F int floats(int a, double d, int b) { asm(""); return 0; }
C
unit kernel/core <kernel/core.c
image vmlinux kernel/core.o

# expect_fetch EXPRESSION FETCH [FUNCTION]: tracefs reads EXPRESSION with the fetch argument FETCH
expect_fetch() {
	expect 0 quietly "$ABTF" list --probe=tracefs --args="$1" vmlinux "${3:-f}"
	expect_eq "${out#* * }" "$2" "$1"
}
