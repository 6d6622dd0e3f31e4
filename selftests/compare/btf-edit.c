// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets one word of one type, so that tests can make BTF wrong: word 0 is the name, 1 the
 * info, 2 the type, 3 and 4 of an addressed FUNC its record. ID and VALUE are numbers; ID
 * may also be a name, for the first FUNC with that name, and VALUE a name after ':', for
 * the same word of that FUNC.
 */
#include <stdlib.h>
#include <string.h>

#include "raw.h"

static uint32_t find_type(const struct btf *btf, const char *what)
{
	char *end;
	uint32_t id = strtoul(what, &end, 0);

	if (!*end)
		return id;
	for (id = 1; id < btf->nr; id++)
		if (kind_of(type_of(btf, id)) == FUNC &&
		    !strcmp(string_at(btf, type_of(btf, id)[0]), what))
			return id;
	die("%s: no FUNC %s", btf->path, what);
}

int main(int argc, char **argv)
{
	uint32_t id, word;
	struct btf *btf;

	if (argc != 6) {
		fputs("Usage: btf-edit IN OUT ID|FUNC WORD VALUE|:FUNC\n", stderr);
		return 2;
	}
	btf = btf_read(argv[1]);
	id = find_type(btf, argv[3]);
	word = strtoul(argv[4], NULL, 0);
	if (!id || id >= btf->nr || word >= type_words(type_of(btf, id)))
		die("%s: no word %u of type %u", argv[1], word, id);
	type_of(btf, id)[word] = argv[5][0] == ':' ?
		type_of(btf, find_type(btf, argv[5] + 1))[word] : strtoul(argv[5], NULL, 0);
	btf_write(btf, argv[2]);
	return 0;
}
