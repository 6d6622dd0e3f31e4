// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes BTF with its ids in another order, and on request with one member of one structure
 * moved or one type repeated, to test btf-compare.
 */
#include <stdlib.h>
#include <string.h>

#include "raw.h"

static uint32_t random_below(uint64_t *state, uint32_t n)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (*state >> 33) % n;
}

int main(int argc, char **argv)
{
	uint32_t *order, *new_id, id, i, twice = 0, pos = 3;
	struct btf *in, out;
	uint64_t state;

	if (argc < 4) {
		fputs("Usage: btf-shuffle SEED IN OUT [move STRUCT | twice ID]\n", stderr);
		return 2;
	}
	state = strtoull(argv[1], NULL, 0);
	in = btf_read(argv[2]);
	if (argc == 6 && !strcmp(argv[4], "twice"))
		twice = strtoul(argv[5], NULL, 0);
	if (argc == 6 && !strcmp(argv[4], "move")) {
		for (id = 1; id < in->nr; id++) {
			uint32_t *t = type_of(in, id);

			if (kind_of(t) == STRUCT && !strcmp(string_at(in, t[0]), argv[5]))
				t[5] += 8;
		}
	}

	order = alloc(in->nr, 4);
	new_id = alloc(in->nr, 4);
	for (id = 1; id < in->nr; id++) {
		i = 1 + random_below(&state, id);
		order[id] = order[i];
		order[i] = id;
	}
	for (i = 1; i < in->nr; i++)
		new_id[order[i]] = i;

	out = *in;
	out.nr = in->nr + !!twice;
	out.at = alloc(out.nr, 4);
	out.word = alloc(in->at[in->nr - 1] + 2 * (3 + 3 * 65536), 4);
	for (i = 1; i < out.nr; i++) {
		uint32_t *from = type_of(in, i < in->nr ? order[i] : twice), j;
		uint32_t words = type_words(from);

		out.at[i] = pos;
		for (j = 0; j < words; j++)
			out.word[pos + j] = word_role(from, j) == EDGE ? new_id[from[j]] : from[j];
		pos += words;
	}
	btf_write(&out, argv[3]);
	return 0;
}
