// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replaces bytes in the image of a kernel, so that a test of another .BTF costs
 * seconds and no build:
 *
 *	image-edit IN OUT OLD NEW
 *
 * The contents of the file OLD must be in the kernel exactly once; the file NEW, of
 * the same size, replaces them.  In arm64 images, the kernel is not compressed.  x86 and
 * s390 images unpack it at boot, and the unpacking code knows the payload's length.  So
 * compress it with a better packer than the build's gzip, and pad it with zeros, which are
 * not read.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <libdeflate.h>

#include "raw.h"

/* more than any kernel here has, unpacked */
#define UNPACKED_MAX	(512 << 20)

/* The start of the output of the build's "gzip -n": no name, no time. */
static const uint8_t gzip_magic[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0 };

static size_t old_size;
static uint8_t *old, *new;

static void replace(const char *path, uint8_t *kernel, size_t size)
{
	uint8_t *found = memmem(kernel, size, old, old_size);

	if (!found || memmem(found + 1, kernel + size - found - 1, old, old_size))
		die("%s: the bytes to replace do not occur exactly once", path);
	memcpy(found, new, old_size);
}

/* Unpack gzip's output at @payload; set its length. Return: the unpacked size, 0 on error. */
static size_t unpack(const uint8_t *payload, size_t size, uint8_t *unpacked, size_t *taken)
{
	struct libdeflate_decompressor *gzip = libdeflate_alloc_decompressor();
	size_t unpacked_size;
	int err;

	err = libdeflate_gzip_decompress_ex(gzip, payload, size, unpacked, UNPACKED_MAX, taken,
					    &unpacked_size);
	libdeflate_free_decompressor(gzip);
	return err ? 0 : unpacked_size;
}

/* The longest: an image may hold other files that are packed. */
static uint8_t *find_payload(uint8_t *image, size_t size, uint8_t *unpacked, size_t *taken)
{
	uint8_t *at = image, *payload = NULL;
	size_t length;

	*taken = 0;
	while ((at = memmem(at, image + size - at, gzip_magic, sizeof(gzip_magic)))) {
		if (unpack(at, image + size - at, unpacked, &length) && length > *taken) {
			payload = at;
			*taken = length;
		}
		at++;
	}
	return payload;
}

static void replace_packed(const char *path, uint8_t *image, size_t image_size)
{
	uint8_t *unpacked = alloc(UNPACKED_MAX, 1);
	size_t unpacked_size, length, packed;
	uint8_t *payload = find_payload(image, image_size, unpacked, &length);

	if (!payload)
		die("%s: the image has no data compressed by gzip", path);
	unpacked_size = unpack(payload, length, unpacked, &length);
	replace(path, unpacked, unpacked_size);

	packed = libdeflate_gzip_compress(libdeflate_alloc_compressor(12), unpacked,
					  unpacked_size, payload, length);
	if (!packed)
		die("%s: the compressed image is longer than before", path);
	memset(payload + packed, 0, length - packed);
	/* some unpackers look for the size at the payload's end */
	memcpy(payload + length - 4, &(uint32_t){ unpacked_size }, 4);
}

int main(int argc, char **argv)
{
	size_t image_size, new_size;
	uint8_t *image;
	FILE *out;

	if (argc != 5) {
		fputs("Usage: image-edit IN OUT OLD NEW\n", stderr);
		return 2;
	}
	image = read_file(argv[1], &image_size);
	old = read_file(argv[3], &old_size);
	new = read_file(argv[4], &new_size);
	if (old_size != new_size)
		die("%s and %s differ in size", argv[3], argv[4]);
	if (memmem(image, image_size, old, old_size))
		replace(argv[1], image, image_size);
	else
		replace_packed(argv[1], image, image_size);

	out = fopen(argv[2], "wb");
	if (!out || fwrite(image, 1, image_size, out) != image_size || fclose(out))
		die("%s: %s", argv[2], strerror(errno));
	return 0;
}
