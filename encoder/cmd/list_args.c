// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/list.h"
#include "inspect/listing.h"
#include "probe/abi.h"
#include "probe/fetch.h"

int list__find_args(const struct list_options *opts, const struct function_map *map,
		    const struct function *func, uint64_t into, struct arg_list *args)
{
	*args = (struct arg_list){ .machine = map->machine, .is_module = map->is_module,
				    .is_return = opts->retprobe };
	if (func->proto) {
		args->big_endian = func->btf->big_endian;
		args->is_entry = !into && !func->is_clone && !opts->retprobe;
		if (opts->retprobe)
			abi__add_result(args, func->btf, func->proto);
		else if (args->is_entry)
			abi__add_params(args, func->btf, func->proto);
	}
	return arg_list__select(args, opts->args);
}

/** struct listed - arguments of a listing; @err: an expression is invalid */
struct listed {
	const struct list_options	*opts;
	const struct function_map	*map;
	int				err;
};

static json_t *get_args(const struct function *f, bool json, void *data)
{
	struct listed *l = data;
	struct arg_list args __cleanup(arg_list__destroy) = {};
	json_t *ret = json_array();

	l->err = l->err ?: list__find_args(l->opts, l->map, f, 0, &args);
	for_each(arg, &args.args) {
		const char *reason;
		char *fetch __cleanup(free_pointer) = fetch__tracefs(&args, arg, &reason);

		json_array_append_new(ret, json ? fetch__json(&args, arg) :
				      json_sprintf("%s=%s", arg->name, fetch ?: "?"));
	}
	return ret;
}

int list__print_functions(const struct list_options *opts, const struct function_map *map,
			  const struct selection *sel, unsigned int columns)
{
	struct listed l = { .opts = opts, .map = map };

	print_listing(map, sel, opts->json, columns, opts->has_args ? get_args : NULL, &l, stdout);
	return l.err;
}
