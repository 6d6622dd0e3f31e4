// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/elf_edit.h"
#include "btf/elf_fields.h"
#include "util/msg.h"

/*
 * The small file:
 *
 *	ELF header | .note.gnu.build-id | .BTF | .shstrtab | section headers
 *
 * A relocatable one, since it has nothing to run and no segments; libbpf and
 * bpftool only look for the section.
 */
static const char wrap_names[] = "\0.BTF\0.note.gnu.build-id\0.shstrtab";

enum {
	NAME_BTF	= 1,
	NAME_NOTE	= NAME_BTF + sizeof(".BTF"),
	NAME_SHSTRTAB	= NAME_NOTE + sizeof(".note.gnu.build-id"),
};

struct wrapped {
	struct section	sec[4];	/* [0] is the empty one */
	uint32_t	name[4];
	const void	*bytes[4];
	unsigned int	nr;
	uint64_t	end;	/* of the sections so far */
};

static void wrap_section(struct wrapped *w, uint32_t name, const struct section *sec,
			 const void *bytes)
{
	w->end = align_up(w->end, sec->align);
	w->sec[w->nr] = *sec;
	w->sec[w->nr].offset = w->end;
	w->name[w->nr] = name;
	w->bytes[w->nr++] = bytes;
	w->end += sec->file_size;
}

static void wrap_header(const struct image *img, const struct wrapped *w, uint8_t *ehdr,
			uint64_t table)
{
	/* the image's own header says class, byte order, machine and e_flags */
	memcpy(ehdr, img->map, EI_NIDENT);
	elf_store16(img, ehdr + EHDR(img, e_type), ET_REL);
	elf_store16(img, ehdr + EHDR(img, e_machine), img->machine);
	elf_store32(img, ehdr + EHDR(img, e_version), EV_CURRENT);
	elf_store_word(img, ehdr + EHDR(img, e_shoff), table);
	memcpy(ehdr + EHDR(img, e_flags), img->map + EHDR(img, e_flags), sizeof(uint32_t));
	elf_store16(img, ehdr + EHDR(img, e_ehsize), elf_ehdr_size(img));
	elf_store16(img, ehdr + EHDR(img, e_shentsize), elf_shdr_size(img));
	elf_store16(img, ehdr + EHDR(img, e_shnum), w->nr);
	elf_store16(img, ehdr + EHDR(img, e_shstrndx), w->nr - 1);
}

int elf_edit__wrap(const struct image *img, const void *bytes, size_t size,
		   uint8_t **ret, size_t *ret_size)
{
	struct wrapped w = { .nr = 1, .end = elf_ehdr_size(img) };
	const uint8_t *note;
	size_t note_size;
	uint64_t table;
	uint8_t *file;

	if (image__build_id(img, &note, &note_size)) {
		wrap_section(&w, NAME_NOTE, &(struct section){ .type = SHT_NOTE,
			     .flags = SHF_ALLOC, .file_size = note_size, .align = 4 }, note);
	}
	wrap_section(&w, NAME_BTF, &(struct section){ .type = SHT_PROGBITS,
		     .file_size = size, .align = BTF_ALIGN }, bytes);
	wrap_section(&w, NAME_SHSTRTAB, &(struct section){ .type = SHT_STRTAB,
		     .file_size = sizeof(wrap_names), .align = 1 }, wrap_names);
	table = align_up(w.end, TABLE_ALIGN);
	*ret_size = table + w.nr * elf_shdr_size(img);
	file = calloc(1, *ret_size);
	if (!file) {
		msg_error("%s: no memory for %zu bytes of BTF", img->path, *ret_size);
		return -ENOMEM;
	}
	wrap_header(img, &w, file, table);
	for (unsigned int i = 1; i < w.nr; i++) {
		uint8_t *shdr = file + table + i * elf_shdr_size(img);

		elf_store_section(img, shdr, &w.sec[i]);
		elf_store32(img, shdr + SHDR(img, sh_name), w.name[i]);
		memcpy(file + w.sec[i].offset, w.bytes[i], w.sec[i].file_size);
	}
	*ret = file;
	return 0;
}
