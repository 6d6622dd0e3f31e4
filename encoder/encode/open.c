// SPDX-License-Identifier: GPL-2.0-only
/* What is read of an image before its units: the symbols, and where the units are. */
#include <elf.h>
#include <stdatomic.h>

#include "encode/parts.h"
#include "util/jobserver.h"
#include "util/macros.h"

/**
 * struct opening - the work of one encode__open()
 * @next:	the part that nobody has begun
 */
struct opening {
	struct encoding	*e;
	bool		dwarf;
	atomic_uint	next;
	atomic_int	err;
};

static int open_symbols(struct opening *o)
{
	struct encoding *e = o->e;
	int err = symbols__new(e->img, &e->syms);

	return err || !o->dwarf ? err : names__init(&e->names, e->syms);
}

/* With those that an assembler describes, whose functions' names are wanted before the rest. */
static int open_units(struct opening *o)
{
	int err = o->dwarf ? dwarf__open(o->e->img, &o->e->dw) : 0;
	struct dwarf *dw = o->e->dw;
	uint32_t i;

	for (i = 0; !err && dw && i < dw->nr_units; i++)
		dw->units[i].assembler = unit__is_assembler(dw, &dw->units[i]);
	return err;
}

static void open_parts(void *opening, unsigned int number)
{
	int (*const parts[])(struct opening *o) = { open_symbols, open_units };
	struct opening *o = opening;
	unsigned int part;
	int err, none = 0;

	while (!atomic_load(&o->err) && (part = atomic_fetch_add(&o->next, 1)) < ARRAY_SIZE(parts)) {
		err = parts[part](o);
		if (err)
			atomic_compare_exchange_strong(&o->err, &none, err);
	}
}

int encode__open(const struct image *img, unsigned int threads, bool dwarf,
		 struct encoding *ret)
{
	struct opening o = { .e = ret, .dwarf = dwarf };
	uint64_t start = encoding__now();

	*ret = (struct encoding){ .img = img };
	/* the parts have no section in common but that relocations are about symbols */
	jobs__run(threads > 1 && img->type != ET_REL ? 2 : 1, open_parts, &o);
	encoding__note_time(ret, STEP_OPEN, &start);
	return atomic_load(&o.err);
}
