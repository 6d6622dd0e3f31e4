// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/file.h"
#include "util/file.h"
#include "util/msg.h"

static struct section *find_btf(const struct image *img)
{
	struct section *sec = image__section(img, ".BTF");

	if (sec && sec->type != SHT_NOBITS)
		return sec;
	if (sec)
		msg_error("%s: section %s has no bytes (objcopy --only-keep-debug omits them): use a separate BTF file, written by `abtf encode -o`",
			  img->path, sec->name);
	else if (image__section(img, ".debug_info"))
		msg_error("%s: no .BTF section; run `abtf encode %s` to make one from its DWARF",
			  img->path, img->path);
	else
		msg_error("%s: no .BTF section; %s", img->path, image__no_dwarf(img));
	return NULL;
}

static int load_and_parse(const struct image *img, struct section *sec,
			  const struct btf_data *base, struct btf_data **ret)
{
	int err = image__load_section(img, sec);

	if (err)
		return err;
	return btf_data__parse(sec->data, sec->data ? sec->size : 0, img->path, base, ret, NULL);
}

/* Read .BTF.base, with which out-of-tree modules come. */
static int load_own_base(const struct image *img, struct section *sec, struct btf_data **ret)
{
	int err = load_and_parse(img, sec, NULL, ret);

	if (err || !(*ret)->nr_funcs)
		return err;
	msg_error("%s: section [%u] %s: has functions, which a base cannot have", img->path,
		  sec->index, sec->name);
	btf_data__free(*ret);
	*ret = NULL;
	return -EINVAL;
}

int btf_data__from_image(const struct image *img, const struct btf_data *base,
			 struct btf_data **ret)
{
	struct section *sec = find_btf(img);
	struct section *base_sec = image__section(img, ".BTF.base");
	struct btf_data *own = NULL;
	int err = 0;

	*ret = NULL;
	if (!sec)
		return -ENOENT;
	if (base_sec && base_sec->size)
		err = load_own_base(img, base_sec, &own);
	err = err ?: load_and_parse(img, sec, own ?: base, ret);
	if (err)
		btf_data__free(own);
	else
		(*ret)->owned_base = own;
	return err;
}

/*
 * The magic in either byte order.  Other files are not read to the end, because they may be
 * endless.
 */
static bool may_be_btf(const uint8_t *bytes, size_t len)
{
	return len < 2 || (bytes[0] == 0x9f && bytes[1] == 0xeb) ||
	       (bytes[0] == 0xeb && bytes[1] == 0x9f);
}

static int parse_file(const char *path, const struct btf_data *base, struct btf_data **ret)
{
	uint8_t *buf __cleanup(free_pointer) = NULL;
	size_t size;
	int err = file__read(path, 0, MAX_FILE, may_be_btf, &buf, &size);

	err = err ?: size < MAX_FILE ? 0 : -EFBIG;
	if (err)
		return msg_fail(err, "%s: %s", path, strerror(-err));
	err = btf_data__parse(buf, size, path, base, ret, NULL);
	if (!err && !(*ret)->owned)
		(*ret)->owned = no_free_ptr(buf);
	return err;
}

int btf_data__open(const char *path, const struct btf_data *base, struct btf_data **ret)
{
	struct image *img __cleanup(close_image) = NULL;
	int err = image__is_elf(path);

	*ret = NULL;
	if (err < 0)
		return err;
	if (!err)
		return parse_file(path, base, ret);
	err = image__open(path, &img) ?: btf_data__from_image(img, base, ret);
	if (!err)
		(*ret)->img = no_free_ptr(img);
	return err;
}
