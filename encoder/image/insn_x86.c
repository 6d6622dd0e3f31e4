// SPDX-License-Identifier: GPL-2.0-only
#include "image/insn.h"

/*
 * Intel SDM volume 2, appendix A: opcode maps, in 64-bit mode.  Without the names of the
 * instructions, what is left is whether a ModRM byte and an immediate follow.
 */
enum {
	N = 0,		/* neither */
	M = 1,		/* ModRM */
	B = 2,		/* an immediate byte */
	W = 4,		/* an immediate of 16 bits */
	Z = 8,		/* 32 bits; 16 with an operand size prefix */
	J = 16,		/* 32 bits: the distance of a jump */
	V = 32,		/* as Z; 64 bits with REX.W */
	A = 64,		/* an address */
	P = 128,	/* prefix, escape, or no instruction */
	MB = M | B, MZ = M | Z, WB = W | B,
};

static const uint8_t one_byte[256] = {
	/*	  0  1  2  3   4  5  6  7   8  9  a  b   c  d  e  f */
	/* 0 */	M, M, M, M,  B, Z, P, P,  M, M, M, M,  B, Z, P, P,
	/* 1 */	M, M, M, M,  B, Z, P, P,  M, M, M, M,  B, Z, P, P,
	/* 2 */	M, M, M, M,  B, Z, P, P,  M, M, M, M,  B, Z, P, P,
	/* 3 */	M, M, M, M,  B, Z, P, P,  M, M, M, M,  B, Z, P, P,
	/* 4 */	P, P, P, P,  P, P, P, P,  P, P, P, P,  P, P, P, P,
	/* 5 */	N, N, N, N,  N, N, N, N,  N, N, N, N,  N, N, N, N,
	/* 6 */	P, P, P, M,  P, P, P, P,  Z, MZ, B, MB, N, N, N, N,
	/* 7 */	B, B, B, B,  B, B, B, B,  B, B, B, B,  B, B, B, B,
	/* 8 */	MB, MZ, P, MB, M, M, M, M, M, M, M, M,  M, M, M, M,
	/* 9 */	N, N, N, N,  N, N, N, N,  N, N, P, N,  N, N, N, N,
	/* a */	A, A, A, A,  N, N, N, N,  B, Z, N, N,  N, N, N, N,
	/* b */	B, B, B, B,  B, B, B, B,  V, V, V, V,  V, V, V, V,
	/* c */	MB, MB, W, N, P, P, MB, MZ, WB, N, W, N,  N, B, P, N,
	/* d */	M, M, M, M,  P, P, P, N,  M, M, M, M,  M, M, M, M,
	/* e */	B, B, B, B,  B, B, B, B,  J, J, P, B,  N, N, N, N,
	/* f */	P, N, P, P,  N, N, M, M,  N, N, N, N,  N, N, M, M,
};

/* after 0f */
static const uint8_t two_byte[256] = {
	/*	  0  1  2  3   4  5  6  7   8  9  a  b   c  d  e  f */
	/* 0 */	M, M, M, M,  P, N, N, N,  N, N, P, N,  P, M, N, MB,
	/* 1 */	M, M, M, M,  M, M, M, M,  M, M, M, M,  M, M, M, M,
	/* 2 */	M, M, M, M,  P, P, P, P,  M, M, M, M,  M, M, M, M,
	/* 3 */	N, N, N, N,  N, N, P, N,  P, P, P, P,  P, P, P, P,
	/* 4 */	M, M, M, M,  M, M, M, M,  M, M, M, M,  M, M, M, M,
	/* 5 */	M, M, M, M,  M, M, M, M,  M, M, M, M,  M, M, M, M,
	/* 6 */	M, M, M, M,  M, M, M, M,  M, M, M, M,  M, M, M, M,
	/* 7 */	MB, MB, MB, MB, M, M, M, N, M, M, P, P,  M, M, M, M,
	/* 8 */	J, J, J, J,  J, J, J, J,  J, J, J, J,  J, J, J, J,
	/* 9 */	M, M, M, M,  M, M, M, M,  M, M, M, M,  M, M, M, M,
	/* a */	N, N, N, M,  MB, M, M, M,  N, N, N, M,  MB, M, M, M,
	/* b */	M, M, M, M,  M, M, M, M,  M, M, MB, M,  M, M, M, M,
	/* c */	M, M, MB, M, MB, MB, MB, M, N, N, N, N,  N, N, N, N,
	/* d */	M, M, M, M,  M, M, M, M,  M, M, M, M,  M, M, M, M,
	/* e */	M, M, M, M,  M, M, M, M,  M, M, M, M,  M, M, M, M,
	/* f */	M, M, M, M,  M, M, M, M,  M, M, M, M,  M, M, M, N,
};

#define MAX_SIZE	15

/**
 * struct decoding - an instruction that is being decoded
 * @map:	0: one byte, 1: after 0f, 2: 0f 38, 3: 0f 3a
 * @flags:	what follows @opcode
 * @modrm:	0 if there is none
 */
struct decoding {
	struct cursor	c;
	uint8_t		map, opcode, flags, modrm;
	bool		vex, rex_w, short_operand, short_address;
};

static uint8_t peek_byte(const struct cursor *c)
{
	return cursor__left(c) ? *c->p : 0;
}

static void read_prefixes(struct decoding *d)
{
	for (;;) {
		switch (peek_byte(&d->c)) {
		case 0x66:
			d->short_operand = true;
			break;
		case 0x67:
			d->short_address = true;
			break;
		case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65:
		case 0xf0: case 0xf2: case 0xf3:
			break;
		default:
			return;
		}
		cursor__skip(&d->c, 1);
	}
}

static void read_opcode(struct decoding *d)
{
	uint8_t byte = cursor__u8(&d->c);

	if (byte >> 4 == 4) {
		d->rex_w = byte & 8;
		byte = cursor__u8(&d->c);
	}
	if (byte == 0xc4 || byte == 0xc5 || byte == 0x62) {
		d->vex = true;
		d->map = byte == 0xc5 ? 1 : cursor__u8(&d->c) & (byte == 0x62 ? 7 : 31);
		cursor__skip(&d->c, byte == 0x62 ? 2 : 1);
		byte = cursor__u8(&d->c);
	} else if (byte == 0x0f) {
		byte = cursor__u8(&d->c);
		d->map = byte == 0x38 ? 2 : byte == 0x3a ? 3 : 1;
		if (d->map > 1)
			byte = cursor__u8(&d->c);
	}
	d->opcode = byte;
	switch (d->map) {
	case 0:
		d->flags = d->vex ? P : one_byte[byte];
		break;
	case 1:
		d->flags = two_byte[byte];
		break;
	case 2: case 5: case 6:
		d->flags = M;
		break;
	case 3:
		d->flags = MB;
		break;
	default:
		d->flags = P;
	}
}

static void read_modrm(struct decoding *d)
{
	uint8_t mod, base;

	d->modrm = cursor__u8(&d->c);
	mod = d->modrm >> 6;
	base = d->modrm & 7;
	if (mod == 3)
		return;
	if (base == 4)
		base = cursor__u8(&d->c) & 7;
	if (mod == 1)
		cursor__skip(&d->c, 1);
	else if (mod == 2 || base == 5)
		cursor__skip(&d->c, 4);
}

static void skip_immediate(struct decoding *d)
{
	unsigned int size = d->short_operand && !d->rex_w ? 2 : 4;
	/* test, among others that have no immediate */
	bool is_test = !d->map && d->opcode >> 1 == 0xf6 >> 1 && !(d->modrm & 060);

	if (d->flags & B || (is_test && d->opcode == 0xf6))
		cursor__skip(&d->c, 1);
	if (d->flags & W)
		cursor__skip(&d->c, 2);
	if (d->flags & Z || (is_test && d->opcode == 0xf7))
		cursor__skip(&d->c, size);
	if (d->flags & J)
		cursor__skip(&d->c, 4);
	if (d->flags & V)
		cursor__skip(&d->c, d->rex_w ? 8 : size);
	if (d->flags & A)
		cursor__skip(&d->c, d->short_address ? 4 : 8);
}

/* Find call, jmp and their far forms; a jump to where memory says is not emulated */
static const char *check_indirect(const struct decoding *d)
{
	switch (d->modrm >> 3 & 7) {
	case 2: case 4:
		return d->modrm >> 6 != 3 || d->short_address ?
		       "a call or jump through memory" : NULL;
	case 3: case 5:
		return "a far call or jump";
	default:
		return NULL;
	}
}

/*
 * With CFI_CLANG, the kernel reads the type of an indirect call from the instructions before it:
 * mov $TYPE, %r10d; add -4(%REG), %r10d; je over; ud2.
 */
static bool is_cfi(const struct decoding *d, const uint8_t *p, size_t left)
{
	size_t trap = d->opcode == 0xba ? 12 : 6;

	return !d->map && (d->opcode == 0xba || d->opcode == 0x03) && left >= trap + 2 &&
	       p[trap - 2] == 0x74 && p[trap - 1] == 2 && p[trap] == 0x0f && p[trap + 1] == 0x0b;
}

/* can_probe(), __copy_instruction() and prepare_emulation() of arch/x86/kernel/kprobes/core.c */
static const char *check_opcode(const struct decoding *d)
{
	if (d->map == 1)
		return d->opcode == 0x0b || d->opcode == 0xb9 || d->opcode == 0xff ? "ud2, ud1 or ud0" :
		       d->opcode == 0x01 && d->modrm >= 0300 && d->modrm < 0310 ?
		       "of virtual machines (vmcall)" : NULL;
	if (d->map)
		return NULL;
	switch (d->opcode) {
	case 0xcc: case 0xcd: case 0xf1:
		return "int3, int or int1";
	case 0xcf:
		return "iret";
	case 0x8e:
		return (d->modrm >> 3 & 7) == 2 ? "mov to %ss" : NULL;
	case 0xff:
		return check_indirect(d);
	default:
		return NULL;
	}
}

/* The kernel takes the opcode of an AVX instruction for one of @one_byte, which it emulates. */
static bool is_mistaken(uint8_t opcode)
{
	static const uint8_t emulated[] = {
		0x8e, 0x9a, 0x9c, 0x9d, 0xc2, 0xc3, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xe0, 0xe1,
		0xe2, 0xe3, 0xe8, 0xe9, 0xea, 0xeb, 0xf1, 0xfa, 0xfb, 0xff,
	};

	return opcode >> 4 == 7 || memchr(emulated, opcode, sizeof(emulated));
}

/* Xen and KVM emulate an instruction after such a prefix: ud2, and their name */
static bool skip_emulate_prefix(struct cursor *c)
{
	static const uint8_t prefixes[][5] = { "\x0f\x0bxen", "\x0f\x0bkvm" };

	for (int i = 0; i < 2; i++)
		if (cursor__left(c) >= 5 && !memcmp(c->p, prefixes[i], 5)) {
			cursor__skip(c, 5);
			return true;
		}
	return false;
}

struct insn x86_64__decode(struct cursor code)
{
	struct decoding d = { .c = code };
	bool emulated = skip_emulate_prefix(&d.c);
	struct insn ret;

	read_prefixes(&d);
	read_opcode(&d);
	if (d.flags & M)
		read_modrm(&d);
	skip_immediate(&d);
	if (cursor__failed(&d.c) || d.flags & P || d.c.p - code.p > MAX_SIZE)
		return (struct insn){};
	ret = (struct insn){ .size = d.c.p - code.p, .what = check_opcode(&d) };
	if (emulated)
		ret.what = "with a prefix for Xen or KVM";
	else if (is_cfi(&d, code.p, cursor__left(&code)))
		ret.what = "of a check by CFI_CLANG";
	if (d.vex && is_mistaken(d.opcode))
		ret = (struct insn){ .size = ret.size, .what = "AVX", .unsure = true };
	return ret;
}
