// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replaces bytes in the kernel that a bzImage unpacks at boot, so that a test of
 * another .BTF costs seconds and no build:
 *
 *	image-edit IN OUT OLD NEW
 *
 * What the file OLD holds must be in the kernel exactly once; the file NEW, of
 * the same size, takes its place.  The payload's length is known to the code that
 * unpacks it.  So it is packed by somebody who packs better than the gzip of the
 * build, and filled up with zeros behind its end, which nobody reads.
 * (Documentation/arch/x86/boot.rst says where the payload is.)
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <libdeflate.h>

#include "raw.h"

#define SETUP_SECTS	0x1f1
#define HEADER_MAGIC	0x202
#define PAYLOAD_OFFSET	0x248
#define PAYLOAD_LENGTH	0x24c

static uint32_t word_at(const uint8_t *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

int main(int argc, char **argv)
{
	size_t image_size, old_size, new_size, unpacked_size, actual, packed;
	uint8_t *image, *old, *new, *payload, *unpacked, *found;
	uint32_t length;
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
	if (image_size < 1024 || memcmp(image + HEADER_MAGIC, "HdrS", 4))
		die("%s: not a bzImage", argv[1]);
	payload = image + (image[SETUP_SECTS] + 1) * 512 + word_at(image + PAYLOAD_OFFSET);
	length = word_at(image + PAYLOAD_LENGTH);
	if (payload + length > image + image_size || length < 18 ||
	    payload[0] != 0x1f || payload[1] != 0x8b)
		die("%s: its payload is not packed by gzip", argv[1]);

	/* gzip ends with the unpacked size */
	unpacked_size = word_at(payload + length - 4);
	unpacked = alloc(unpacked_size, 1);
	if (libdeflate_gzip_decompress(libdeflate_alloc_decompressor(), payload, length, unpacked,
				       unpacked_size, &actual) || actual != unpacked_size)
		die("%s: its payload cannot be unpacked", argv[1]);
	found = memmem(unpacked, unpacked_size, old, old_size);
	if (!found || memmem(found + 1, unpacked + unpacked_size - found - 1, old, old_size))
		die("%s: %s is not in it exactly once", argv[1], argv[3]);
	memcpy(found, new, new_size);

	packed = libdeflate_gzip_compress(libdeflate_alloc_compressor(12), unpacked,
					  unpacked_size, payload, length);
	if (!packed)
		die("%s: packed, it is longer than before", argv[1]);
	memset(payload + packed, 0, length - packed);
	/* some who unpack look for the size at the payload's end */
	memcpy(payload + length - 4, &(uint32_t){ unpacked_size }, 4);

	out = fopen(argv[2], "wb");
	if (!out || fwrite(image, 1, image_size, out) != image_size || fclose(out))
		die("%s: %s", argv[2], strerror(errno));
	return 0;
}
