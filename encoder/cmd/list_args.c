// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "cmd/list.h"
#include "inspect/listing.h"
#include "locate/find.h"
#include "probe/abi.h"
#include "probe/fetch.h"
#include "util/memory.h"
#include "util/msg.h"

/* BTF with the types of the image */
static const struct btf_data *find_types(const struct function_map *map)
{
	for_each(f, map)
		if (f->btf)
			return f->btf;
	return NULL;
}

const struct image *list_args__image(struct list_args *a)
{
	const struct where *where = &a->opts->where;
	char *text;

	if (a->map->syms || a->has_looked || !a->map->has_image)
		return a->map->syms ? a->map->syms->img : a->own;
	a->has_looked = true;
	/* no message: without the image, less is known */
	msg_hold(&text);
	find_image(&a->map->id, where->sysroot, where__is_running(where), &a->own);
	msg_hold(NULL);
	free(text);
	return a->own;
}

/* Open the DWARF of the image, which is searched for if the function map was cached. */
static struct dwarf_args *open_dwarf(struct list_args *a)
{
	const struct btf_data *btf = find_types(a->map);
	const struct image *img;

	if (a->has_opened)
		return a->dwarf;
	a->has_opened = true;
	img = list_args__image(a);
	if (img && btf && image__section(img, ".debug_info") &&
	    dwarf_args__open(img, btf, &a->dwarf))
		a->dwarf = NULL;
	return a->dwarf;
}

/* Report, once, what a printed value may not be; no version of every tool can swap bytes. */
static void report_values(struct list_args *a, const struct arg_list *args)
{
	for_each(arg, &args->args) {
		if (a->opts->probe == NR_PROBE_FORMATS || fetch__reason(arg))
			continue;
		if (!a->has_noted_order && arg_type__has_other_order(arg->type, args->big_endian)) {
			msg_note("%s%s: its bytes are in the other order (%s), and the probe does not swap them",
				 arg->root, arg->path, args->big_endian ? "__le" : "__be");
			a->has_noted_order = true;
		}
		/* JSON has it */
		if (!a->has_noted_doubt && arg->place.reason && a->opts->probe != PROBE_JSON) {
			msg_note("%s%s: %s", arg->root, arg->path, arg->place.reason);
			a->has_noted_doubt = true;
		}
	}
}

/* Add parameters as they are in the source, without places. */
static void add_unknown(struct arg_list *args, const struct function *func, const char *reason)
{
	abi__add_params(args, func->btf, func->func_id);
	args->is_entry = false;
	for_each(arg, &args->params)
		arg->place = arg->root_place = arg_place__none(reason);
}

int list_args__find(struct list_args *a, const struct function *func, uint64_t into,
		    const struct inlined_site *call, struct arg_list **ret)
{
	bool is_proven = !call && func->func_id && !func->is_unproven;
	/* a part that has its own frame, such as NAME.part.0, is called */
	bool is_cold = !call && func->kind == CODE_PART && strstr(func->symbol, ".cold");
	const struct btf_data *btf;
	struct arg_list *args;
	int err = 0;

	*ret = NULL;
	if (!a->opts->has_args)
		return 0;
	btf = call ? find_types(a->map) : func->btf;
	args = xcalloc(1, sizeof(*args));
	args->machine = a->map->machine;
	args->is_module = a->map->is_module;
	args->is_return = a->opts->retprobe;
	args->big_endian = btf && btf->big_endian;
	if (a->opts->retprobe) {
		if (func->func_id)
			abi__add_result(args, func->btf, func->func_id);
	} else if (is_proven && !into) {
		args->is_entry = true;
		abi__add_params(args, func->btf, func->func_id);
	} else if (open_dwarf(a)) {
		err = call ? dwarf_args__at_call(a->dwarf, call->die, call->body, call->section,
						 call->address, args) :
			     dwarf_args__in_function(a->dwarf, func->section,
						     func->offset + a->map->text, into, is_cold,
						     args);
	} else if (!call && func->func_id) {
		add_unknown(args, func, into ? "only DWARF of the image shows where it is at this instruction" :
			    "the prototype is not proven, and there is no image with DWARF");
	}
	err = err ?: arg_list__select(args, a->opts->args);
	if (err) {
		arg_list__free(args);
		return err;
	}
	report_values(a, args);
	*ret = args;
	return 0;
}

void list_args__destroy(struct list_args *a)
{
	dwarf_args__close(a->dwarf);
	image__close(a->own);
}

static json_t *get_args(const struct function *f, bool json, void *data)
{
	struct arg_list *args = NULL;
	struct list_args *a = data;
	json_t *ret = json_array();

	a->err = a->err ?: list_args__find(a, f, 0, NULL, &args);
	if (a->err)
		return ret;
	for_each(arg, &args->args) {
		const char *reason;
		char *fetch __cleanup(free_pointer) = fetch__tracefs(args, arg, &reason);

		json_array_append_new(ret, json ? fetch__json(args, arg) :
				      json_sprintf("%s=%s", arg->name, fetch ?: "?"));
	}
	arg_list__free(args);
	return ret;
}

int list__print_functions(const struct list_options *opts, const struct function_map *map,
			  const struct selection *sel, unsigned int columns)
{
	struct list_args a __cleanup(list_args__destroy) = { .opts = opts, .map = map };

	print_listing(map, sel, opts->json, columns, opts->has_args ? get_args : NULL, &a, stdout);
	return a.err;
}
