// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>

#include "btf/layout.h"
#include "btf/writer.h"
#include "util/msg.h"

int writer__check_offset(uint64_t offset)
{
	if (offset <= BTF_MAX_NAME_OFFSET)
		return 0;
	msg_error("strings of more than %u bytes, which is all that the kernel takes",
		  BTF_MAX_NAME_OFFSET);
	return -E2BIG;
}

static int64_t add_text(struct writer *w, const char *s)
{
	int64_t off = w->out->base ? split__string(&w->split, s) : btf__add_str(w->btf, s);

	if (off < 0)
		msg_error("cannot add the string \"%.64s\": %s", s, strerror(-off));
	return off < 0 ? off : writer__check_offset(off) ?: off;
}

static int write_funcs(struct writer *w, struct words *tail, struct btf_bytes *ret)
{
	const struct out_func *f = w->out->funcs, *end = f + w->out->nr_funcs;
	int err = 0;

	ret->record_at = calloc(w->out->nr_funcs + 1UL, sizeof(*ret->record_at));
	if (!ret->record_at)
		return -ENOMEM;
	for (; !err && f < end; f++) {
		struct btf_func record = btf_func__make(f->offset, f->flags);
		int64_t name = add_text(w, f->name);

		if (name < 0)
			return name;
		err = ADD(tail, name, make_info(BTF_KIND_FUNC, f->linkage, w->out->addressed),
			  w->ids[f->proto]);
		if (err || !w->out->addressed)
			continue;
		ret->record_at[f - w->out->funcs] = BTF_HEADER_MIN + w->final_len +
						    tail->nr * 4;
		err = ADD(tail, record.addr_lo, record.addr_hi);
	}
	return err;
}

static int write_vars(struct writer *w, struct words *tail)
{
	const struct out_var *v = w->out->vars, *end = v + w->out->nr_vars;
	int err = 0;

	for (; !err && v < end; v++) {
		int64_t name = add_text(w, v->name);

		if (name < 0)
			return name;
		err = ADD(tail, name, make_info(BTF_KIND_VAR, 0, false),
			  writer__ref(w, &store_referrer, v->type), v->linkage);
	}
	return err;
}

/* A DATASEC ends with its last variable, as pahole has it. */
static int write_sections(struct writer *w, struct words *tail, uint32_t first_var)
{
	const struct out_var *vars = w->out->vars;
	uint32_t i, end, nr = w->out->nr_vars;
	int err = 0;

	for (i = 0; !err && i < nr; i = end) {
		int64_t name = add_text(w, w->out->sections[vars[i].section]);
		uint32_t k, in_section;

		if (name < 0)
			return name;
		for (end = i; end < nr && vars[end].section == vars[i].section; end++)
			;
		in_section = end - i;
		if (in_section > 65535) {
			msg_error("%s has more than 65535 variables, which BTF cannot say",
				  w->out->sections[vars[i].section]);
			return -E2BIG;
		}
		err = ADD(tail, name, make_info(BTF_KIND_DATASEC, in_section, false),
			  vars[end - 1].offset + vars[end - 1].size);
		for (k = i; !err && k < end; k++)
			err = ADD(tail, first_var + k, vars[k].offset, vars[k].size);
	}
	return err;
}

struct final_tag {
	uint32_t	target;
	uint32_t	component;
	uint32_t	name;
	const char	*value;
	bool		attribute;
};

static int compare_tags(const void *x, const void *y)
{
	const struct final_tag *a = x, *b = y;

	if (a->target != b->target)
		return a->target < b->target ? -1 : 1;
	/* -1, for the whole, first */
	if (a->component != b->component)
		return a->component + 1 < b->component + 1 ? -1 : 1;
	return strcmp(a->value, b->value) ?: a->attribute - b->attribute;
}

static int write_tags(struct writer *w, struct words *tail, uint32_t first_func,
		      uint32_t first_var)
{
	const struct out_tag *tags = w->out->tags;
	uint32_t nr = w->out->nr_tags, i;
	struct final_tag *final = calloc(nr + 1, sizeof(*final));
	int err = final ? 0 : -ENOMEM;

	for (i = 0; !err && i < nr; i++) {
		int64_t name = add_text(w, tags[i].value);

		if (name < 0)
			err = name;
		final[i] = (struct final_tag){
			.target = tags[i].on == OUT_FUNC ? first_func + tags[i].target :
				  tags[i].on == OUT_VAR ? first_var + tags[i].target :
				  w->ids[tags[i].target],
			.component = tags[i].component, .name = name, .value = tags[i].value,
			.attribute = tags[i].attribute,
		};
	}
	if (!err)
		qsort(final, nr, sizeof(*final), compare_tags);
	for (i = 0; !err && i < nr; i++)
		/* a type of the base has the base's tags */
		if (final[i].target >= w->first_id && (!i || compare_tags(&final[i], &final[i - 1])))
			err = ADD(tail, final[i].name,
				  make_info(BTF_KIND_DECL_TAG, 0, final[i].attribute),
				  final[i].target, final[i].component);
	free(final);
	return err;
}

static uint32_t count_sections(const struct btf_out *out)
{
	uint32_t i, nr = 0;

	for (i = 0; i < out->nr_vars; i++)
		nr += !i || out->vars[i].section != out->vars[i - 1].section;
	return nr;
}

int writer__tail(struct writer *w, struct words *tail, struct btf_bytes *ret)
{
	uint32_t first_func = w->first_id + w->nr_types, start;
	uint32_t first_var = first_func + w->out->nr_funcs;
	int err;

	ret->nr_types = w->nr_types;
	ret->nr_renamed = w->nr_renamed;
	ret->first_func = first_func;
	err = write_funcs(w, tail, ret);
	ret->records = (tail->nr - 3 * w->out->nr_funcs) * 4;
	err = err ?: write_vars(w, tail);
	err = err ?: write_sections(w, tail, first_var);
	start = tail->nr;
	err = err ?: write_tags(w, tail, first_func, first_var);
	ret->tags = (tail->nr - start) * 4;
	/* the kernel's limit on ids, btf.h: BTF_MAX_TYPE */
	if (!err && (uint64_t)first_var + w->out->nr_vars + count_sections(w->out) +
		    (tail->nr - start) / 4 > BTF_MAX_TYPE) {
		msg_error("more than %u types, which is all that the kernel takes", BTF_MAX_TYPE);
		err = -E2BIG;
	}
	return err;
}
