// SPDX-License-Identifier: GPL-2.0-only
/*
 * readelf -sW IMAGE | btf-symbols BTF [PEER]: check that each function in BTF with
 * addresses is at a symbol with its name.  Prints a line for each function that is not:
 *
 *	other	NAME ADDRESS SYMBOL...	only symbols with other names are there
 *	plain	NAME			the FUNC has no address
 *
 * and for PEER's functions, whose addresses are only known by their names:
 *
 *	missing	NAME ADDRESS	a symbol has exactly this name, but no FUNC of BTF
 *	clone	NAME		no symbol has exactly this name
 *
 * Symbols come from readelf, and the rules are implemented again here, so that errors of
 * the encoder and of its "check" are found.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "raw.h"

struct symbol {
	uint64_t	address;
	const char	*name;
	bool		has_func;
};

/* The function symbols, sorted by address, and by name. */
static struct symbol *symbols;
static struct symbol **by_name;
static size_t nr_symbols;
static uint64_t text;
static bool found_text;

static int compare_addresses(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int compare_names(const void *a, const void *b)
{
	const struct symbol *x = *(struct symbol *const *)a, *y = *(struct symbol *const *)b;

	return strcmp(x->name, y->name) ?: compare_addresses(x, y);
}

/*
 *   Num:    Value          Size Type    Bind   Vis      Ndx Name
 *     7: c000000000010000   240 FUNC    GLOBAL DEFAULT [<localentry>: 8]     1 foo
 *
 * Because of an optional column before the section, the columns from there on are
 * counted from the end of the line.
 */
static void read_symbols(FILE *f)
{
	size_t size = 0, room = 0, i;
	char *line = NULL;

	while (getline(&line, &size, f) > 0) {
		char *word[16], *save, *s = line;
		uint64_t address;
		int n = 0;

		while (n < 16 && (word[n] = strtok_r(s, " \t\n", &save))) {
			s = NULL;
			n++;
		}
		if (n < 8 || word[0][strlen(word[0]) - 1] != ':' || !strcmp(word[n - 2], "UND"))
			continue;
		address = strtoull(word[1], NULL, 16);
		if (!strcmp(word[n - 1], "_text")) {
			text = address;
			found_text = true;
		}
		if (strcmp(word[3], "FUNC"))
			continue;
		if (nr_symbols == room) {
			room = room ? 2 * room : 1 << 16;
			symbols = realloc(symbols, room * sizeof(*symbols));
			if (!symbols)
				die("out of memory");
		}
		symbols[nr_symbols++] = (struct symbol){ address, strdup(word[n - 1]), false };
	}
	free(line);
	if (!nr_symbols || !found_text)
		die("readelf's lines show no functions, or no _text");
	qsort(symbols, nr_symbols, sizeof(*symbols), compare_addresses);
	by_name = alloc(nr_symbols, sizeof(*by_name));
	for (i = 0; i < nr_symbols; i++)
		by_name[i] = &symbols[i];
	qsort(by_name, nr_symbols, sizeof(*by_name), compare_names);
}

static struct symbol *first_at(uint64_t address)
{
	size_t low = 0, high = nr_symbols;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return symbols + low;
}

/* The index in by_name. */
static size_t first_called(const char *name)
{
	size_t low = 0, high = nr_symbols;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(by_name[middle]->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The part after an '@' selects one of several functions; ThinLTO only adds a suffix. */
static bool is_name_of(const char *func, const char *symbol)
{
	size_t len = strcspn(func, "@"), digits;

	if (strncmp(func, symbol, len))
		return false;
	symbol += len;
	if (!*symbol)
		return true;
	if (strncmp(symbol, ".llvm.", 6))
		return false;
	digits = strspn(symbol + 6, "0123456789");
	return digits && !symbol[6 + digits];
}

static void judge(const struct btf *btf)
{
	const struct symbol *end = symbols + nr_symbols;
	uint32_t id;

	for (id = 1; id < btf->nr; id++) {
		const uint32_t *t = type_of(btf, id);
		const char *name = string_at(btf, t[0]);
		struct symbol *at, *s;
		bool found = false;
		uint64_t address;
		size_t i;

		if (kind_of(t) != FUNC)
			continue;
		if (!flag_of(t)) {
			printf("plain\t%s\n", name);
			for (i = first_called(name);
			     i < nr_symbols && !strcmp(by_name[i]->name, name); i++)
				by_name[i]->has_func = true;
			continue;
		}
		address = text + (func_record(t) & 0xffffffffffffULL);
		at = first_at(address);
		for (s = at; s < end && s->address == address; s++) {
			if (!is_name_of(name, s->name))
				continue;
			found = true;
			s->has_func |= !strchr(name, '@');
		}
		if (found)
			continue;
		printf("other\t%s\t0x%" PRIx64 "\t", name, address);
		for (s = at; s < end && s->address == address; s++)
			printf("%s%s", s == at ? "" : " ", s->name);
		putchar('\n');
	}
}

static void judge_peer(const struct btf *peer)
{
	uint32_t id;

	for (id = 1; id < peer->nr; id++) {
		const uint32_t *t = type_of(peer, id);
		const char *name = string_at(peer, t[0]);
		bool found = false;
		size_t first, i;

		if (kind_of(t) != FUNC)
			continue;
		first = first_called(name);
		for (i = first; i < nr_symbols && !strcmp(by_name[i]->name, name); i++)
			found |= by_name[i]->has_func;
		if (i == first)
			printf("clone\t%s\n", name);
		else if (!found)
			printf("missing\t%s\t0x%" PRIx64 "\n", name, by_name[first]->address);
	}
}

int main(int argc, char **argv)
{
	if (argc != 2 && argc != 3) {
		fputs("Usage: readelf -sW IMAGE | btf-symbols BTF [PEER]\n", stderr);
		return 2;
	}
	read_symbols(stdin);
	judge(btf_read(argv[1]));
	if (argc == 3)
		judge_peer(btf_read(argv[2]));
	return 0;
}
