// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/list.h"
#include "inspect/listing.h"
#include "probe/fetch.h"

/** struct listed - arguments of a listing; @err: an expression is invalid */
struct listed {
	struct list_args	args;
	int			err;
};

static json_t *get_args(const struct function *f, bool json, void *data)
{
	struct arg_list *args = NULL;
	struct listed *l = data;
	json_t *ret = json_array();

	l->err = l->err ?: list_args__find(&l->args, f, 0, NULL, &args);
	if (l->err)
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
	struct listed l = { .args = { .opts = opts, .map = map } };

	print_listing(map, sel, opts->json, columns, opts->has_args ? get_args : NULL, &l, stdout);
	list_args__destroy(&l.args);
	return l.err;
}
