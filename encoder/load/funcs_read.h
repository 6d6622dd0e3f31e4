/* SPDX-License-Identifier: GPL-2.0-only */
/* FUNCs that were read from BTF instead of DWARF; functions/join.h finds their functions. */
#ifndef ABTF_LOAD_FUNCS_READ_H
#define ABTF_LOAD_FUNCS_READ_H

#include "image/symbols.h"
#include "types/store.h"

/* The result for a FUNC; the numbers add up. */
enum func_fate {
	FATE_ENCODED,		/* it is the FUNC of a function symbol */
	FATE_MERGED,		/* another FUNC of the same function is encoded */
	FATE_SKIPPED,		/* the function is skipped, its instance has the reason */
	FATE_AMBIGUOUS,		/* omitted: several functions have its name */
	FATE_NO_SYMBOL,		/* omitted: no function has its name */
	FATE_AS_IS,		/* kept: no function has its name, and no addresses are written */
	FATE_UNNAMED,		/* omitted: not a single function, and a parameter has no name */
	FATE_EXTERN,		/* omitted: only declared */
	NR_FUNC_FATES,
};

/**
 * struct func_read - one FUNC
 * @name:	string id
 * @proto:	node id
 * @id:		number as read, starting at 1
 * @unit:	number of the file in its name, 0 for none
 * @linkage:	BTF_FUNC_*
 * @unnamed:	a parameter has no name
 * @has_place:	it has an address:
 * @section:	in a relocatable file, the section that a relocation names
 * @address:	like in symbols
 * @fate:	the result
 * @sym:	the matching symbol, or NULL
 */
struct func_read {
	uint32_t		name;
	uint32_t		proto;
	uint32_t		id;
	uint32_t		unit;
	uint32_t		section;
	uint64_t		address;
	uint8_t			linkage;
	bool			unnamed;
	bool			has_place;
	enum func_fate		fate;
	const struct func_sym	*sym;
};

/**
 * struct funcs_read - all FUNCs
 * @array:	sorted by @id
 * @by_fate:	number of FUNCs by fate
 * @moved:	number of FUNCs without a function of their name at their address
 */
struct funcs_read {
	struct func_read	*array;
	uint32_t		nr, cap;
	uint32_t		by_fate[NR_FUNC_FATES];
	uint32_t		moved;
};

/** store__part() - Return: the id of a part of a string, as a separate string; or -ENOMEM. */
int64_t store__part(struct store *store, const char *s, size_t len);

#endif /* ABTF_LOAD_FUNCS_READ_H */
