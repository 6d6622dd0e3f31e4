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
	msg_error("--max-uncompressed expects a number of megabytes: %s", arg);
	return EXIT_USAGE;
}

static int parse_build_id(void *data, const char *arg, bool value)
{
	struct where *where = data;

	where->build_id = arg;
	push(&where->sources, (struct where_source){ .build_id = arg });
	return GO_ON;
}

static int parse_notes(void *data, const char *arg, bool value)
{
	struct where *where = data;

	where->notes = arg;
	push(&where->sources, (struct where_source){ .notes = arg });
	return GO_ON;
}

static int parse_module(void *data, const char *arg, bool value)
{
	struct where *where = data;

	where->module = (char *)arg;
	/* the kernel's names of modules have no '-' */
	for (char *c = where->module; *c; c++)
		*c = *c == '-' ? '_' : *c;
	return GO_ON;
}

const struct opt where_options[] = {
	OPT_SET(0, "running", struct where, running,
		"instead of IMAGE: the image of the running kernel"),
	OPT_CALL(0, "module", "NAME", COMPLETE_NOTHING, parse_module,
		 "with one of the other options: the file of module NAME"),
	OPT_REPEATED(0, "build-id", "HEX", COMPLETE_NOTHING, parse_build_id, false,
		 "instead of IMAGE: the image with this build id"),
	OPT_REPEATED(0, "notes", "FILE", COMPLETE_FILE, parse_notes, false,
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
	return where->running || where->build_id || where->notes || where->module;
}

bool where__is_running(const struct where *where)
{
	return !where->build_id && !where->notes;
}

int where__identify(const struct where *where, struct build_id *ret)
{
	char *notes __cleanup(free_pointer) = NULL;

	if (where->build_id)
		return build_id__parse(where->build_id, ret);
	if (where->notes)
		return build_id__read_notes(where->notes, ret);
	notes = xasprintf("%s/sys/kernel/notes", where->sysroot ?: "");
	return build_id__read_notes(notes, ret);
}

static int find_kernel(const struct where *where, struct function_map *cached, char **path,
		       struct image **ret)
{
	struct build_id id;
	char hex[BUILD_ID_HEX];
	int err = where__identify(where, &id);

	if (err)
		return err;
	if (cached && kept__read(cached, &id)) {
		*path = xasprintf("kernel %s", build_id__hex(&id, hex));
		return 0;
	}
	return find_image(&id, where->sysroot ?: "", where__is_running(where), ret);
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

/* Without the build id of another machine's module, it is the running kernel's. */
static int find_loadable(const struct where *where, struct image **ret)
{
	struct build_id id = {};
	int err = where__is_running(where) ? 0 : where__identify(where, &id);

	err = err ?: find_module(where->module, &id, where->sysroot ?: "", ret);
	return err ?: check_module(where->module, ret);
}

int where__open(const struct where *where, struct image **ret)
{
	char *path = NULL;

	return where->module ? find_loadable(where, ret) : find_kernel(where, NULL, &path, ret);
}

int where__find(struct where *where, char **argv, struct function_map *cached,
		struct image **ret)
{
	char *path = NULL;
	int err;

	*ret = NULL;
	if (!where__is_used(where))
		return 0;
	err = where->module ? find_loadable(where, ret) : find_kernel(where, cached, &path, ret);
	if (err)
		return err;
	if (*ret) {
		path = xstrdup((*ret)->path);
		msg_info("%s: is the image", path);
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

struct image *where__find_uncached(const struct where *where, const struct function_map *map)
{
	struct image *img = NULL;
	char *text = NULL;

	msg_hold(&text);
	find_image(&map->id, where->sysroot ?: "", where__is_running(where), &img);
	msg_hold(NULL);
	free(text);
	return img;
}
