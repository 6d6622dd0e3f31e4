/* SPDX-License-Identifier: GPL-2.0-only */
/* The arguments that `abtf list --args` selects, for the table and for probes. */
#ifndef ABTF_CMD_LIST_ARGS_H
#define ABTF_CMD_LIST_ARGS_H

#include "cmd/list.h"
#include "inlined/inlined.h"
#include "probe/dwarf_args.h"

/**
 * struct list_args - where arguments are read from
 * @dwarf:	of the image, once it was needed; @has_looked
 * @has_noted:	that the bytes of a value are in the other order
 * @own:	the image, if only the cache was used
 */
struct list_args {
	const struct list_options	*opts;
	const struct function_map	*map;
	struct dwarf_args		*dwarf;
	struct image			*own;
	bool				has_looked;
	bool				has_noted;
};

/**
 * list_args__find() - find the values to print in a function
 * @into:	offset of the probe from the entry of @func
 * @ret:	gets a list that the caller frees; NULL without --args
 *
 * Return: 0, or -EINVAL after a message.
 */
int list_args__find(struct list_args *a, const struct function *func, uint64_t into,
		    struct arg_list **ret);

/** list_args__find_at_call() - The same for an inlined call. */
int list_args__find_at_call(struct list_args *a, const struct inlined_site *site,
			    struct arg_list **ret);

void list_args__destroy(struct list_args *a);

#endif /* ABTF_CMD_LIST_ARGS_H */
