// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image/image.h"
#include "locate/find.h"
#include "util/memory.h"
#include "util/msg.h"

static const char *const places[] = {
	"usr/lib/debug/lib/modules", "usr/lib/debug/usr/lib/modules", "lib/modules",
	"usr/lib/modules",
};

/* What is looked for; nftw() hands nothing on to its callback. */
static struct {
	const char	*name;
	struct build_id	id;	/* of size 0 if it is not known */
	char		*found;
} wanted;

/* The kernel treats '-' and '_' as equal; "nf_tables" is nf-tables.ko or nf_tables.ko.debug. */
static bool is_named(const char *file, const char *name)
{
	for (; *name; file++, name++)
		if (*file != *name && !(strchr("-_", *file) && strchr("-_", *name)))
			return false;
	return !strcmp(file, ".ko") || !strcmp(file, ".ko.debug");
}

static int try_module(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	const struct section *sec;
	struct build_id id = {};
	struct image *img;

	if (type != FTW_F || !S_ISREG(st->st_mode) || !is_named(path + ftw->base, wanted.name) ||
	    image__is_elf(path) <= 0 || image__open(path, &img))
		return 0;
	build_id__of(img, &id);
	sec = image__section(img, ".debug_info");
	if (sec && sec->size && (!wanted.id.size || build_id__equal(&id, &wanted.id)))
		wanted.found = xstrdup(path);
	image__close(img);
	return wanted.found ? 1 : 0;
}

static void read_id(const char *name, const char *sysroot)
{
	char *path = xasprintf("%s/sys/module/%s/notes/.note.gnu.build-id", sysroot, name);

	for (char *c = path + strlen(sysroot) + strlen("/sys/module/"); *c && *c != '/'; c++)
		*c = *c == '-' ? '_' : *c;
	if (!access(path, R_OK))
		build_id__read_notes(path, &wanted.id);
	free(path);
}

/* The release of the kernel is the name of a directory. */
static bool read_release(const char *sysroot, char *release, size_t size)
{
	char *path = xasprintf("%s/proc/sys/kernel/osrelease", sysroot);
	FILE *f = fopen(path, "re");
	bool good = f && fgets(release, size, f);

	if (!good)
		msg_error("%s: cannot read the release of the kernel", path);
	if (f)
		fclose(f);
	free(path);
	if (good)
		release[strcspn(release, "\n")] = 0;
	return good && !strchr(release, '/');
}

int find_module(const char *name, const char *sysroot, char **ret)
{
	char release[256], *dir;

	*ret = NULL;
	wanted.name = name;
	if (!*name || strchr(name, '/') || *name == '.')
		return msg_fail(-EINVAL, "--module: expected the name of a module: '%s'", name);
	read_id(name, sysroot);
	if (!read_release(sysroot, release, sizeof(release)))
		return -ENOENT;
	for (size_t i = 0; i < ARRAY_SIZE(places) && !wanted.found; i++) {
		dir = xasprintf("%s/%s/%s", sysroot, places[i], release);
		nftw(dir, try_module, 16, FTW_PHYS);
		free(dir);
	}
	*ret = wanted.found;
	if (*ret)
		return 0;
	msg_error("no file with debug information was found for module %s of Linux %s", name, release);
	return msg_fail(-ENOENT, "    install the debug package of the kernel, as for vmlinux, or name the .ko file");
}
