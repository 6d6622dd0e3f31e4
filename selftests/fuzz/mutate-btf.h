/* SPDX-License-Identifier: GPL-2.0-only */
/* Mutation of BTF: header, types and strings each, so that most of it stays BTF. */
#ifndef FUZZ_MUTATE_BTF_H
#define FUZZ_MUTATE_BTF_H

#include <linux/btf.h>
#include <string.h>

#include "fuzz.h"

/* Insert four bytes into the types, or remove four, and update the header. */
static size_t resize_types(uint8_t *data, size_t size, size_t max_size, struct btf_header *h,
			   uint32_t at, uint32_t *seed)
{
	bool grow = next_random(seed) & 1;

	if (h->str_off != h->type_len || (grow ? size + 4 > max_size : h->type_len < 4))
		return size;
	if (grow)
		memmove(data + at + 4, data + at, size - at);
	else
		memmove(data + at, data + at + 4, size - at - 4);
	h->type_len += grow ? 4 : -4;
	h->str_off = h->type_len;
	memcpy(data, h, sizeof(*h));
	return grow ? size + 4 : size - 4;
}

static void mutate_word(uint8_t *types, uint32_t len, uint32_t *seed)
{
	uint32_t at = next_random(seed) % (len / 4) * 4;
	uint32_t from = next_random(seed) % (len / 4) * 4, word;

	memcpy(&word, types + at, 4);
	switch (next_random(seed) % 4) {
	case 0:
		word = next_random(seed) % 64;
		break;
	case 1:
		word += (int)(next_random(seed) % 5) - 2;
		break;
	case 2:	/* another kind, or kind_flag */
		word ^= next_random(seed) & 0x9f000000;
		break;
	default:
		memcpy(&word, types + from, 4);
	}
	memcpy(types + at, &word, 4);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	uint32_t s = seed, times, what, begin;
	uint8_t *object = data;
	struct btf_header h;
	size_t left = size;

	if (size < sizeof(h))
		return LLVMFuzzerMutate(data, size, max_size);
	memcpy(&h, data, sizeof(h));
	begin = (uint64_t)h.hdr_len + h.str_off + h.str_len <= size ?
		h.hdr_len + h.str_off + h.str_len : 0;
	/* the second object */
	if (begin && size - begin > sizeof(h) && next_random(&s) & 1) {
		object = data + begin;
		left = size - begin;
		memcpy(&h, object, sizeof(h));
	}
	if ((uint64_t)h.hdr_len + h.type_off + h.type_len > left || h.type_len < 4 ||
	    (uint64_t)h.hdr_len + h.str_off + h.str_len > left) {
		mutate_part(data, size, &s);
		return size;
	}
	begin = h.hdr_len + h.type_off;
	for (times = 1 + next_random(&s) % 4; times; times--) {
		what = next_random(&s) % 32;
		if (what == 0)
			mutate_part(object, h.hdr_len < left ? h.hdr_len : left, &s);
		else if (what < 4)
			mutate_part(object + h.hdr_len + h.str_off, h.str_len, &s);
		else if (what < 10)
			mutate_part(object + begin, h.type_len, &s);
		else
			mutate_word(object + begin, h.type_len, &s);
	}
	if (next_random(&s) % 8 == 0)
		return size - left + resize_types(object, left, left + max_size - size, &h,
						  begin + next_random(&s) % (h.type_len / 4) * 4,
						  &s);
	return size;
}

#endif /* FUZZ_MUTATE_BTF_H */
