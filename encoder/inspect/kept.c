// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inspect/kept.h"
#include "types/hash.h"
#include "util/memory.h"
#include "util/msg.h"
#include "version.h"

/* Increment whenever the layout of the block or the meaning of its contents changes. */
#define VERSION		4U
#define BYTE_ORDER_MARK	0x01020304U

/* More than any kernel's: what is larger is not even read. */
#define MAX_BLOCK	(1UL << 30)

void kept_header__init(struct kept_header *h, const struct build_id *id)
{
	*h = (struct kept_header){
		.magic = "abtfkept", .version = VERSION, .byte_order = BYTE_ORDER_MARK,
		.program = ABTF_VERSION, .id_size = id->size,
	};
	memcpy(h->id, id->bytes, id->size);
}

uint64_t kept_header__check(const struct kept_header *h, size_t size)
{
	const size_t start = offsetof(struct kept_header, btf_size);

	return hash_bytes((const char *)h + start, size - start);
}

/* The XDG Base Directory Specification: a relative path counts as none. */
char *kept__path(const struct build_id *id)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char hex[BUILD_ID_HEX], *path;
	int len = -1;

	build_id__hex(id, hex);
	if (cache && *cache == '/')
		len = asprintf(&path, "%s/abtf/%s.functions", cache, hex);
	else if (home && *home == '/')
		len = asprintf(&path, "%s/.cache/abtf/%s.functions", home, hex);
	return len < 0 ? NULL : path;
}

/* Sizes that add up, and the sum of what they add up to. */
static bool is_whole(const struct kept_header *h, size_t size)
{
	uint64_t parts;

	if (h->btf_size > MAX_BLOCK || h->strs_size > MAX_BLOCK || h->btf_size % 4)
		return false;
	parts = (uint64_t)h->nr_decls * sizeof(struct kept_decl) +
		(uint64_t)h->nr_inlined * sizeof(struct kept_inlined) +
		(uint64_t)h->nr_symbols * sizeof(struct kept_symbol) + h->btf_size +
		h->nr_decls + h->strs_size;
	return parts == size - sizeof(*h) && h->strs_size &&
	       h->check == kept_header__check(h, size);
}

static int parse_kept(struct kept *kept, const struct build_id *id)
{
	const struct kept_header *h = kept->block;
	struct kept_header expected;
	const uint8_t *btf;

	kept_header__init(&expected, id);
	if (kept->size < sizeof(*h) || memcmp(h, &expected, offsetof(struct kept_header, check)) ||
	    !is_whole(h, kept->size))
		return -ENOENT;
	kept->decls = (const struct kept_decl *)(h + 1);
	kept->nr_decls = h->nr_decls;
	kept->inlined = (const struct kept_inlined *)(kept->decls + h->nr_decls);
	kept->nr_inlined = h->nr_inlined;
	kept->symbols = (const struct kept_symbol *)(kept->inlined + h->nr_inlined);
	kept->nr_symbols = h->nr_symbols;
	btf = (const uint8_t *)(kept->symbols + h->nr_symbols);
	kept->verdicts = btf + h->btf_size;
	kept->strs = (const char *)kept->verdicts + h->nr_decls;
	kept->strs_size = h->strs_size;
	if (kept->strs[h->strs_size - 1])
		return -ENOENT;
	kept->left_out = kept__string(kept, h->left_out);
	return btf_data__parse(btf, h->btf_size, "what is kept of the kernel", NULL, &kept->btf) ?
	       -ENOENT : 0;
}

int kept__open(void *block, size_t size, const struct build_id *id, struct kept **ret)
{
	struct kept *kept = xcalloc(1, sizeof(*kept));
	int err = kept ? 0 : -ENOMEM;

	*ret = NULL;
	if (!kept) {
		free(block);
		return err;
	}
	kept->block = block;
	kept->size = size;
	err = parse_kept(kept, id);
	if (err)
		kept__free(kept);
	else
		*ret = kept;
	return err;
}

static void *read_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t len = 0;
	char *bytes = NULL;
	struct stat st;
	ssize_t n;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 &&
	    (size_t)st.st_size <= MAX_BLOCK)
		bytes = xmalloc(st.st_size);
	while (bytes && len < (size_t)st.st_size) {
		n = read(fd, bytes + len, st.st_size - len);
		if (n <= 0)
			break;
		len += n;
	}
	if (fd >= 0)
		close(fd);
	*size = len;
	return bytes;
}

int kept__read(const struct build_id *id, struct kept **ret)
{
	char *path = kept__path(id);
	void *block;
	size_t size;
	int err;

	*ret = NULL;
	block = path ? read_file(path, &size) : NULL;
	err = block ? kept__open(block, size, id, ret) : -ENOENT;
	if (block && err == -ENOENT)
		msg_info("%s: not good, made anew", path);
	free(path);
	return err;
}

enum kprobe_verdict kept__verdict(const struct kept *kept, uint32_t id)
{
	uint32_t at = id - kept->btf->first_id;

	return at < kept->nr_decls && kept->verdicts[at] < NR_KPROBE_VERDICTS ?
	       kept->verdicts[at] : KPROBE_UNKNOWN;
}

const char *kept__string(const struct kept *kept, uint32_t offset)
{
	return offset && offset < kept->strs_size ? kept->strs + offset : NULL;
}

void kept__free(struct kept *kept)
{
	if (!kept)
		return;
	btf_data__free(kept->btf);
	free(kept->block);
	free(kept);
}
