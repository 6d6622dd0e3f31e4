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
 * @img:	must outlive @ret
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

#endif /* ABTF_BTF_FILE_H */
