// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <stdlib.h>

#include "btf/base.h"
#include "encode.h"
#include "encode_features.h"
#include "inspect/decl.h"
#include "inspect/input.h"
#include "util/jobserver.h"
#include "util/memory.h"
#include "util/msg.h"

static int encode_input(struct input *in, const char *base)
{
	struct encoding *e = in->encoding = xcalloc(1, sizeof(*e));
	struct encode_options opts;
	int err = base ? base__open(base, &in->encoded_base) : 0;

	if (err)
		return err;
	/* the same ids as `abtf encode` writes */
	encode_options__default(&opts);
	opts.base = in->encoded_base;
	opts.func.untraceable = true;
	err = encode__open(in->img, &opts, e) ?: encode__load(e) ?: encode__write(e);
	in->syms = e->syms;
	in->bytes = e->btf.bytes;
	in->size = e->btf.size;
	in->btf = no_free_ptr(e->written);
	return err;
}

/* A module's BTF is usually split BTF, which cannot be read without its base. */
static bool is_readable(const struct image *img, const char *base)
{
	return image__has_bytes(img, ".BTF") &&
	       (base || img->type != ET_REL || image__has_bytes(img, ".BTF.base"));
}

static int open_image(struct input *in, const char *base)
{
	bool has_dwarf = image__has_bytes(in->img, ".debug_info");
	int err;

	if (!has_dwarf || is_readable(in->img, base)) {
		err = btf_data__from_image(in->img, in->base, &in->btf);
		if (!err && in->btf->nr_records) {
			in->bytes = image__section(in->img, ".BTF")->data;
			in->size = image__section(in->img, ".BTF")->size;
		}
		if (err || in->btf->nr_records || !has_dwarf)
			return err;
		btf_data__free(in->btf);
		in->btf = NULL;
	}
	return encode_input(in, base);
}

int input__open(struct input *in, const char *path, const char *image, const char *base)
{
	int err = 0, is_elf;

	*in = (struct input){ .path = path };
	if (base)
		err = btf_data__open(base, NULL, &in->base);
	is_elf = err ?: image__is_elf(path);
	if (is_elf < 0)
		return is_elf;
	if (image || is_elf)
		err = image__open(image ?: path, &in->img);
	if (!err)
		err = image || !is_elf ? btf_data__open(path, in->base, &in->btf) :
					 open_image(in, base);
	if (!err)
		in->funcs = funcs__new(in->btf);
	in->has_ids = !in->encoding;
	return err;
}

int input__open_kernel(struct input *in, const char *path, const struct build_id *id,
		       struct kept *kept)
{
	if (!kept)
		return input__open(in, path, NULL, NULL) ?: kept__make(id, in);
	*in = (struct input){ .path = path };
	kept__restore(kept, in);
	return 0;
}

void input__close(struct input *in)
{
	decls__free(in->decls, in->funcs ? in->funcs->nr : 0);
	funcs__free(in->funcs);
	if (!in->kept) {
		btf_data__free(in->btf);
		free(in->calls);
		free(in->left_out);
	}
	kept__free(in->kept);
	symbols__free(in->own_syms);
	if (in->encoding)
		encoding__free(in->encoding);
	free(in->encoding);
	base__free(in->encoded_base);
	btf_data__free(in->base);
	image__close(in->img);
	*in = (struct input){};
}
