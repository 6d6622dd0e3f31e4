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

#include "inspect/function_map.h"
#include "probe/probe.h"

/**
 * struct places - one image
 * @module:	its name, NULL for vmlinux
 * @map:	its functions
 * @anchors:	of a module: symbols that probes are relative to, by (section, address)
 * @is_checked:	their names are unique among all symbols that are loaded
 */
struct places {
	const struct image	*img;
	char			*module;
	const struct function_map *map;
	VECTOR(struct symbol)	anchors;
	bool			is_checked;
};

/**
 * places__init() - prepare to find places
 * @map:	must outlive @p; BTF without an image is treated as vmlinux BTF
 * @kallsyms:	NULL; or a file like /proc/kallsyms: names of anchors must be unique among all
 *		symbols that are loaded
 *
 * Return: 0, or a negative errno after a message.  Must be destroyed in both cases.
 */
int places__init(struct places *p, const struct function_map *map, const char *kallsyms);

void places__destroy(struct places *p);

/**
 * places__find() - find the location of a kprobe
 * @name:	of the function or instruction; kept in the probe
 * @section, @offset: as in struct function
 *
 * Return: the probe; if no symbol before the place in a module has a unique name, the probe has
 * the section instead.
 */
struct probe places__find(const struct places *p, const char *name, uint32_t section,
			  uint64_t offset);

#endif /* ABTF_PROBE_PLACE_H */
