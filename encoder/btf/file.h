/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Read BTF from the .BTF section of an ELF file, with or without .BTF.base, or from a
 * file of raw BTF.
 */
#ifndef ABTF_BTF_FILE_H
#define ABTF_BTF_FILE_H

#include "btf/read.h"
#include "image/image.h"

/**
 * btf_data__from_image() - read an opened image's .BTF
 * @base:	its base, unless the image has one in .BTF.base
 *
 * Return: as btf_data__parse(); -ENOENT after a message that says how to make
 * a .BTF section if there is none.
 */
int btf_data__from_image(const struct image *img, const struct btf_data *base,
			 struct btf_data **ret);

/**
 * btf_data__open() - read BTF from a file: raw BTF, or an ELF file's .BTF
 *
 * Return: as btf_data__from_image(), or another negative errno after a message.
 */
int btf_data__open(const char *path, const struct btf_data *base, struct btf_data **ret);

/**
 * struct btf_file - the bytes of a file's BTF
 * @path:	as given
 * @img:	the ELF file they are in, or NULL
 * @map:	the file, mapped, if it is raw BTF
 * @buf:	its content, if it cannot be
 */
struct btf_file {
	const char	*path;
	struct image	*img;
	void		*map;
	uint8_t		*buf;
	const uint8_t	*bytes;
	size_t		size;
};

/**
 * btf_file__open() - find BTF: in the .BTF section of an ELF file, or raw
 *
 * Return: as btf_data__open(); the BTF is not checked.
 */
int btf_file__open(struct btf_file *file, const char *path);

void btf_file__close(struct btf_file *file);

/** btf_file__has_base() - Test whether the file has a .BTF.base, the base of its BTF. */
bool btf_file__has_base(const struct btf_file *file);

#endif /* ABTF_BTF_FILE_H */
