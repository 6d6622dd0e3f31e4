// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "btf/elf_edit.h"
#include "btf/sections.h"
#include "image/relocate.h"
#include "util/file.h"
#include "util/memory.h"
#include "util/msg.h"

/* BTF is read as 32-bit words, and section headers contain 64-bit words. */
#define BTF_ALIGN	4
#define TABLE_ALIGN	8

static inline uint64_t align_up(uint64_t n, uint64_t align)
{
	return (n + align - 1) & -align;
}

/* A field of a struct of elf.h in the image's class: its offset, and its size. */
#define OFFSET(img, type, field) \
	((img)->is_64 ? offsetof(Elf64_##type, field) : offsetof(Elf32_##type, field))
#define SIZE(img, type, field) \
	((img)->is_64 ? sizeof(((Elf64_##type *)0)->field) : sizeof(((Elf32_##type *)0)->field))

/* Read a field of the struct at an offset of the image. */
#define LOAD(img, at, type, field) \
	load_number(img, (at) + OFFSET(img, type, field), SIZE(img, type, field))

/* Write a field of the struct at @p. */
#define STORE(img, p, type, field, v) \
	store_number(img, (p) + OFFSET(img, type, field), v, SIZE(img, type, field))

static uint64_t load_number(const struct image *img, uint64_t offset, unsigned int size)
{
	struct cursor c = cursor__new(img->map, img->size, img->swap);

	cursor__skip(&c, offset);
	return cursor__uint(&c, size);
}

static void store_number(const struct image *img, uint8_t *p, uint64_t v, unsigned int size)
{
	for (unsigned int i = 0; i < size; i++)
		p[i] = v >> 8 * (img->big_endian ? size - 1 - i : i);
}

/* Write a section header, except for the name. */
static void store_section(const struct image *img, uint8_t *shdr, const struct section *sec)
{
	STORE(img, shdr, Shdr, sh_type, sec->type);
	STORE(img, shdr, Shdr, sh_flags, sec->flags);
	STORE(img, shdr, Shdr, sh_addr, sec->address);
	STORE(img, shdr, Shdr, sh_offset, sec->offset);
	STORE(img, shdr, Shdr, sh_size, sec->file_size);
	STORE(img, shdr, Shdr, sh_link, sec->link);
	STORE(img, shdr, Shdr, sh_info, sec->info);
	STORE(img, shdr, Shdr, sh_addralign, sec->align);
	STORE(img, shdr, Shdr, sh_entsize, sec->entry_size);
}

static int write_at(int fd, const struct image *img, const void *bytes, size_t size,
			uint64_t offset)
{
	int err = lseek(fd, offset, SEEK_SET) < 0 ? -errno : file__write(fd, bytes, size);

	if (!err)
		return 0;
	return msg_fail(err, "%s: cannot write %zu bytes at offset 0x%" PRIx64 ": %s", img->path,
			size, offset, strerror(-err));
}

/* --- a module's signature ------------------------------------------------------- */

/* MODULE_SIG_STRING and struct module_signature of include/linux/module_signature.h */
#define SIGNATURE_MARK	"~Module signature appended~\n"
#define SIGNATURE_INFO	12

/* Return: the size of the signature at the end of a module, 0 without one. */
static uint64_t signature_size(const struct image *img)
{
	const size_t mark = strlen(SIGNATURE_MARK), end = mark + SIGNATURE_INFO;
	/* the size is big-endian */
	struct cursor c = cursor__new(img->map, img->size,
				      __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	uint64_t size;

	if (img->size < end || memcmp(img->map + img->size - mark, SIGNATURE_MARK, mark))
		return 0;
	cursor__skip(&c, img->size - mark - sizeof(uint32_t));
	size = cursor__u32(&c);
	return size <= img->size - end ? size + end : mark;
}

/* --- sections of an image ------------------------------------------------------ */

#define BTF_SECTION	".BTF"

/* Relocations are read as 64-bit words. */
#define RELA_ALIGN	8

/* Maximum number of zeroes between two neighbours, for alignment. */
#define MAX_GAP		15

static bool ranges_meet(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
	return a_size && b_size && a < b + b_size && b < a + a_size;
}

/*
 * Test whether anything else claims bytes of this section.  Then a header is malformed, and
 * writing the section would destroy other data.
 */
static bool is_shared(const struct image *img, const struct section *sec)
{
	uint64_t table = LOAD(img, 0, Ehdr, e_shoff);
	uint64_t table_size = (uint64_t)img->nr_sections * elf_sizeof(img, Shdr);

	if (ranges_meet(sec->offset, sec->file_size, 0, elf_sizeof(img, Ehdr)) ||
	    ranges_meet(sec->offset, sec->file_size, table, table_size))
		return true;
	for (size_t i = 1; i < img->nr_sections; i++) {
		const struct section *other = &img->sections[i];

		if (other != sec && ranges_meet(sec->offset, sec->file_size,
						other->offset, other->file_size))
			return true;
	}
	return false;
}

/*
 * An allocated .BTF.  Its size cannot change: the linker has put it into __stop_BTF.
 * Zeroes must not follow the data, because the kernel requires header, types and strings to
 * fill it (kernel/bpf/btf.c, btf_check_sec_info()).  But they may follow the last string:
 * the kernel only requires that the first and last byte of the string section are NUL.
 * Therefore, extend the strings to the section's end.
 *
 * The header is in the image's byte order, like all BTF that we write.
 */
static int set_allocated(int fd, const struct image *img, const struct section *sec,
			 const void *bytes, size_t size)
{
	const size_t len_at = offsetof(struct layout_header, str_len);
	struct cursor c = cursor__new(bytes, size, img->swap);
	uint8_t *btf __cleanup(free_pointer) = NULL;
	uint64_t more, str_len;

	if (size > sec->file_size)
		return section__error(-ENOSPC, img, sec, "%zu bytes of BTF do not fit in its %" PRIu64 "; it is allocated, so it cannot grow: write to a file with -o",
				      size, sec->file_size);
	if (is_shared(img, sec))
		return section__error(-EINVAL, img, sec,
				      "other parts of the file claim the same bytes");
	cursor__skip(&c, len_at);
	more = sec->file_size - size;
	str_len = cursor__u32(&c) + more;
	/* the kernel's limit for a string section (btf_parse_str_sec()) */
	if (more && str_len > BTF_MAX_NAME_OFFSET + 1ULL)
		return section__error(-ENOSPC, img, sec, "%zu bytes leave %" PRIu64 " of its %" PRIu64 ", more than the string section can fill; write to a file with -o",
				      size, more, sec->file_size);
	btf = xcalloc(1, sec->file_size);
	memcpy(btf, bytes, size);
	store_number(img, btf + len_at, str_len, sizeof(uint32_t));
	return write_at(fd, img, btf, sec->file_size, sec->offset);
}

/*
 * The pieces of the file that we write, in file order: sections, which have headers in the same
 * order, and the section headers.  A section that is not written is removed: the kernel would
 * use a stale .BTF.base, even an empty one, as the base of a .BTF that has another base
 * (kernel/module/main.c only checks whether the section exists).
 */
enum { PIECE_BTF, PIECE_BASE, PIECE_RELA, PIECE_NAMES, PIECE_HEADERS, NR_PIECES };

/**
 * struct piece - one of them
 * @old:	the section in the input, or NULL
 * @new:	the new section; it is removed if this has no @data
 * @name:	in the new .shstrtab, if @old is NULL
 * @rest:	bytes of its old place that it does not need, which become zeroes
 */
struct piece {
	const struct section	*old;
	struct section		new;
	uint32_t		name;
	uint64_t		rest;
};

/*
 * The end of the file, where everything is written that does not fit in its old place:
 *
 *	| kept ... | .BTF | .BTF.base | .rela.BTF | .shstrtab | section headers |
 *	           ^ tail
 *
 * The tail starts after the last byte that must be kept, if only these five follow
 * (some of them, in any order): then they are rewritten.  If anything else follows, except
 * for a module's signature, the tail starts at the end of the file, and the old headers
 * before it remain as dead bytes.
 */
struct edit {
	const struct image	*img;
	struct piece		pieces[NR_PIECES];
	struct section		headers;	/* the place of the old section headers */
	uint32_t		nr;		/* number of section headers */
	uint64_t		tail;
	uint64_t		end;		/* of the pieces in the tail */
	bool			overwrite;	/* all pieces keep their places */
};

static void edit__destroy(struct edit *edit)
{
	for (int i = 0; i < NR_PIECES; i++)
		free(edit->pieces[i].new.owned);
}

/* Let @p point to each piece before the one with the number @end. */
#define for_each_piece(p, edit, end) \
	for (typeof(&(edit)->pieces[0]) p = (edit)->pieces; p < (edit)->pieces + (end); p++)

/* Find the section headers, their names and the old pieces. */
static int read_layout(struct edit *edit)
{
	const struct image *img = edit->img;
	const struct section *names;
	uint32_t index;

	edit->nr = img->nr_sections;
	edit->headers.offset = LOAD(img, 0, Ehdr, e_shoff);
	edit->headers.file_size = (uint64_t)edit->nr * elf_sizeof(img, Shdr);
	edit->pieces[PIECE_HEADERS].old = &edit->headers;
	index = LOAD(img, 0, Ehdr, e_shstrndx);
	if (index == SHN_XINDEX)
		index = LOAD(img, edit->headers.offset, Shdr, sh_link);
	if (!edit->headers.offset || index == SHN_UNDEF || index >= edit->nr)
		return msg_fail(-EINVAL, "%s: no table of section names, so no %s section can be added; write to a file with -o",
				img->path, BTF_SECTION);
	names = &img->sections[index];
	if (!names->data)
		return section__error(-EINVAL, img, names,
				      "not usable as the table of section names");
	edit->pieces[PIECE_NAMES].old = names;
	for_each_piece(p, edit, PIECE_NAMES) {
		const struct section *old = image__section(img, p->new.name);
		/* but gets here only if it is empty */
		bool may_be_allocated = p == &edit->pieces[PIECE_BTF];

		p->old = old;
		if (old && (old == names || (old->flags & SHF_ALLOC && !may_be_allocated)))
			return section__error(-EINVAL, img, old, "cannot be replaced by BTF");
	}
	return 0;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/*
 * One past the last byte of segments and program headers in the file: debug files keep the program
 * headers of the image that they were split from.
 */
static uint64_t end_of_segments(const struct image *img)
{
	uint64_t offset = LOAD(img, 0, Ehdr, e_phoff);
	uint32_t entry = LOAD(img, 0, Ehdr, e_phentsize);
	uint32_t nr = LOAD(img, 0, Ehdr, e_phnum);
	uint64_t end = elf_sizeof(img, Ehdr);

	if (nr == PN_XNUM)
		nr = LOAD(img, LOAD(img, 0, Ehdr, e_shoff), Shdr, sh_info);
	if (!nr || offset >= img->size)
		return end;
	if ((uint64_t)nr * entry > img->size - offset)
		return img->size;
	for (uint32_t i = 0; i < nr; i++) {
		size_t phdr = offset + (uint64_t)i * entry;
		uint64_t start = LOAD(img, phdr, Phdr, p_offset), last;
		uint64_t size = LOAD(img, phdr, Phdr, p_filesz);

		if (size && !__builtin_add_overflow(start, size, &last))
			end = max_u64(end, last < img->size ? last : img->size);
	}
	return max_u64(end, offset + (uint64_t)nr * entry);
}

/* Extend the tail by a section that is directly before it, and may be rewritten. */
static bool move_into_tail(struct edit *edit, uint64_t kept, const struct section *sec)
{
	uint64_t end = sec->offset + sec->file_size;

	if (!sec->file_size || sec->offset < kept || end > edit->tail ||
	    edit->tail - end > MAX_GAP)
		return false;
	for (uint64_t i = end; i < edit->tail; i++) {
		if (edit->img->map[i])
			return false;
	}
	edit->tail = sec->offset;
	return true;
}

static void find_tail(struct edit *edit)
{
	const struct image *img = edit->img;
	/* one past the last byte that must be kept */
	uint64_t kept = end_of_segments(img);
	bool found;

	for (size_t i = 1; i < img->nr_sections; i++) {
		const struct section *sec = &img->sections[i];
		bool is_ours = false;

		for_each_piece(p, edit, NR_PIECES)
			is_ours |= sec == p->old && !(sec->flags & SHF_ALLOC);
		if (!is_ours && sec->file_size)
			kept = max_u64(kept, sec->offset + sec->file_size);
	}
	/* the end of the file without a signature, whose size may be malformed */
	edit->tail = max_u64(kept, img->size - signature_size(img));
	do {
		found = false;
		for_each_piece(p, edit, NR_PIECES)
			found |= p->old && move_into_tail(edit, kept, p->old);
	} while (found);
	edit->end = edit->tail;
}

/* Test whether any byte of the old section is in the tail, which is rewritten. */
static bool in_tail(const struct edit *edit, const struct section *old)
{
	return old->offset + old->file_size > edit->tail;
}

/* The new table of names: the old one, followed by the names of new sections. */
static int make_names(struct edit *edit)
{
	struct piece *names = &edit->pieces[PIECE_NAMES];
	const struct section *old = names->old;
	uint8_t *bytes = xmalloc(old->size);
	size_t size = old->size;

	memcpy(bytes, old->data, size);
	/* .rela.BTF first: .BTF is its end */
	for (struct piece *p = names; p-- > edit->pieces; ) {
		size_t len = strlen(p->new.name) + 1;
		uint8_t *there;

		if (p->old || !p->new.data)
			continue;
		there = memmem(bytes, size, p->new.name, len);
		if (!there) {
			bytes = xrealloc(bytes, size + len, 1);
			there = memcpy(bytes + size, p->new.name, len);
			size += len;
		}
		p->name = there - bytes;
	}
	names->new = *old;
	names->new.data = names->new.owned = bytes;
	names->new.file_size = size;
	if (size > old->size && (size > UINT32_MAX || old->flags & SHF_ALLOC))
		return section__error(-EINVAL, edit->img, old, "no name can be added to this table; write to a file with -o");
	return 0;
}

static uint8_t *header_of(struct edit *edit, uint32_t index)
{
	return edit->pieces[PIECE_HEADERS].new.owned + (size_t)index * elf_sizeof(edit->img, Shdr);
}

/* Find a header for a new section: an inactive one (gABI: SHT_NULL), or a new last one. */
static uint32_t new_header(struct edit *edit)
{
	static const uint8_t zeroes[sizeof(Elf64_Shdr)];
	uint32_t index;

	for (index = 1; index < edit->nr; index++)
		if (!memcmp(header_of(edit, index), zeroes, elf_sizeof(edit->img, Shdr)))
			return index;
	edit->nr++;
	/* starting with this number, it is in the first section header (see image.c) */
	if (edit->nr >= SHN_LORESERVE)
		STORE(edit->img, header_of(edit, 0), Shdr, sh_size, edit->nr);
	return index;
}

/* The entries of .rela.BTF; only 64-bit files have the type they need. */
static int make_entries(struct edit *edit, const struct btf_bytes *btf)
{
	struct section *rela = &edit->pieces[PIECE_RELA].new;
	uint32_t type = image__reloc_type(edit->img);
	const struct image *img = edit->img;
	uint8_t *p;

	if (!btf->relocs.nr)
		return 0;
	if (!type)
		return msg_fail(-EINVAL, "%s: no 64-bit relocation is known for machine %u",
				img->path, img->machine);
	p = xcalloc(btf->relocs.nr, sizeof(Elf64_Rela));
	rela->data = rela->owned = p;
	rela->file_size = btf->relocs.nr * sizeof(Elf64_Rela);
	for_each(reloc, &btf->relocs) {
		STORE(img, p, Rela, r_offset, reloc->offset);
		STORE(img, p, Rela, r_info, ELF64_R_INFO((uint64_t)reloc->symbol, type));
		p += sizeof(Elf64_Rela);
	}
	return 0;
}

/* Test whether .BTF can be overwritten although it is not at the end, without other changes. */
static bool can_overwrite(const struct edit *edit)
{
	const struct piece *btf = &edit->pieces[PIECE_BTF];

	for_each_piece(p, edit, PIECE_NAMES)
		if (p != btf && (p->old || p->new.data))
			return false;
	return btf->old && !in_tail(edit, btf->old) &&
	       btf->new.file_size <= btf->old->file_size &&
	       btf->old->offset % BTF_ALIGN == 0 && !is_shared(edit->img, btf->old);
}

/* Put a piece in its old place or in the tail. */
static void place_piece(struct edit *edit, struct piece *p)
{
	bool is_names = p == &edit->pieces[PIECE_NAMES];
	const struct section *old = p->old;
	struct section *new = &p->new;

	/* the names only change if they grow */
	if (edit->overwrite ||
	    (is_names && !in_tail(edit, old) && new->file_size == old->file_size)) {
		new->offset = old->offset;
		p->rest = old->file_size - new->file_size;
		return;
	}
	new->offset = is_names ? edit->end : align_up(edit->end, new->align);
	edit->end = new->offset + new->file_size;
}

/* Make the new section headers, which contain the places of the sections. */
static void make_headers(struct edit *edit)
{
	struct section *headers = &edit->pieces[PIECE_HEADERS].new;
	const struct image *img = edit->img;

	/* with space for ours */
	headers->owned = xcalloc(edit->nr + (size_t)PIECE_NAMES, elf_sizeof(img, Shdr));
	headers->data = memcpy(headers->owned, img->map + edit->headers.offset,
			       edit->headers.file_size);
	headers->align = TABLE_ALIGN;
	/* sections are referred to by number, so only the last headers can be removed */
	for (struct piece *p = &edit->pieces[PIECE_NAMES]; p-- > edit->pieces; ) {
		if (!p->old || p->new.data)
			continue;
		memset(header_of(edit, p->old->index), 0, elf_sizeof(img, Shdr));
		edit->nr -= p->old->index + 1 == edit->nr && edit->nr <= SHN_LORESERVE;
	}
	for_each_piece(p, edit, PIECE_HEADERS) {
		if (!p->new.data)
			continue;
		place_piece(edit, p);
		p->new.index = p->old ? p->old->index : new_header(edit);
		if (p == &edit->pieces[PIECE_RELA])
			p->new.info = edit->pieces[PIECE_BTF].new.index;
		store_section(img, header_of(edit, p->new.index), &p->new);
		if (!p->old)
			STORE(img, header_of(edit, p->new.index), Shdr, sh_name, p->name);
	}
	headers->file_size = (uint64_t)edit->nr * elf_sizeof(img, Shdr);
	place_piece(edit, &edit->pieces[PIECE_HEADERS]);
}

static int write_piece(int fd, const struct image *img, const struct piece *p)
{
	const struct section *new = &p->new;
	uint8_t *zeroes __cleanup(free_pointer) = xcalloc(1, p->rest);
	int err = write_at(fd, img, new->data, new->file_size, new->offset);

	return err ?: write_at(fd, img, zeroes, p->rest, new->offset + new->file_size);
}

static int write_pieces(const struct edit *edit, int fd)
{
	const struct image *img = edit->img;
	uint8_t ehdr[sizeof(Elf64_Ehdr)];
	int err = 0;

	if (!img->is_64 && edit->end > UINT32_MAX)
		return msg_fail(-EFBIG, "%s: with %" PRIu64 " bytes of BTF, it would exceed 4 GiB, the limit of 32-bit ELF files; write to a file with -o",
				img->path, edit->pieces[PIECE_BTF].new.file_size);
	/* truncate first, so that gaps between the pieces read as zeroes */
	if (ftruncate(fd, edit->tail))
		return msg_fail(-errno, "%s: cannot truncate a copy: %s", img->path, strerror(errno));
	for_each_piece(p, edit, NR_PIECES)
		if (!err && p->new.data)
			err = write_piece(fd, img, p);
	memcpy(ehdr, img->map, elf_sizeof(img, Ehdr));
	STORE(img, ehdr, Ehdr, e_shoff, edit->pieces[PIECE_HEADERS].new.offset);
	STORE(img, ehdr, Ehdr, e_shnum, edit->nr < SHN_LORESERVE ? edit->nr : 0);
	return err ?: write_at(fd, img, ehdr, elf_sizeof(img, Ehdr), 0);
}

int elf_edit__check(const struct image *img, bool strip_signature)
{
	const struct section *btf = image__section(img, BTF_SECTION);
	const struct section *ext = image__section(img, ".BTF.ext");

	if (ext && ext->file_size)
		return section__error(-EINVAL, img, ext, "refers to the current %s of this BPF object; write to a file with -o",
				      BTF_SECTION);
	for (size_t i = 1; btf && i < img->nr_sections; i++) {
		const struct section *sec = &img->sections[i];

		/* a table that is called .rela.BTF is replaced, too */
		if ((sec->type == SHT_REL || sec->type == SHT_RELA) && sec->file_size &&
		    sec->info == btf->index && sec != image__section(img, ".rela.BTF"))
			return section__error(-EINVAL, img, sec, "contains relocations of the current %s; write to a file with -o",
					      BTF_SECTION);
	}
	if (!strip_signature && signature_size(img))
		return msg_fail(-EINVAL, "%s: is signed, and a signature does not fit another file: remove it with `abtf encode --strip-signature`, and sign the module again, or write to a file with -o",
				img->path);
	return 0;
}

int elf_edit__set_btf(int fd, const struct image *img, const struct btf_bytes *new)
{
	const struct section *symtab = image__first_section(img, SHT_SYMTAB, 0), *old;
	struct edit edit __cleanup(edit__destroy) = { .img = img, .pieces = {
		[PIECE_BTF] = { .new = { .name = BTF_SECTION, .data = new->bytes,
			.file_size = new->size, .type = SHT_PROGBITS, .align = BTF_ALIGN } },
		[PIECE_BASE] = { .new = { .name = ".BTF.base", .data = new->base,
			.file_size = new->base_size, .type = SHT_PROGBITS, .align = BTF_ALIGN } },
		[PIECE_RELA] = { .new = { .name = ".rela.BTF", .type = SHT_RELA, .align = RELA_ALIGN,
			.flags = SHF_INFO_LINK, .link = symtab ? symtab->index : 0,
			.entry_size = sizeof(Elf64_Rela) } },
	} };
	int err;

	/* an empty allocated section is only a place in the linker script */
	old = image__section(img, BTF_SECTION);
	if (old && old->flags & SHF_ALLOC && old->size) {
		if (!new->relocs.nr && !new->base)
			return set_allocated(fd, img, old, new->bytes, new->size);
		return section__error(-EINVAL, img, old, "is allocated, and cannot get relocations or a distilled base");
	}

	err = read_layout(&edit);
	if (err)
		return err;
	find_tail(&edit);
	err = make_entries(&edit, new);
	err = err ?: make_names(&edit);
	if (err)
		return err;
	edit.overwrite = can_overwrite(&edit);
	make_headers(&edit);
	return write_pieces(&edit, fd);
}

/* --- a separate file with BTF --------------------------------------------------- */

/*
 * The small file:
 *
 *	ELF header | .note.gnu.build-id | .BTF | .shstrtab | section headers
 *
 * It is relocatable, because it has no code and no segments; libbpf and bpftool only look
 * for the section.
 */
uint8_t *elf_edit__wrap(const struct image *img, const void *bytes, size_t size, size_t *ret_size)
{
	static const char names[] = "\0.BTF\0.note.gnu.build-id\0.shstrtab";
	struct section sections[] = {
		{ .name = ".note.gnu.build-id", .type = SHT_NOTE, .flags = SHF_ALLOC, .align = 4 },
		{ .name = BTF_SECTION, .type = SHT_PROGBITS, .align = BTF_ALIGN,
		  .data = bytes, .file_size = size },
		{ .name = ".shstrtab", .type = SHT_STRTAB, .align = 1,
		  .data = (const uint8_t *)names, .file_size = sizeof(names) },
	}, *sec = sections, *end = sections + ARRAY_SIZE(sections);
	uint64_t offset = elf_sizeof(img, Ehdr), table;
	uint8_t *file, *shdr;
	uint32_t nr;

	/* without a note, omit the section */
	if (image__build_id(img, &sec->data, &size))
		sec->file_size = size;
	else
		sec++;
	nr = 1 + end - sec;
	for (struct section *s = sec; s < end; s++) {
		s->offset = align_up(offset, s->align);
		offset = s->offset + s->file_size;
	}
	table = align_up(offset, TABLE_ALIGN);
	*ret_size = table + nr * elf_sizeof(img, Shdr);
	file = xcalloc(1, *ret_size);

	/* class, byte order, machine and e_flags are from the image's header */
	memcpy(file, img->map, EI_NIDENT);
	STORE(img, file, Ehdr, e_type, ET_REL);
	STORE(img, file, Ehdr, e_machine, img->machine);
	STORE(img, file, Ehdr, e_version, EV_CURRENT);
	STORE(img, file, Ehdr, e_shoff, table);
	STORE(img, file, Ehdr, e_flags, LOAD(img, 0, Ehdr, e_flags));
	STORE(img, file, Ehdr, e_ehsize, elf_sizeof(img, Ehdr));
	STORE(img, file, Ehdr, e_shentsize, elf_sizeof(img, Shdr));
	STORE(img, file, Ehdr, e_shnum, nr);
	STORE(img, file, Ehdr, e_shstrndx, nr - 1);
	/* the first header is empty */
	for (shdr = file + table; sec < end; sec++) {
		const char *name = memmem(names, sizeof(names), sec->name, strlen(sec->name) + 1);

		shdr += elf_sizeof(img, Shdr);
		store_section(img, shdr, sec);
		STORE(img, shdr, Shdr, sh_name, name - names);
		memcpy(file + sec->offset, sec->data, sec->file_size);
	}
	return file;
}
