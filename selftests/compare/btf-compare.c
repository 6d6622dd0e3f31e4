// SPDX-License-Identifier: GPL-2.0-only
/*
 * Do two BTF objects hold the same types?
 *
 * Two types are the same if kind, names, sizes and members are equal in them and
 * in everything that they refer to, including cycles.  Colour refinement decides
 * this for both objects at once: a type's first colour is its own contents, and
 * each round mixes in the colours of the types that it refers to, until a round
 * no longer splits a colour.  Ids, order and number of the original objects are
 * ignored.
 *
 * A difference deep down recolours everything that leads to it, so differences
 * are sorted by the round that found them: causes come first.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "raw.h"

struct node {
	struct btf	*btf;
	uint32_t	id;
	uint32_t	side;		/* 0 or 1 */
	uint32_t	first;		/* round that separated both sides, 0 = none */
	uint64_t	colour;
};

struct graph {
	struct node	*node;		/* side 0's ids, then side 1's */
	struct node	**by_colour;
	uint32_t	nr;
	uint32_t	start[2];
	struct btf	*btf[2];
	uint32_t	rounds;
};

static bool with_linkage, every_kind;
static struct btf *base;
static unsigned int limit = 20;

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) + 0x9e3779b97f4a7c15;
	h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9;
	h = (h ^ h >> 27) * 0x94d049bb133111eb;
	return h ^ h >> 31;
}

static uint64_t mix_string(uint64_t h, const char *s)
{
	uint64_t sum = 0xcbf29ce484222325;

	while (*s)
		sum = (sum ^ (uint8_t)*s++) * 0x100000001b3;
	return mix(h, sum);
}

static uint32_t comparable_info(const uint32_t *t)
{
	/* Addresses of FUNCs are not compared, their linkage only on request. */
	if (kind_of(t) == FUNC)
		return with_linkage ? t[1] & 0x7fffffff : FUNC << 24;
	return t[1];
}

static uint64_t first_colour(const struct btf *btf, const uint32_t *t)
{
	uint32_t i, words = kind_of(t) == FUNC ? 3 : type_words(t);
	uint64_t h = mix(0, comparable_info(t));

	for (i = 0; i < words; i++) {
		if (i == 1)
			continue;
		switch (word_role(t, i)) {
		case NAME:
			h = mix_string(h, string_at(btf, t[i]));
			break;
		case NUMBER:
			h = mix(h, t[i]);
			break;
		case EDGE:
			break;
		}
	}
	return h;
}

static int by_colour(const void *a, const void *b)
{
	const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;

	if (x->colour != y->colour)
		return x->colour < y->colour ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Sorting by byte: the colours are sorted once per round, which is most of the work. */
static void sort_by_colour(struct graph *g)
{
	struct node **from = g->by_colour, **to = alloc(g->nr, sizeof(*to)), **swap;
	uint32_t i, pass;

	for (i = 0; i < g->nr; i++)
		from[i] = &g->node[i];
	for (pass = 0; pass < 4; pass++) {
		uint32_t count[65537] = { 0 };

		for (i = 0; i < g->nr; i++)
			count[(from[i]->colour >> 16 * pass & 0xffff) + 1]++;
		for (i = 1; i < 65537; i++)
			count[i] += count[i - 1];
		for (i = 0; i < g->nr; i++)
			to[count[from[i]->colour >> 16 * pass & 0xffff]++] = from[i];
		swap = from;
		from = to;
		to = swap;
	}
	/* Four passes: the result is where it began. */
	free(to);
}

/* Mark nodes that only one side has, and return the number of colours. */
static uint32_t count_colours(struct graph *g)
{
	uint32_t i, j, k, nr = 0;

	sort_by_colour(g);
	for (i = 0; i < g->nr; i = j, nr++) {
		bool side[2] = { false, false };

		for (j = i; j < g->nr && g->by_colour[j]->colour == g->by_colour[i]->colour; j++)
			side[g->by_colour[j]->side] = true;
		if (side[0] && side[1])
			continue;
		for (k = i; k < j; k++)
			if (!g->by_colour[k]->first)
				g->by_colour[k]->first = g->rounds;
	}
	return nr;
}

static void refine(struct graph *g)
{
	uint64_t *next = alloc(g->nr, sizeof(*next));
	uint32_t before, after, i, j;

	g->rounds = 1;
	after = count_colours(g);
	do {
		for (i = 0; i < g->nr; i++) {
			const struct node *n = &g->node[i];
			const uint32_t *t = type_of(n->btf, n->id);
			uint32_t words = type_words(t);
			uint64_t h = mix(1, n->colour);

			for (j = 2; j < words; j++)
				if (word_role(t, j) == EDGE)
					h = mix(h, g->node[g->start[n->side] + t[j]].colour);
			next[i] = h;
		}
		for (i = 0; i < g->nr; i++)
			g->node[i].colour = next[i];
		g->rounds++;
		before = after;
		after = count_colours(g);
	} while (after != before);
	free(next);
}

static struct graph *build(const char *const path[2])
{
	struct graph *g = alloc(1, sizeof(*g));
	uint32_t side, id;

	for (side = 0; side < 2; side++) {
		g->btf[side] = btf_read_split(path[side], base);
		g->start[side] = g->nr;
		g->nr += g->btf[side]->nr;
	}
	g->node = alloc(g->nr, sizeof(*g->node));
	g->by_colour = alloc(g->nr, sizeof(*g->by_colour));
	for (side = 0; side < 2; side++) {
		for (id = 0; id < g->btf[side]->nr; id++) {
			struct node *n = &g->node[g->start[side] + id];

			n->btf = g->btf[side];
			n->id = id;
			n->side = side;
			n->colour = first_colour(n->btf, type_of(n->btf, id));
		}
	}
	refine(g);
	return g;
}

static void print_node(const struct node *n)
{
	const uint32_t *t = type_of(n->btf, n->id);
	enum kind kind = kind_of(t);
	uint32_t vlen = vlen_of(t), i;
	char *c = type_in_c(n->btf, n->id, "");

	printf("[%u] %s %s", n->id, kind_names[kind], c);
	free(c);
	if (kind == STRUCT || kind == UNION) {
		printf(" size %u {", t[2]);
		for (i = 0; i < vlen && i < 8; i++) {
			const uint32_t *m = t + 3 + 3 * i;

			c = type_in_c(n->btf, m[1], string_at(n->btf, m[0]));
			printf(" %s @%u;", c, m[2] & (flag_of(t) ? 0xffffff : ~0u));
			if (flag_of(t) && m[2] >> 24)
				printf(" :%u", m[2] >> 24);
			free(c);
		}
		printf(i < vlen ? " ... %u more }" : " }", vlen - i);
	} else if (kind == ENUM || kind == ENUM64 || kind == INT || kind == FLOAT) {
		printf(" size %u", t[2]);
		if (kind == INT)
			printf(" encoding 0x%x", t[3]);
		else if (vlen)
			printf(" %s %u values from %s", flag_of(t) ? "signed" : "unsigned", vlen,
			       string_at(n->btf, t[3]));
	} else if (kind == TYPEDEF) {
		c = type_in_c(n->btf, t[2], "");
		printf(" = %s", c);
		free(c);
	} else if (kind == VAR || kind == FUNC) {
		printf(" linkage %u", kind == VAR ? t[3] : vlen);
	} else if (kind == DATASEC) {
		printf(" size %u, %u variables", t[2], vlen);
	}
	putchar('\n');
}

struct difference {
	struct node	*node;
	uint32_t	count[2];
};

static int by_round(const void *a, const void *b)
{
	const struct difference *x = a, *y = b;
	/* Types that both sides have, but not equally often, come last. */
	uint32_t rx = x->node->first - 1, ry = y->node->first - 1;

	if (rx != ry)
		return rx < ry ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

static bool is_compared(enum kind kind)
{
	return every_kind || (kind != FUNC && kind != FUNC_PROTO && kind != DECL_TAG);
}

/* FUNCs with one name and type are not repetitions if their addresses differ. */
static bool is_same(const struct node *a, const struct node *b)
{
	const uint32_t *x = type_of(a->btf, a->id), *y = type_of(b->btf, b->id);

	if (kind_of(x) != FUNC || flag_of(x) != flag_of(y))
		return kind_of(x) != FUNC;
	return !flag_of(x) || func_record(x) == func_record(y);
}

/* The type of the same side before by_colour[i], in its class from @first on, that it repeats. */
static const struct node *find_repeated(const struct graph *g, uint32_t first, uint32_t i)
{
	const struct node *n = g->by_colour[i];

	while (i-- > first)
		if (g->by_colour[i]->side == n->side && is_same(g->by_colour[i], n))
			return g->by_colour[i];
	return NULL;
}

static void print_counts(const struct graph *g)
{
	uint32_t count[2][NR_KINDS] = { 0 }, i;

	for (i = 0; i < g->nr; i++)
		if (g->node[i].id >= g->node[i].btf->first)
			count[g->node[i].side][kind_of(type_of(g->node[i].btf, g->node[i].id))]++;
	for (i = 1; i < NR_KINDS; i++)
		if (count[0][i] || count[1][i])
			printf("  %-10s %8u %8u%s\n", kind_names[i], count[0][i], count[1][i],
			       is_compared(i) ? "" : "  not compared");
}

static int compare(const char *const path[2])
{
	struct graph *g = build(path);
	struct difference *diff = alloc(g->nr, sizeof(*diff));
	uint32_t i, j, k, nr_diff = 0, only[2] = { 0, 0 }, repeats[2] = { 0, 0 };

	for (i = 0; i < g->nr; i = j) {
		struct node *n = g->by_colour[i];
		enum kind kind = kind_of(type_of(n->btf, n->id));
		uint32_t count[2] = { 0, 0 };

		for (j = i; j < g->nr && g->by_colour[j]->colour == n->colour; j++) {
			const struct node *m = g->by_colour[j], *same = NULL;

			count[m->side]++;
			/* types that the base repeats do not count for the module */
			if (is_compared(kind) && m->id >= m->btf->first)
				same = find_repeated(g, i, j);
			if (same && repeats[m->side]++ < limit) {
				printf("repeat in %s: as [%u], ", m->btf->path, same->id);
				print_node(m);
			}
		}
		if (count[0] == count[1] || !is_compared(kind))
			continue;
		diff[nr_diff++] = (struct difference){ n, { count[0], count[1] } };
		for (k = 0; k < 2; k++)
			if (count[k] > count[!k])
				only[k] += count[k] - count[!k];
	}
	qsort(diff, nr_diff, sizeof(*diff), by_round);
	for (i = 0; i < nr_diff && i < limit; i++) {
		struct difference *d = &diff[i];

		if (d->count[0] && d->count[1])
			printf("%u times, not %u: ", d->count[0], d->count[1]);
		else
			printf("only in %s (round %u): ", d->node->btf->path, d->node->first);
		print_node(d->node);
	}
	if (nr_diff > limit)
		printf("... and %u more differences\n", nr_diff - limit);

	printf("%u and %u types, %u rounds\n", g->btf[0]->nr - 1, g->btf[1]->nr - 1, g->rounds);
	print_counts(g);
	printf("only in A: %u, only in B: %u, repeats in A: %u, repeats in B: %u\n", only[0],
	       only[1], repeats[0], repeats[1]);
	return nr_diff || repeats[0] || repeats[1];
}

static int by_name_and_proto(const void *a, const void *b)
{
	const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;
	int order = strcmp(string_at(x->btf, *type_of(x->btf, x->id)),
			   string_at(y->btf, *type_of(y->btf, y->id)));

	return order ?: by_colour(a, b);
}

/* Is every (name, prototype) among A's functions in B too? */
static int compare_funcs(const char *const path[2])
{
	struct graph *g = build(path);
	struct node **func = alloc(g->nr, sizeof(*func));
	uint32_t i, j, k, nr = 0, pairs[2] = { 0, 0 }, missing = 0;

	for (i = 0; i < g->nr; i++)
		if (kind_of(type_of(g->node[i].btf, g->node[i].id)) == FUNC &&
		    g->node[i].id >= g->node[i].btf->first)
			func[nr++] = &g->node[i];
	qsort(func, nr, sizeof(*func), by_name_and_proto);
	for (i = 0; i < nr; i = j) {
		const char *name = string_at(func[i]->btf, *type_of(func[i]->btf, func[i]->id));
		bool side[2] = { false, false };
		char *c;

		for (j = i; j < nr && func[j]->colour == func[i]->colour; j++)
			side[func[j]->side] = true;
		pairs[0] += side[0];
		pairs[1] += side[1];
		if (!side[0] || side[1] || missing++ >= limit)
			continue;
		c = type_in_c(func[i]->btf, func[i]->id, "");
		printf("missing in B: %s\n", c);
		free(c);
		for (k = 0; k < nr; k++) {
			const uint32_t *t = type_of(func[k]->btf, func[k]->id);

			if (!func[k]->side || strcmp(name, string_at(func[k]->btf, *t)))
				continue;
			c = type_in_c(func[k]->btf, func[k]->id, "");
			printf("      it has: %s\n", c);
			free(c);
		}
	}
	printf("%u and %u pairs of name and prototype, missing in B: %u\n", pairs[0], pairs[1],
	       missing);
	return missing != 0;
}

static void usage(FILE *f)
{
	fputs("Usage: btf-compare [OPTIONS] A B\n"
	      "Compares the types of two BTF files (raw, or an ELF file's .BTF) as graphs.\n\n"
	      "  -b, --base BASE both are split BTF on top of this, and include it\n"
	      "  -n, --limit N   print at most N differences (20)\n"
	      "  -a, --all       also compare FUNC, FUNC_PROTO and DECL_TAG\n"
	      "  -f, --funcs     only: is every (name, prototype) of A's functions in B?\n"
	      "  -l, --linkage   a function's linkage is part of it\n\n"
	      "Exit status: 0 the same, 1 they differ or repeat a type, 2 no comparison\n", f);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "limit", required_argument, NULL, 'n' }, { "all", no_argument, NULL, 'a' },
		{ "funcs", no_argument, NULL, 'f' },	   { "linkage", no_argument, NULL, 'l' },
		{ "help", no_argument, NULL, 'h' },	   { "base", required_argument, NULL, 'b' },
		{ 0 },
	};
	bool funcs = false;
	int opt;

	while ((opt = getopt_long(argc, argv, "b:n:aflh", options, NULL)) != -1) {
		switch (opt) {
		case 'n':
			limit = strtoul(optarg, NULL, 0);
			break;
		case 'b':
			base = btf_read(optarg);
			break;
		case 'a':
			every_kind = true;
			break;
		case 'f':
			funcs = true;
			break;
		case 'l':
			with_linkage = true;
			break;
		case 'h':
			usage(stdout);
			return 0;
		default:
			usage(stderr);
			return 2;
		}
	}
	if (argc - optind != 2) {
		usage(stderr);
		return 2;
	}
	return funcs ? compare_funcs((const char *const *)argv + optind) :
		       compare((const char *const *)argv + optind);
}
