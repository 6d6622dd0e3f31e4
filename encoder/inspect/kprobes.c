// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "image/machine.h"
#include "inspect/kprobes.h"
#include "locate/running.h"
#include "util/grow.h"
#include "util/macros.h"
#include "util/memory.h"

/*
 * The ranges of init_kprobes(), arch_populate_kprobe_blacklist() and
 * arch_within_kprobe_blacklist(); then NOKPROBE_SYMBOL()'s table, and the tables of @reserved.
 */
static const struct table_bounds bounds[] = {
	{ "__kprobes_text_start", "__kprobes_text_end", 0 },
	{ "__noinstr_text_start", "__noinstr_text_end", 0 },
	{ "__entry_text_start", "__entry_text_end", EM_X86_64 },
	{ "__entry_text_start", "__entry_text_end", EM_386 },
	{ "__entry_text_start", "__entry_text_end", EM_AARCH64 },
	{ "__irqentry_text_start", "__irqentry_text_end", EM_AARCH64 },
	{ "__hyp_text_start", "__hyp_text_end", EM_AARCH64 },
	{ "__hyp_idmap_text_start", "__hyp_idmap_text_end", EM_AARCH64 },
	{ "__irqentry_text_start", "__irqentry_text_end", EM_S390 },
	{ "__irqentry_text_start", "__irqentry_text_end", EM_RISCV },
	{ "__irqentry_text_start", "__irqentry_text_end", EM_LOONGARCH },
	{ "__entry_text_start", "__entry_text_end", EM_ARM },
	{ "__irqentry_text_start", "__irqentry_text_end", EM_ARM },
	{ "__idmap_text_start", "__idmap_text_end", EM_ARM },
	{ "_stext", "__head_end", EM_PPC64 },
	{ "__start_kprobe_blacklist", "__stop_kprobe_blacklist", 0 },
	{ "__start___jump_table", "__stop___jump_table", 0 },
	{ "__start_static_call_sites", "__stop_static_call_sites", 0 },
	{ "__start___bug_table", "__stop___bug_table", 0 },
	{ "__start___ex_table", "__stop___ex_table", EM_AARCH64 },
};

/*
 * Tables of entries, as in @bounds.  The size of an entry for BUG() depends on the
 * configuration, but only the first word of an entry is the distance to code.  Entries of
 * arm64's exceptions had 8 bytes before Linux 5.16.
 */
static const struct {
	const char	*section;
	unsigned int	size;
} reserved[] = {
	{ "__jump_table", 16 }, { ".static_call_sites", 8 }, { "__bug_table", 4 },
	{ "__ex_table", 12 },
};

#define RESERVED	(ARRAY_SIZE(bounds) - ARRAY_SIZE(reserved))
#define BLACKLIST	(RESERVED - 1)

/* @found: by row of @bounds */
static int read_reserved(struct kprobes *k, const struct section_range *found)
{
	const struct image *img = k->syms->img;
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(reserved) && !err; i++) {
		const struct section_range *table = &found[RESERVED + i];
		uint16_t machine = bounds[RESERVED + i].machine;

		if (!machine || machine == img->machine)
			err = code_table__read_entries(img, reserved[i].section, table->start,
						       table->end, reserved[i].size, &k->reserved);
	}
	return err;
}

static int read_linked(struct kprobes *k)
{
	struct section_range found[ARRAY_SIZE(bounds)];
	int err = table_bounds__find(bounds, ARRAY_SIZE(bounds), k->syms->img, found);

	for (size_t i = 0; i < BLACKLIST; i++)
		if (found[i].start && found[i].end)
			push(&k->ranges, found[i]);
	if (found[BLACKLIST].start && found[BLACKLIST].end)
		code_table__read_linked(k->syms->img, found[BLACKLIST].start, found[BLACKLIST].end,
					&k->blacklist);
	return err ?: read_reserved(k, found);
}

/* Like add_module_kprobe_blacklist() */
static int read_module(struct kprobes *k)
{
	const struct image *img = k->syms->img;
	int err = code_table__read_sections(img, "_kprobe_blacklist", &k->blacklist);

	for (uint32_t i = 1; i < img->nr_sections; i++) {
		const struct section *sec = &img->sections[i];

		if (!strcmp(sec->name, ".kprobes.text") || !strcmp(sec->name, ".noinstr.text"))
			push(&k->ranges, (struct section_range){ 0, sec->size, i });
	}
	/* without such functions, a module has no table */
	k->blacklist.known = k->ftrace.known;
	return err ?: read_reserved(k, (struct section_range[ARRAY_SIZE(bounds)]){});
}

int kprobes__read(const struct symbols *syms, struct kprobes *ret)
{
	int err;

	*ret = (struct kprobes){ .syms = syms };
	err = ftrace__read(syms, &ret->ftrace);
	err = err ?: syms->img->type == ET_REL ? read_module(ret) : read_linked(ret);
	if (err || !syms->img->running || !image__lacks_code(syms->img))
		return err;
	if (!ret->ftrace.known)
		running__read_ftrace(syms->img->running, syms, &ret->ftrace, &ret->unsure);
	if (!ret->blacklist.known)
		running__read_blacklist(syms->img->running, syms, &ret->blacklist);
	return 0;
}

void kprobes__destroy(struct kprobes *k)
{
	code_table__destroy(&k->ftrace);
	code_table__destroy(&k->unsure);
	code_table__destroy(&k->blacklist);
	code_table__destroy(&k->reserved);
	free(k->ranges.array);
	*k = (struct kprobes){};
}

/* Find the symbol that comes first in kallsyms, see compare_symbols() of scripts/kallsyms.c */
static bool comes_first(const struct symbol *a, const struct symbol *b)
{
	if ((a->bind == STB_WEAK) != (b->bind == STB_WEAK))
		return b->bind == STB_WEAK;
	return strspn(a->name, "_") < strspn(b->name, "_");
}

/* Find the function around a place, by its first name in kallsyms */
static const struct symbol *function_at(struct kprobes *k, uint32_t section, uint64_t address)
{
	const struct symbols *syms = k->syms;
	const struct symbol *funcs = syms->funcs, *sym, *ret;
	const struct symbol at = { .section = section, .address = address };
	uint32_t nr = first_not_before(i, syms->nr_funcs, cmp_place(&funcs[i], &at) <= 0);

	if (!nr || funcs[nr - 1].section != section)
		return NULL;
	if (k->last && !cmp_place(k->last, &funcs[nr - 1]))
		return k->last;
	ret = symbols__at(syms, section, funcs[nr - 1].address, &nr);
	for (sym = ret; nr; sym++, nr--)
		if (comes_first(sym, ret))
			ret = sym;
	k->last = ret;
	return ret;
}

static bool is_blacklisted(const struct kprobes *k, uint32_t section, uint64_t address)
{
	for_each(r, &k->ranges)
		if ((!r->section || r->section == section) &&
		    address >= r->start && address < r->end)
			return true;
	return code_table__has(&k->blacklist, section, address, 1);
}

/*
 * "foo" of "foo.constprop.0": if ftrace cannot patch a clone, the kernel looks for this name.  It
 * does not find init text, of which ftrace has no entries after boot.
 */
static const struct symbol *original_of(const struct symbols *syms, const struct symbol *clone)
{
	char *name __cleanup(free_pointer) = NULL;
	const struct symbol *sym;
	const uint32_t *named;
	uint32_t nr;

	if (!clone->has_suffix)
		return NULL;
	name = xstrndup(clone->name, clone->stem_len);
	named = symbols__named(syms, name, &nr);
	if (!nr)
		return NULL;
	sym = &syms->funcs[*named];
	return symbols__is_init(syms, sym->section, sym->address) ? NULL : sym;
}

enum kprobe_verdict kprobes__verdict(struct kprobes *k, uint32_t section, uint64_t address)
{
	const struct symbols *syms = k->syms;
	const struct symbol *sym, *original;

	if (syms->img->type != ET_REL)
		section = symbols__section_of(syms, address);
	if (symbols__is_init(syms, section, address))
		return KPROBE_INIT;
	sym = function_at(k, section, address);
	original = sym ? original_of(syms, sym) : NULL;
	if (!section || !symbols__is_core_text(syms, section, address) ||
	    is_blacklisted(k, section, address) ||
	    (sym && is_blacklisted(k, section, sym->address)) ||
	    (original && is_blacklisted(k, original->section, original->address)))
		return KPROBE_BLACKLISTED;
	if (!sym || !k->ftrace.known || code_table__has(&k->unsure, 0, sym->address, 1))
		return KPROBE_UNKNOWN;
	if (!ftrace__can_patch(&k->ftrace, sym) &&
	    !(original && ftrace__can_patch(&k->ftrace, original)))
		return KPROBE_NOTRACE;
	return k->blacklist.known ? KPROBE_ACCEPTED : KPROBE_UNKNOWN;
}

/* Return: the bytes of code from a place on; none if the image lacks them. */
static struct cursor code_at(const struct kprobes *k, uint32_t section, uint64_t address)
{
	const struct image *img = k->syms->img;
	const struct section *sec;
	struct cursor c;

	if (img->type != ET_REL)
		section = symbols__section_of(k->syms, address);
	sec = &img->sections[section];
	c = image__cursor(img, sec);
	cursor__skip(&c, address - (img->type == ET_REL ? 0 : sec->address));
	return c;
}

bool kprobes__rejects(const struct kprobes *k, uint32_t section, uint64_t address)
{
	const struct machine *m = machine__find(k->syms->img->machine);
	struct insn insn = {};

	if (code_table__has(&k->reserved, section, address, 1))
		return true;
	if (m->decode)
		insn = m->decode(code_at(k, section, address));
	return insn.what && !insn.unsure;
}

/* With DYNAMIC_FTRACE_WITH_CALL_OPS, ftrace's entries on arm64 are so far before functions. */
#define CALL_OPS	8

/* Arm ARM, C6.2 "BTI": a landing pad */
static bool starts_with_bti(const struct kprobes *k, uint32_t section, uint64_t address)
{
	struct cursor c = code_at(k, section, address);

	return (cursor__u8(&c) & 0x3f) == 0x1f && cursor__u8(&c) == 0x24 &&
	       cursor__u8(&c) == 0x03 && cursor__u8(&c) == 0xd5;
}

int64_t kprobes__patched(const struct kprobes *k, uint32_t section, uint64_t address, uint64_t size)
{
	const struct code_table *ftrace = &k->ftrace;
	const struct code_place *place = code_table__first(ftrace, section, address);
	bool is_arm64 = k->syms->img->machine == EM_AARCH64;

	if (!ftrace->known)
		return -1;
	/* see ftrace_call_adjust(): the entry may precede the function, whose bti is no nop */
	if (is_arm64 && address >= CALL_OPS && code_table__has(ftrace, section, address - CALL_OPS, 1))
		return starts_with_bti(k, section, address) ? 8 : 4;
	if (!place || place->address - address >= (size ?: 1))
		return -1;
	return place->address - address + (is_arm64 ? 4 : 0);
}

const char *kprobe_verdict__flag(enum kprobe_verdict verdict)
{
	static const char *const flags[NR_KPROBE_VERDICTS] = {
		[KPROBE_UNKNOWN] = "unknown", [KPROBE_NOTRACE] = "notrace",
		[KPROBE_BLACKLISTED] = "noprobe", [KPROBE_INIT] = "init",
		[KPROBE_INSTRUCTION] = "instruction",
	};

	return flags[verdict];
}
