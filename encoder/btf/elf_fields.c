// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "btf/elf_fields.h"
#include "util/msg.h"

void elf_store16(const struct image *img, uint8_t *p, uint16_t v)
{
	v = img->swap ? __builtin_bswap16(v) : v;
	memcpy(p, &v, sizeof(v));
}

void elf_store32(const struct image *img, uint8_t *p, uint32_t v)
{
	v = img->swap ? __builtin_bswap32(v) : v;
	memcpy(p, &v, sizeof(v));
}

void elf_store_word(const struct image *img, uint8_t *p, uint64_t v)
{
	if (!img->is_64) {
		elf_store32(img, p, v);
		return;
	}
	v = img->swap ? __builtin_bswap64(v) : v;
	memcpy(p, &v, sizeof(v));
}

void elf_store_section(const struct image *img, uint8_t *shdr, const struct section *sec)
{
	elf_store32(img, shdr + SHDR(img, sh_type), sec->type);
	elf_store_word(img, shdr + SHDR(img, sh_flags), sec->flags);
	elf_store_word(img, shdr + SHDR(img, sh_addr), sec->address);
	elf_store_word(img, shdr + SHDR(img, sh_offset), sec->offset);
	elf_store_word(img, shdr + SHDR(img, sh_size), sec->file_size);
	elf_store32(img, shdr + SHDR(img, sh_link), sec->link);
	elf_store32(img, shdr + SHDR(img, sh_info), sec->info);
	elf_store_word(img, shdr + SHDR(img, sh_addralign), sec->align);
	elf_store_word(img, shdr + SHDR(img, sh_entsize), sec->entry_size);
}

int elf_write_at(int fd, const struct image *img, const void *bytes, size_t size,
		 uint64_t offset)
{
	const uint8_t *p = bytes;

	while (size) {
		ssize_t n = pwrite(fd, p, size, offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			int err = n < 0 ? -errno : -EIO;

			msg_error("%s: cannot write %zu bytes at offset 0x%" PRIx64 ": %s",
				  img->path, size, offset, strerror(-err));
			return err;
		}
		p += n;
		size -= n;
		offset += n;
	}
	return 0;
}
