// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "btf/output.h"
#include "btf/split.h"
#include "encode.h"
#include "image/symbols.h"
#include "inlined/inlined.h"
#include "inspect/code_map.h"
#include "inspect/decl.h"
#include "inspect/kept.h"
#include "inspect/verdict.h"
#include "util/cores.h"
#include "util/memory.h"
#include "util/msg.h"

/**
 * struct maker - the parts of a block on their way
 */
struct maker {
	const struct input	*in;
	struct split		strs;
	struct kept_decl	*decls;
	struct kept_inlined	*inlined;
	struct kept_symbol	*symbols;
	uint8_t			*verdicts;
	uint32_t		nr_decls;
	uint32_t		nr_inlined;
	uint32_t		nr_symbols;
	uint32_t		left_out;
};

/* Return: the offset of a string, 0 for NULL; negative errno. */
static int64_t add_string(struct maker *m, const char *s)
{
	return s ? split__string(&m->strs, s) : 0;
}

/* Every FUNC with an address; its index in BTF goes along. */
static uint32_t list_funcs(const struct btf_data *btf, uint64_t text, struct decl *decls,
			   uint32_t *at)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < btf->nr_types; i++) {
		const struct btf_func *record = btf_data__func(btf, btf->first_id + i);
		const char *name = btf_data__name(btf, btf->first_id + i);

		if (!record)
			continue;
		at[nr] = i;
		decls[nr++] = (struct decl){ .name = name, .name_len = strcspn(name, "@"),
					     .address = text + btf_func__offset(record) };
	}
	return nr;
}

static int make_decls(struct maker *m)
{
	const struct btf_data *btf = m->in->btf;
	struct decl *decls __cleanup(free_pointer) = xcalloc(btf->nr_funcs + 1UL, sizeof(*decls));
	uint32_t *at __cleanup(free_pointer) = xcalloc(btf->nr_funcs + 1UL, sizeof(*at)), nr = 0;
	char *left_out __cleanup(free_pointer) = NULL;
	uint64_t text = 0;
	int64_t offset = 0;
	int err = -ENOMEM;

	m->nr_decls = btf->nr_types;
	m->decls = xcalloc(btf->nr_types + 1UL, sizeof(*m->decls));
	if (decls && at && m->decls) {
		image__symbol(m->in->img, "_text", &text);
		nr = list_funcs(btf, text, decls, at);
		err = decls__find(m->in->img, m->in->encoding, decls, nr, &left_out);
	}
	for (uint32_t i = 0; i < nr && !err; i++) {
		offset = decls[i].found ? add_string(m, decls[i].file) : 0;
		err = offset < 0 ? offset : 0;
		if (offset > 0)
			m->decls[at[i]] = (struct kept_decl){ offset, decls[i].line };
	}
	offset = err ?: add_string(m, left_out);
	m->left_out = offset > 0 ? offset : 0;
	if (decls)
		decls__release(decls, nr);
	return offset < 0 ? offset : 0;
}

static int make_verdicts(struct maker *m)
{
	const struct btf_data *btf = m->in->btf;
	struct kprobes k __cleanup(kprobes__destroy);
	int err = kprobes__read(m->in->img, input__symbols(m->in), &k);

	m->verdicts = err ? NULL : xcalloc(btf->nr_types + 1UL, 1);
	for (uint32_t i = 0, id = btf->first_id; i < btf->nr_types && m->verdicts; i++, id++)
		if (BTF_INFO_KIND(btf_data__type(btf, id)->info) == BTF_KIND_FUNC)
			m->verdicts[i] = func__verdict(&k, btf_data__name(btf, id),
						       btf_data__func(btf, id));
	return err ?: m->verdicts ? 0 : -ENOMEM;
}

static int make_inlined(struct maker *m)
{
	struct inlined *in;
	int err = inlined__read(m->in->img, NULL, NULL, nr_cores(), &in);

	if (err)
		return err;
	m->inlined = xcalloc(in->nr_funcs + 1UL, sizeof(*m->inlined));
	err = m->inlined ? 0 : -ENOMEM;
	for (uint32_t i = 0; i < in->nr_funcs && !err; i++) {
		const struct inlined_func *func = &in->funcs[i];
		int64_t name, file;

		if (!func->bodies)
			continue;
		name = add_string(m, func->name);
		file = name < 0 ? name : add_string(m, func->file);
		err = file < 0 ? file : 0;
		m->inlined[m->nr_inlined++] = (struct kept_inlined){ name, file, func->line,
								     func->calls };
	}
	inlined__free(in);
	return err;
}

static int make_symbols(struct maker *m)
{
	struct funcs *funcs;
	struct code_map map __cleanup(code_map__destroy) = {};
	int err = funcs__new(m->in->btf, &funcs);

	err = err ?: code_map__from_image(funcs, m->in->img, input__symbols(m->in), &map);
	m->symbols = err ? NULL : xcalloc(map.nr + 1UL, sizeof(*m->symbols));
	if (!err && !m->symbols)
		err = -ENOMEM;
	for (uint32_t i = 0; i < map.nr && !err; i++) {
		const struct extent *e = &map.all[i];
		int64_t name = e->func ? 0 : add_string(m, e->name);

		err = name < 0 ? name : 0;
		if (e->start <= UINT32_MAX && e->size <= UINT32_MAX)
			m->symbols[m->nr_symbols++] = (struct kept_symbol){
				e->start, e->size, name, e->func ? e->func->id : 0 };
	}
	funcs__free(funcs);
	return err;
}

/* The BTF reader ignores zero padding after the strings. */
static void *join_parts(const struct maker *m, const struct build_id *id, size_t *size)
{
	size_t decls = m->nr_decls * sizeof(*m->decls);
	size_t inlined = m->nr_inlined * sizeof(*m->inlined);
	size_t symbols = m->nr_symbols * sizeof(*m->symbols);
	size_t btf = (m->in->size + 3) & ~3UL;
	struct kept_header *h;
	uint8_t *p;

	*size = sizeof(*h) + decls + inlined + symbols + btf + m->nr_decls + m->strs.text.nr;
	h = xcalloc(1, *size);
	if (!h)
		return NULL;
	kept_header__init(h, id);
	h->left_out = m->left_out;
	h->nr_decls = m->nr_decls;
	h->nr_inlined = m->nr_inlined;
	h->nr_symbols = m->nr_symbols;
	h->btf_size = btf;
	h->strs_size = m->strs.text.nr;
	p = (uint8_t *)(h + 1);
	memcpy(p, m->decls, decls);
	p += decls;
	memcpy(p, m->inlined, inlined);
	p += inlined;
	memcpy(p, m->symbols, symbols);
	p += symbols;
	memcpy(p, m->in->bytes, m->in->size);
	p += btf;
	memcpy(p, m->verdicts, m->nr_decls);
	memcpy(p + m->nr_decls, m->strs.text.array, m->strs.text.nr);
	h->check = kept_header__check(h, *size);
	return h;
}

/* Create a path's parent directories, as mkdir -p does; the last one must be writable. */
static bool make_folders(char *path)
{
	bool good = true;

	for (char *p = strchr(path + 1, '/'); p && good; p = strchr(p + 1, '/')) {
		*p = 0;
		good = (!mkdir(path, 0700) || errno == EEXIST) &&
		       (strchr(p + 1, '/') || !access(path, W_OK));
		if (!good)
			msg_info("%s: cannot create this directory or write to it, so nothing is cached: %s",
				 path, strerror(errno));
		*p = '/';
	}
	return good;
}

/* That nothing can be kept is no error. */
static void write_kept(const struct kept *kept, const struct build_id *id)
{
	char *path __cleanup(free_pointer) = kept__path(id);

	if (path && make_folders(path) && !output__file(path, kept->block, kept->size))
		msg_info("%s: kept for the next call", path);
}

int kept__make(const struct build_id *id, const struct input *in, struct kept **ret)
{
	struct maker m = { .in = in };
	void *block = NULL;
	size_t size;
	int err;

	*ret = NULL;
	if (!in->bytes || in->btf->base || !in->img || in->img->type == ET_REL ||
	    !image__section(in->img, ".debug_info"))
		return -ENOTSUP;
	err = split__init(&m.strs, NULL, 0);
	err = err ?: make_decls(&m);
	err = err ?: make_verdicts(&m);
	err = err ?: make_inlined(&m);
	err = err ?: make_symbols(&m);
	if (!err)
		block = join_parts(&m, id, &size);
	if (!err && !block)
		err = -ENOMEM;
	err = err ?: kept__open(block, size, id, ret);
	if (!err)
		write_kept(*ret, id);
	else if (err == -ENOMEM)
		msg_error("%s: out of memory", in->path);
	split__destroy(&m.strs);
	free(m.decls);
	free(m.verdicts);
	free(m.inlined);
	free(m.symbols);
	return err;
}
