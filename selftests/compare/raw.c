// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "raw.h"

const char *const kind_names[NR_KINDS] = {
	"VOID", "INT", "PTR", "ARRAY", "STRUCT", "UNION", "ENUM", "FWD", "TYPEDEF", "VOLATILE",
	"CONST", "RESTRICT", "FUNC", "FUNC_PROTO", "VAR", "DATASEC", "FLOAT", "DECL_TAG",
	"TYPE_TAG", "ENUM64",
};

void die(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

void *alloc(size_t nr, size_t size)
{
	void *p = calloc(nr ?: 1, size);

	if (!p)
		die("out of memory");
	return p;
}

uint8_t *read_file(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes;
	long end;

	if (!f || fseek(f, 0, SEEK_END) || (end = ftell(f)) < 0 || fseek(f, 0, SEEK_SET))
		die("%s: %s", path, strerror(errno));
	bytes = alloc(end, 1);
	if (fread(bytes, 1, end, f) != (size_t)end)
		die("%s: cannot be read", path);
	fclose(f);
	*size = end;
	return bytes;
}

static uint64_t number(const uint8_t *p, int size, bool big)
{
	uint64_t v = 0;
	int i;

	for (i = 0; i < size; i++)
		v = v << 8 | p[big ? i : size - 1 - i];
	return v;
}

/* Finds .BTF in an ELF file of any class and byte order. */
static uint8_t *find_section(const char *path, uint8_t *file, size_t file_size, size_t *size)
{
	bool is64 = file[EI_CLASS] == ELFCLASS64, big = file[EI_DATA] == ELFDATA2MSB;
	int w = is64 ? 8 : 4, hdr = is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	uint64_t shoff, nr, names, name_off, i;

	if (file_size < sizeof(Elf64_Ehdr))
		die("%s: truncated ELF header", path);
	shoff = number(file + (is64 ? 40 : 32), w, big);
	nr = number(file + (is64 ? 60 : 48), 2, big);
	names = number(file + (is64 ? 62 : 50), 2, big);
	if (!nr || names >= nr || shoff > file_size || nr * hdr > file_size - shoff)
		die("%s: no section headers", path);
	name_off = number(file + shoff + names * hdr + (is64 ? 24 : 16), w, big);
	for (i = 0; i < nr; i++) {
		uint8_t *sh = file + shoff + i * hdr;
		uint64_t name = name_off + number(sh, 4, big);
		uint64_t off = number(sh + (is64 ? 24 : 16), w, big);

		*size = number(sh + (is64 ? 32 : 20), w, big);
		if (name + 5 > file_size || strcmp((char *)file + name, ".BTF"))
			continue;
		if (off > file_size || *size > file_size - off)
			die("%s: .BTF lies outside the file", path);
		return file + off;
	}
	die("%s: no .BTF section", path);
}

uint32_t type_words(const uint32_t *t)
{
	uint32_t vlen = vlen_of(t);

	switch (kind_of(t)) {
	case PTR: case FWD: case TYPEDEF: case VOLATILE: case CONST: case RESTRICT:
	case FLOAT: case TYPE_TAG:
		return 3;
	case FUNC:
		return flag_of(t) ? 5 : 3;
	case INT: case VAR: case DECL_TAG:
		return 4;
	case ARRAY:
		return 6;
	case STRUCT: case UNION: case DATASEC: case ENUM64:
		return 3 + 3 * vlen;
	case ENUM: case FUNC_PROTO:
		return 3 + 2 * vlen;
	default:
		return 0;
	}
}

enum role word_role(const uint32_t *t, uint32_t i)
{
	if (i == 0)
		return NAME;
	switch (kind_of(t)) {
	case PTR: case TYPEDEF: case VOLATILE: case CONST: case RESTRICT: case FUNC:
	case VAR: case DECL_TAG: case TYPE_TAG:
		return i == 2 ? EDGE : NUMBER;
	case ARRAY:
		return i == 3 || i == 4 ? EDGE : NUMBER;
	case STRUCT: case UNION:
		return i < 3 || i % 3 == 2 ? NUMBER : i % 3 == 0 ? NAME : EDGE;
	case ENUM:
		return i >= 3 && i % 2 ? NAME : NUMBER;
	case ENUM64:
		return i >= 3 && i % 3 == 0 ? NAME : NUMBER;
	case FUNC_PROTO:
		return i == 1 ? NUMBER : i % 2 ? NAME : EDGE;
	case DATASEC:
		return i >= 3 && i % 3 == 0 ? EDGE : NUMBER;
	default:
		return NUMBER;
	}
}

const char *string_at(const struct btf *btf, uint32_t offset)
{
	return offset < btf->strs_len ? btf->strs + offset : "?";
}

static void check_func(const struct btf *btf, uint32_t id, const uint32_t *t)
{
	uint64_t record;

	if (kind_of(t) != FUNC || !flag_of(t))
		return;
	record = func_record(t);
	if (record >> 56 != 0xff || (record >> 48 & 0xfe))
		die("%s: [%u] FUNC %s: record 0x%016llx, expected 0xff.. and no unknown flag",
		    btf->path, id, string_at(btf, t[0]), (unsigned long long)record);
}

struct btf *btf_read(const char *path)
{
	return btf_read_split(path, NULL);
}

struct btf *btf_read_split(const char *path, const struct btf *base)
{
	struct btf *btf = alloc(1, sizeof(*btf));
	uint64_t hdr_len, type_off, type_len, str_off, str_len, i, nr, end;
	uint64_t base_words = 3, base_strs = 0;
	uint8_t *bytes, *p;
	size_t size;
	bool big;

	if (base) {
		const uint32_t *last = type_of(base, base->nr - 1);

		base_words = base->nr > 1 ? last - base->word + type_words(last) : 3;
		base_strs = base->strs_len;
	}
	btf->path = path;
	btf->first = base ? base->nr : 1;
	bytes = p = read_file(path, &size);
	if (size > 4 && !memcmp(p, ELFMAG, SELFMAG))
		p = find_section(path, p, size, &size);
	if (size < 24 || !((p[0] == 0x9f && p[1] == 0xeb) || (p[0] == 0xeb && p[1] == 0x9f)))
		die("%s: no BTF", path);
	big = p[0] == 0xeb;
	btf->swapped = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	hdr_len = number(p + 4, 4, big);
	type_off = number(p + 8, 4, big) + hdr_len;
	btf->types_at = type_off;
	type_len = number(p + 12, 4, big);
	str_off = number(p + 16, 4, big) + hdr_len;
	str_len = number(p + 20, 4, big);
	if (p[2] != 1 || type_len % 4 || type_off + type_len > size || str_off + str_len > size)
		die("%s: BTF header does not fit its %zu bytes", path, size);
	/* the strings of split BTF follow the base's strings */
	if (base ? str_len && p[str_off + str_len - 1] :
	    !str_len || p[str_off] || p[str_off + str_len - 1])
		die("%s: string section does not start and end with a NUL", path);

	/* The type section consists of words; void precedes the first type. */
	end = base_words + type_len / 4;
	btf->word = alloc(end + 3, 4);
	if (base)
		memcpy(btf->word, base->word, base_words * 4);
	for (i = 0; i < type_len / 4; i++)
		btf->word[base_words + i] = number(p + type_off + 4 * i, 4, big);
	btf->strs = alloc(base_strs + str_len + 1, 1);
	if (base)
		memcpy(btf->strs, base->strs, base_strs);
	memcpy(btf->strs + base_strs, p + str_off, str_len);
	btf->strs_len = base_strs + str_len;
	free(bytes);

	for (nr = btf->first, i = base_words; i < end; nr++) {
		uint32_t words = type_words(btf->word + i);

		if (!words || i + words > end)
			die("%s: [%llu] at word %llu: info 0x%x, no type matches", path,
			    (unsigned long long)nr, (unsigned long long)i, btf->word[i + 1]);
		i += words;
	}
	btf->nr = nr;
	btf->at = alloc(nr, 4);
	for (nr = 1, i = 3; nr < btf->nr; nr++) {
		uint32_t j, *t = btf->word + i, words = type_words(t);

		btf->at[nr] = i;
		check_func(btf, nr, t);
		for (j = 0; j < words; j++) {
			enum role role = word_role(t, j);

			if (role == EDGE && t[j] >= btf->nr)
				die("%s: [%llu] refers to id %u of %u", path,
				    (unsigned long long)nr, t[j], btf->nr);
			if (role == NAME && t[j] >= btf->strs_len)
				die("%s: [%llu] has name offset %u of %u", path,
				    (unsigned long long)nr, t[j], btf->strs_len);
		}
		i += words;
	}
	return btf;
}

void btf_write(const struct btf *btf, const char *path)
{
	uint32_t last = btf->nr - 1, end, header[6];
	FILE *f = fopen(path, "wb");

	end = last ? btf->at[last] + type_words(type_of(btf, last)) : 3;
	header[0] = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 0xeb9f0100 : 0x0001eb9f;
	header[1] = 24;
	header[2] = 0;
	header[3] = header[4] = (end - 3) * 4;
	header[5] = btf->strs_len;
	if (!f || fwrite(header, 24, 1, f) != 1 ||
	    fwrite(btf->word + 3, 4, end - 3, f) != end - 3 ||
	    fwrite(btf->strs, 1, btf->strs_len, f) != btf->strs_len || fclose(f))
		die("%s: cannot be written", path);
}

static char *join(const char *fmt, ...)
{
	va_list args;
	char *s;

	va_start(args, fmt);
	if (vasprintf(&s, fmt, args) < 0)
		die("out of memory");
	va_end(args);
	return s;
}

static char *in_c(const struct btf *btf, uint32_t id, const char *inner, int depth);

static char *proto_in_c(const struct btf *btf, const uint32_t *t, const char *inner, int depth)
{
	uint32_t i, vlen = vlen_of(t);
	char *list = join(vlen ? "" : "void"), *s;

	for (i = 0; i < vlen; i++) {
		const uint32_t *param = t + 3 + 2 * i;
		bool dots = !param[0] && !param[1];
		char *one = dots ? join("...") :
			    in_c(btf, param[1], string_at(btf, param[0]), depth + 1);
		char *more = join("%s%s%s", list, i ? ", " : "", one);

		free(one);
		free(list);
		list = more;
	}
	s = join("%s(%s)", inner, list);
	free(list);
	list = in_c(btf, t[2], s, depth + 1);
	free(s);
	return list;
}

static char *named(const char *keyword, const char *name, const char *inner)
{
	return join("%s%s%s%s%s", keyword, *keyword ? " " : "", *name ? name : "{...}",
		    *inner ? " " : "", inner);
}

/* Types may refer to themselves without a name between, in malformed BTF: hence @depth. */
static char *in_c(const struct btf *btf, uint32_t id, const char *inner, int depth)
{
	const uint32_t *t = type_of(btf, id);
	const char *name = string_at(btf, t[0]);
	char *s, *ret;
	enum kind to;

	if (depth > 32)
		return join("... %s", inner);
	switch (kind_of(t)) {
	case VOID:
		return named("", "void", inner);
	case INT: case FLOAT: case TYPEDEF:
		return named("", name, inner);
	case STRUCT:
		return named("struct", name, inner);
	case UNION:
		return named("union", name, inner);
	case ENUM: case ENUM64:
		return named("enum", name, inner);
	case FWD:
		return named(flag_of(t) ? "union" : "struct", name, inner);
	case PTR:
		to = kind_of(type_of(btf, t[2]));
		s = join(to == ARRAY || to == FUNC_PROTO ? "(*%s)" : "*%s", inner);
		break;
	case CONST:
		s = join("const%s%s", *inner ? " " : "", inner);
		break;
	case VOLATILE:
		s = join("volatile%s%s", *inner ? " " : "", inner);
		break;
	case RESTRICT:
		s = join("restrict%s%s", *inner ? " " : "", inner);
		break;
	case TYPE_TAG:
		s = join("__tag(%s)%s%s", name, *inner ? " " : "", inner);
		break;
	case ARRAY:
		s = join("%s[%u]", inner, t[5]);
		ret = in_c(btf, t[3], s, depth + 1);
		free(s);
		return ret;
	case FUNC_PROTO:
		return proto_in_c(btf, t, inner, depth);
	case FUNC: case VAR:
		return in_c(btf, t[2], name, depth + 1);
	case DATASEC:
		return join("section %s", name);
	case DECL_TAG:
		s = join("tag(%s) %d of %s", name, (int)t[3], inner);
		break;
	default:
		return join("?");
	}
	ret = in_c(btf, t[2], s, depth + 1);
	free(s);
	return ret;
}

char *type_in_c(const struct btf *btf, uint32_t id, const char *declarator)
{
	return in_c(btf, id, declarator, 0);
}
