/* SPDX-License-Identifier: GPL-2.0-only */
/* FUNCs that were read from BTF instead of DWARF; functions/join.h finds their functions. */
#ifndef ABTF_LOAD_FUNCS_READ_H
#define ABTF_LOAD_FUNCS_READ_H

#include "image/symbols.h"
#include "load/seen.h"
#include "types/store.h"
#include "util/grow.h"

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
 * @facts:	@facts.die is its number as read, starting at 1; @facts.unit the number of
 *		the file in its name, 0 for none
 * @linkage:	BTF_FUNC_*
 * @has_place:	it has an address:
 * @section:	in a relocatable file, the section that a relocation names
 * @address:	like in symbols
 * @fate:	the result
 * @sym:	the matching symbol, or NULL
 */
struct func_read {
	struct func_facts	facts;
	uint32_t		section;
	uint64_t		address;
	uint8_t			linkage;
	bool			has_place;
	enum func_fate		fate;
	const struct func_sym	*sym;
};

/**
 * struct funcs_read - all FUNCs, sorted by number
 * @by_fate:	number of FUNCs by fate
 * @moved:	number of FUNCs without a function of their name at their address
 * @ambiguous:	by function symbol: a FUNC may be that of another function with its name
 */
struct funcs_read {
	VECTOR(struct func_read);
	uint32_t		by_fate[NR_FUNC_FATES];
	uint32_t		moved;
	bool			*ambiguous;
};

/** store__part() - Return: the id of a part of a string, as a separate string; or -ENOMEM. */
int64_t store__part(struct store *store, const char *s, size_t len);

#endif /* ABTF_LOAD_FUNCS_READ_H */
