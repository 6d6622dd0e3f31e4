// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "dwarf/unit.h"
#include "image/compressed.h"
#include "locate/debuginfod.h"
#include "locate/find.h"
#include "locate/root.h"
#include "util/file.h"
#include "util/memory.h"
#include "util/msg.h"
#include "util/text.h"

/*
 * Distributions install the same tree below these: the files that the kernel loads, then their debug
 * information.  The build id or debuglink of the former decides about the latter.  The man page lists these
 * and the next two tables; is_debug_path() must know which are a debug package's.
 */
static const char *const prefixes[] = {
	"", "/usr", "/run/booted-system/kernel-modules",
	/* Android's partitions */
	"/vendor", "/vendor_dlkm", "/system", "/system_dlkm", "/odm", "/odm_dlkm",
	"/usr/lib/debug", "/usr/lib/debug/usr",
};

/* In the tree.  Of modules there is one directory per release, or a single one without (Android). */
static const char *const image_names[] = {
	"/boot/vmlinux*", "/lib/modules/*/build/vmlinux", "/lib/modules/*/vmlinux*", "/lib/kernel/vmlinux*",
};

/* Other places for images. */
static const char *const image_paths[] = {
	"/usr/lib/debug/vmlinux*", "/boot/.debug/vmlinux*", "/usr/src/debug/*/vmlinux",
	"/usr/src/linux*/vmlinux", "/nix/store/*linux*-dev/vmlinux",
};

/**
 * struct image_search - what is sought, and what was found
 * @root:	the search is below this directory
 * @id:		its size is 0 until a file of the module has one, which then decides
 * @release:	of the kernel, if it is known: a part of paths
 * @module:	a module's name, or NULL
 * @compressed:	try files that are called like compressed ones, or the others
 * @exact:	the path is the kernel's or module's, so messages name a file that cannot be used
 * @dwarf:	the file with DWARF, or NULL
 * @code:	the file with the code, if @dwarf lacks it, or NULL
 * @done:	@dwarf is complete
 * @visited:	directories of modules: links may lead to one several times, or in circles
 * @problems:	files that cannot be used, and why: lines
 * @installed:	one of them looks like the file of a debug package
 */
struct image_search {
	const char	*root;
	struct build_id	id;
	char		*release;
	const char	*module;
	bool		compressed;
	bool		exact;
	struct image	*dwarf;
	struct image	*code;
	bool		done;
	VECTOR(struct stat) visited;
	char		*problems;
	bool		installed;
};

static void destroy_search(struct image_search *s)
{
	free(s->release);
	free(s->problems);
	free(s->visited.array);
	image__close(s->dwarf);
	image__close(s->code);
}

static bool is_debug_path(const char *path)
{
	return strstr(path, "/debug/") || strstr(path, ".debug");
}

/* Record a problem once: several names may lead to one file.  @text is freed. */
static void add_problem(struct image_search *s, const char *path, int err, char *text)
{
	text_clean(text);
	if (!s->problems || !strstr(s->problems, text))
		xappend(&s->problems, "%s\n", text);
	/* without a release, it may be the file of another kernel's package */
	s->installed |= err == -EACCES || (err != -ENOLINK && s->release && is_debug_path(path));
	free(text);
}

/* Open a file without messages.  Return: the image; NULL, after recording the reason. */
static struct image *open_candidate(struct image_search *s, const char *path, bool named)
{
	char *real __cleanup(free_pointer) = root__resolve(s->root, path), *text = NULL;
	int err = real ? 0 : -errno;
	struct image *img = NULL;

	if (err == -ENOENT || err == -ENOTDIR)
		return NULL;
	if (err) {
		text = xasprintf("%s%s: %s", s->root, path,
				 err == -ENOLINK ? "is a link to a file that does not exist" :
						   strerror(-err));
	} else {
		msg_hold(&text);
		err = image__open(real, &img);
		msg_hold(NULL);
	}
	/* other files are probably not meant, unless they cannot be opened */
	if (text && (named || err == -EACCES))
		add_problem(s, path, err, no_free_ptr(text));
	free(text);
	if (img)
		text_clean(img->path);
	return img;
}

static bool has_id(struct image_search *s, const struct image *img, const char *path, bool named)
{
	struct build_id id;
	char hex[BUILD_ID_HEX];

	if (!build_id__of(img, &id)) {
		if (named && s->id.size)
			add_problem(s, path, 0, xasprintf("%s: has no build id", img->path));
		return !s->id.size;
	}
	if (!s->id.size)
		s->id = id;
	if (build_id__equal(&id, &s->id))
		return true;
	if (named)
		add_problem(s, path, 0, xasprintf("%s: is of another build, with build id %s",
						  img->path, build_id__hex(&id, hex)));
	return false;
}

/* Return: the name of the file with DWARF, in the same directory, and its checksum; or NULL. */
static const char *read_debuglink(const struct image *img, uint32_t *crc)
{
	const struct section *sec = image__section(img, ".gnu_debuglink");
	const char *link;
	struct cursor c;

	if (!sec || !sec->data)
		return NULL;
	c = image__cursor(img, sec);
	link = cursor__string(&c);
	cursor__skip(&c, -cursor__offset(&c) & 3);
	*crc = cursor__u32(&c);
	return cursor__failed(&c) || !*link || strchr(link, '/') || !strcmp(link, "..") ? NULL : link;
}

/*
 * Check the file with DWARF that a debuglink names, or that would be joined with the code.  With a
 * build id, has_id() has shown more than this checksum, for which all of the file is read.
 */
static bool has_crc(struct image_search *s, const struct image *code, const struct image *dwarf,
		    const char *path)
{
	struct build_id id;
	uint32_t crc;
	const char *link = build_id__of(code, &id) ? NULL : read_debuglink(code, &crc);

	if (!link || (strcmp(strrchr(path, '/') + 1, link) && !image__lacks_code(dwarf)) ||
	    crc32_z(0, dwarf->map, dwarf->size) == crc)
		return true;
	add_problem(s, path, 0, xasprintf("%s: is of another build: the debuglink of %s has another checksum",
					  dwarf->path, code->path));
	return false;
}

static void follow_link(struct image_search *s, const struct image *img, const char *path);
static void try_build_tree(struct image_search *s, const char *path);

/*
 * Test whether a path below the root, which starts with a slash, has the release, rather than one that starts
 * like it: 6.12.10 after 6.12.1.
 */
static bool has_release(const struct image_search *s, const char *path)
{
	size_t len = s->release ? strlen(s->release) : 0;

	for (const char *at = path; len && (at = strstr(at, s->release)); at++) {
		const char *end = at + len;

		if (strchr("/-", at[-1]) && (strchr("/", *end) || !strncmp(end, ".debug", 6) ||
					     end == compressed_suffix(path)))
			return true;
	}
	return false;
}

/* Another file may have all of the DWARF. */
static bool has_all_dwarf(struct image_search *s, const struct image *img, const char *path)
{
	char *text = NULL;
	int err;

	msg_hold(&text);
	err = dwarf__reject_external(img);
	msg_hold(NULL);
	if (err)
		add_problem(s, path, err, text);
	return !err;
}

/* Use a file, if it is the one that is sought. */
static void try_file(const char *path, void *arg)
{
	struct image_search *s = arg;
	bool named = s->exact || has_release(s, path);
	struct image *img __cleanup(close_image) = NULL;

	if (s->done)
		return;
	/* without a release, any file may be the image */
	img = open_candidate(s, path, named || !s->release);
	if (!img || (s->code && !has_crc(s, s->code, img, path)) || !has_id(s, img, path, named))
		return;
	if (image__has_bytes(img, ".debug_info")) {
		if (!has_all_dwarf(s, img, path))
			return;
		/* a stripped file may have a debuglink to another one */
		s->done = s->id.size && !image__lacks_code(img);
		if (s->dwarf && !s->done)
			return;
		image__close(s->dwarf);
		s->dwarf = no_free_ptr(img);
		return;
	}
	add_problem(s, path, 0, xasprintf("%s: has no debug information", img->path));
	if (s->code || image__lacks_code(img))
		return;
	if (s->dwarf && !has_crc(s, img, s->dwarf, s->dwarf->path)) {
		image__close(s->dwarf);
		s->dwarf = NULL;
	}
	s->code = no_free_ptr(img);
	try_build_tree(s, path);
	follow_link(s, s->code, path);
	/* of the file that a link in weak-updates leads to */
	if (!strncmp(s->code->path, s->root, strlen(s->root)))
		follow_link(s, s->code, s->code->path + strlen(s->root));
}

static void try_exact(struct image_search *s, char *path)
{
	bool exact = s->exact;

	s->exact = true;
	try_file(path, s);
	s->exact = exact;
	free(path);
}

/* Search the same directories as gdb: the file's own, .debug in it, and /usr/lib/debug. */
static void follow_link(struct image_search *s, const struct image *img, const char *path)
{
	int dir = strrchr(path, '/') - path;
	uint32_t crc;
	const char *link = read_debuglink(img, &crc);

	if (s->dwarf || !link)
		return;
	try_exact(s, xasprintf("%.*s/%s", dir, path, link));
	try_exact(s, xasprintf("%.*s/.debug/%s", dir, path, link));
	try_exact(s, xasprintf("/usr/lib/debug%.*s/%s", dir, path, link));
}

/* A module that was stripped when it was installed: REL/kernel/PATH.ko.xz is REL/build/PATH.ko. */
static void try_build_tree(struct image_search *s, const char *path)
{
	const char *kernel = s->module ? strstr(path, "/kernel/") : NULL;

	if (kernel)
		try_exact(s, xasprintf("%.*s/build/%.*s", (int)(kernel - path), path,
				       (int)(compressed_suffix(kernel) - kernel - strlen("/kernel/")),
				       kernel + strlen("/kernel/")));
}

/* What gdb, elfutils and distributions agree on. */
static void try_build_id(struct image_search *s)
{
	static const char *const debug_dirs[] = { "/usr/lib/debug", "/run/current-system/sw/lib/debug" };
	static const char *const dirs[] = { "/usr/lib/debug", "/usr/lib" };
	char hex[BUILD_ID_HEX];

	build_id__hex(&s->id, hex);
	if (s->id.size < 2)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(debug_dirs) * NR_COMPRESSED_SUFFIXES; i++)
		try_exact(s, xasprintf("%s/.build-id/%.2s/%s.debug%s", debug_dirs[i % ARRAY_SIZE(debug_dirs)],
				       hex, hex + 2, compressed_suffixes[i / ARRAY_SIZE(debug_dirs)]));
	/* links to the executable, which is a boot image on some distributions */
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		try_exact(s, xasprintf("%s/.build-id/%.2s/%s", dirs[i], hex, hex + 2));
}

/* --- what was found --------------------------------------------------------------- */

/* The cache of libdebuginfod must not keep a file that is malformed, or not the one that is sought. */
static int fetch_file(struct image_search *s, const char *type, struct image **ret)
{
	struct image *img __cleanup(close_image) = NULL;
	char *path __cleanup(free_pointer) = NULL;
	struct build_id id;
	int err = debuginfod__fetch(&s->id, type, &path);

	if (err)
		return err;
	err = image__open(path, &img);
	if (!err && (!build_id__of(img, &id) || !build_id__equal(&id, &s->id) ||
		     (ret == &s->dwarf && !image__has_bytes(img, ".debug_info"))))
		err = msg_fail(-EINVAL, "%s: debuginfod returned a file from another build, or without debug information",
			       path);
	if (!err)
		*ret = no_free_ptr(img);
	else if (err == -EINVAL)
		unlink(path);
	return err;
}

/* Fetch the file with DWARF, or else the one with the code, which is optional. */
static int fetch_missing(struct image_search *s)
{
	char *text = NULL;
	int err;

	if (!s->id.size || s->done)
		return s->dwarf ? 0 : -ENOENT;
	err = s->dwarf ? 0 : fetch_file(s, "debuginfo", &s->dwarf);
	if (err || s->code || !image__lacks_code(s->dwarf))
		return err;
	msg_hold(&text);
	err = fetch_file(s, "executable", &s->code);
	msg_hold(NULL);
	/* servers often have no code; but if there is some, messages name the reason */
	if (text && err != -ENOENT)
		add_problem(s, "", err, no_free_ptr(text));
	if (text)
		msg_info("%s", text);
	free(text);
	return 0;
}

static void print_problems(const struct image_search *s, enum msg_level level, const char *kind)
{
	char *next = s->problems, *line;

	while ((line = strsep(&next, "\n")) && *line)
		msg_print(level, kind, "    %s", line);
}

/* Attach the code, if it was found; otherwise, name the files that may have it. */
static void attach_code(struct image_search *s, struct image *img, struct image **code)
{
	bool found = *code && !image__lacks_code(*code);
	enum msg_level level;

	if (!image__lacks_code(img))
		return;
	if (found && !image__attach(img, *code)) {
		*code = NULL;
		return;
	}
	if (found)
		add_problem(s, (*code)->path, 0, xasprintf("%s: has other sections", (*code)->path));
	level = s->problems ? MSG_NORMAL : MSG_VERBOSE;
	msg_print(level, "warning: ", "%s: has no code, and no file with the code was found",
		  img->path);
	print_problems(s, level, "warning: ");
}

static int finish_search(struct image_search *s, struct image **ret)
{
	int err = fetch_missing(s);

	if (err)
		return err;
	attach_code(s, s->dwarf, &s->code);
	*ret = no_free_ptr(s->dwarf);
	return 0;
}

/* The release of the kernel is the name of a directory.  Return: NULL if it is not known. */
static char *read_release(const char *root)
{
	char *path __cleanup(free_pointer) = xasprintf("%s/proc/sys/kernel/osrelease", root);
	uint8_t *bytes __cleanup(free_pointer) = NULL;
	size_t size;
	char *release;

	if (file__read(path, O_NONBLOCK, NAME_MAX, NULL, &bytes, &size) || !size)
		return NULL;
	release = (char *)bytes;
	release[strcspn(release, "\n")] = 0;
	return *release && !strchr(release, '/') ? text_clean(xstrdup(release)) : NULL;
}

/* --- the code of an image that was named -------------------------------------------- */

/* Remove the first occurrence of @what that is followed by a '/'. */
static void remove_directory(char *path, const char *what)
{
	char *at = strstr(path, what), *end = at ? at + strlen(what) : NULL;

	if (at && *end == '/')
		memmove(at, end, strlen(end) + 1);
}

/* /usr/lib/debug/DIR/FILE.debug and DIR/.debug/FILE.debug belong to DIR/FILE; each maybe compressed. */
static void try_stripped(struct image_search *s, const char *path)
{
	char *file __cleanup(free_pointer) = xstrndup(path, compressed_suffix(path) - path);
	char *dot = strrchr(file, '.');

	if (!strcmp(dot ?: "", ".debug"))
		*dot = 0;
	remove_directory(file, "/usr/lib/debug");
	remove_directory(file, "/.debug");
	for (size_t i = 0; i < NR_COMPRESSED_SUFFIXES; i++)
		try_exact(s, xasprintf("%s%s", file, compressed_suffixes[i]));
}

void find_code(struct image *img)
{
	struct image_search s __cleanup(destroy_search) = { .root = "" };
	char *path __cleanup(free_pointer) = realpath(img->path, NULL);

	if (!image__lacks_code(img) || !build_id__of(img, &s.id) || !path)
		return;
	try_stripped(&s, path);
	try_build_id(&s);
	attach_code(&s, img, s.code ? &s.code : &s.dwarf);
}

/* --- vmlinux ---------------------------------------------------------------------- */

/*
 * In two passes: compressed files are tried last.  Decompressing the image of another release, only to see
 * its build id, takes seconds.
 */
static void try_image(const char *path, void *arg)
{
	struct image_search *s = arg;

	if (s->compressed == !!*compressed_suffix(path) &&
	    (!s->compressed || !s->release || has_release(s, path) || !strpbrk(path, "0123456789")))
		try_file(path, s);
}

int find_image(const struct build_id *id, const char *root, bool running, struct image **ret)
{
	struct image_search s __cleanup(destroy_search) = {
		.root = root, .id = *id, .release = running ? read_release(root) : NULL,
	};
	char hex[BUILD_ID_HEX];
	int err;

	try_build_id(&s);
	for (int pass = 0; pass < 2; pass++) {
		s.compressed = pass;
		for (size_t i = 0; i < ARRAY_SIZE(prefixes) * ARRAY_SIZE(image_names) && !s.done; i++) {
			char *path __cleanup(free_pointer) =
				xasprintf("%s%s", prefixes[i / ARRAY_SIZE(image_names)],
					  image_names[i % ARRAY_SIZE(image_names)]);

			root__match(root, path, try_image, &s);
		}
		for (size_t i = 0; i < ARRAY_SIZE(image_paths) && !s.done; i++)
			root__match(root, image_paths[i], try_image, &s);
	}
	err = finish_search(&s, ret);
	if (!err && running)
		(*ret)->running = root;
	if (!err)
		return 0;
	msg_error("no image with debug information was found for build id %s",
		  build_id__hex(id, hex));
	print_problems(&s, MSG_QUIET, "error: ");
	if (s.installed)
		return err;
	msg_error("    install the debug package of the kernel (Debian: linux-image-*-dbg, Ubuntu: linux-image-*-dbgsym, Fedora: kernel-debuginfo, SUSE: kernel-default-debuginfo)");
	if (!debuginfod__is_set())
		msg_error("    or set DEBUGINFOD_URLS to your distribution's debuginfod server");
	return err;
}

/* --- modules ---------------------------------------------------------------------- */

static bool is_module_file(const char *path, const char *module)
{
	char *name __cleanup(free_pointer) = module__name_of_file(path);

	return name && !strcmp(name, module);
}

/* Directories are not nested deeper. */
#define MAX_DEPTH	16

/* The build and source directories are links to the sources.  NixOS has a link per module. */
static bool may_have_modules(const struct dirent *entry)
{
	char *module __cleanup(free_pointer) = module__name_of_file(entry->d_name);
	const char *name = entry->d_name;

	if (*name == '.' || !strcmp(name, "build") || !strcmp(name, "source") || module)
		return false;
	return entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN || entry->d_type == DT_LNK;
}

/* Return: NULL if it cannot be read, or was searched by another name. */
static DIR *open_directory(struct image_search *s, const char *dir)
{
	char *real __cleanup(free_pointer) = root__resolve(s->root, dir);
	DIR *entries = real ? opendir(real) : NULL;
	struct stat st;

	/* this names it */
	if (real && !entries && errno == EACCES)
		try_file(dir, s);
	if (!entries || fstat(dirfd(entries), &st))
		return entries;
	for_each(seen, &s->visited) {
		if (seen->st_dev == st.st_dev && seen->st_ino == st.st_ino) {
			closedir(entries);
			return NULL;
		}
	}
	push(&s->visited, st);
	return entries;
}

static void search_directory(struct image_search *s, const char *dir, unsigned int depth)
{
	DIR *entries = open_directory(s, dir);
	struct dirent *entry;

	while (entries && !s->done && (entry = readdir(entries))) {
		char *path __cleanup(free_pointer) = xasprintf("%s/%s", dir, entry->d_name);

		if (is_module_file(entry->d_name, s->module))
			try_file(path, s);
		else if (depth < MAX_DEPTH && may_have_modules(entry))
			search_directory(s, path, depth + 1);
	}
	if (entries)
		closedir(entries);
}

static void search_modules(struct image_search *s, const char *release, const char *subdir, unsigned int depth)
{
	for (size_t i = 0; i < ARRAY_SIZE(prefixes) && !s->done; i++) {
		char *dir __cleanup(free_pointer) = xasprintf("%s/lib/modules/%s%s", prefixes[i], release, subdir);

		search_directory(s, dir, depth);
	}
}

static bool exists_for_module(const struct image_search *s, const char *file)
{
	char *path __cleanup(free_pointer) = xasprintf("%s/sys/module/%s/%s", s->root, s->module,
						       file);

	return !access(path, F_OK);
}

/*
 * Find the module in a list of depmod or of the kernel's build, whose lines start with a path.
 * Return: its path, malloc()ed, or NULL.
 */
static char *find_in_list(const struct image_search *s, const char *list)
{
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		char *dir __cleanup(free_pointer) = xasprintf("%s/lib/modules/%s", prefixes[i], s->release);
		char *path __cleanup(free_pointer) = xasprintf("%s/%s", dir, list);
		char *real __cleanup(free_pointer) = root__resolve(s->root, path);
		uint8_t *bytes __cleanup(free_pointer) = NULL;
		char *next, *line;
		size_t size;

		if (!real || file__read(real, O_NONBLOCK, MAX_FILE, NULL, &bytes, &size))
			continue;
		next = (char *)bytes;
		while ((line = strsep(&next, "\n"))) {
			/* dependencies follow */
			line[strcspn(line, ":")] = 0;
			if (is_module_file(line, s->module))
				return *line == '/' ? xstrdup(line) : xasprintf("%s/%s", dir, line);
		}
	}
	return NULL;
}

/*
 * Of several files with the module's name, try the one that the kernel loads: the one in
 * modules.dep or, without it, in updates, which depmod prefers.
 */
static void try_loadable(struct image_search *s)
{
	char *path = find_in_list(s, "modules.dep");

	if (path)
		try_exact(s, path);
	else
		search_modules(s, s->release, "/updates", 0);
	/* without a build id, too */
	s->done |= s->dwarf && !image__lacks_code(s->dwarf);
}

/* A built-in module with parameters has a directory in /sys/module, but no state. */
static bool is_built_in(const struct image_search *s)
{
	char *path __cleanup(free_pointer) = find_in_list(s, "modules.builtin");

	return path || (exists_for_module(s, "") && !exists_for_module(s, "initstate") &&
			!exists_for_module(s, "notes"));
}

static int report_no_module(const struct image_search *s)
{
	char hex[BUILD_ID_HEX];

	if (s->release && !s->problems && is_built_in(s))
		return msg_fail(-ENOENT, "module %s is built into the kernel: its functions are in vmlinux, omit --module",
				s->module);
	msg_error("no file with debug information was found for module %s %s %s", s->module,
		  s->release ? "of Linux" : "with build id",
		  s->release ?: build_id__hex(&s->id, hex));
	print_problems(s, MSG_QUIET, "error: ");
	if (!s->installed)
		msg_error("    install the debug package of the kernel, as for vmlinux, or name the .ko file");
	return -ENOENT;
}

int find_module(const char *name, const struct build_id *id, const char *root,
		struct image **ret)
{
	struct image_search s __cleanup(destroy_search) = {
		.root = root, .id = *id, .module = name,
		.release = id->size ? NULL : read_release(root), .exact = true,
	};
	char *notes __cleanup(free_pointer) = NULL;
	int err;

	if (!*name || strpbrk(name, "/."))
		return msg_fail(-EINVAL, "--module: expected the name of a module, not a file: '%s'", name);
	notes = xasprintf("%s/sys/module/%s/notes/.note.gnu.build-id", root, name);
	if (!id->size && !access(notes, R_OK))
		build_id__read_notes(notes, &s.id);
	if (!id->size && !s.release)
		return msg_fail(-ENOENT, "%s/proc/sys/kernel/osrelease: cannot read the release of the kernel",
				root);
	try_build_id(&s);
	if (s.release && !s.done)
		try_loadable(&s);
	/* without a release: below all of them */
	search_modules(&s, s.release ?: "", "", 0);
	if (s.release)
		search_modules(&s, "", "", MAX_DEPTH);
	/* the id of a module that is not loaded is known from its file */
	if (!s.dwarf)
		try_build_id(&s);
	err = finish_search(&s, ret);
	return err ? report_no_module(&s) : 0;
}
