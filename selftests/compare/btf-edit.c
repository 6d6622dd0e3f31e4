// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets one word of one type, so that tests can make BTF lie: word 0 is the name,
 * 1 the info, 3 and 4 of an addressed FUNC its record.
 */
#include <stdlib.h>
#include <string.h>

#include "raw.h"

int main(int argc, char **argv)
{
	uint32_t id, word;
	struct btf *btf;

	if (argc != 6) {
		fputs("Usage: btf-edit IN OUT ID WORD VALUE\n", stderr);
		return 2;
	}
	btf = btf_read(argv[1]);
	id = strtoul(argv[3], NULL, 0);
	word = strtoul(argv[4], NULL, 0);
	if (!id || id >= btf->nr || word >= type_words(type_of(btf, id)))
		die("%s: no word %u of type %u", argv[1], word, id);
	type_of(btf, id)[word] = strtoul(argv[5], NULL, 0);
	btf_write(btf, argv[2]);
	return 0;
}
