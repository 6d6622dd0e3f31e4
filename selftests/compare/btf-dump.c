// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints BTF one type per line, for tests to grep:
 *
 *	[7] FUNC foo addr 0x40 linkage 0: int foo(struct bar *b)
 *	[3] STRUCT bar size 8 { int a @0; int b @32; }
 */
#include <stdlib.h>
#include <string.h>

#include "raw.h"

static void print_in_c(const struct btf *btf, uint32_t id, const char *declarator)
{
	char *c = type_in_c(btf, id, declarator);

	fputs(c, stdout);
	free(c);
}

static void print_members(const struct btf *btf, const uint32_t *t)
{
	uint32_t i;

	printf(" size %u {", t[2]);
	for (i = 0; i < vlen_of(t); i++) {
		const uint32_t *m = t + 3 + 3 * i;
		uint32_t bits = flag_of(t) ? m[2] >> 24 : 0;

		putchar(' ');
		print_in_c(btf, m[1], string_at(btf, m[0]));
		if (bits)
			printf(":%u", bits);
		printf(" @%u;", flag_of(t) ? m[2] & 0xffffff : m[2]);
	}
	fputs(" }", stdout);
}

static void print_values(const struct btf *btf, const uint32_t *t)
{
	bool wide = kind_of(t) == ENUM64;
	uint32_t i;

	printf(" %s size %u {", flag_of(t) ? "signed" : "unsigned", t[2]);
	for (i = 0; i < vlen_of(t); i++) {
		const uint32_t *v = t + 3 + (wide ? 3 : 2) * i;
		uint64_t value = wide ? (uint64_t)v[2] << 32 | v[1] : flag_of(t) ?
				 (uint64_t)(int32_t)v[1] : v[1];

		printf(" %s = ", string_at(btf, v[0]));
		if (flag_of(t))
			printf("%lld;", (long long)value);
		else
			printf("%llu;", (unsigned long long)value);
	}
	fputs(" }", stdout);
}

static void print_type(const struct btf *btf, uint32_t id)
{
	const uint32_t *t = type_of(btf, id);
	const char *name = string_at(btf, t[0]);
	uint32_t i;

	printf("[%u] %s%s%s", id, kind_names[kind_of(t)], *name ? " " : "", name);
	switch (kind_of(t)) {
	case INT:
		printf(" size %u bits %u encoding 0x%x", t[2], t[3] & 0xff, t[3] >> 24);
		break;
	case FLOAT:
		printf(" size %u", t[2]);
		break;
	case FWD:
		printf(" %s", flag_of(t) ? "union" : "struct");
		break;
	case STRUCT: case UNION:
		print_members(btf, t);
		break;
	case ENUM: case ENUM64:
		print_values(btf, t);
		break;
	case FUNC:
		if (flag_of(t))
			printf(" addr 0x%llx",
			       (unsigned long long)(func_record(t) & 0xffffffffffffffULL));
		printf(" linkage %u: ", vlen_of(t));
		print_in_c(btf, id, "");
		break;
	case VAR:
		printf(" linkage %u: ", t[3]);
		print_in_c(btf, id, "");
		break;
	case DATASEC:
		printf(" size %u {", t[2]);
		for (i = 0; i < vlen_of(t); i++) {
			const uint32_t *v = t + 3 + 3 * i;

			printf(" %s @%u +%u;", string_at(btf, *type_of(btf, v[0])), v[1], v[2]);
		}
		fputs(" }", stdout);
		break;
	case DECL_TAG:
		printf(" on [%u] %s component %d", t[2], string_at(btf, *type_of(btf, t[2])),
		       (int)t[3]);
		break;
	case ARRAY:
		printf(" index [%u] %s: ", t[4], string_at(btf, *type_of(btf, t[4])));
		print_in_c(btf, id, "");
		break;
	default:
		printf(" -> [%u] ", t[2]);
		print_in_c(btf, kind_of(t) == FUNC_PROTO ? id : t[2], "");
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct btf *btf;
	uint32_t id;

	if (argc < 2 || argc > 3 || !strcmp(argv[1], "--help")) {
		fputs("Usage: btf-dump FILE [BASE]\nPrints raw BTF, or an ELF file's .BTF.\n",
		      argc == 2 ? stdout : stderr);
		return argc == 2 ? 0 : 2;
	}
	btf = btf_read_split(argv[1], argc > 2 ? btf_read(argv[2]) : NULL);
	for (id = btf->first; id < btf->nr; id++)
		print_type(btf, id);
	return 0;
}
