// SPDX-License-Identifier: GPL-2.0-only
/*
 * One BTF object, or two in sequence: read, listed, compared, written without addresses,
 * and put into an image as the input of --from-btf.  The second object is complete BTF, or
 * is split from the first, which is then its base.
 */
#include <elf.h>
#include <linux/btf.h>
#include <stdio.h>
#include <string.h>

#include "btf/read.h"
#include "encode.h"
#include "fuzz.h"
#include "inspect/compare.h"
#include "inspect/funcs.h"
#include "inspect/listing.h"
#include "inspect/plain.h"
#include "inspect/verify.h"
#include "mutate-btf.h"

static FILE *null;

/* An image with functions, which gets the BTF, and its bytes without. */
static uint8_t *image;
static size_t image_size;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	FILE *f = fopen(getenv("FUZZ_IMAGE") ?: "", "r");

	/* documents are written to stdout */
	null = freopen("/dev/null", "w", stdout);
	image = malloc(1 << 20);
	MUST(f && null && image);
	image_size = fread(image, 1, 1 << 20, f);
	fclose(f);
	return 0;
}

static void list(const struct btf_data *btf)
{
	struct input in = { .path = "fuzz", .btf = (struct btf_data *)btf };
	struct selection all = {}, sel;
	struct function_map map;
	char *name;

	MUST(!function_map__read(&map, &in));
	if (map.nr) {
		name = (char *)map.array[0].name;
		if (!selection__parse(&sel, &name, 1))
			selection__find(&sel, &map, false);
		selection__destroy(&sel);
	}
	MUST(!selection__find(&all, &map, true));
	print_listing(&map, &all, false, 80, NULL, NULL, null);
	print_listing(&map, &all, true, 0, NULL, NULL, null);
	selection__destroy(&all);
	function_map__destroy(&map);
}

static void compare(const struct btf_data *a, const struct btf_data *b)
{
	struct compare_options opts = { .addresses = true };
	struct funcs *x = funcs__new(a), *y = funcs__new(b);
	struct compare_counts counts = compare_instances(x, y, &opts, null);

	if (a == b)
		MUST(!compare_counts__differ(&counts));
	funcs__free(x);
	funcs__free(y);
}

static void verify(const struct btf_data *btf, const struct image *img)
{
	struct funcs *insts = funcs__new(btf);
	struct verify_counts counts;

	verify_image(insts, "fuzz", img, false, null, NULL, &counts);
	funcs__free(insts);
}

/* Plain BTF is BTF, has no address, and is its own plain form. */
static void strip(const struct btf_data *btf, const struct btf_data *base, bool loadable)
{
	struct btf_data *plain;
	void *bytes, *again;
	size_t size, size2;

	btf_data__plain(btf, loadable, &bytes, &size);
	MUST(!btf_data__parse(bytes, size, "plain", base, &plain, NULL));
	MUST(!plain->nr_records);
	MUST(btf_data__plain(plain, loadable, &again, &size2) == 0);
	MUST(size == size2 && !memcmp(bytes, again, size));
	free(again);
	free(bytes);
	btf_data__free(plain);
}

static void encode(const struct image *img, const struct base *base, bool distill)
{
	struct encode_options opts = {
		.load = { .floats = true, .decl_tags = true, .type_tags = true, .enum64 = true,
			  .percpu = true, .attributes = true, .kfuncs = true },
		.func = { .by_file = true, .optimized = true, .consistent = true },
		.addresses = true,
		.from_btf = true, .base = base, .threads = 1,
		.distill = distill,
	};
	struct encoding e;

	if (img->big_endian != (base ? base->btf->big_endian : img->big_endian))
		return;
	if (!encode__open(img, &opts, &e) && (img->type == ET_REL || e.syms->has_text) &&
	    !encode__load(&e))
		encode__write(&e);
	encoding__free(&e);
}

/* As the BTF of an image: checked against its symbols, then read instead of DWARF. */
static void amend(const uint8_t *bytes, size_t size, const struct base *base)
{
	struct btf_bytes new = { .bytes = (void *)bytes, .size = size };
	struct btf_data *btf;
	struct image *img;
	const char *path;
	int fd;

	path = memory_file(0, image, image_size, &fd);
	MUST(!image__open(path, &img));
	MUST(!elf_edit__set_btf(fd, img, &new));
	image__close(img);
	MUST(!image__open(path, &img));
	if (!btf_data__from_image(img, base ? base->btf : NULL, &btf)) {
		verify(btf, img);
		btf_data__free(btf);
	}
	encode(img, base, false);
	if (base)
		encode(img, base, true);
	image__close(img);
}

static void read_second(const struct btf_data *first, const uint8_t *data, size_t size,
			const struct base *base)
{
	struct btf_data *second;
	size_t len;

	if (btf_data__parse(data, size, "second", first, &second, &len))
		return;
	list(second);
	compare(first, second);
	strip(second, second->base, false);
	strip(second, second->base, true);
	btf_data__free(second);
	if (base)
		amend(data, size, base);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct base *base = NULL;
	struct btf_data *first;
	size_t len;

	if (btf_data__parse(data, size, "first", NULL, &first, &len))
		return 0;
	list(first);
	compare(first, first);
	strip(first, NULL, false);
	strip(first, NULL, true);
	amend(data, size, NULL);
	if (len < size) {
		base__open(memory_file(1, data, len, NULL), &base);
		read_second(first, data + len, size - len, base);
		base__free(base);
	}
	btf_data__free(first);
	return 0;
}
