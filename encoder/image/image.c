// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "image/image.h"
#include "image/compressed.h"
#include "util/memory.h"
#include "util/msg.h"

/* The compression type of zstd; the elf.h of glibc 2.36 does not have it. */
#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

/*
 * A stream cannot inflate to more than 1032 times its size: at best, deflate encodes 258
 * bytes in two bits.  A header that claims more is malformed.
 */
#define ZLIB_MAX_RATIO	1032ULL

/*
 * Limit for the size of a compressed file and of all compressed sections in it, as a multiple of the file's size, or 256
 * MB if that is more.  Those of Debian's 6.12 have 1.3 times the size of the whole file.
 */
#define MAX_UNCOMPRESSED_RATIO	16ULL
#define MIN_MAX_UNCOMPRESSED	(256ULL << 20)

uint64_t image_max_uncompressed;

/* "ZLIB" and the uncompressed size, big endian whatever the file */
#define ZDEBUG_HEADER	12

/* Names of debug sections are shorter, whatever they start with. */
#define ZDEBUG_NAME_MAX	64

/* --- opening ----------------------------------------------------------------------- */

static int map_file(struct image *img)
{
	/* O_NONBLOCK: the open of a pipe without a writer would never return */
	int fd __cleanup(close_fd) = open(img->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	void *map;

	if (fd < 0)
		return msg_fail(-errno, "%s: cannot open: %s", img->path, strerror(errno));
	if (fstat(fd, &st))
		return msg_fail(-errno, "%s: cannot stat: %s", img->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return msg_fail(S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL,
				"%s: is %s, expected an ELF file", img->path,
				S_ISDIR(st.st_mode) ? "a directory" : "not a regular file");
	if (!st.st_size)
		return msg_fail(-EINVAL, "%s: file is empty, expected an ELF file", img->path);
	if ((uint64_t)st.st_size > PTRDIFF_MAX)
		return msg_fail(-EFBIG, "%s: too large to map: %" PRIu64 " bytes", img->path,
				(uint64_t)st.st_size);
	map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return msg_fail(-errno, "%s: cannot map %" PRIu64 " bytes: %s", img->path,
				(uint64_t)st.st_size, strerror(errno));
	img->map = map;
	img->size = st.st_size;
	img->max_uncompressed = image_max_uncompressed ?:
				img->size > MIN_MAX_UNCOMPRESSED / MAX_UNCOMPRESSED_RATIO ?
				img->size * MAX_UNCOMPRESSED_RATIO : MIN_MAX_UNCOMPRESSED;
	return 0;
}

/* Replace the mapping of a compressed file by its bytes. */
static int unpack_file(struct image *img)
{
	uint8_t *bytes;
	size_t size;
	int err;

	img->compressed = compressed_format__find(img->map, img->size);
	if (!img->compressed)
		return 0;
	if (!img->compressed->run)
		return compressed_format__reject(img->compressed, img->path);
	err = compressed_format__unpack(img->compressed, img->path, img->map, img->size,
				    img->max_uncompressed, &bytes, &size);
	if (err)
		return err;
	munmap((void *)img->map, img->size);
	img->map = bytes;
	img->size = size;
	return 0;
}

static void read_section_header(const struct image *img, struct cursor *c, struct section *sec,
				uint32_t *name)
{
	*name = cursor__u32(c);
	sec->type = cursor__u32(c);
	sec->flags = image__word(img, c);
	sec->address = image__word(img, c);
	sec->offset = image__word(img, c);
	sec->size = image__word(img, c);
	sec->link = cursor__u32(c);
	sec->info = cursor__u32(c);
	sec->align = image__word(img, c);
	sec->entry_size = image__word(img, c);
	sec->name = "";
}

/* Find the section headers: @headers is set to the first; @shstrndx is the names' section. */
static int read_elf_header(struct image *img, struct cursor *headers, uint64_t *nr,
			   uint32_t *shstrndx)
{
	const uint8_t *ident = img->map;
	struct section first = { 0 };
	uint32_t shentsize, name;
	struct cursor c;
	uint64_t shoff;
	size_t entry;

	if (img->size < EI_NIDENT || memcmp(ident, ELFMAG, SELFMAG))
		return msg_fail(-EINVAL, "%s: not an ELF file%s", img->path,
				img->compressed ? " if uncompressed" : "");
	if (ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64)
		return msg_fail(-EINVAL,
				"%s: ELF header: class is %u, expected 1 (32-bit) or 2 (64-bit)",
				img->path, ident[EI_CLASS]);
	if (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB)
		return msg_fail(-EINVAL,
				"%s: ELF header: byte order is %u, expected 1 (little) or 2 (big)",
				img->path, ident[EI_DATA]);
	if (ident[EI_VERSION] != EV_CURRENT)
		return msg_fail(-EINVAL, "%s: ELF header: version is %u, expected %u", img->path,
				ident[EI_VERSION], EV_CURRENT);
	/* e_ident determines how everything else is read */
	img->is_64 = ident[EI_CLASS] == ELFCLASS64;
	img->big_endian = ident[EI_DATA] == ELFDATA2MSB;
	img->swap = img->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	c = cursor__new(img->map, img->size, img->swap);
	cursor__skip(&c, EI_NIDENT);
	img->type = cursor__u16(&c);
	img->machine = cursor__u16(&c);
	cursor__u32(&c);		/* e_version */
	image__word(img, &c);		/* e_entry */
	image__word(img, &c);		/* e_phoff */
	shoff = image__word(img, &c);
	cursor__u32(&c);		/* e_flags */
	cursor__u16(&c);		/* e_ehsize */
	cursor__u16(&c);		/* e_phentsize */
	cursor__u16(&c);		/* e_phnum */
	shentsize = cursor__u16(&c);
	*nr = cursor__u16(&c);
	*shstrndx = cursor__u16(&c);
	if (cursor__failed(&c))
		return msg_fail(-EINVAL,
				"%s: ELF header: file has %zu bytes, expected at least %zu",
				img->path, img->size, elf_sizeof(img, Ehdr));
	if (!shoff) {
		if (*nr)
			return msg_fail(-EINVAL, "%s: ELF header: %" PRIu64
					" sections, but no section header table", img->path, *nr);
		return 0;
	}
	entry = elf_sizeof(img, Shdr);
	if (shentsize != entry)
		return msg_fail(-EINVAL,
				"%s: ELF header: section headers of %u bytes, expected %zu",
				img->path, shentsize, entry);
	if (shoff > img->size || img->size - shoff < entry)
		return msg_fail(-EINVAL, "%s: section header table at offset 0x%" PRIx64
				" is past the end of the file (%zu bytes)", img->path, shoff,
				img->size);
	c = cursor__new(img->map + shoff, img->size - shoff, img->swap);
	*headers = c;
	/*
	 * The first section header has numbers that do not fit in the ELF header
	 * (ELF, "Sections": e_shnum 0, e_shstrndx SHN_XINDEX).
	 */
	read_section_header(img, &c, &first, &name);
	if (!*nr)
		*nr = first.size;
	if (*shstrndx == SHN_XINDEX)
		*shstrndx = first.link;
	if (!*nr || *nr > UINT32_MAX || *nr > (img->size - shoff) / entry)
		return msg_fail(-EINVAL,
				"%s: section header table: %" PRIu64 " headers at offset 0x%" PRIx64
				" do not fit in the file (%zu bytes)", img->path, *nr, shoff,
				img->size);
	return 0;
}

static int check_section(const struct image *img, const struct section *sec)
{
	if (sec->type == SHT_NULL || sec->type == SHT_NOBITS)
		return 0;
	if (sec->offset <= img->size && sec->file_size <= img->size - sec->offset)
		return 0;
	return section__error(-EINVAL, img, sec, "offset 0x%" PRIx64 " + size 0x%" PRIx64
			      " is past the end of the file (%zu bytes)", sec->offset,
			      sec->file_size, img->size);
}

/* @shstrndx: index of the section of names; @offsets: by section, of its name */
static int name_sections(struct image *img, uint32_t shstrndx, const uint32_t *offsets)
{
	const struct section *names;
	const uint8_t *nul = NULL;
	const char *text;
	uint64_t end;

	if (shstrndx == SHN_UNDEF)
		return 0;
	if (shstrndx >= img->nr_sections)
		return msg_fail(-EINVAL,
				"%s: section name table is section %u, but there are %zu sections",
				img->path, shstrndx, img->nr_sections);
	names = &img->sections[shstrndx];
	if (check_section(img, names))
		return -EINVAL;
	/*
	 * A name is valid if it starts no later than the table's last NUL.  Searching for
	 * that NUL once, rather than for the end of each name, avoids quadratic time for a
	 * file with many sections that share one huge name.
	 */
	if (names->data)
		nul = memrchr(names->data, 0, names->size);
	if (!nul)
		return msg_fail(-EINVAL, "%s: section [%u]: no section name table: %s", img->path,
				shstrndx, names->data ? "a string is not terminated" : "it has no bytes");
	/* the table may itself be called .zdebug_*, and then loses its bytes below */
	text = (const char *)names->data;
	end = nul - names->data + 1;
	for (size_t i = 1; i < img->nr_sections; i++) {
		struct section *sec = &img->sections[i];

		if (offsets[i] >= end)
			return msg_fail(-EINVAL, "%s: section [%zu]: name at offset 0x%x is past the end of the section name table (%" PRIu64 " bytes)",
					img->path, i, offsets[i], end);
		sec->name = text + offsets[i];
		sec->percpu = !strcmp(sec->name, ".data..percpu");
		if (sec->percpu)
			push(&img->percpu, i);
		if (sec->type == SHT_NOBITS || strncmp(sec->name, ".zdebug_", 8) ||
		    strnlen(sec->name, ZDEBUG_NAME_MAX + 1) > ZDEBUG_NAME_MAX)
			continue;
		sec->owned_name = xasprintf(".%s", sec->name + 2);
		sec->name = sec->owned_name;
		sec->compression = SECTION_ZLIB_GNU;
		sec->data = NULL;
	}
	return 0;
}

static int read_sections(struct image *img)
{
	uint32_t *names __cleanup(free_pointer) = NULL, shstrndx;
	struct cursor c;
	uint64_t nr;
	int err;

	err = read_elf_header(img, &c, &nr, &shstrndx);
	if (err)
		return err;
	/* a file without sections also gets the null section */
	img->nr_sections = nr ?: 1;
	img->sections = xcalloc(img->nr_sections, sizeof(*img->sections));
	names = xcalloc(img->nr_sections, sizeof(*names));
	img->sections[0].name = "";
	if (!nr)
		return 0;
	/* of the first header, only the extended numbers are used */
	cursor__skip(&c, elf_sizeof(img, Shdr));
	for (size_t i = 1; i < nr; i++) {
		struct section *sec = &img->sections[i];

		read_section_header(img, &c, sec, &names[i]);
		sec->index = i;
		if (sec->type == SHT_NULL)
			sec->size = 0;
		if (sec->type == SHT_NULL || sec->type == SHT_NOBITS)
			continue;
		sec->file_size = sec->size;
		if (sec->flags & SHF_COMPRESSED)
			sec->compression = SECTION_COMPRESSED;
		else if (sec->size && sec->offset <= img->size &&
			 sec->size <= img->size - sec->offset)
			sec->data = img->map + sec->offset;
	}
	err = name_sections(img, shstrndx, names);
	/* after the names, so that a message can contain them */
	for (size_t i = 1; !err && i < nr; i++)
		err = check_section(img, &img->sections[i]);
	return err;
}

/* The start of the stream, its compression (ELFCOMPRESS_*) and the uncompressed size. */
static const char *read_compression_header(const struct image *img, const struct section *sec,
					   struct cursor *c, uint32_t *type, uint64_t *size)
{
	*c = cursor__new(img->map + sec->offset, sec->file_size, img->swap);
	if (sec->compression == SECTION_ZLIB_GNU) {
		if (cursor__left(c) < ZDEBUG_HEADER || memcmp(c->p, "ZLIB", 4))
			return "no \"ZLIB\" header";
		cursor__skip(c, 4);
		c->swap = __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__;
		*size = cursor__u64(c);
		*type = ELFCOMPRESS_ZLIB;
		return NULL;
	}
	*type = cursor__u32(c);
	if (img->is_64)
		cursor__u32(c);		/* ch_reserved */
	*size = image__word(img, c);
	image__word(img, c);		/* ch_addralign */
	return cursor__failed(c) ? "too short for a compression header" : NULL;
}

/*
 * Add up the sizes that headers claim, to reject a file that claims too much before
 * uncompressing anything.
 */
static int check_uncompressed(const struct image *img)
{
	uint64_t limit = img->max_uncompressed, sum = img->compressed ? img->size : 0, size;
	struct cursor c;
	uint32_t type;

	for (size_t i = 1; i < img->nr_sections; i++) {
		const struct section *sec = &img->sections[i];

		if (sec->compression == SECTION_PLAIN ||
		    read_compression_header(img, sec, &c, &type, &size))
			continue;
		if (size > limit - sum)
			return section__error(-EFBIG, img, sec, "compressed sections would take more than %" PRIu64 " MB, the file has %zu; --max-uncompressed=MB raises the limit",
					      limit >> 20, img->size >> 20);
		sum += size;
	}
	return 0;
}

int image__open(const char *path, struct image **ret)
{
	struct image *img = xcalloc(1, sizeof(*img));
	int err;

	img->path = xstrdup(path);
	err = map_file(img);
	err = err ?: unpack_file(img);
	err = err ?: read_sections(img);
	err = err ?: check_uncompressed(img);
	if (err) {
		image__close(img);
		return err;
	}
	*ret = img;
	return 0;
}

void image__close(struct image *img)
{
	if (!img)
		return;
	for (size_t i = 0; img->sections && i < img->nr_sections; i++) {
		free(img->sections[i].owned);
		free(img->sections[i].owned_name);
	}
	free(img->sections);
	free(img->percpu.array);
	free(img->code_sections);
	image__close(img->code);
	if (img->map)
		munmap((void *)img->map, img->size);
	free(img->path);
	free(img);
}

int image__check_writable(const struct image *img)
{
	if (!img->compressed)
		return 0;
	return msg_fail(-EINVAL, "%s: is compressed (%s), so BTF cannot be added to it: unpack it first, `%s %s`, or write the BTF to a file (-o)",
			img->path, img->compressed->name, img->compressed->unpack, img->path);
}

int image__is_elf(const char *path)
{
	const struct compressed_format *compressed;
	uint8_t head[COMPRESSED_HEAD];
	struct stat st;
	ssize_t n = 0;
	int fd __cleanup(close_fd) = -1, err = 0;

	/* do not open a pipe: its writer would get SIGPIPE when this function closes it */
	if (stat(path, &st)) {
		err = -errno;
	} else if (S_ISDIR(st.st_mode)) {
		err = -EISDIR;
	} else if (S_ISREG(st.st_mode)) {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		n = fd < 0 ? -1 : pread(fd, head, sizeof(head), 0);
	}
	if (n < 0)
		err = -errno;
	if (err)
		return msg_fail(err, "%s: cannot read: %s", path, strerror(-err));
	if (n >= SELFMAG && !memcmp(head, ELFMAG, SELFMAG))
		return 1;
	compressed = compressed_format__find(head, n);
	return !compressed ? 0 : compressed->run ? 1 : compressed_format__reject(compressed, path);
}

int section__check_entries(const struct image *img, const struct section *sec, size_t size)
{
	if (sec->entry_size == size && sec->size % size == 0)
		return 0;
	return section__error(-EINVAL, img, sec, "0x%" PRIx64 " bytes in entries of %" PRIu64 ", expected entries of %zu",
			      sec->size, sec->entry_size, size);
}

struct section *image__section(const struct image *img, const char *name)
{
	for (size_t i = 1; i < img->nr_sections; i++) {
		if (!strcmp(img->sections[i].name, name))
			return &img->sections[i];
	}
	return NULL;
}

const char *image__no_dwarf(const struct image *img)
{
	return image__section(img, ".gnu.lto_.opts") ?
	       "only the input of gcc's link-time optimization (-flto): link it first, or build with -ffat-lto-objects" :
	       "no debug information (.debug_info): build with -g";
}

bool image__has_bytes(const struct image *img, const char *name)
{
	const struct section *sec = image__section(img, name);

	return sec && sec->type != SHT_NOBITS && sec->size;
}

const struct section *image__first_section(const struct image *img, uint32_t type, uint32_t link)
{
	for (size_t i = 1; i < img->nr_sections; i++)
		if (img->sections[i].type == type && (!link || img->sections[i].link == link))
			return &img->sections[i];
	return NULL;
}

/*
 * Decompression.  Check a claimed size against the compressed bytes before trusting
 * it, so that a tiny section cannot make us allocate all memory.
 */

static int inflate_zlib(const struct image *img, const struct section *sec, struct cursor *c,
			uint64_t size, uint8_t **out)
{
	uint64_t limit = ZLIB_MAX_RATIO * cursor__left(c);
	uLong left = cursor__left(c);
	uLongf got = size;
	int ret;

	if (size > limit || size > PTRDIFF_MAX)
		return section__error(-EINVAL, img, sec, "claims to uncompress to %" PRIu64 " bytes, but %" PRIu64 " bytes expand to at most %" PRIu64,
				      size, sec->file_size, limit);
	*out = xmalloc(size);
	ret = uncompress2(*out, &got, c->p, &left);
	if (ret == Z_MEM_ERROR)
		out_of_memory();
	if (ret == Z_BUF_ERROR)
		return section__error(-EINVAL, img, sec,
				      "zlib data is truncated, or longer than its header claims");
	if (ret != Z_OK)
		return section__error(-EINVAL, img, sec, "zlib data is truncated or damaged");
	if (got != size)
		return section__error(-EINVAL, img, sec,
				      "zlib data is shorter than its header claims");
	if (left != cursor__left(c))
		return section__error(-EINVAL, img, sec, "bytes are left after the zlib data");
	return 0;
}

static int inflate_zstd(const struct image *img, const struct section *sec, struct cursor *c,
			uint64_t size, uint8_t **out)
{
	unsigned long long frame = ZSTD_getFrameContentSize(c->p, cursor__left(c));
	size_t got;

	if (frame == ZSTD_CONTENTSIZE_ERROR)
		return section__error(-EINVAL, img, sec, "not a zstd frame");
	/* a section may be several frames, so the first may be smaller than the section */
	if (frame != ZSTD_CONTENTSIZE_UNKNOWN && frame > size)
		return section__error(-EINVAL, img, sec,
				      "zstd data is longer than its header claims");
	*out = xmalloc(size);
	got = ZSTD_decompress(*out, size, c->p, cursor__left(c));
	if (ZSTD_isError(got))
		return section__error(-EINVAL, img, sec, "zstd data: %s", ZSTD_getErrorName(got));
	if (got != size)
		return section__error(-EINVAL, img, sec,
				      "zstd data is shorter than its header claims");
	return 0;
}

int image__load_section(const struct image *img, struct section *sec)
{
	uint8_t *out __cleanup(free_pointer) = NULL;
	const char *what;
	struct cursor c;
	uint32_t type;
	uint64_t size;
	int err;

	if (sec->compression == SECTION_PLAIN || sec->owned)
		return 0;
	what = read_compression_header(img, sec, &c, &type, &size);
	if (what)
		return section__error(-EINVAL, img, sec, "%s", what);
	if (type == ELFCOMPRESS_ZLIB)
		err = inflate_zlib(img, sec, &c, size, &out);
	else if (type == ELFCOMPRESS_ZSTD)
		err = inflate_zstd(img, sec, &c, size, &out);
	else
		err = section__error(-EINVAL, img, sec,
				     "compression type %u, expected 1 (zlib) or 2 (zstd)", type);
	if (err)
		return err;
	sec->data = size ? out : NULL;
	sec->owned = no_free_ptr(out);
	sec->size = size;
	return 0;
}

bool notes__build_id(struct cursor c, uint64_t align, const uint8_t **note, size_t *size)
{
	while (cursor__left(&c)) {
		const uint8_t *start = c.p;
		uint64_t name_size = cursor__u32(&c);
		uint64_t desc_size = cursor__u32(&c);
		uint32_t type = cursor__u32(&c);
		const uint8_t *name = c.p;
		uint64_t pad;

		pad = -(c.p - start + name_size) & (align - 1);
		cursor__skip(&c, name_size + pad);
		if (!cursor__has(&c, desc_size))
			return false;
		cursor__skip(&c, desc_size);
		if (type == NT_GNU_BUILD_ID && desc_size && name_size == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU))) {
			*note = start;
			*size = c.p - start;
			return true;
		}
		/* the last note need not be padded */
		pad = -(c.p - start) & (align - 1);
		cursor__skip(&c, pad < cursor__left(&c) ? pad : cursor__left(&c));
	}
	return false;
}

bool image__build_id(const struct image *img, const uint8_t **note, size_t *size)
{
	for (size_t i = 1; i < img->nr_sections; i++) {
		const struct section *sec = &img->sections[i];

		/* a linker script that gathers notes may have made PROGBITS of them */
		if (sec->type != SHT_NOTE && strcmp(sec->name, ".notes"))
			continue;
		/* the gABI wants 8 in 64-bit files, but only .note.gnu.property has it */
		if (sec->data && notes__build_id(image__cursor(img, sec), sec->align == 8 ? 8 : 4,
						 note, size))
			return true;
	}
	return false;
}
