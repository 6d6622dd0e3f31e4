// SPDX-License-Identifier: GPL-2.0-only
#include "load/prologue.h"

#include <elf.h>

#include "image/image.h"
#include "image/relocate.h"

/* More than endbr64 or bti and what ftrace patches take: 16 bytes at most. */
#define MAX_PROLOGUE	32

/**
 * struct idle - an instruction that does nothing
 * @bytes:	as they stand in memory
 * @mask:	of the bytes that are compared; all if it begins with 0
 */
struct idle {
	uint8_t	len;
	uint8_t	bytes[9];
	uint8_t	mask[9];
};

/* Intel SDM volume 2: ENDBR64, and NOP with all addresses of no memory. */
static const struct idle x86[] = {
	{ .len = 4, .bytes = { 0xf3, 0x0f, 0x1e, 0xfa } },
	{ .len = 1, .bytes = { 0x90 } },
	{ .len = 2, .bytes = { 0x66, 0x90 } },
	{ .len = 3, .bytes = { 0x0f, 0x1f, 0x00 } },
	{ .len = 4, .bytes = { 0x0f, 0x1f, 0x40 }, .mask = { 0xff, 0xff, 0xff } },
	{ .len = 5, .bytes = { 0x0f, 0x1f, 0x44 }, .mask = { 0xff, 0xff, 0xff } },
	{ .len = 6, .bytes = { 0x66, 0x0f, 0x1f, 0x44 }, .mask = { 0xff, 0xff, 0xff, 0xff } },
	{ .len = 7, .bytes = { 0x0f, 0x1f, 0x80 }, .mask = { 0xff, 0xff, 0xff } },
	{ .len = 8, .bytes = { 0x0f, 0x1f, 0x84 }, .mask = { 0xff, 0xff, 0xff } },
	{ .len = 9, .bytes = { 0x66, 0x0f, 0x1f, 0x84 }, .mask = { 0xff, 0xff, 0xff, 0xff } },
	{ },
};

/* Arm ARM, C6.2 "HINT": NOP, BTI, and PACIASP, which signs where to return to. */
static const struct idle arm64[] = {
	{ .len = 4, .bytes = { 0x1f, 0x20, 0x03, 0xd5 }, .mask = { 0x1f, 0xf0, 0xff, 0xff } },
	{ },
};

/* z/Architecture Principles of Operation: branches on no condition. */
static const struct idle s390[] = {
	{ .len = 6, .bytes = { 0xc0, 0x04 }, .mask = { 0xff, 0xff } },
	{ .len = 4, .bytes = { 0x47, 0x00 }, .mask = { 0xff, 0xf0 } },
	{ .len = 2, .bytes = { 0x07, 0x00 }, .mask = { 0xff, 0xf0 } },
	{ },
};

static const struct idle riscv[] = {
	{ .len = 4, .bytes = { 0x13, 0x00, 0x00, 0x00 } },
	{ .len = 2, .bytes = { 0x01, 0x00 } },
	{ },
};

static const struct idle ppc64le[] = {
	{ .len = 4, .bytes = { 0x00, 0x00, 0x00, 0x60 } },
	{ },
};

static const struct idle *idle_instructions(const struct image *img)
{
	switch (img->machine) {
	case EM_X86_64:
		return x86;
	case EM_AARCH64:
		return arm64;
	case EM_S390:
		return s390;
	case EM_RISCV:
		return riscv;
	case EM_PPC64:
		return img->big_endian ? NULL : ppc64le;
	default:
		return NULL;
	}
}

/* Return: @len bytes of code, or NULL. */
static const uint8_t *code_at(const struct dwarf *dw, uint64_t address, uint64_t len)
{
	const struct image *img = dw->img;
	const struct section *sec = NULL;
	uint64_t offset = 0;
	uint32_t index;
	size_t i;

	if (dw->relocator) {
		if (relocator__place(dw->relocator, address, &index, &offset))
			sec = &img->sections[index];
	} else {
		for (i = 1; i < img->nr_sections && !sec; i++) {
			offset = address - img->sections[i].address;
			if (img->sections[i].flags & SHF_EXECINSTR &&
			    address >= img->sections[i].address && offset < img->sections[i].size)
				sec = &img->sections[i];
		}
	}
	if (!sec || !sec->data || sec->compression != SECTION_PLAIN ||
	    offset > sec->size || len > sec->size - offset)
		return NULL;
	return sec->data + offset;
}

static unsigned int idle_len(const struct idle *idle, const uint8_t *code, uint64_t len)
{
	unsigned int i;

	for (; idle->len; idle++) {
		if (idle->len > len)
			continue;
		for (i = 0; i < idle->len; i++)
			if ((code[i] ^ idle->bytes[i]) & (idle->mask[0] ? idle->mask[i] : 0xff))
				break;
		if (i == idle->len)
			return i;
	}
	return 0;
}

bool prologue__is_idle(const struct dwarf *dw, uint64_t from, uint64_t to)
{
	const struct idle *idle = idle_instructions(dw->img);
	uint64_t len = to - from;
	const uint8_t *code;
	unsigned int n;

	if (!idle || from > to || len > MAX_PROLOGUE)
		return false;
	code = code_at(dw, from, len);
	if (!code)
		return false;
	for (; len; code += n, len -= n) {
		n = idle_len(idle, code, len);
		if (!n)
			return false;
	}
	return true;
}
