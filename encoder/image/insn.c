// SPDX-License-Identifier: GPL-2.0-only
#include "image/insn.h"
#include "image/machine.h"

/**
 * struct rule - instructions that kprobes reject
 * @what:	their kind; NULL: they are accepted; "" ends a list, and accepts all others
 */
struct rule {
	uint32_t	mask, value;
	const char	*what;
};

static const char *find_rule(const struct rule *r, uint32_t word)
{
	while ((word & r->mask) != r->value)
		r++;
	return r->what && *r->what ? r->what : NULL;
}

#define END_OF_RULES	{ 0, 0, "" }

/* --- arm64 ----------------------------------------------------------------------------- */

/*
 * Arm ARM, C4.1, as far as arch/arm64/kernel/probes/decode-insn.c of the kernel distinguishes
 * them.  Most hints are rejected, even yield and autiasp.
 */
static const struct rule arm64_rules[] = {
	{ 0xff000000, 0xd4000000, "an exception (svc, hvc, smc, brk, hlt)" },
	{ 0xfff8f01f, 0xd500401f, "msr" },
	{ 0xfff00000, 0xd5100000, "msr" },
	{ 0xffffffe0, 0xd53b4220, "mrs of DAIF" },
	{ 0xffffffff, 0xd503201f, NULL },	/* nop */
	{ 0xffffffff, 0xd50320ff, NULL },	/* xpaclri */
	{ 0xffffffbf, 0xd503211f, NULL },	/* pacia1716, pacib1716 */
	{ 0xffffff9f, 0xd503231f, NULL },	/* paciaz, paciasp, pacibz, pacibsp */
	{ 0xffffff3f, 0xd503241f, NULL },	/* bti */
	{ 0xfffff01f, 0xd503201f, "a hint (wfe, wfi, yield, esb, autiasp)" },
	{ 0xffffffff, 0xd69f03e0, "eret" },
	{ 0xfffffbff, 0xd69f0bff, "eret" },
	{ 0xfedff800, 0xd61f0800, "a branch with authentication (braa, blraa)" },
	{ 0xfffffbff, 0xd65f0bff, "a return with authentication (retaa)" },
	{ 0xff000000, 0xd8000000, "prfm with a literal" },
	{ 0x3f800000, 0x08000000, "an exclusive load or store" },
	{ 0x3b200c00, 0x19000400, "a memory copy (cpy, set)" },
	END_OF_RULES
};

/* C4.1, "Load/store exclusive" and "ordered"; cas is among them.  See aarch64_insn_is_load_ex(). */
static enum insn_exclusive arm64_exclusive(uint32_t word)
{
	bool is_load = word & 1U << 22, is_ordered = word & 1U << 23;

	if ((word & 0x3f000000) != 0x08000000)
		return NOT_EXCLUSIVE;
	if (is_ordered)
		return is_load ? ORDERED_LOAD : ORDERED_STORE;
	return is_load ? EXCLUSIVE_LOAD : EXCLUSIVE_STORE;
}

struct insn arm64__decode(struct cursor code)
{
	/* instructions of big-endian kernels are little-endian, too */
	uint32_t low = cursor__u8(&code), word;

	low |= cursor__u8(&code) << 8;
	word = low | cursor__u8(&code) << 16;
	word |= (uint32_t)cursor__u8(&code) << 24;
	return (struct insn){
		.what = find_rule(arm64_rules, word),
		.size = cursor__failed(&code) ? 0 : 4,
		.exclusive = arm64_exclusive(word),
	};
}

/* --- powerpc --------------------------------------------------------------------------- */

/* Power ISA, book III; can_single_step() of the kernel */
#define PPC_XL(extended)	0xfc0007fe, 19U << 26 | (extended) << 1
#define PPC_X(extended)		0xfc0007fe, 31U << 26 | (extended) << 1

static const struct rule ppc64_rules[] = {
	{ 0xfc000000, 2U << 26, "a trap" },
	{ 0xfc000000, 3U << 26, "a trap" },
	{ PPC_X(4), "a trap" },
	{ PPC_X(68), "a trap" },
	{ 0xfc000000, 17U << 26, "sc" },
	{ PPC_X(146), "mtmsr" },
	{ PPC_X(178), "mtmsrd" },
	{ PPC_XL(18), "rfid" },
	{ PPC_XL(38), "rfmci" },
	{ PPC_XL(39), "rfdi" },
	{ PPC_XL(50), "rfi" },
	{ PPC_XL(51), "rfci" },
	{ PPC_XL(82), "rfscv" },
	{ PPC_XL(274), "hrfid" },
	{ PPC_XL(306), "urfid" },
	{ PPC_XL(370), "stop" },
	{ PPC_XL(402), "doze" },
	{ PPC_XL(434), "nap" },
	{ PPC_XL(466), "sleep" },
	{ PPC_XL(498), "rvwinkle" },
	END_OF_RULES
};

struct insn ppc64__decode(struct cursor code)
{
	uint32_t word = cursor__u32(&code);
	bool prefixed = word >> 26 == 1;

	return (struct insn){
		.what = find_rule(ppc64_rules, word),
		.size = cursor__failed(&code) ? 0 : prefixed ? 8 : 4,
	};
}

/* --- RISC-V ---------------------------------------------------------------------------- */

/* arch/riscv/kernel/probes/decode-insn.c of the kernel */
static const struct rule riscv_rules[] = {
	{ 0x7f, 0x73, "a system instruction (csrr, ecall, ebreak, wfi)" },
	{ 0x7f, 0x0f, "fence" },
	{ 0xffff, 0x9002, "c.ebreak" },
	END_OF_RULES
};

struct insn riscv__decode(struct cursor code)
{
	uint32_t half = cursor__u16(&code);
	uint8_t size = (half & 3) == 3 ? 4 : 2;

	cursor__skip(&code, size - 2);
	return (struct insn){
		.what = find_rule(riscv_rules, half),
		.size = cursor__failed(&code) ? 0 : size,
	};
}

/* --- s390 ------------------------------------------------------------------------------ */

/* z/Architecture Principles of Operation; probe_is_prohibited_opcode() of the kernel */
static const struct rule s390_rules[] = {
	{ 0xffff, 0x0101, "pr" },
	{ 0xff00, 0x0b00, "bsm" },
	{ 0xff00, 0x0c00, "bassm" },
	{ 0xff00, 0x4400, "ex" },
	{ 0xff00, 0x8300, "diag" },
	{ 0xff00, 0xac00, "stnsm" },
	{ 0xff00, 0xad00, "stosm" },
	{ 0xffff, 0xb218, "pc" },
	{ 0xffff, 0xb228, "pt" },
	{ 0xffff, 0xb240, "bakr" },
	{ 0xffff, 0xb258, "bsg" },
	{ 0xffff, 0xb25a, "bsa" },
	{ 0xffff, 0xb2f8, "tend" },
	{ 0xffff, 0xb98d, "epsw" },
	{ 0xff0f, 0xc600, "exrl" },
	{ 0xffff, 0xe560, "tbegin" },
	{ 0xffff, 0xe561, "tbeginc" },
	END_OF_RULES
};

struct insn s390__decode(struct cursor code)
{
	uint32_t half = cursor__u16(&code);
	uint8_t size = half >> 14 == 0 ? 2 : half >> 14 == 3 ? 6 : 4;

	/* no instruction starts with 0; breakpoints of debuggers do */
	if (!(half >> 8))
		return (struct insn){};
	cursor__skip(&code, size - 2);
	return (struct insn){
		.what = find_rule(s390_rules, half),
		.size = cursor__failed(&code) ? 0 : size,
	};
}

/* --- all machines ---------------------------------------------------------------------- */

/**
 * struct sequence - the last load or store that matters for one version of the kernel
 * @loaded:	it was a load
 * @at:		offset of it
 */
struct sequence {
	bool		loaded;
	uint64_t	at;
};

static bool is_within(const struct sequence *s, uint64_t offset)
{
	return s->loaded && offset - s->at <= MAX_EXCLUSIVE;
}

struct insn_place insn__check(const struct machine *m, struct cursor code, uint64_t offset)
{
	struct insn_place ret = { .what = "code that cannot be decoded" };
	/* before 6.15, and since */
	struct sequence old = {}, new = {};
	struct insn insn;

	if (!m->decode)
		return ret;
	while ((insn = m->decode(code)).size && offset - ret.start >= insn.size) {
		bool is_load = insn.exclusive == EXCLUSIVE_LOAD || insn.exclusive == ORDERED_LOAD;

		if (insn.exclusive != NOT_EXCLUSIVE)
			old = (struct sequence){ is_load, ret.start };
		if (insn.exclusive == EXCLUSIVE_LOAD || insn.exclusive == EXCLUSIVE_STORE)
			new = (struct sequence){ is_load, ret.start };
		cursor__skip(&code, insn.size);
		ret.start += insn.size;
	}
	if (!insn.size)
		return ret;
	ret.what = ret.start == offset ? insn.what : NULL;
	if (ret.start != offset)
		ret.verdict = INSN_NO_START;
	else if (insn.what)
		ret.verdict = insn.unsure ? INSN_UNKNOWN : INSN_REJECTED;
	else if (is_within(&old, offset) != is_within(&new, offset))
		ret.what = "one that follows an ordered load or store (ldar, stlr, cas), which depends on the version";
	else if (is_within(&new, offset))
		ret = (struct insn_place){ INSN_REJECTED, offset, "one between an exclusive load and its store" };
	else
		ret.verdict = INSN_ACCEPTED;
	return ret;
}
