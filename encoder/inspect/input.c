// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <stdlib.h>

#include "btf/output.h"
#include "btf/relocs.h"
#include "encode_features.h"
#include "inspect/funcs.h"
#include "inspect/input.h"
#include "locate/find.h"
#include "util/jobserver.h"
#include "util/memory.h"

int input__encode(struct input *in, bool for_map)
{
	struct encoding *e = in->encoding = xcalloc(1, sizeof(*e));
	struct encode_options opts;

	encode_options__default(&opts);
	opts.threads = in->threads;
	opts.func.untraceable = true;
	opts.func.for_map = for_map;
	return encode__open(in->img, &opts, e) ?: encode__load(e) ?: encode__write(e);
}

/* A module's BTF is usually split BTF, which cannot be read without its base. */
static bool is_readable(const struct image *img, const char *base)
{
	return base || img->type != ET_REL || image__has_bytes(img, ".BTF.base");
}

/* Without BTF that can be read, functions are in DWARF. */
static bool needs_no_btf(const struct image *img, const char *base)
{
	return image__has_bytes(img, ".debug_info") &&
	       (!image__has_bytes(img, ".BTF") || !is_readable(img, base));
}

static int read_image_btf(struct input *in, const char *base)
{
	bool has_dwarf = image__has_bytes(in->img, ".debug_info");
	int err;

	if (!image__has_bytes(in->img, ".BTF") || needs_no_btf(in->img, base))
		return 0;
	err = btf_data__from_image(in->img, in->base, &in->btf);
	if (!err && !in->btf->nr_records && has_dwarf) {
		btf_data__free(in->btf);
		in->btf = NULL;
	}
	return err;
}

/* Open an image that was named, and the file with its code. */
static int open_image(const char *path, struct image **ret)
{
	int err = image__open(path, ret);

	if (!err)
		find_code(*ret);
	return err;
}

int input__open(struct input *in, const char *path, struct image *img, const char *image,
		const char *base)
{
	int err = 0, is_elf;

	*in = (struct input){ .path = path, .img = img, .threads = nr_cores() };
	if (base)
		err = btf_data__open(base, NULL, &in->base);
	is_elf = err ?: img ? 1 : image__is_elf(path);
	if (is_elf < 0)
		return is_elf;
	if (!img && (image || is_elf))
		err = open_image(image ?: path, &in->img);
	if (err)
		return err;
	if (image && output__is_same(path, image) && needs_no_btf(in->img, base))
		return 0;
	return image || !is_elf ? btf_data__open(path, in->base, &in->btf) :
				  read_image_btf(in, base);
}

int input__open_image(struct input *in, const char *path, struct image *img)
{
	*in = (struct input){ .path = path, .img = img, .threads = nr_cores() };
	return img ? 0 : open_image(path, &in->img);
}

/* The section of an address in BTF that was encoded, or read from a file */
static const char *find_section(const struct input *in, const struct record_relocs *relocs,
				const struct func *f)
{
	const struct encoding *e = in->encoding;
	const struct record_reloc *reloc = NULL;
	const struct symbol *sym = NULL;

	if (!f->record)
		return NULL;
	if (in->btf)
		reloc = record_relocs__find(relocs, in->btf->types_start +
					    ((const uint8_t *)f->record - in->btf->types));
	else
		sym = e->instances.array[e->instances.order.array[f->id - e->btf.first_func]].sym;
	if (reloc)
		sym = reloc->sym;
	return sym ? in->img->sections[sym->section].name : NULL;
}

static int find_sections(const struct input *in, struct funcs *funcs)
{
	struct record_relocs relocs __cleanup(record_relocs__destroy) = {};
	struct symbols *syms = NULL;
	int err = 0;

	if (in->btf)
		err = symbols__new(in->img, false, false, &syms) ?: record_relocs__read(&relocs, syms);
	if (!err)
		for_each(f, funcs)
			f->section = find_section(in, &relocs, f);
	symbols__free(syms);
	return err;
}

int input__read_funcs(struct input *in, struct funcs **ret)
{
	int err = 0;

	if (!in->btf && image__has_bytes(in->img, ".debug_info"))
		err = input__encode(in, false);
	else if (!in->btf)
		err = btf_data__from_image(in->img, in->base, &in->btf);
	if (err)
		return err;
	*ret = funcs__new(in->btf ?: in->encoding->written);
	return in->img && in->img->type == ET_REL ? find_sections(in, *ret) : 0;
}

void input__close(struct input *in)
{
	btf_data__free(in->btf);
	if (in->encoding)
		encoding__free(in->encoding);
	free(in->encoding);
	btf_data__free(in->base);
	image__close(in->img);
	*in = (struct input){};
}
