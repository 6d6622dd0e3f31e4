// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes wrong addresses to the BTF of a kernel or a module, in place, so that tests can
 * check that readers detect them.
 *
 *	addr-edit FILE FUNC COMMAND [ARGUMENT]
 *
 * FUNC is the name of a symbol to which exactly one relocation of .rela.BTF refers (.ko),
 * or of a FUNC (vmlinux), or @first or @last: the first or last FUNC with an address.
 * NAME,N is the Nth FUNC with that name.
 *
 *	offset N	add N to the offset in the record
 *	high N		put N into the record's bits 32 to 63
 *	like OTHER	set the offset of another FUNC
 *	swap-address OTHER	exchange the offsets of both FUNCs
 *	rename OTHER	set the name of another FUNC
 *	type OTHER|ID	set the prototype of another FUNC, or an ID
 *	string OLD=NEW	write NEW over the string OLD, which is longer, and use it as the
 *			FUNC's name (vmlinux)
 *	make LIST	for each line "NAME OFFSET LIKE" of the file LIST, make a FUNC
 *			NAME at _text+OFFSET with the prototype of LIKE, whichever the
 *			FUNC; print "ID NAME".  This overwrites FUNCs in init text and
 *			of ACPI, which no test needs (vmlinux)
 *	plain		remove the record (only possible in the place of @first)
 *	swap		swap the FUNC with the next type
 *	cut		end the types in the middle of the record
 *	short-header	end the header before the strings' length, so that there are no
 *			strings: all names become an argument's, which is in the base (.ko)
 *	strings-first	put the strings before all types, whichever the FUNC
 *	rela-offset N, rela-addend N, rela-type N, rela-symbol N|NAME
 *			change the FUNC's relocation
 *	rela-like OTHER	set the r_offset of another FUNC's relocation
 *	rela-drop	remove the FUNC's relocation
 *	rela-gone	change the type of the section .rela.BTF
 *
 * No section changes its size: bytes removed from the types become zeros after the
 * strings, and bytes removed from .rela.BTF follow its end.  64-bit ELF, in either byte order.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/btf.h>

#include "raw.h"

static uint8_t *file;
static size_t file_size;
static Elf64_Shdr *sections;
static unsigned int nr_sections;

static struct btf_header *btf;
static Elf64_Shdr *btf_section, *rela_section;
static Elf64_Rela *rela;	/* NULL in vmlinux */
static Elf64_Sym *syms;
static unsigned int nr_rela, nr_rela_built, nr_syms;
static const char *sym_names;

static void map_file(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDWR);

	if (fd < 0 || fstat(fd, &st))
		die("%s: %s", path, strerror(errno));
	file_size = st.st_size;
	file = mmap(NULL, file_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (file == MAP_FAILED)
		die("%s: %s", path, strerror(errno));
	close(fd);
}

/* --- byte order: data in the other one is swapped while it is edited ---------------- */

static bool foreign;

/* The numbers of a row of structs, whose sizes are the digits of @layout. */
static void turn(void *at, const char *layout, size_t nr)
{
	uint8_t *p = at, swap;
	const char *digit;

	for (; foreign && nr--; )
		for (digit = layout; *digit; digit++) {
			int size = *digit - '0', i;

			for (i = 0; i < size / 2; i++) {
				swap = p[i];
				p[i] = p[size - 1 - i];
				p[size - 1 - i] = swap;
			}
			p += size;
		}
}

#define EHDR_LAYOUT	"2248884222222"	/* after e_ident */
#define SHDR_LAYOUT	"4488884488"
#define SYM_LAYOUT	"411288"
#define RELA_LAYOUT	"888"

/* Swap header and types; @native has their lengths in native byte order. */
static void turn_btf(const struct btf_header *native)
{
	uint32_t hdr_len = native->hdr_len, type_off = native->type_off, types = native->type_len / 4;

	turn(btf, "211", 1);
	turn(&btf->hdr_len, "4", (hdr_len - 4) / 4);
	turn((uint8_t *)btf + hdr_len + type_off, "4", types);
}

static void turn_all_back(void)
{
	Elf64_Ehdr *ehdr = (void *)file;
	struct btf_header native = *btf;

	turn_btf(&native);
	turn(rela, RELA_LAYOUT, nr_rela_built);
	turn(syms, SYM_LAYOUT, nr_syms);
	turn(sections, SHDR_LAYOUT, nr_sections);
	turn(&ehdr->e_type, EHDR_LAYOUT, 1);
}

/* Find the sections. The files are from our own build, so only expected properties are checked. */
static void find_sections(const char *path)
{
	Elf64_Ehdr *ehdr = (void *)file;
	struct btf_header native;
	const char *names;
	unsigned int i;

	if (file_size < sizeof(*ehdr) || memcmp(ehdr->e_ident, ELFMAG, SELFMAG) ||
	    ehdr->e_ident[EI_CLASS] != ELFCLASS64)
		die("%s: not an ELF file of 64 bits", path);
	foreign = (ehdr->e_ident[EI_DATA] == ELFDATA2MSB) !=
		  (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	turn(&ehdr->e_type, EHDR_LAYOUT, 1);
	if (!ehdr->e_shnum)
		die("%s: the file has no sections", path);
	sections = (void *)(file + ehdr->e_shoff);
	nr_sections = ehdr->e_shnum;
	turn(sections, SHDR_LAYOUT, nr_sections);
	names = (char *)file + sections[ehdr->e_shstrndx].sh_offset;
	for (i = 0; i < nr_sections; i++) {
		Elf64_Shdr *sh = &sections[i];

		if (!strcmp(names + sh->sh_name, ".BTF")) {
			btf_section = sh;
			btf = (void *)(file + sh->sh_offset);
		} else if (!strcmp(names + sh->sh_name, ".rela.BTF")) {
			rela_section = sh;
			rela = (void *)(file + sh->sh_offset);
			nr_rela = nr_rela_built = sh->sh_size / sizeof(*rela);
			turn(rela, RELA_LAYOUT, nr_rela);
		} else if (sh->sh_type == SHT_SYMTAB) {
			syms = (void *)(file + sh->sh_offset);
			nr_syms = sh->sh_size / sizeof(*syms);
			turn(syms, SYM_LAYOUT, nr_syms);
			sym_names = (char *)file + sections[sh->sh_link].sh_offset;
		}
	}
	if (!btf)
		die("%s: no .BTF", path);
	native = *btf;
	turn(&native, "211", 1);
	turn(&native.hdr_len, "4", 5);
	turn_btf(&native);
	if (btf->magic != BTF_MAGIC)
		die("%s: no .BTF", path);
	if (ehdr->e_type == ET_REL && !rela)
		die("%s: no .rela.BTF", path);
}

static uint32_t *types_begin(void)
{
	return (uint32_t *)((uint8_t *)btf + btf->hdr_len + btf->type_off);
}

static uint32_t *types_end(void)
{
	return (uint32_t *)((uint8_t *)types_begin() + btf->type_len);
}

/* Offset of a word in .BTF, as in r_offset of a record's relocation. */
static uint64_t offset_of(const uint32_t *word)
{
	return (const uint8_t *)word - (const uint8_t *)btf;
}

static bool has_record(const uint32_t *t)
{
	return kind_of(t) == FUNC && flag_of(t);
}

static Elf64_Rela *rela_of(const uint32_t *t)
{
	unsigned int i;

	for (i = 0; i < nr_rela; i++)
		if (rela[i].r_offset == offset_of(t + 3))
			return &rela[i];
	return NULL;
}

static unsigned int symbol_index(const char *name)
{
	unsigned int i;

	for (i = 0; i < nr_syms; i++)
		if (!strcmp(sym_names + syms[i].st_name, name))
			return i;
	die("no symbol %s", name);
}

/* Return: a FUNC's name; in split BTF, only the relocation identifies it. */
static const char *name_of(const uint32_t *t)
{
	const Elf64_Rela *r;

	if (!rela)
		return (char *)btf + btf->hdr_len + btf->str_off + t[0];
	r = rela_of(t);
	return r ? sym_names + syms[ELF64_R_SYM(r->r_info)].st_name : "";
}

static uint32_t *find_func(const char *name)
{
	const char *comma = strchr(name, ',');
	size_t len = comma ? (size_t)(comma - name) : strlen(name);
	int nth = comma ? atoi(comma + 1) : 1;
	uint32_t *t, *last = NULL, words;

	for (t = types_begin(); t < types_end(); t += words) {
		words = type_words(t);
		if (!words)
			die("unknown kind %d", kind_of(t));
		if (!has_record(t))
			continue;
		last = t;
		if (!strcmp(name, "@first"))
			return t;
		if (!strncmp(name_of(t), name, len) && !name_of(t)[len] && !--nth)
			return t;
	}
	if (last && !strcmp(name, "@last"))
		return last;
	die("no FUNC %s with an address", name);
}

/* Remove words from the types; the strings move down, and zeros follow them. */
static void take_out(uint32_t *from, uint32_t *to)
{
	uint8_t *strs = (uint8_t *)btf + btf->hdr_len + btf->str_off, *end = strs + btf->str_len;
	uint32_t bytes = (to - from) * sizeof(*to);
	unsigned int i;

	for (i = 0; i < nr_rela; i++)
		if (rela[i].r_offset >= offset_of(to))
			rela[i].r_offset -= bytes;
	memmove(from, to, end - (uint8_t *)to);
	memset(end - bytes, 0, bytes);
	btf->type_len -= bytes;
	btf->str_off -= bytes;
	btf->str_len += bytes;
}

/* Ids are positions: keep references to both types valid after the swap (vmlinux). */
static void swap_ids(uint32_t id)
{
	uint32_t *t, words, i;

	for (t = types_begin(); t < types_end(); t += words) {
		words = type_words(t);
		for (i = 0; i < words; i++)
			if (word_role(t, i) == EDGE && (t[i] == id || t[i] == id + 1))
				t[i] = t[i] == id ? id + 1 : id;
	}
}

/* Swap a type with the next one, which must have no record. */
static void swap_with_next(uint32_t *t)
{
	uint32_t words = type_words(t), *next = t + words, next_words, copy[5];
	Elf64_Rela *r = rela_of(t);

	if (next >= types_end() || has_record(next))
		die("no type follows the FUNC, or a FUNC with an address");
	next_words = type_words(next);
	if (!rela) {
		uint32_t *type, id = 1;

		for (type = types_begin(); type != t; type += type_words(type))
			id++;
		swap_ids(id);
	}
	memcpy(copy, t, words * sizeof(*t));
	memmove(t, next, next_words * sizeof(*t));
	memcpy(t + next_words, copy, words * sizeof(*t));
	if (r)
		r->r_offset += next_words * sizeof(*t);
}

/* The two sections of .BTF change places. */
static void put_strings_first(void)
{
	uint8_t *begin = (uint8_t *)types_begin();
	uint8_t *types = alloc(btf->type_len, 1);
	unsigned int i;

	memcpy(types, begin, btf->type_len);
	memmove(begin, begin + btf->type_len, btf->str_len);
	memcpy(begin + btf->str_len, types, btf->type_len);
	for (i = 0; i < nr_rela; i++)
		rela[i].r_offset += btf->str_len;
	btf->str_off = 0;
	btf->type_off = btf->str_len;
	free(types);
}

/* Only types are left: split BTF may go without strings. */
static void shorten_header(void)
{
	const uint32_t hdr_len = offsetof(struct btf_header, str_len), moved = sizeof(*btf) - hdr_len;
	uint32_t *t, words, i, name = UINT32_MAX;

	if (!rela || btf->hdr_len != sizeof(*btf) || btf->type_off)
		die("not the BTF of an unmodified module");
	/* The base's strings come first. */
	for (t = types_begin(); t < types_end(); t += type_words(t))
		for (i = 3; kind_of(t) == FUNC_PROTO && i < type_words(t); i += 2)
			if (t[i] && t[i] < name)
				name = t[i];
	for (t = types_begin(); t < types_end(); t += words) {
		words = type_words(t);
		for (i = 0; i < words; i++)
			if (word_role(t, i) == NAME && t[i])
				t[i] = name;
	}
	for (i = 0; i < nr_rela; i++)
		rela[i].r_offset -= moved;
	btf->hdr_len = hdr_len;
	btf->str_off = btf->type_len;
	memmove((uint8_t *)btf + hdr_len, btf + 1, btf->type_len);
	btf_section->sh_size = hdr_len + btf->type_len;
}

/* OLD=NEW: offset of the string that was OLD and is NEW. */
static uint32_t replace_string(const char *arg)
{
	const char *new = strchr(arg, '=');
	char *strs = (char *)btf + btf->hdr_len + btf->str_off, *s = strs, *end = s + btf->str_len;

	if (!new++ || strlen(new) >= (size_t)(new - arg))
		die("%s: not OLD=NEW, or NEW is longer", arg);
	while (s < end && (strlen(s) != (size_t)(new - arg - 1) || strncmp(s, arg, strlen(s))))
		s += strlen(s) + 1;
	if (s >= end)
		die("no such string: %s", arg);
	memset(s, 0, strlen(s));
	memcpy(s, new, strlen(new));
	return s - strs;
}

/* --- make ------------------------------------------------------------------- */

struct wanted {
	char *name;
	uint64_t offset;
	uint32_t proto;
};

struct donor {
	uint32_t *t;
	uint32_t id;
};

static char *own_name(const uint32_t *t)
{
	return (char *)btf + btf->hdr_len + btf->str_off + t[0];
}

static int longer_wanted(const void *pa, const void *pb)
{
	const struct wanted *a = pa, *b = pb;
	size_t len_a = strlen(a->name), len_b = strlen(b->name);

	return len_a != len_b ? (len_a < len_b ? 1 : -1) : strcmp(a->name, b->name);
}

static int longer_donor(const void *pa, const void *pb)
{
	const struct donor *a = pa, *b = pb;
	size_t len_a = strlen(own_name(a->t)), len_b = strlen(own_name(b->t));

	return len_a != len_b ? (len_a < len_b ? 1 : -1) : (a->id < b->id ? -1 : 1);
}

/* How often each string is the name of something. */
static uint32_t *count_names(void)
{
	uint32_t *uses = alloc(btf->str_len, sizeof(*uses)), *t, words, i;

	for (t = types_begin(); t < types_end(); t += words) {
		words = type_words(t);
		if (!words)
			die("unknown kind %d", kind_of(t));
		for (i = 0; i < words; i++)
			if (word_role(t, i) == NAME && t[i] < btf->str_len)
				uses[t[i]]++;
	}
	return uses;
}

/* Functions that run at boot, or that no test attaches to: for ACPI and tracepoints. */
static bool is_spare(const uint32_t *t)
{
	static const char *const prefixes[] = {
		"acpi_", "__bpf_trace_", "perf_trace_", "trace_event_raw_", "trace_raw_output_",
		"__traceiter_", "__probestub_",
	};
	const char *name = own_name(t);
	size_t i;

	for (i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return (t[4] >> 16 & 1) && strncmp(name, "func_addr", 9);
}

/* FUNCs that no test needs and whose names are unique, longest name first. */
static struct donor *find_donors(size_t *nr)
{
	struct donor *donors = alloc(btf->type_len / 20 + 1, sizeof(*donors));
	uint32_t *uses = count_names(), *t, id = 1;

	*nr = 0;
	for (t = types_begin(); t < types_end(); t += type_words(t), id++)
		if (has_record(t) && uses[t[0]] == 1 && is_spare(t))
			donors[(*nr)++] = (struct donor){ t, id };
	free(uses);
	qsort(donors, *nr, sizeof(*donors), longer_donor);
	return donors;
}

static struct wanted *read_wanted(const char *path, size_t *nr)
{
	struct wanted *wanted = NULL;
	char name[256], like[256];
	unsigned long long offset;
	FILE *f = fopen(path, "r");

	if (!f)
		die("%s: %s", path, strerror(errno));
	for (*nr = 0; fscanf(f, "%255s %llx %255s", name, &offset, like) == 3; ++*nr) {
		wanted = realloc(wanted, (*nr + 1) * sizeof(*wanted));
		wanted[*nr] = (struct wanted){ strdup(name), offset, find_func(like)[2] };
	}
	if (!feof(f) || !*nr)
		die("%s: line %zu is not \"NAME OFFSET LIKE\"", path, *nr + 1);
	fclose(f);
	qsort(wanted, *nr, sizeof(*wanted), longer_wanted);
	return wanted;
}

static void make_funcs(const char *path)
{
	size_t nr_wanted, nr_donors, i;
	struct wanted *wanted = read_wanted(path, &nr_wanted);
	struct donor *donors = find_donors(&nr_donors);

	for (i = 0; i < nr_wanted; i++) {
		uint32_t *t = donors[i].t;
		char *name = i < nr_donors ? own_name(t) : "";

		if (strlen(name) < strlen(wanted[i].name))
			die("no FUNC to spare has a name as long as %s",
			    wanted[i].name);
		memset(name, 0, strlen(name));
		memcpy(name, wanted[i].name, strlen(wanted[i].name));
		t[2] = wanted[i].proto;
		t[3] = wanted[i].offset;
		t[4] = 0xff000000 | wanted[i].offset >> 32;
		printf("%u %s\n", donors[i].id, wanted[i].name);
	}
}

static void drop_rela(Elf64_Rela *r)
{
	Elf64_Rela gone = *r;

	memmove(r, r + 1, (rela + nr_rela - r - 1) * sizeof(*r));
	rela[--nr_rela] = gone;
	rela_section->sh_size -= sizeof(*r);
}

static void edit_relocation(uint32_t *t, const char *what, const char *arg)
{
	Elf64_Rela *r = rela ? rela_of(t) : NULL;
	uint64_t sym, type;

	if (!r)
		die("no relocation");
	sym = ELF64_R_SYM(r->r_info);
	type = ELF64_R_TYPE(r->r_info);
	if (!strcmp(what, "rela-drop")) {
		drop_rela(r);
		return;
	}
	if (!strcmp(what, "rela-gone")) {
		rela_section->sh_type = SHT_PROGBITS;
		return;
	}
	if (!arg)
		die("%s: a value is missing", what);
	if (!strcmp(what, "rela-offset"))
		r->r_offset = strtoull(arg, NULL, 0);
	else if (!strcmp(what, "rela-addend"))
		r->r_addend = strtoll(arg, NULL, 0);
	else if (!strcmp(what, "rela-type"))
		r->r_info = ELF64_R_INFO(sym, strtoul(arg, NULL, 0));
	else if (!strcmp(what, "rela-symbol"))
		r->r_info = ELF64_R_INFO(*arg >= '0' && *arg <= '9' ?
					 strtoul(arg, NULL, 0) : symbol_index(arg), type);
	else if (!strcmp(what, "rela-like"))
		r->r_offset = rela_of(find_func(arg))->r_offset;
	else
		die("%s: unknown command", what);
}

int main(int argc, char **argv)
{
	const char *what, *arg = argc > 4 ? argv[4] : NULL;
	uint32_t *t;

	if (argc < 4 || argc > 5) {
		fputs("Usage: addr-edit FILE FUNC COMMAND [ARGUMENT]\n", stderr);
		return 2;
	}
	map_file(argv[1]);
	find_sections(argv[1]);
	t = find_func(argv[2]);
	what = argv[3];
	if (!strcmp(what, "plain")) {
		if (rela)
			drop_rela(rela_of(t));
		t[1] &= ~(1U << 31);
		take_out(t + 3, t + 5);
	} else if (!strcmp(what, "swap")) {
		swap_with_next(t);
	} else if (!strcmp(what, "cut")) {
		take_out(t + 4, types_end());
	} else if (!strcmp(what, "short-header")) {
		shorten_header();
	} else if (!strcmp(what, "strings-first")) {
		put_strings_first();
	} else if (!strncmp(what, "rela-", 5)) {
		edit_relocation(t, what, arg);
	} else if (!strcmp(what, "make") && arg && !rela) {
		make_funcs(arg);
	} else if (!arg) {
		die("%s: unknown command, or missing argument", what);
	} else if (!strcmp(what, "offset")) {
		t[3] += strtol(arg, NULL, 0);
	} else if (!strcmp(what, "high")) {
		t[4] = strtoul(arg, NULL, 0);
	} else if (!strcmp(what, "like")) {
		t[3] = find_func(arg)[3];
	} else if (!strcmp(what, "swap-address")) {
		uint32_t *other = find_func(arg), offset = t[3];

		t[3] = other[3];
		other[3] = offset;
	} else if (!strcmp(what, "rename")) {
		t[0] = find_func(arg)[0];
	} else if (!strcmp(what, "type")) {
		t[2] = *arg >= '0' && *arg <= '9' ? strtoul(arg, NULL, 0) : find_func(arg)[2];
	} else if (!strcmp(what, "string")) {
		t[0] = replace_string(arg);
	} else {
		die("%s: unknown command", what);
	}
	turn_all_back();
	return 0;
}
