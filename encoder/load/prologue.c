// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>

#include "image/machine.h"
#include "image/relocate.h"
#include "load/prologue.h"

/* More than endbr64 or bti and what ftrace patches take: 16 bytes at most. */
#define MAX_PROLOGUE	32

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
	const struct idle *idle = machine__find(dw->img->machine)->idle;
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
