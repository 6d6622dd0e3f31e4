// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>

#include "image/machine.h"
#include "util/macros.h"

/* --- relocations that compute the distance of two labels ----------------------------- */

/*
 * The linkers of RISC-V and LoongArch may shorten code, so assemblers leave it to them to
 * compute how far apart two labels are: one relocation sets or adds the first label, the
 * next one subtracts the second (the psABIs, "Relocations").  All of it wraps around at
 * the size of the field.
 */

/* Missing from elf.h before glibc 2.38 */
#define RISCV_SET_ULEB128	60
#define RISCV_SUB_ULEB128	61
#define LARCH_ADD6		105
#define LARCH_SUB6		106
#define LARCH_ADD_ULEB128	107
#define LARCH_SUB_ULEB128	108

static const struct reloc_field riscv_fields[] = {
	{ R_RISCV_ADD8,	    '+', 8 },  { R_RISCV_SUB8,	    '-', 8 },
	{ R_RISCV_ADD16,    '+', 16 }, { R_RISCV_SUB16,	    '-', 16 },
	{ R_RISCV_ADD32,    '+', 32 }, { R_RISCV_SUB32,	    '-', 32 },
	{ R_RISCV_ADD64,    '+', 64 }, { R_RISCV_SUB64,	    '-', 64 },
	{ R_RISCV_SET6,	    '=', 6 },  { R_RISCV_SUB6,	    '-', 6 },
	{ R_RISCV_SET8,	    '=', 8 },  { R_RISCV_SET16,	    '=', 16 },
	{ R_RISCV_SET32,    '=', 32 },
	{ RISCV_SET_ULEB128, '=', 0 },
	{ RISCV_SUB_ULEB128, '-', 0 },
	{ },
};

static const struct reloc_field loongarch_fields[] = {
	{ LARCH_ADD6,	    '+', 6 },  { LARCH_SUB6,	    '-', 6 },
	{ R_LARCH_ADD8,	    '+', 8 },  { R_LARCH_SUB8,	    '-', 8 },
	{ R_LARCH_ADD16,    '+', 16 }, { R_LARCH_SUB16,	    '-', 16 },
	{ R_LARCH_ADD32,    '+', 32 }, { R_LARCH_SUB32,	    '-', 32 },
	{ R_LARCH_ADD64,    '+', 64 }, { R_LARCH_SUB64,	    '-', 64 },
	{ LARCH_ADD_ULEB128, '+', 0 },
	{ LARCH_SUB_ULEB128, '-', 0 },
	{ },
};

/* --- instructions without an effect --------------------------------------------------- */

/* Masks for whole instructions of some bytes */
#define BYTES_1	0xff
#define BYTES_2	BYTES_1, 0xff
#define BYTES_3	BYTES_2, 0xff
#define BYTES_4	BYTES_3, 0xff

/*
 * Intel SDM volume 2: ENDBR64, CALL, and NOP in all its addressing modes.  Assemblers make it longer
 * with prefixes: the size of operands, and a segment.
 */
static const struct idle x86[] = {
	{ .len = 5, .bytes = { 0xe8 }, .mask = { 0xff }, .call = true },
	{ .len = 4, .bytes = { 0xf3, 0x0f, 0x1e, 0xfa }, .mask = { BYTES_4 } },
	{ .len = 1, .bytes = { 0x66 }, .mask = { BYTES_1 }, .prefix = true },
	{ .len = 1, .bytes = { 0x2e }, .mask = { BYTES_1 }, .prefix = true },
	{ .len = 1, .bytes = { 0x90 }, .mask = { BYTES_1 } },
	{ .len = 3, .bytes = { 0x0f, 0x1f, 0x00 }, .mask = { BYTES_3 } },
	{ .len = 4, .bytes = { 0x0f, 0x1f, 0x40 }, .mask = { 0xff, 0xff, 0xff } },
	{ .len = 5, .bytes = { 0x0f, 0x1f, 0x44 }, .mask = { 0xff, 0xff, 0xff } },
	{ .len = 7, .bytes = { 0x0f, 0x1f, 0x80 }, .mask = { 0xff, 0xff, 0xff } },
	{ .len = 8, .bytes = { 0x0f, 0x1f, 0x84 }, .mask = { 0xff, 0xff, 0xff } },
	{ },
};

/* Arm ARM, C6.2 "HINT": NOP, BTI, and PACIASP, which signs the return address. */
static const struct idle arm64[] = {
	{ .len = 4, .bytes = { 0x1f, 0x20, 0x03, 0xd5 }, .mask = { 0x1f, 0xf0, 0xff, 0xff } },
	{ },
};

/*
 * z/Architecture Principles of Operation: branches that are never taken, and BRASL with r0: only
 * ftrace, which preserves the arguments, is called with the return address there.
 */
static const struct idle s390[] = {
	{ .len = 6, .bytes = { 0xc0, 0x05 }, .mask = { 0xff, 0xff } },
	{ .len = 6, .bytes = { 0xc0, 0x04 }, .mask = { 0xff, 0xff } },
	{ .len = 4, .bytes = { 0x47, 0x00 }, .mask = { 0xff, 0xf0 } },
	{ .len = 2, .bytes = { 0x07, 0x00 }, .mask = { 0xff, 0xf0 } },
	{ },
};

/* NOP, C.NOP, and LPAD (Zicfilp), which is AUIPC with x0. */
static const struct idle riscv[] = {
	{ .len = 4, .bytes = { 0x17, 0x00 }, .mask = { 0xff, 0x0f } },
	{ .len = 4, .bytes = { 0x13, 0x00, 0x00, 0x00 }, .mask = { BYTES_4 } },
	{ .len = 2, .bytes = { 0x01, 0x00 }, .mask = { BYTES_2 } },
	{ },
};

static const struct idle loongarch[] = {
	{ .len = 4, .bytes = { 0x00, 0x00, 0x40, 0x03 }, .mask = { BYTES_4 } },
	{ },
};

/*
 * In the order of little-endian code.  At the global entry, addis and addi, or the linker's lis and
 * addi, load the address of the TOC (OpenPOWER ELFv2, 2.3.2.1).
 */
static const struct idle ppc64[] = {
	{ .len = 4, .bytes = { 0x00, 0x00, 0x4c, 0x3c }, .mask = { 0x00, 0x00, 0xff, 0xff } },
	{ .len = 4, .bytes = { 0x00, 0x00, 0x40, 0x3c }, .mask = { 0x00, 0x00, 0xff, 0xff } },
	{ .len = 4, .bytes = { 0x00, 0x00, 0x42, 0x38 }, .mask = { 0x00, 0x00, 0xff, 0xff } },
	{ .len = 4, .bytes = { 0x00, 0x00, 0x00, 0x60 }, .mask = { BYTES_4 } },
	{ },
};

/* --- the machines ---------------------------------------------------------------------- */

/* Documentation/bpf/llvm_reloc.rst; older elf.h have other numbers */
#define R_BPF_64_ABS64		2
#define R_BPF_64_ABS32		3

/*
 * Argument registers are from the psABIs of x86-64, AArch64, ARM (AAPCS),
 * s390x (ELF ABI), RISC-V, LoongArch and OpenPOWER (ELFv2).
 */
static const struct machine machines[] = {
	{ .id = EM_X86_64, .none = R_X86_64_NONE, .abs32 = R_X86_64_32, .abs64 = R_X86_64_64,
	  .tls = { R_X86_64_DTPOFF64, R_X86_64_DTPOFF32 },
	  .nr_args = 6, .args = { 5, 4, 1, 2, 8, 9 }, .idle = x86, .decode = x86_64__decode },
	{ .id = EM_AARCH64, .none = 256, .abs32 = R_AARCH64_ABS32, .abs64 = R_AARCH64_ABS64,
	  .tls = { R_AARCH64_TLS_DTPREL },
	  .nr_args = 8, .args = { 0, 1, 2, 3, 4, 5, 6, 7 }, .idle = arm64, .decode = arm64__decode },
	{ .id = EM_S390, .none = R_390_NONE, .abs32 = R_390_32, .abs64 = R_390_64,
	  .tls = { R_390_TLS_LDO64, R_390_TLS_LDO32 },
	  .nr_args = 5, .args = { 2, 3, 4, 5, 6 }, .idle = s390, .decode = s390__decode },
	{ .id = EM_PPC64, .none = R_PPC64_NONE, .abs32 = R_PPC64_ADDR32, .abs64 = R_PPC64_ADDR64,
	  .tls = { R_PPC64_DTPREL64 },
	  .nr_args = 8, .args = { 3, 4, 5, 6, 7, 8, 9, 10 }, .idle = ppc64, .decode = ppc64__decode },
	{ .id = EM_RISCV, .none = R_RISCV_NONE, .abs32 = R_RISCV_32, .abs64 = R_RISCV_64,
	  .tls = { R_RISCV_TLS_DTPREL64, R_RISCV_TLS_DTPREL32 }, .fields = riscv_fields,
	  .nr_args = 8, .args = { 10, 11, 12, 13, 14, 15, 16, 17 }, .idle = riscv, .decode = riscv__decode },
	{ .id = EM_LOONGARCH, .none = R_LARCH_NONE, .abs32 = R_LARCH_32, .abs64 = R_LARCH_64,
	  .tls = { R_LARCH_TLS_DTPREL64, R_LARCH_TLS_DTPREL32 }, .fields = loongarch_fields,
	  .nr_args = 8, .args = { 4, 5, 6, 7, 8, 9, 10, 11 }, .idle = loongarch },
	{ .id = EM_ARM, .none = R_ARM_NONE, .abs32 = R_ARM_ABS32, .tls = { R_ARM_TLS_LDO32 },
	  .nr_args = 4, .args = { 0, 1, 2, 3 } },
	{ .id = EM_386, .none = R_386_NONE, .abs32 = R_386_32, .tls = { R_386_TLS_LDO_32 } },
	{ .id = EM_BPF, .none = R_BPF_NONE, .abs32 = R_BPF_64_ABS32, .abs64 = R_BPF_64_ABS64 },
	{ },
};

/* For messages: others that Linux runs on */
static const struct {
	uint16_t	id;
	const char	*name;
} names[] = {
	{ EM_MIPS, "MIPS" }, { EM_PPC, "PowerPC" }, { EM_SPARC, "SPARC" },
	{ EM_SPARC32PLUS, "SPARC" }, { EM_SPARCV9, "SPARC V9" }, { EM_68K, "m68k" },
	{ EM_PARISC, "PA-RISC" }, { EM_SH, "SuperH" }, { EM_ALPHA, "Alpha" }, { EM_IA_64, "IA-64" },
	{ EM_ARC_COMPACT, "ARC" }, { EM_XTENSA, "Xtensa" },
	{ EM_MICROBLAZE, "MicroBlaze" }, { EM_OPENRISC, "OpenRISC" }, { EM_CSKY, "C-SKY" },
	{ EM_QDSP6, "Hexagon" }, { EM_ALTERA_NIOS2, "Nios II" },
};

const char *machine__name(uint16_t id)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].id == id)
			return names[i].name;
	return "an unknown machine";
}

const struct machine *machine__find(uint16_t id)
{
	const struct machine *m = machines;

	while (m->id && m->id != id)
		m++;
	return m;
}
