#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --base-cache: the index of a base, kept between calls, and never believed.
. "${0%/*}/../lib.sh"

cat >types.h <<'C'
struct task { int pid; struct task *next; char name[16]; enum { A, B = -5 } state; };
struct conflict { int a; };
typedef struct task task_t;
enum big { BIG = 1ULL << 40 };
union u { int i; long l; };
struct fwd;
struct bits { unsigned a : 3, b : 5; struct fwd *f; double d[2]; };
C
unit base <<'C'
#include "types.h"
int base_func(const task_t *t, enum big b, union u *u, int (*cb)(struct bits *b, ...)) { return 0; }
C
unit base2 <<'C'
struct conflict { long b[2]; };
int other(struct conflict *c) { return c->b[1]; }
C
unit mod <<'C'
#include "types.h"
struct mine { task_t *t; struct conflict c; struct bits b; };
int mod_func(const task_t *t, enum big b, union u *u, struct mine *m) { return m->t == t; }
static __attribute__((used)) int base_func(int (*cb)(struct bits *b, ...)) { return !cb; }
C
image vmlinux base.o base2.o
"$ABTF" encode -q vmlinux
module mod.ko mod.o
"$ABTF" encode -q --base vmlinux -o want.btf mod.ko

files() {
	find "$1" -type f | wc -l
}

# cached EXTRA...: encodes with the cache; the result must be what it is without
cached() {
	rm -f got.btf
	expect 0 "$ABTF" encode --base vmlinux --base-cache cache "$@" -o got.btf mod.ko
	cmp got.btf want.btf || fail 'another result than without a cache'
}

begin 'the first call makes the folder and a file, the second uses it'
cached
expect_eq "$(files cache)" 1
index=$(find cache -type f)
cp "$index" good
stamp=$(stat -c '%i %y' "$index")
cached
expect_eq "$(stat -c '%i %y' "$index")" "$stamp" 'the file was written again'
expect 0 "$ABTF" encode -v --base vmlinux --base-cache cache -o got.btf mod.ko
says "$index: the index of vmlinux"

begin 'the key is what the base says, not where it is or when it was made'
cp vmlinux elsewhere
touch -d 2001-01-01 elsewhere
expect 0 "$ABTF" encode --base elsewhere --base-cache cache -o got.btf mod.ko
cmp got.btf want.btf || fail 'another result'
expect_eq "$(files cache)" 1
# raw BTF of the same bytes is the same base
objcopy --dump-section .BTF=raw.btf vmlinux
expect 0 "$ABTF" encode --base raw.btf --base-cache cache -o got.btf mod.ko
cmp got.btf want.btf || fail 'another result'
expect_eq "$(files cache)" 1

begin 'a base that has changed is another base, even with the same size and time'
cp vmlinux old
unit base3 <<'C'
struct task { int pid; struct task *next; char name[16]; enum { A, B = -4 } state; };
struct tasks { struct task *t; };
int base_func(struct tasks *t) { return 0; }
C
image vmlinux base3.o
"$ABTF" encode -q vmlinux
touch -r old vmlinux
"$ABTF" encode -q --base vmlinux -o want2.btf mod.ko
! cmp -s want.btf want2.btf || fail 'the base makes no difference'
expect 0 "$ABTF" encode --base vmlinux --base-cache cache -o got.btf mod.ko
cmp got.btf want2.btf || fail 'a stale index was used'
expect_eq "$(files cache)" 2
mv old vmlinux
cached

begin 'a file that is cut or damaged is not used, and written again'
size=$(stat -c %s good)
step=$((size / 97 + 1))
for ((at = 0; at < size; at += step)); do
	head -c $at good >"$index"
	cached
	cmp "$index" good || { fail "cut at $at: not written again"; break; }
	cp good "$index"
	printf '\245\377\101\200' | dd of="$index" bs=1 seek=$at conv=notrunc status=none
	cached
	cmp "$index" good || { fail "damaged at $at: not written again"; break; }
	[ -z "$case_failed" ] || break
done
{ cat good; echo more; } >"$index"
cached
cmp "$index" good || fail 'longer: not written again'
: >"$index"
cached
cmp "$index" good || fail 'empty: not written again'

# A liar has the checksum right; the encoder's own hash is not to be had in a
# shell, so a helper fills it in.
begin 'a file that lies with the right checksum: no wrong type, no crash'
"$CC" -O2 -o lie -x c - <<'C'
/* lie FILE SEED: change some words behind the header, and make the checksum fit */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const uint64_t K[4] = { 0x6a09e667f3bcc909, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1 };
static uint64_t fold(uint64_t a, uint64_t b)
{
	unsigned __int128 m = (unsigned __int128)a * b;
	return (uint64_t)m ^ (uint64_t)(m >> 64);
}
static void add(uint64_t *h, uint64_t x, uint64_t y)
{
	uint64_t lo = fold(h[0] ^ x, K[1] ^ y), hi = fold(h[1] ^ y, K[3] ^ x);
	h[0] = lo + (h[1] << 1 | h[1] >> 63);
	h[1] = hi + h[0];
}
static void mix(uint64_t *l, const unsigned char *p)
{
	uint64_t w[8];
	memcpy(w, p, 64);
	for (int i = 0; i < 4; i++)
		l[i] = fold(l[i] ^ w[2 * i], K[1] ^ w[2 * i + 1]) + (l[i] << 1 | l[i] >> 63);
}
int main(int argc, char **argv)
{
	static unsigned char b[1 << 24], rest[64];
	FILE *f = fopen(argv[1], "r+");
	size_t n = fread(b, 1, sizeof(b), f), size, i;
	uint64_t l[4] = { K[0], K[1], K[2], K[3] }, h[2];
	uint32_t end = *(uint32_t *)(b + 56), slots = *(uint32_t *)(b + 60), names = *(uint32_t *)(b + 64);
	unsigned seed = atoi(argv[2]);
	unsigned char *p = b + 40;

	srand(seed);
	if (seed == 0) {	/* nothing: is the checksum the encoder's? */
	} else if (seed % 4 == 1) {	/* ids and chains of any value */
		for (i = 0; i < slots + names; i++)
			if (*(uint32_t *)(b + 80 + i * 16 + 8) && rand() % 2)
				*(uint32_t *)(b + 80 + i * 16 + 8 + 4 * (rand() % 2)) = rand() % 3 ? rand() % end : rand();
	} else if (seed % 4 == 2) {	/* the tags change places: every shape finds another type */
		uint32_t last = 0;
		for (i = 0; i < slots + names; i++)
			if (*(uint32_t *)(b + 80 + i * 16 + 8)) {
				uint32_t id = *(uint32_t *)(b + 80 + i * 16 + 8);
				if (last)
					*(uint32_t *)(b + 80 + i * 16 + 8) = last;
				last = id;
			}
	} else {	/* offsets of types, chains and strings; counts */
		size_t from = seed % 8 == 3 ? 56 : 80 + (slots + names) * 16;
		for (i = 0; i < 40; i++) {
			size_t at = from + (seed % 8 == 3 ? rand() % 5 * 4 : rand() % ((n - from) / 4) * 4);
			*(uint32_t *)(b + at) = rand() % 2 ? rand() % end * 4 : rand();
			if (seed % 8 == 3)
				break;
		}
	}
	size = n - 40;
	h[0] = size ^ K[0];
	h[1] = size ^ K[2];
	for (; size >= 64; size -= 64, p += 64)
		mix(l, p);
	memcpy(rest, p, size);
	mix(l, rest);
	add(h, l[0], l[1]);
	add(h, l[2], l[3]);
	memcpy(b + 24, h, 16);
	rewind(f);
	return fwrite(b, 1, n, f) != n || fclose(f);
}
C
cp good "$index"
./lie "$index" 0
cmp "$index" good || fail 'the helper has another checksum than the encoder'
repeated=0
for seed in $(seq 1 60); do
	cp good "$index"
	./lie "$index" "$seed"
	cp "$index" lied
	status=0
	"$ABTF" encode --base vmlinux --base-cache cache -o got.btf mod.ko 2>err || status=$?
	[ $status = 0 ] || { fail "seed $seed: status $status: $(cat err)"; break; }
	# the same types and functions, at worst with some of the base's repeated
	"$ABTF" strip --base vmlinux got.btf plain.btf 2>err || { fail "seed $seed: $(cat err)"; break; }
	"$compare" --base raw.btf --funcs want.btf plain.btf >diff || { fail "seed $seed"; cat diff; break; }
	if "$dump" got.btf raw.btf | grep -q 'FUNC mod_func'; then :; else fail "seed $seed: no mod_func"; break; fi
	cmp -s got.btf want.btf || repeated=$((repeated + 1))
done
[ $repeated -gt 0 ] || fail 'no lie made a difference: they do not reach the tables'
rm -f "$index"
cached

begin 'distilled, and in the clothes of pahole'
cp mod.ko a.ko
cp mod.ko b.ko
cp mod.ko c.ko
expect 0 "$ABTF" encode --base vmlinux --base-cache cache --distilled-base a.ko
expect 0 "$ABTF" encode --base vmlinux --distilled-base b.ko
cmp a.ko b.ko || fail 'another distilled base'
flags=--btf_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func
expect 0 "$ABTF_PAHOLE" -J $flags --btf_base vmlinux --base-cache=cache c.ko
cp mod.ko d.ko
expect 0 "$ABTF_PAHOLE" -J $flags --btf_base vmlinux d.ko
cmp c.ko d.ko || fail 'another file'

begin 'many at once'
rm -rf cache many
mkdir many
for i in $(seq 16); do
	"$ABTF" encode -q --base vmlinux --base-cache cache -o many/$i.btf mod.ko &
done
wait
expect_eq "$(files cache)" 1
for i in $(seq 16); do
	cmp many/$i.btf want.btf || fail "$i is another"
done
cmp "$(find cache -type f)" good || fail 'another index'

begin 'a folder that cannot be: a warning, and all goes on'
echo text >cache.txt
expect 0 "$ABTF" encode --base vmlinux --base-cache cache.txt -o got.btf mod.ko
says 'no index of the base is kept'
cmp got.btf want.btf || fail 'another result'
expect 0 "$ABTF" encode --base vmlinux --base-cache no/such/folder -o got.btf mod.ko
says 'no index of the base is kept'
expect 2 "$ABTF" encode --base-cache cache -o got.btf mod.ko

begin 'a base of the other byte order is read as without a cache'
have s390x-linux-gnu-gcc || { skip 'no s390x-linux-gnu-gcc'; exit 77; }
target s390x
unit big <<<'struct s { int a; }; int f(struct s *s) { return s->a; }'
image big big.o
"$ABTF" encode -q big
s390x-linux-gnu-ld -r -o big.ko big.o
"$ABTF" encode -q --base big -o want.btf big.ko
for i in 1 2; do
	expect 0 "$ABTF" encode --base big --base-cache cache2 -o got.btf big.ko
	cmp got.btf want.btf || fail 'another result'
done
