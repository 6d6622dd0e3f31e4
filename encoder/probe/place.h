/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Places: convert a function's place in its image to the location of a kprobe.
 *
 * In vmlinux, all offsets are relative to _text.  The kernel places each section of a
 * module separately, so only distances within a section are fixed: in a module, a probe
 * is relative to a symbol in the same section whose name is unique in the module.
 */
#ifndef ABTF_PROBE_PLACE_H
#define ABTF_PROBE_PLACE_H

#include "btf/format.h"
#include "image/symbols.h"
#include "probe/probe.h"

/**
 * struct places - one image
 * @module:	its name, NULL for vmlinux
 * @syms:	its functions
 * @anchors:	of a module: symbols that probes are relative to, by (section, address)
 */
struct places {
	const struct image	*img;
	char			*module;
	const struct symbols	*syms;
	VECTOR(struct symbol)	anchors;
};

/**
 * places__init() - prepare to find places
 * @syms:	of the image; NULL if there is only BTF, which is then treated as vmlinux's
 *
 * Return: 0, or a negative errno after a message.  Must be destroyed in both cases.
 */
int places__init(struct places *p, const struct symbols *syms);

void places__destroy(struct places *p);

/**
 * places__find() - find the place of a function
 * @name:	NAME or NAME@FILE; kept in @ret
 * @record:	its address, NULL in init text
 *
 * Return: 0; -EINVAL after a message if there is no probe: the function is in init text, or
 * no symbol in its section has a unique name.
 */
int places__find(const struct places *p, const char *name, const struct btf_func *record,
		 struct probe *ret);

/**
 * places__find_at() - the same for an instruction
 * @section:	of a module; 0 in vmlinux
 * @offset:	in the section; in vmlinux, the address
 */
int places__find_at(const struct places *p, const char *name, uint32_t section, uint64_t offset,
		    struct probe *ret);

#endif /* ABTF_PROBE_PLACE_H */
