// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <stdlib.h>

#include "cmd/where.h"
#include "locate/find.h"
#include "util/document.h"
#include "util/memory.h"
#include "util/msg.h"

static int parse_limit(void *data, const char *arg, bool value)
{
	char *end;

	image_max_uncompressed = strtoull(arg, &end, 10);
	if (*arg >= '1' && *arg <= '9' && !*end && image_max_uncompressed >> 43 == 0) {
		image_max_uncompressed <<= 20;
		return GO_ON;
	}
	return msg_fail(EXIT_USAGE, "--max-uncompressed expects a number of megabytes: %s", arg);
}

static int parse_source(void *data, const char *arg, bool is_notes)
{
	struct where *where = data;

	where->source = (struct where_source){ is_notes ? NULL : arg, is_notes ? arg : NULL };
	push(&where->sources, where->source);
	return GO_ON;
}

static int parse_module(void *data, const char *arg, bool value)
{
	struct where *where = data;

	where->module = (char *)arg;
	/* the kernel's names of modules have no '-'; a path is an error, which quotes it */
	for (char *c = where->module; *c && !strchr(arg, '/'); c++)
		*c = *c == '-' ? '_' : *c;
	return GO_ON;
}

const struct opt where_options[] = {
	OPT_SET(0, "running", struct where, running,
		"instead of IMAGE: the image of the running kernel"),
	OPT_CALL(0, "module", "NAME", COMPLETE_NOTHING, parse_module,
		 "with one of the other options: the file of module NAME"),
	OPT_REPEATED(0, "build-id", "HEX", COMPLETE_NOTHING, parse_source, false,
		 "instead of IMAGE: the image with this build id"),
	OPT_REPEATED(0, "notes", "FILE", COMPLETE_FILE, parse_source, true,
		 "instead of IMAGE: the image with the build id in FILE, a copy of another machine's /sys/kernel/notes or /sys/module/NAME/notes/.note.gnu.build-id"),
	OPT_TEXT(0, "sysroot", "DIR", COMPLETE_DIR, struct where, sysroot,
		 "search for these files below DIR"),
	OPT_CALL(0, "max-uncompressed", "MB", COMPLETE_NOTHING, parse_limit,
		 "limit for the size of an uncompressed image and its sections (default: 16 times the file's size, at least 256)"),
	{}
};

void where__destroy(struct where *where)
{
	free(where->sources.array);
}

bool where__is_ambiguous(const struct where *where)
{
	return where->sources.nr + where->running > 1 && !where->several;
}

bool where__is_used(const struct where *where)
{
	return where->running || !where__is_running(where) || where->module;
}

bool where__is_running(const struct where *where)
{
	return !where->source.build_id && !where->source.notes;
}

int where__identify(const struct where *where, struct build_id *ret)
{
	char *notes __cleanup(free_pointer) = NULL;

	if (where->source.build_id)
		return build_id__parse(where->source.build_id, ret);
	if (where->source.notes)
		return build_id__read_notes(where->source.notes, ret);
	notes = xasprintf("%s/sys/kernel/notes", where->sysroot);
	return build_id__read_notes(notes, ret);
}

/* A build id may lead to another module, or to vmlinux. */
static int check_module(const char *module, struct image **img)
{
	char *name __cleanup(free_pointer) = module__name(*img);

	/* without .modinfo, as from objcopy --only-keep-debug, it may be unknown */
	if ((*img)->type == ET_REL && (!name || !strcmp(name, module)))
		return 0;
	msg_error("%s: is %s%s, but --module selects %s", (*img)->path, name ? "the module " : "",
		  name ?: "not a module", module);
	image__close(no_free_ptr(*img));
	return -EINVAL;
}

int where__open(const struct where *where, struct function_map *cached, struct image **ret)
{
	struct build_id id = {};
	/* without the build id of another machine's module, it is the running kernel's */
	int err = where->module && where__is_running(where) ? 0 : where__identify(where, &id);

	*ret = NULL;
	if (err || (!where->module && cached && kept__read(cached, &id)))
		return err;
	if (!where->module)
		return find_image(&id, where->sysroot, where__is_running(where), ret);
	return find_module(where->module, &id, where->sysroot, ret) ?:
	       check_module(where->module, ret);
}

int where__find(struct where *where, char **argv, struct function_map *cached,
		struct image **ret)
{
	char hex[BUILD_ID_HEX], *path;
	int err = 0;

	*ret = NULL;
	if (where__is_used(where))
		err = where__open(where, cached, ret);
	if (err || !where__is_used(where))
		return err;
	if (*ret) {
		path = xstrdup((*ret)->path);
		msg_info("%s: is the image", path);
	} else {
		path = xasprintf("kernel %s", build_id__hex(&cached->id, hex));
	}
	/* one of the options was used */
	argv[--optind] = path;
	return 0;
}

int where__read(const struct where *where, const char *path, struct image *img, const char *base,
		struct input *in, struct function_map *map)
{
	bool cache = where__is_used(where) && !where->module && !base;
	int err;

	map->subject = path;
	if (map->block && document__is_used())
		document__identify(function_map__head(map));
	if (map->block)
		return 0;
	err = input__open(in, path, img, NULL, base);
	/* the cache has no ids */
	if (!err && cache && image__has_bytes(in->img, ".debug_info")) {
		btf_data__free(in->btf);
		in->btf = NULL;
	}
	err = err ?: function_map__read(map, in);
	if (!err && cache)
		err = kept__make(map, in);
	return err;
}
