// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/sections.h"
#include "btf/read.h"
#include "util/memory.h"
#include "util/msg.h"

/* kind, kind_flag and vlen; the kernel rejects all other bits (BTF_INFO_MASK) */
#define INFO_MASK	0x9f00ffffU

/* Test whether the magic, which is not swapped, indicates the other byte order. */
static bool is_swapped(const struct layout_header *hdr)
{
	return hdr->magic != BTF_MAGIC;
}

static int parse_magic(const uint8_t *bytes, size_t size, const char *subject, uint16_t *magic)
{
	if (size < BTF_HEADER_MIN)
		return msg_fail(-EINVAL, "%s: BTF of %zu bytes, expected a header of at least %zu",
				subject, size, BTF_HEADER_MIN);
	memcpy(magic, bytes, sizeof(*magic));
	if (*magic == BTF_MAGIC || *magic == __builtin_bswap16(BTF_MAGIC))
		return 0;
	return msg_fail(-EINVAL,
			"%s: BTF magic is %02x %02x, expected 9f eb (little endian) or eb 9f",
			subject, bytes[0], bytes[1]);
}

/* Split BTF may have no strings at all; any other BTF has at least "". */
static int check_strings(const uint8_t *strs, const struct layout_header *hdr,
			 const char *subject, bool split)
{
	if (!hdr->str_len && split)
		return 0;
	if (!hdr->str_len || (!split && strs[0]))
		return msg_fail(-EINVAL, "%s: BTF string section does not start with an empty string (" NEEDS_BASE ")",
				subject);
	if (strs[hdr->str_len - 1])
		return msg_fail(-EINVAL,
				"%s: BTF string section of %u bytes does not end with a NUL",
				subject, hdr->str_len);
	return 0;
}

/*
 * The kernel rejects any byte after the strings.  Accept zeroes, which pad a section
 * that could not shrink, and anything if a longer header may describe an unknown
 * section.  Other bytes are not BTF.
 */
static int check_tail(const uint8_t *tail, size_t size, const struct layout_header *hdr,
		      const char *subject)
{
	if (hdr->hdr_len > sizeof(struct layout_header))
		return 0;
	for (size_t i = 0; i < size; i++) {
		if (!tail[i])
			continue;
		return msg_fail(-EINVAL, "%s: BTF has data 0x%02x %zu bytes after its strings, expected the end",
				subject, tail[i], i);
	}
	return 0;
}

/*
 * The layout section must be between types and strings, which libbpf
 * (btf_parse_hdr()) and the kernel also require.  We do not use it, but its entries
 * for known kinds must be correct, because readers that do not know these kinds use it.
 */
static int check_layout(const uint8_t *bytes, const struct layout_header *hdr, const char *subject)
{
	uint64_t end = (uint64_t)hdr->layout_off + hdr->layout_len;
	uint32_t nr = hdr->layout_len / sizeof(struct kind_layout), kind;

	if (!hdr->layout_len)
		return 0;
	if (hdr->layout_off % 4 || hdr->layout_len % sizeof(struct kind_layout) ||
	    hdr->layout_off < (uint64_t)hdr->type_off + hdr->type_len || end > hdr->str_off)
		return msg_fail(-EINVAL, "%s: BTF layout section at %u (%u bytes), expected entries of 4 bytes between types and strings",
				subject, hdr->layout_off, hdr->layout_len);
	bytes += hdr->hdr_len + hdr->layout_off;
	for (kind = 0; kind < nr && kind < NR_BTF_KINDS; kind++, bytes += 4) {
		const struct kind_layout known = kind_layout(kind);

		if (bytes[0] == known.info_sz && bytes[1] == known.elem_sz)
			continue;
		return msg_fail(-EINVAL, "%s: BTF layout section: %s is followed by %u bytes and %u for each element, expected %u and %u",
				subject, btf_kind__name(kind), bytes[0], bytes[1], known.info_sz,
				known.elem_sz);
	}
	return 0;
}

static int parse_header(const uint8_t *bytes, size_t size, const char *subject, bool split,
			bool is_part, struct layout_header *hdr)
{
	struct cursor c;
	uint64_t type_end, str_end;
	int err;

	err = parse_magic(bytes, size, subject, &hdr->magic);
	if (err)
		return err;

	c = cursor__new(bytes, size, is_swapped(hdr));
	cursor__skip(&c, sizeof(uint16_t));
	hdr->version = cursor__u8(&c);
	hdr->flags = cursor__u8(&c);
	hdr->hdr_len = cursor__u32(&c);
	hdr->type_off = cursor__u32(&c);
	hdr->type_len = cursor__u32(&c);
	hdr->str_off = cursor__u32(&c);
	hdr->str_len = cursor__u32(&c);
	if (hdr->hdr_len >= sizeof(struct layout_header)) {
		hdr->layout_off = cursor__u32(&c);
		hdr->layout_len = cursor__u32(&c);
	}
	type_end = (uint64_t)hdr->type_off + hdr->type_len;
	str_end = (uint64_t)hdr->str_off + hdr->str_len;

	if (hdr->version != BTF_VERSION || hdr->flags)
		return msg_fail(-EINVAL,
				"%s: BTF version %u, flags 0x%x, expected version %u without flags",
				subject, hdr->version, hdr->flags, BTF_VERSION);
	if (hdr->hdr_len < BTF_HEADER_MIN || hdr->hdr_len > size)
		return msg_fail(-EINVAL, "%s: BTF header of %u bytes, expected %zu to %zu", subject,
				hdr->hdr_len, BTF_HEADER_MIN, size);
	if (hdr->hdr_len % 4 || hdr->type_off % 4 || hdr->type_len % 4)
		return msg_fail(-EINVAL, "%s: BTF types at %u+%u, %u bytes: not a multiple of 4",
				subject, hdr->hdr_len, hdr->type_off, hdr->type_len);
	if (type_end > hdr->str_off || str_end > size - hdr->hdr_len)
		return msg_fail(-EINVAL, "%s: BTF types at %u (%u bytes), strings at %u (%u bytes), expected types before strings within %zu bytes",
				subject, hdr->type_off, hdr->type_len, hdr->str_off, hdr->str_len,
				size - hdr->hdr_len);
	err = check_layout(bytes, hdr, subject);
	if (err)
		return err;
	bytes += hdr->hdr_len;
	size -= hdr->hdr_len;
	err = check_strings(bytes + hdr->str_off, hdr, subject, split);
	if (err || is_part)
		return err;
	return check_tail(bytes + str_end, size - str_end, hdr, subject);
}

static void set_sections(struct btf_data *btf, const uint8_t *bytes,
			 const struct layout_header *hdr, bool copy)
{
	size_t size = hdr->hdr_len + (size_t)hdr->str_off + hdr->str_len;

	btf->types_len = hdr->type_len;
	btf->types_start = hdr->hdr_len + hdr->type_off;
	btf->strs_len = hdr->str_len;
	btf->layout_len = hdr->layout_len;
	if (copy || is_swapped(hdr) || (uintptr_t)bytes % sizeof(uint32_t)) {
		btf->owned = xmalloc(size);
		bytes = memcpy(btf->owned, bytes, size);
	}
	/* nothing writes to the caller's bytes */
	btf->types = (uint8_t *)bytes + btf->types_start;
	btf->strs = (const char *)bytes + hdr->hdr_len + hdr->str_off;
	if (btf->layout_len)
		btf->layout = (void *)(bytes + hdr->hdr_len + hdr->layout_off);
	if (is_swapped(hdr)) {
		btf_swap__words(btf->types, btf->types_len);
		btf_swap__layout(btf->layout, btf->layout_len);
	}
}

/* Find the start of each type; btf_data__validate() checks the types. */
static int index_types(struct btf_data *btf, const char *subject)
{
	size_t max = btf->types_len / sizeof(struct btf_type);
	size_t off = 0;

	btf->index = xmalloc(max * sizeof(*btf->index));
	while (off < btf->types_len) {
		const struct btf_type *t = (const void *)(btf->types + off);
		uint32_t id = btf->first_id + btf->nr_types;
		size_t left = btf->types_len - off;
		int size;

		if (left < sizeof(*t))
			return msg_fail(-EINVAL, "%s: type %u at offset 0x%zx: %zu bytes are left, a type takes at least %zu",
					subject, id, off, left, sizeof(*t));
		size = btf_data__type_size(t);
		if (size < 0 || t->info & ~INFO_MASK)
			return msg_fail(-EINVAL, "%s: type %u at offset 0x%zx: info is 0x%08x, expected a kind of 1 to %d and no unknown bits",
					subject, id, off, t->info, NR_BTF_KINDS - 1);
		if ((size_t)size > left)
			return msg_fail(-EINVAL, "%s: type %u at offset 0x%zx: %s takes %d bytes, %zu are left",
					subject, id, off, btf_kind__name(BTF_INFO_KIND(t->info)),
					size, left);
		if (BTF_INFO_KIND(t->info) == BTF_KIND_FUNC) {
			btf->nr_funcs++;
			btf->nr_records += BTF_INFO_KFLAG(t->info);
		}
		btf->index[btf->nr_types++] = t;
		off += size;
	}

	/* most types are longer than the minimum: shrink the index */
	btf->index = xrealloc(btf->index, btf->nr_types, sizeof(*btf->index));
	return 0;
}

/* gcc 12: "char" is BTF_INT_SIGNED | BTF_INT_CHAR */
static void fix_gcc12_chars(struct btf_data *btf)
{
	for (uint32_t i = 0; i < btf->nr_types; i++) {
		const struct btf_type *t = btf->index[i];
		uint32_t *data = (void *)(t + 1);

		if (BTF_INFO_KIND(t->info) == BTF_KIND_INT &&
		    BTF_INT_ENCODING(*data) == (BTF_INT_SIGNED | BTF_INT_CHAR))
			*data &= ~(BTF_INT_CHAR << 24);
	}
}

int btf_data__parse(const void *bytes, size_t size, const char *subject,
		    const struct btf_data *base, struct btf_data **ret, size_t *len)
{
	struct layout_header hdr = {};
	struct btf_data *btf;
	int err;

	*ret = NULL;
	err = parse_header(bytes, size, subject, base, len, &hdr);
	if (err)
		return err;
	/* a longer header may describe unknown sections, whose end is unknown */
	if (len)
		*len = hdr.hdr_len > sizeof(struct layout_header) ? size :
		       hdr.hdr_len + (size_t)hdr.str_off + hdr.str_len;
	if (len && hdr.str_len && !((const char *)bytes)[hdr.hdr_len + (size_t)hdr.str_off])
		base = NULL;

	btf = xcalloc(1, sizeof(*btf));
	btf->base = base;
	btf->first_id = base ? btf_data__end_id(base) : 1;
	btf->strs_start = base ? base->strs_start + base->strs_len : 0;
	btf->big_endian = is_swapped(&hdr) == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

	/* fix_gcc12_chars() changes the bytes */
	set_sections(btf, bytes, &hdr, len);
	err = index_types(btf, subject);
	if (!err && btf->layout && btf->nr_records)
		err = msg_fail(-EINVAL, "%s: according to the BTF layout section, nothing follows a FUNC, but FUNCs have addresses",
			       subject);
	if (!err && len)
		fix_gcc12_chars(btf);
	err = err ?: btf_data__validate(btf, subject);
	if (err)
		btf_data__free(btf);
	else
		*ret = btf;
	return err;
}

void btf_data__free(struct btf_data *btf)
{
	if (!btf)
		return;
	btf_data__free(btf->owned_base);
	image__close(btf->img);
	free(btf->owned);
	free(btf->index);
	free(btf);
}
