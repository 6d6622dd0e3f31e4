/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the parts of `abtf list`: functions, inlined calls and probes. */
#ifndef ABTF_CMD_LIST_H
#define ABTF_CMD_LIST_H

#include "cmd/where.h"
#include "inlined/inlined.h"
#include "inspect/instructions.h"
#include "inspect/selector.h"
#include "probe/dwarf_args.h"
#include "probe/place.h"

/**
 * struct list_options - the options
 * @complete:	the start of a selector to complete, or NULL
 * @output:	the directory for tables, or NULL
 * @threads:	images to read at the same time; 0: as many as there are cores
 * @found:	the image that @where leads to, or NULL
 * @cached:	its functions, if they are cached
 * @args:	expressions of --args, NULL: all arguments; @has_args: the option was given
 */
struct list_options {
	const char		*base;
	const char		*image;
	const char		*path;
	const char		*complete;
	enum probe_format	probe;		/* NR_PROBE_FORMATS: none */
	const char		*args;
	bool			retprobe;
	bool			has_args;
	bool			inlined;
	bool			callers;
	bool			table;
	bool			all;
	bool			json;
	const char		*output;
	unsigned int		threads;
	struct where		where;
	struct image		*found;
	struct function_map	cached;
};

/** struct doubt - a place where the kernel rejects a probe, or may do so */
struct doubt {
	const char		*name;
	struct kprobe_answer	answer;
};

/**
 * struct list_args - where arguments are read from
 * @own:	the image of a cached map, once it was looked for (@has_looked), or NULL
 * @dwarf:	of the image, once it was needed (@has_opened)
 * @has_noted_order:	that the bytes of a value are in the other order
 * @has_noted_doubt:	that a value may be another one
 * @err:	of a listing: an expression is invalid
 */
struct list_args {
	const struct list_options	*opts;
	const struct function_map	*map;
	struct image			*own;
	struct dwarf_args		*dwarf;
	bool				has_looked;
	bool				has_opened;
	bool				has_noted_order, has_noted_doubt;
	int				err;
};

/** list_args__image() - Return: the image of the map; NULL if it was cached and removed since. */
const struct image *list_args__image(struct list_args *a);

/**
 * list_args__find() - find the values to print in a function
 * @into:	offset of the probe from the entry of @func
 * @call:	an inlined call, in which they are found instead, or NULL
 * @ret:	gets a list that the caller frees; NULL without --args
 *
 * Return: 0, or -EINVAL after a message.
 */
int list_args__find(struct list_args *a, const struct function *func, uint64_t into,
		    const struct inlined_site *call, struct arg_list **ret);

void list_args__destroy(struct list_args *a);

/**
 * struct list_probes - collected probes
 * @args:	their values
 * @places:	of the image, or of BTF without one
 * @list:	owns its values
 * @nr_selectors: how many places or patterns the user named
 * @verdicts:	number of places by verdict, including places without a probe
 * @omitted:	places where the kernel rejects probes
 * @unknown:	places where it may reject them
 * @names:	owned, of places
 * @instructions: of the image, once they were needed
 * @failed:	some place cannot have a probe; a message was printed
 */
struct list_probes {
	const struct list_options *opts;
	struct list_args	args;
	struct places		places;
	struct probe_list	list;
	uint32_t		nr_selectors;
	uint32_t		verdicts[NR_KPROBE_VERDICTS];
	VECTOR(struct doubt)	omitted, unknown;
	VECTOR(char *)		names;
	struct instructions	instructions;
	bool			failed;
};

/** list_probes__init() - Start collecting. Return: 0, or a negative errno after a message. */
int list_probes__init(struct list_probes *p, const struct list_options *opts,
		      const struct function_map *map);

/**
 * list_probes__add() - add a probe, if the kernel accepts it
 * @f:		the function that contains the place; of a call, NULL if there is none
 * @into:	offset in it
 * @call:	the inlined call that is there, or NULL
 *
 * If the place has no location that the tool accepts, print a message, and let
 * list_probes__print() fail.
 *
 * Return: 0, or -EINVAL after a message.
 */
int list_probes__add(struct list_probes *p, const struct function *f, uint64_t into,
		     const struct inlined_site *call);

/**
 * list_probes__print() - print the probes, and report omitted ones with reasons
 * @what:	for messages: "functions"
 *
 * Return: 0, or a negative errno after a message; -EOPNOTSUPP if a place cannot have
 *	a probe, or no probe is left.
 */
int list_probes__print(struct list_probes *p, const char *what);

void list_probes__destroy(struct list_probes *p);

/**
 * list_probes__report_callers() - report functions in which probes can see calls of omitted
 * ones
 * @sel:	the functions, some of which were omitted; nothing is reported for patterns
 *		and several selectors
 *
 * These are their callers, if DWARF records the calls and the kernel accepts a probe.  Nothing is
 * reported if the image is not found.
 */
void list_probes__report_callers(struct list_probes *p, struct selection *sel);

/**
 * list_table__print() - print the table for programs that choose functions at run time
 * @path:	of the image, for messages
 * @all:	without selectors: all functions were selected
 *
 * examples/abtf_probe.h reads it.
 *
 * Return: 0, or a negative errno after a message.
 */
int list_table__print(const char *path, const struct function_map *map,
		      const struct selection *sel, bool all, FILE *out);

/**
 * list_table__header() - Return: the first line of a table, malloc()ed, without the number
 * @module:	NULL: vmlinux
 * @what:	its functions: "all", "shared" names, or "selected"; --output replaces a table with another
 */
char *list_table__header(const struct build_id *id, const char *module, const char *what);

/**
 * list__print_functions() - print the selected functions, with --args their arguments
 * @columns:	of the terminal, 0 for none
 *
 * Return: 0, or -EINVAL after a message.
 */
int list__print_functions(const struct list_options *opts, const struct function_map *map,
			  const struct selection *sel, unsigned int columns);

/** list__open_dwarf() - Open the image; return -EINVAL after a message if it has no DWARF. */
int list__open_dwarf(const struct list_options *opts, struct input *in);

/** struct callers - calls of selected functions, by address; pointers into @in */
struct callers {
	VECTOR(const struct inlined_site *);
	struct inlined		*in;
};

/**
 * callers__find() - find the calls of selected functions
 * @sel:	after selection__find(); a selector that selects no function of @map may select
 *		functions that are only called, or were inlined everywhere
 *
 * Return: 0, or a negative errno after a message.  Must be freed in both cases.
 */
int callers__find(struct callers *c, const struct image *img, const struct function_map *map,
		  struct selection *sel);

/**
 * call__container() - Return: the name of the function that contains a call: a part of the
 *	caller, or one of several that share its name
 */
const char *call__container(const struct inlined_site *call, const struct function_map *map);

void callers__free(struct callers *c);

/* Said once with every list of calls. */
#define UNKNOWN_CALLS	"calls through pointers, static calls, and calls in assembly are not in DWARF"

/** callers__print() - Print the calls as JSON, or as a table; with --inlined, without kinds. */
void callers__print(const struct callers *c, const struct function_map *map,
		    const struct list_options *opts);

/** callers__select() - Select the functions that contain the calls, each once. */
void callers__select(const struct callers *c, const struct function_map *map,
		     struct selection *ret);

/** list_fleet() - Write the tables of @nr images, and of those to look for; return an exit code. */
int list_fleet(const struct list_options *opts, char **images, uint32_t nr);

/** list_inlined() - List inlined calls, without selectors their numbers; return an exit code. */
int list_inlined(const struct list_options *opts, struct selection *sel);

/**
 * list__warn_inlined() - warn if calls of the selected functions are inlined
 *
 * Return: 0, or a negative errno after a message.
 */
int list__warn_inlined(const struct input *in, struct function_map *map,
		       const struct selection *sel);

#endif /* ABTF_CMD_LIST_H */
