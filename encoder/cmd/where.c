// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>

#include "cmd/where.h"
#include "locate/find.h"
#include "util/memory.h"
#include "util/msg.h"

static int take_limit(void *data, const char *arg, bool value)
{
	char *end;

	image_max_uncompressed = strtoull(arg, &end, 10);
	if (*arg >= '1' && *arg <= '9' && !*end && image_max_uncompressed >> 43 == 0) {
		image_max_uncompressed <<= 20;
		return -1;
	}
	msg_error("--max-uncompressed expects a number of megabytes: %s", arg);
	return EXIT_USAGE;
}

const struct opt where_options[] = {
	OPT_SET(0, "running", struct where, running,
		"instead of IMAGE: the image of the running kernel"),
	OPT_TEXT(0, "module", "NAME", COMPLETE_NOTHING, struct where, module,
		 "with --running: the file of module NAME"),
	OPT_TEXT(0, "build-id", "HEX", COMPLETE_NOTHING, struct where, build_id,
		 "instead of IMAGE: the image with this build id"),
	OPT_TEXT(0, "notes", "FILE", COMPLETE_FILE, struct where, notes,
		 "instead of IMAGE: the image with the build id in FILE, a copy of another machine's /sys/kernel/notes"),
	OPT_TEXT(0, "sysroot", "DIR", COMPLETE_DIR, struct where, sysroot,
		 "search for these files below DIR"),
	OPT_CALL(0, "max-uncompressed", "MB", COMPLETE_NOTHING, take_limit,
		 "limit for the size of an uncompressed image and its sections (default: 16 times the file's size, at least 256)"),
	{}
};

bool where__is_used(const struct where *where)
{
	return where->running || where->build_id || where->notes || where->module;
}

int where__identify(struct where *where)
{
	char *notes __cleanup(free_pointer) = NULL;

	if (!where__is_used(where))
		return 0;
	if (where->build_id)
		return build_id__parse(where->build_id, &where->id);
	if (where->notes)
		return build_id__read_notes(where->notes, &where->id);
	notes = xasprintf("%s/sys/kernel/notes", where->sysroot ?: "");
	return build_id__read_notes(notes, &where->id);
}

/* The image that replaces IMAGE, until it is taken; its path must outlive the arguments. */
static struct image *found_image;
static char *found;

int where__find(struct where *where, char **argv, bool accept_cached)
{
	char hex[BUILD_ID_HEX];
	int err;

	if (!where__is_used(where))
		return 0;
	if (where->module && (where->build_id || where->notes)) {
		msg_error("--module finds modules of the running kernel, and cannot be combined with --build-id or --notes");
		return -EINVAL;
	}
	if (where->module) {
		/* the kernel's names of modules have no '-' */
		for (char *c = where->module; *c; c++)
			*c = *c == '-' ? '_' : *c;
		err = find_module(where->module, where->sysroot ?: "", &found_image);
	} else {
		err = where__identify(where);
		where->cached = !err && accept_cached;
		where->is_kept = where->cached && kept__read(&where->kept, &where->id);
		if (where->is_kept)
			found = xasprintf("kernel %s", build_id__hex(&where->id, hex));
		else if (!err)
			err = find_image(&where->id, where->sysroot ?: "",
					 !where->build_id && !where->notes, &found_image);
	}
	if (err)
		return err;
	if (found_image) {
		found = xstrdup(found_image->path);
		msg_info("%s: is the image", found);
	}
	/* one of the options was used */
	argv[--optind] = found;
	return 0;
}

struct image *where__take_image(void)
{
	return no_free_ptr(found_image);
}

int where__open_image(const char *path, struct image **ret)
{
	if (path != found || !found_image)
		return image__open(path, ret);
	*ret = no_free_ptr(found_image);
	return 0;
}

int where__read(const struct where *where, struct input *in, struct function_map *map,
		const char *path, const char *image, const char *base)
{
	struct image *img = image ? NULL : where__take_image();
	int err;

	*in = (struct input){ .path = path };
	*map = where->kept;
	map->subject = path;
	if (where->is_kept)
		return 0;
	err = input__open(in, path, img, image, base);
	/* the cache has no ids */
	if (!err && where->cached && in->img && image__has_bytes(in->img, ".debug_info")) {
		btf_data__free(in->btf);
		in->btf = NULL;
	}
	err = err ?: function_map__read(map, in);
	if (!err && where->cached)
		err = kept__make(&where->id, map, in);
	return err;
}
