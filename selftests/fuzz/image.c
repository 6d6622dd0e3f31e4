// SPDX-License-Identifier: GPL-2.0-only
/*
 * An ELF file with DWARF or BTF, encoded.  Its last byte, an unused
 * one in a section header, chooses the options.
 */
#include <elf.h>
#include <string.h>

#include "encode.h"
#include "fuzz.h"

/* --- mutation: a section at a time, so that the ELF file mostly stays one ----------- */

struct elf {
	const uint8_t	*data;
	size_t		size;
	bool		is_64;
	bool		swap;
};

static uint64_t number(const struct elf *elf, uint64_t at, unsigned int size)
{
	struct cursor c = cursor__new(elf->data, elf->size, elf->swap);

	cursor__skip(&c, at);
	return cursor__uint(&c, size);
}

#define FIELD(elf, type, at, field)						\
	((elf)->is_64 ? number(elf, (at) + offsetof(Elf64_##type, field),	\
			       sizeof(((Elf64_##type *)0)->field)) :		\
			number(elf, (at) + offsetof(Elf32_##type, field),	\
			       sizeof(((Elf32_##type *)0)->field)))

/* How often a section is chosen; others not at all. */
static const struct {
	const char	*name;
	uint8_t		weight;
} weights[] = {
	{ ".debug_info", 16 }, { ".debug_abbrev", 8 }, { ".debug_str", 2 },
	{ ".debug_str_offsets", 3 }, { ".debug_addr", 2 }, { ".debug_line", 2 },
	{ ".debug_loclists", 4 }, { ".debug_loc", 4 }, { ".debug_rnglists", 3 },
	{ ".debug_ranges", 3 }, { ".symtab", 5 }, { ".strtab", 2 }, { ".BTF", 8 },
	{ ".rela.debug_info", 3 }, { ".rel.debug_info", 3 }, { ".rela.BTF", 3 },
	{ ".BTF_ids", 1 },
};

static unsigned int weight_of(const struct elf *elf, uint64_t name)
{
	size_t i, len;

	for (i = 0; i < sizeof(weights) / sizeof(weights[0]); i++) {
		len = strlen(weights[i].name) + 1;
		if (name < elf->size && elf->size - name >= len &&
		    !memcmp(elf->data + name, weights[i].name, len))
			return weights[i].weight;
	}
	return 0;
}

/* Choose a section. Return: its offset, and its bytes in @ret; 0 if there is no section. */
static uint64_t choose_section(const struct elf *elf, uint32_t *seed, uint64_t *ret)
{
	uint64_t table = FIELD(elf, Ehdr, 0, e_shoff), nr = FIELD(elf, Ehdr, 0, e_shnum), i;
	uint64_t entry = elf->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	uint64_t names = FIELD(elf, Ehdr, 0, e_shstrndx), offset, size, chosen = 0;
	unsigned int weight, sum = 0;

	names = FIELD(elf, Shdr, table + names * entry, sh_offset);
	for (i = 1; i < nr && i < 100; i++) {
		offset = FIELD(elf, Shdr, table + i * entry, sh_offset);
		size = FIELD(elf, Shdr, table + i * entry, sh_size);
		if (!size || offset >= elf->size || size > elf->size - offset)
			continue;
		weight = weight_of(elf, names + FIELD(elf, Shdr, table + i * entry, sh_name));
		sum += weight;
		if (weight && next_random(seed) % sum < weight) {
			chosen = offset;
			*ret = size;
		}
	}
	return chosen;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	struct elf elf = { .data = data, .size = size };
	uint32_t s = seed, times;
	uint64_t offset, len;

	if (size < sizeof(Elf64_Ehdr))
		return LLVMFuzzerMutate(data, size, max_size);
	if (next_random(&s) % 8 == 0)
		data[size - 1] = next_random(&s);
	/* sometimes change the ELF file itself */
	if (next_random(&s) % 64 == 0) {
		mutate_part(data, size, &s);
		return size;
	}
	elf.is_64 = data[EI_CLASS] == ELFCLASS64;
	elf.swap = data[EI_DATA] == ELFDATA2MSB;
	offset = choose_section(&elf, &s, &len);
	for (times = 1 + next_random(&s) % 4; offset && times; times--)
		mutate_part(data + offset, len, &s);
	return size;
}

/* --- the target --------------------------------------------------------------------- */

static struct base *base;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *path = getenv("FUZZ_BASE");

	return path ? base__open(path, &base) : 0;
}

/* The BTF written into a copy of the image can be read back from it. */
static void check_in_place(const struct image *img, const struct encoding *e)
{
	const char *path;
	struct image *copy;
	int fd;

	path = memory_file(1, img->map, img->size, &fd);
	if (elf_edit__set_btf(fd, img, &e->btf))
		return;
	MUST(!image__open(path, &copy));
	MUST(image__section(copy, ".BTF"));
	MUST(image__section(copy, ".BTF")->size >= e->btf.size);
	image__close(copy);
}

static void check_wrapped(const struct image *img, const struct encoding *e)
{
	struct btf_data *btf;
	struct image *small;
	size_t size;
	uint8_t *file = elf_edit__wrap(img, e->btf.bytes, e->btf.size, &size);

	MUST(!image__open(memory_file(1, file, size, NULL), &small));
	MUST(!btf_data__from_image(small, e->opts.base ? e->opts.base->btf : NULL, &btf));
	btf_data__free(btf);
	image__close(small);
	free(file);
}

static void encode(const struct image *img, uint8_t how)
{
	struct encode_options opts = {
		.load = { .floats = true, .decl_tags = how & 1, .type_tags = how & 2,
			  .enum64 = true, .percpu = true, .global_vars = how & 4,
			  .kfuncs = how & 1, .attributes = how & 1 },
		.func = { .pahole = how & 8, .by_file = !(how & 4), .optimized = true,
			  .consistent = true, .true_signature = how & 4 },
		.addresses = !(how & 8),
		.layout = how & 2, .force = how & 4, .from_btf = how & 16,
		.base = how & 32 ? base : NULL,
		.distill = base && (how & 0x60) == 0x60, .threads = 1,
	};
	struct encoding e;

	if (opts.base && opts.base->btf->big_endian != img->big_endian)
		return;
	if (!encode__open(img, &opts, &e) && !encode__load(&e) && !encode__write(&e)) {
		if (how & 0x80)
			check_in_place(img, &e);
		else if (!opts.distill)
			check_wrapped(img, &e);
	}
	encoding__free(&e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct image *img;

	if (!size || image__open(memory_file(0, data, size, NULL), &img))
		return 0;
	encode(img, data[size - 1]);
	image__close(img);
	return 0;
}
