// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "image/packed.h"
#include "util/bytes.h"
#include "util/msg.h"

static const struct {
	const char	*magic;
	size_t		len;
	const char	*name;
	const char	*unpack;
} formats[] = {
	{ "\xfd" "7zXZ\0",	   6, "xz",    "xz -dk" },
	{ "\x28\xb5\x2f\xfd",	   4, "zstd",  "zstd -d" },
	{ "\x1f\x8b",		   2, "gzip",  "gzip -dk" },
	{ "BZh",		   3, "bzip2", "bzip2 -dk" },
	{ "\x5d\0\0",		   3, "lzma",  "xz -dk --format=lzma" },
	{ "\x04\x22\x4d\x18",	   4, "lz4",   "lz4 -d" },
	{ "\x89LZO",		   4, "lzop",  "lzop -d" },
};

static bool has_magic(const uint8_t *head, size_t size, size_t at, const char *magic, size_t len)
{
	return size >= at + len && !memcmp(head + at, magic, len);
}

/* Of x86, arm64, RISC-V and ARM (Documentation/arch); and any program of EFI. */
static bool is_boot_image(const uint8_t *head, size_t size)
{
	return has_magic(head, size, 0x202, "HdrS", 4) || has_magic(head, size, 0x38, "ARM\x64", 4) ||
	       has_magic(head, size, 0x38, "RSC\x05", 4) || has_magic(head, size, 0x24, "\x18\x28\x6f\x01", 4) ||
	       has_magic(head, size, 0, "MZ", 2);
}

int packed__refuse(const char *path, const uint8_t *head, size_t size)
{
	if (is_boot_image(head, size))
		return msg_fail(-EINVAL, "%s: is what a machine boots, without symbols and debug information: use the vmlinux of the distribution's debug package (--running finds it)",
				path);
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		if (!has_magic(head, size, 0, formats[i].magic, formats[i].len))
			continue;
		return msg_fail(-EINVAL, "%s: is compressed (%s), expected an ELF file: unpack it first, `%s %s`",
				path, formats[i].name, formats[i].unpack, path);
	}
	return 0;
}
