/* SPDX-License-Identifier: GPL-2.0-only */
/* The FUNCs of BTF that is read instead of DWARF; functions/join.h finds what they are of. */
#ifndef ABTF_LOAD_FUNCS_READ_H
#define ABTF_LOAD_FUNCS_READ_H

#include "image/symbols.h"
#include "types/store.h"

/* What became of a FUNC; the sums match. */
enum func_fate {
	FATE_ENCODED,		/* it is the FUNC of a function symbol */
	FATE_MERGED,		/* another FUNC is, of the same function */
	FATE_SKIPPED,		/* the function is skipped, and its instance says why */
	FATE_AMBIGUOUS,		/* left out: several functions have its name */
	FATE_NO_SYMBOL,		/* left out: no function has its name */
	FATE_AS_IS,		/* no function has its name, and there are to be no addresses */
	FATE_UNNAMED,		/* left out: no one function, and a parameter has no name */
	FATE_EXTERN,		/* left out: declared only */
	NR_FUNC_FATES,
};

/**
 * struct func_read - one FUNC
 * @name:	string id
 * @proto:	node id
 * @id:		number, counted from 1 in the order of reading
 * @unit:	number of the file that its name says, 0 for none
 * @linkage:	BTF_FUNC_*
 * @unnamed:	a parameter has no name
 * @has_place:	it says an address:
 * @section:	in a relocatable file, the section that a relocation names
 * @address:	as symbols have it
 * @fate:	what becomes of it
 * @sym:	the symbol that it was joined with, or NULL
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
 * struct funcs_read - all of them
 * @array:	in the order of @id
 * @by_fate:	how many there are of each
 * @moved:	FUNCs whose address was that of no function of their name
 */
struct funcs_read {
	struct func_read	*array;
	uint32_t		nr, cap;
	uint32_t		by_fate[NR_FUNC_FATES];
	uint32_t		moved;
};

/** store__part() - Return: the id of a part of a string, as one of its own; or -ENOMEM. */
int64_t store__part(struct store *store, const char *s, size_t len);

#endif /* ABTF_LOAD_FUNCS_READ_H */
