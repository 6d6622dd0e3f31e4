// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <lzma.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "image/compressed.h"
#include "util/macros.h"
#include "util/memory.h"
#include "util/msg.h"

/* --- decompression ---------------------------------------------------------------- */

/**
 * struct unpacker - the state of a decompression
 * @in:		the rest of the file, @left bytes
 * @out:	the result; @size bytes were written, and it has @room for more
 * @limit:	for @room
 */
struct unpacker {
	const uint8_t	*in;
	size_t		left;
	uint8_t		*out;
	size_t		size;
	size_t		room;
	uint64_t	limit;
};

#define FIRST_ROOM	(16UL << 20)

static const char too_large[] = "", truncated[] = "is truncated", damaged[] = "is damaged";

/* Return: NULL, or @too_large. */
static const char *make_room(struct unpacker *u)
{
	size_t room = u->room ? 2 * u->room : FIRST_ROOM;
	void *out;

	if (u->size < u->room)
		return NULL;
	room = room < u->limit ? room : u->limit;
	if (room <= u->room)
		return too_large;
	out = u->out ? mremap(u->out, u->room, room, MREMAP_MAYMOVE) :
		       mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (out == MAP_FAILED)
		out_of_memory();
	u->out = out;
	u->room = room;
	return NULL;
}

static void set_position(struct unpacker *u, const void *in, const void *out)
{
	u->left -= (const uint8_t *)in - u->in;
	u->in = in;
	u->size = (const uint8_t *)out - u->out;
}

/* A file may be several streams, one after the other. */
static const char *unpack_gzip(struct unpacker *u)
{
	z_stream z = {};
	const char *what = NULL;
	int ret = Z_OK;

	/* 16: with a gzip header */
	if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
		out_of_memory();
	while ((u->left || ret != Z_STREAM_END) && !what) {
		what = make_room(u);
		if (what)
			break;
		z.next_in = (Bytef *)u->in;
		z.avail_in = u->left < UINT_MAX ? u->left : UINT_MAX;
		z.next_out = u->out + u->size;
		z.avail_out = u->room - u->size < UINT_MAX ? u->room - u->size : UINT_MAX;
		ret = inflate(&z, Z_NO_FLUSH);
		set_position(u, z.next_in, z.next_out);
		if (ret == Z_STREAM_END)
			inflateReset(&z);
		else if (ret != Z_OK)
			what = ret == Z_BUF_ERROR ? truncated : damaged;
	}
	inflateEnd(&z);
	return what;
}

/* xz -9 takes 65 MB. */
#define XZ_MEMORY	(256UL << 20)

static const char *unpack_xz(struct unpacker *u)
{
	lzma_stream z = LZMA_STREAM_INIT;
	lzma_ret ret = lzma_stream_decoder(&z, XZ_MEMORY, LZMA_CONCATENATED);
	const char *what = NULL;

	while (ret == LZMA_OK && !what) {
		what = make_room(u);
		if (what)
			break;
		z.next_in = u->in;
		z.avail_in = u->left;
		z.next_out = u->out + u->size;
		z.avail_out = u->room - u->size;
		ret = lzma_code(&z, LZMA_FINISH);
		set_position(u, z.next_in, z.next_out);
	}
	lzma_end(&z);
	if (ret == LZMA_MEM_ERROR)
		out_of_memory();
	if (ret == LZMA_MEMLIMIT_ERROR)
		return "needs more than 256 MB of memory";
	if (what || ret == LZMA_STREAM_END)
		return what;
	return ret == LZMA_BUF_ERROR ? truncated : damaged;
}

static const char *unpack_zstd(struct unpacker *u)
{
	ZSTD_DStream *z = ZSTD_createDStream();
	const char *what = NULL;
	size_t ret = 1;

	if (!z)
		out_of_memory();
	while ((u->left || ret) && !what) {
		ZSTD_inBuffer in = { u->in, u->left, 0 };
		ZSTD_outBuffer out;

		what = make_room(u);
		if (what)
			break;
		out = (ZSTD_outBuffer){ u->out, u->room, u->size };
		ret = ZSTD_decompressStream(z, &out, &in);
		set_position(u, u->in + in.pos, u->out + out.pos);
		if (ZSTD_isError(ret))
			what = ZSTD_getErrorName(ret);
		else if (ret && !u->left && u->size < u->room)
			what = truncated;
	}
	ZSTD_freeDStream(z);
	return what;
}

/* --- formats ---------------------------------------------------------------------- */

static const char boot_image[] = "is a boot image, without symbols and debug information: use the vmlinux of the distribution's debug package (--running finds it)";
static const char bitcode[] = "is LLVM bitcode (clang -flto), expected an ELF file: link it first";

static const struct compressed_format formats[] = {
	/* x86, arm64, RISC-V and ARM (Documentation/arch), and any EFI program */
	{ 0x202, "HdrS", 4, .reason = boot_image },
	{ 0x38, "ARM\x64", 4, .reason = boot_image },
	{ 0x38, "RSC\x05", 4, .reason = boot_image },
	{ 0x24, "\x18\x28\x6f\x01", 4, .reason = boot_image },
	{ 0, "MZ", 2, .reason = boot_image },
	{ 0, "BC\xc0\xde",	  4, .reason = bitcode },
	{ 0, "\xde\xc0\x17\x0b", 4, .reason = bitcode },
	{ 0, "\xfd" "7zXZ\0",	  6, NULL, "xz",    "xz -dk", unpack_xz },
	{ 0, "\x28\xb5\x2f\xfd", 4, NULL, "zstd",  "zstd -d", unpack_zstd },
	{ 0, "\x1f\x8b",	  2, NULL, "gzip",  "gzip -dk", unpack_gzip },
	{ 0, "BZh",		  3, NULL, "bzip2", "bzip2 -dk", NULL },
	{ 0, "\x5d\0\0",	  3, NULL, "lzma",  "xz -dk --format=lzma", NULL },
	{ 0, "\x04\x22\x4d\x18", 4, NULL, "lz4",   "lz4 -d", NULL },
	{ 0, "\x89LZO",		  4, NULL, "lzop",  "lzop -d", NULL },
};

const char *const compressed_suffixes[NR_COMPRESSED_SUFFIXES] = {
	"", ".gz", ".xz", ".zst", ".bz2", ".lzma", ".lz4", ".lzo",
};

const char *compressed_suffix(const char *path)
{
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < NR_COMPRESSED_SUFFIXES; i++)
		if (!strcmp(dot, compressed_suffixes[i]))
			return dot;
	return path + strlen(path);
}

const struct compressed_format *compressed_format__find(const uint8_t *head, size_t size)
{
	const struct compressed_format *f = formats, *end = f + ARRAY_SIZE(formats);

	while (f < end && (size < f->at + f->len || memcmp(head + f->at, f->magic, f->len)))
		f++;
	return f < end ? f : NULL;
}

int compressed_format__reject(const struct compressed_format *f, const char *path)
{
	if (f->reason)
		return msg_fail(-EINVAL, "%s: %s", path, f->reason);
	return msg_fail(-EINVAL, "%s: is compressed (%s), expected an ELF file: unpack it first, `%s %s`",
			path, f->name, f->unpack, path);
}

int compressed_format__unpack(const struct compressed_format *f, const char *path, const uint8_t *bytes,
			  size_t nr, uint64_t limit, uint8_t **ret, size_t *size)
{
	struct unpacker u = { .in = bytes, .left = nr, .limit = limit };
	const char *what = f->run(&u);
	size_t page = sysconf(_SC_PAGESIZE);
	size_t used = (u.size + page - 1) & -page, room = (u.room + page - 1) & -page;

	/* munmap() of @size bytes must not leave the rest */
	if (what)
		used = 0;
	if (used < room)
		munmap(u.out + used, room - used);
	*ret = used ? u.out : NULL;
	*size = used ? u.size : 0;
	if (what == too_large)
		return msg_fail(-EFBIG, "%s: would take more than %" PRIu64 " MB uncompressed, the file has %zu; --max-uncompressed=MB raises the limit",
				path, limit >> 20, nr >> 20);
	if (what)
		return msg_fail(-EINVAL, "%s: its %s data: %s", path, f->name, what);
	if (!used)
		return msg_fail(-EINVAL, "%s: is empty if uncompressed, expected an ELF file", path);
	return 0;
}
