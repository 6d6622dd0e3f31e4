// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Selectors in SEC() for an unmodified libbpf, see btf_func_sel.h.
 *
 * A section name is parsed into a selector, all FUNCs of its name are collected
 * from BTF of vmlinux or of modules, and the one that fits is chosen.  fentry is
 * given its id, a kprobe its address.  BTF is read here, byte by byte, as libbpf
 * cannot parse the form with addresses; only FUNCs and DECL_TAGs are of interest.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <ctype.h>
#include <errno.h>
#include <gelf.h>
#include <glob.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "btf_func_sel.h"

/* A test puts a directory of its own there. */
#ifndef BTF_FUNC_SEL_ROOT
#define BTF_FUNC_SEL_ROOT	""
#endif
#define SYS_KERNEL		BTF_FUNC_SEL_ROOT "/sys/kernel"
#define SYS_KPROBE_TYPE		BTF_FUNC_SEL_ROOT "/sys/bus/event_source/devices/kprobe/type"
#define PROC_MODULES		BTF_FUNC_SEL_ROOT "/proc/modules"

/*
 * What follows a FUNC with kind_flag, as one word: offset from the text base in
 * the lower 48 bits, flags (1: init or exit text), and a guard of ones on top.
 */
#define RECORD_OFFSET(word)	((word) & 0xffffffffffffULL)
#define RECORD_INIT		(1ULL << 48)
#define RECORD_GUARD		(0xffULL << 56)
#define RECORD_CHECKED		(0xffffULL << 48)

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define VMLINUX			"vmlinux"
#define UNIT_PREFIX		"unit:"

/* BTF of vmlinux or a module */
struct object {
	struct object *next;
	struct object *base;	/* a module's */
	char *data;		/* types and strings point into it */
	const char *types;
	const char *types_end;
	const char *strings;
	__u32 strings_len;
	__u32 start_id;		/* the first id that is not the base's */
	__u32 end_id;
	int fd;			/* of the kernel's BTF object, 0: not asked for yet */
	bool addressed;		/* read as BTF with addresses */
	char name[];
};

/* what a section asks for: [MODULE:]NAME[@FILE|@N][+OFFSET] behind the '/' */
struct selector {
	const struct bpf_program *prog;	/* whose it is */
	const char *target;	/* as it was written */
	char *text;		/* a copy cut to pieces, which the others point into */
	const char *module;	/* NULL: vmlinux or any module */
	const char *name;
	const char *file;
	__u32 rank;
	size_t offset;
	bool probe;		/* a kprobe, so an address is wanted */
};

/* a FUNC of that name */
struct candidate {
	struct object *obj;
	const char *unit;	/* path, or NULL */
	__u64 record;		/* 0: none */
	__u32 id;
	__u32 rank;		/* in its object */
	bool fits;
};

struct candidates {
	struct candidate *all;
	__u32 nr;
	__u32 nr_fitting;
};

enum handler_flags {
	SLEEPABLE = 1,
	RETPROBE = 2,
};

static char *btf_path;
static struct object *objects;

/* Messages go where libbpf's go; it has no other way to ask where that is. */
static void say(const char *format, ...)
{
	libbpf_print_fn_t print = libbpf_set_print(NULL);
	va_list args;

	libbpf_set_print(print);
	if (!print)
		return;
	va_start(args, format);
	print(LIBBPF_WARN, format, args);
	va_end(args);
}

#define warn(sel, format, ...)							\
	say("prog '%s': " format "\n", bpf_program__name((sel)->prog), ##__VA_ARGS__)

/* --- files ------------------------------------------------------------------- */

/* sysfs says how long these files are.  *data is to be freed in any case. */
static int read_file(const char *path, char **data, size_t *size)
{
	FILE *f = fopen(path, "re");
	struct stat st = {};
	int err = 0;

	if (!f)
		return -errno;
	if (fstat(fileno(f), &st))
		err = -errno;
	*size = st.st_size;
	*data = malloc(*size + 1);
	if (!*data)
		err = -ENOMEM;
	else if (!err && fread(*data, 1, *size, f) != *size)
		err = -EIO;
	fclose(f);
	return err;
}

/*
 * Of an ELF file keep .BTF.  It must have a build id, and that of the running
 * kernel: a kernel's image has it in .notes, which /sys/kernel/notes is too, and
 * files with little else in them in a section of its own.
 */
static int keep_btf(const struct selector *sel, const char *path, char *data, size_t *size)
{
	Elf_Data *btf = NULL, *id = NULL;
	char *notes = NULL;
	size_t shstrndx, notes_size;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	Elf *elf;
	int err;

	err = read_file(SYS_KERNEL "/notes", &notes, &notes_size);
	elf_version(EV_CURRENT);
	elf = elf_memory(data, *size);
	while (!elf_getshdrstrndx(elf, &shstrndx) && (scn = elf_nextscn(elf, scn))) {
		const char *name = gelf_getshdr(scn, &shdr) ?
			elf_strptr(elf, shstrndx, shdr.sh_name) : NULL;

		if (name && !strcmp(name, ".BTF"))
			btf = elf_rawdata(scn, NULL);
		if (name && (!strcmp(name, ".notes") || !strcmp(name, ".note.gnu.build-id")))
			id = elf_rawdata(scn, NULL);
	}
	if (!err && (!btf || !btf->d_buf || !id || !id->d_buf)) {
		warn(sel, "%s: expected an ELF file with a build id and .BTF", path);
		err = -EINVAL;
	} else if (!err && !memmem(notes, notes_size, id->d_buf, id->d_size)) {
		warn(sel, "%s: not of the running kernel: its build id is another", path);
		err = -ESTALE;
	} else if (!err) {
		*size = btf->d_size;
		memmove(data, btf->d_buf, *size);
	}
	elf_end(elf);
	free(notes);
	return err;
}

/* --- types ------------------------------------------------------------------- */

static bool has_record(const struct btf_type *t)
{
	return btf_is_func(t) && btf_kflag(t);
}

static __u64 record_of(const struct btf_type *t)
{
	const __u32 *words = (const __u32 *)(t + 1);

	return (__u64)words[1] << 32 | words[0];
}

/* Bytes of a type, 0 if its kind is not known. */
static size_t type_size(const struct btf_type *t)
{
	/* behind struct btf_type; kinds that are not here have nothing there */
	static const __u8 fixed[BTF_KIND_ENUM64 + 1] = {
		[BTF_KIND_INT] = sizeof(__u32),
		[BTF_KIND_ARRAY] = sizeof(struct btf_array),
		[BTF_KIND_VAR] = sizeof(struct btf_var),
		[BTF_KIND_DECL_TAG] = sizeof(struct btf_decl_tag),
	};
	static const __u8 per_element[BTF_KIND_ENUM64 + 1] = {
		[BTF_KIND_STRUCT] = sizeof(struct btf_member),
		[BTF_KIND_UNION] = sizeof(struct btf_member),
		[BTF_KIND_ENUM] = sizeof(struct btf_enum),
		[BTF_KIND_FUNC_PROTO] = sizeof(struct btf_param),
		[BTF_KIND_DATASEC] = sizeof(struct btf_var_secinfo),
		[BTF_KIND_ENUM64] = sizeof(struct btf_enum64),
	};
	__u32 kind = btf_kind(t);

	if (kind == BTF_KIND_UNKN || kind > BTF_KIND_ENUM64)
		return 0;
	if (has_record(t))
		return sizeof(*t) + sizeof(__u64);
	return sizeof(*t) + fixed[kind] + btf_vlen(t) * per_element[kind];
}

static const struct btf_type *next_type(const struct btf_type *t)
{
	return (const void *)((const char *)t + type_size(t));
}

#define for_each_type(obj, t, id)						\
	for (t = (const void *)(obj)->types, id = (obj)->start_id;		\
	     (const char *)t != (obj)->types_end; t = next_type(t), id++)

/* Count types, and see that nobody need look out for the end of one again. */
static bool check_types(struct object *obj)
{
	const struct btf_type *t;

	for_each_type(obj, t, obj->end_id) {
		size_t left = obj->types_end - (const char *)t;

		if (left < sizeof(*t) || !type_size(t) || left < type_size(t))
			return false;
		if (has_record(t) && (record_of(t) & RECORD_CHECKED & ~RECORD_INIT) != RECORD_GUARD)
			return false;
	}
	return true;
}

/* Does the object's data begin with BTF of @size bytes? */
static bool parse_btf(struct object *obj, size_t size)
{
	const struct btf_header *hdr = (const void *)obj->data;
	const char *body;

	if (size < sizeof(*hdr) || hdr->magic != BTF_MAGIC || hdr->hdr_len < sizeof(*hdr) ||
	    hdr->hdr_len > size)
		return false;
	body = obj->data + hdr->hdr_len;
	size -= hdr->hdr_len;
	if ((hdr->hdr_len | hdr->type_off) % sizeof(__u32) ||
	    hdr->type_off > size || hdr->type_len > size - hdr->type_off ||
	    hdr->str_off > size || hdr->str_len > size - hdr->str_off ||
	    (hdr->str_len && body[hdr->str_off + hdr->str_len - 1]))
		return false;
	obj->types = body + hdr->type_off;
	obj->types_end = obj->types + hdr->type_len;
	obj->strings = body + hdr->str_off;
	obj->strings_len = hdr->str_len;
	return check_types(obj);
}

/* A module's strings go on where its base's end. */
static const char *string_at(const struct object *obj, __u32 off)
{
	__u32 start = obj->base ? obj->base->strings_len : 0;

	if (off < start)
		return obj->base->strings + off;
	return off - start < obj->strings_len ? obj->strings + (off - start) : "";
}

/* --- objects ----------------------------------------------------------------- */

static void free_object(struct object *obj)
{
	if (obj->fd)
		close(obj->fd);
	free(obj->data);
	free(obj);
}

static int read_object(const struct selector *sel, struct object *obj)
{
	bool given = btf_path && obj->addressed && !obj->base;
	char sysfs[512];
	const char *path = given ? btf_path : sysfs;
	size_t size;
	int err;

	snprintf(sysfs, sizeof(sysfs), SYS_KERNEL "/btf%s/%s", obj->addressed ? "_addr" : "",
		 obj->name);
	err = read_file(path, &obj->data, &size);
	if (!err && given)
		err = keep_btf(sel, path, obj->data, &size);
	if (!err && !parse_btf(obj, size)) {
		warn(sel, "%s: no BTF, or malformed, or with kinds that are not known here", path);
		err = -EINVAL;
	}
	return err;
}

/**
 * get_object() - read BTF of the kernel, or find it among what was read
 * @name:	"vmlinux" or a module's
 * @addressed:	with addresses
 *
 * A module's base is what the kernel shows, not the user's file: that may have
 * its strings elsewhere.
 */
static int get_object(const struct selector *sel, const char *name, bool addressed,
		      struct object **ret)
{
	struct object *obj, *base = NULL;
	int err = 0;

	for (obj = objects; obj; obj = obj->next) {
		if (obj->addressed == addressed && !strcmp(obj->name, name)) {
			*ret = obj;
			return 0;
		}
	}
	if (strcmp(name, VMLINUX))
		err = get_object(sel, VMLINUX, false, &base);
	if (err)
		return err;
	obj = calloc(1, sizeof(*obj) + strlen(name) + 1);
	if (!obj)
		return -ENOMEM;
	strcpy(obj->name, name);
	obj->addressed = addressed;
	obj->base = base;
	obj->start_id = base ? base->end_id : 1;
	err = read_object(sel, obj);
	if (err) {
		free_object(obj);
		return err;
	}
	obj->next = objects;
	objects = obj;
	*ret = obj;
	return 0;
}

/* The object that is searched first; if it cannot be had, a message. */
static int open_object(const struct selector *sel, struct object **ret)
{
	const char *name = sel->module ?: VMLINUX;
	int err = get_object(sel, name, sel->probe, ret);

	if (err == -ENOENT && sel->probe && !btf_path) {
		warn(sel, "no addresses: the kernel has no " SYS_KERNEL "/btf_addr/%s, and no file was given",
		     name);
		return -ENODATA;
	}
	if (err)
		warn(sel, "BTF%s of %s: %s", sel->probe ? " with addresses" : "", name,
		     strerror(-err));
	return err;
}

/* The kernel wants a module's BTF as a file descriptor, kept until it is loaded. */
static int open_fd(const struct selector *sel, struct object *obj)
{
	__u32 id = 0;

	while (!obj->fd && !bpf_btf_get_next_id(id, &id)) {
		struct bpf_btf_info info = {};
		__u32 len = sizeof(info);
		char name[64] = "";
		int fd;

		fd = bpf_btf_get_fd_by_id(id);
		if (fd < 0 && errno == ENOENT)
			continue;
		if (fd < 0)
			break;
		info.name = (uintptr_t)name;
		info.name_len = sizeof(name);
		if (!bpf_obj_get_info_by_fd(fd, &info, &len) && info.kernel_btf &&
		    !strcmp(name, obj->name))
			obj->fd = fd;
		else
			close(fd);
	}
	if (obj->fd)
		return 0;
	warn(sel, "BTF object of module %s: %s", obj->name, strerror(errno));
	return -errno;
}

/* --- selectors --------------------------------------------------------------- */

static bool all_digits(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

static bool is_bare(const struct selector *sel)
{
	return !sel->file && !sel->rank;
}

/* Cut a copy of the target to pieces; false if it is malformed. */
static bool split_target(struct selector *sel)
{
	char *at, *colon, *plus, *end;
	unsigned long rank;

	plus = sel->probe ? strrchr(sel->text, '+') : NULL;
	if (plus && isdigit(plus[1])) {
		errno = 0;
		sel->offset = strtoul(plus + 1, &end, 0);
		if (*end || errno)
			return false;
		*plus = '\0';
	}
	at = strchr(sel->text, '@');
	if (at) {
		*at++ = '\0';
		rank = all_digits(at) ? strtoul(at, NULL, 10) : 0;
		/* beyond all ranks: well-formed, and picks nothing */
		sel->rank = rank > UINT32_MAX ? UINT32_MAX : rank;
		sel->file = all_digits(at) ? NULL : at;
		if (!*at || is_bare(sel))
			return false;
	}
	colon = strchr(sel->text, ':');
	if (colon) {
		*colon = '\0';
		sel->module = sel->text;
		/* it becomes part of a path */
		if (!*sel->module || strchr(sel->module, '/') || sel->module[0] == '.')
			return false;
	}
	sel->name = colon ? colon + 1 : sel->text;
	return *sel->name;
}

/* A section without target has a selector without text. */
static int parse_selector(const struct bpf_program *prog, bool probe, struct selector *sel)
{
	const char *slash = strchr(bpf_program__section_name(prog), '/');

	*sel = (struct selector){ .prog = prog, .probe = probe };
	if (!slash)
		return 0;
	sel->target = slash + 1;
	sel->text = strdup(sel->target);
	if (!sel->text)
		return -ENOMEM;
	if (split_target(sel))
		return 0;
	warn(sel, "'%s': expected [MODULE:]NAME, NAME@FILE or NAME@N with N from 1 on",
	     sel->target);
	free(sel->text);
	return -EINVAL;
}

/* --- candidates -------------------------------------------------------------- */

/* Does a unit's path end in @file, from a '/' on? */
static bool unit_matches(const char *unit, const char *file)
{
	size_t unit_len = strlen(unit), len = strlen(file);

	if (len > unit_len || strcmp(unit + unit_len - len, file))
		return false;
	return len == unit_len || unit[unit_len - len - 1] == '/';
}

static bool fits(const struct candidate *cand, const struct selector *sel)
{
	if (sel->file)
		return cand->unit && unit_matches(cand->unit, sel->file);
	return !sel->rank || sel->rank == cand->rank;
}

/* All FUNCs of the name, in the order of ids, with the first unit of each. */
static int collect(const struct selector *sel, struct object *obj, struct candidates *list)
{
	__u32 first = list->nr, id;
	const struct btf_type *t;
	struct candidate *all;

	for_each_type(obj, t, id) {
		const char *name;

		if (!btf_is_func(t) && !btf_is_decl_tag(t))
			continue;
		name = string_at(obj, t->name_off);
		if (btf_is_func(t) && !strcmp(name, sel->name)) {
			all = realloc(list->all, (list->nr + 1) * sizeof(*all));
			if (!all)
				return -ENOMEM;
			list->all = all;
			all[list->nr] = (struct candidate){
				.obj = obj,
				.record = has_record(t) ? record_of(t) : 0,
				.id = id,
				.rank = list->nr - first + 1,
			};
			list->nr++;
		} else if (btf_is_decl_tag(t) && btf_decl_tag(t)->component_idx == -1 &&
			   !strncmp(name, UNIT_PREFIX, strlen(UNIT_PREFIX))) {
			/* tags come after FUNCs */
			for (__u32 i = first; i < list->nr; i++)
				if (list->all[i].id == t->type && !list->all[i].unit)
					list->all[i].unit = name + strlen(UNIT_PREFIX);
		}
	}
	for (__u32 i = first; i < list->nr; i++) {
		list->all[i].fits = fits(&list->all[i], sel);
		list->nr_fitting += list->all[i].fits;
	}
	return 0;
}

static int collect_modules(const struct selector *sel, struct candidates *list)
{
	struct object *obj;
	int err = 0;
	glob_t paths;

	if (glob(sel->probe ? SYS_KERNEL "/btf_addr/*" : SYS_KERNEL "/btf/*", 0, NULL, &paths))
		return 0;
	for (size_t i = 0; i < paths.gl_pathc && !err; i++) {
		const char *name = strrchr(paths.gl_pathv[i], '/') + 1;

		/* a module may go away, and one that cannot be read is no answer */
		if (strcmp(name, VMLINUX) && !get_object(sel, name, sel->probe, &obj))
			err = collect(sel, obj, list);
	}
	globfree(&paths);
	return err;
}

/* "  NAME@FILE" if that is one function of its object, else "  NAME@N" */
static void show_candidate(const struct candidates *list, const struct candidate *cand,
			   const char *name)
{
	const char *module = cand->obj->base ? cand->obj->name : "";
	const char *colon = cand->obj->base ? ":" : "";
	__u32 same = 0;

	for (const struct candidate *c = list->all; cand->unit && c < list->all + list->nr; c++)
		same += c->obj == cand->obj && c->unit && unit_matches(c->unit, cand->unit);
	if (same == 1 && !all_digits(cand->unit))
		say("  %s%s%s@%s\n", module, colon, name, cand->unit);
	else
		say("  %s%s%s@%u%s%s\n", module, colon, name, cand->rank,
		    cand->unit ? "  of " : "", cand->unit ?: "");
}

/* Say why none is chosen, and list those that fit, else all that bear the name. */
static int refuse(const struct selector *sel, const struct candidates *list)
{
	bool units = false;

	for (__u32 i = 0; i < list->nr; i++)
		units |= !!list->all[i].unit;
	if (list->nr_fitting > 1)
		warn(sel, "%u functions are '%s', choose one of:", list->nr_fitting, sel->target);
	else if (list->nr_fitting)
		warn(sel, "there are several functions '%s'; BTF has one of them:", sel->name);
	else if (!list->nr)
		warn(sel, "no function is called '%s'", sel->name);
	else
		warn(sel, "no '%s' is of that %s%s, there %s:", sel->name,
		     sel->file ? "file" : "number",
		     sel->file && !units ? " (BTF does not say files)" : "",
		     list->nr == 1 ? "is" : "are");
	for (__u32 i = 0; i < list->nr; i++)
		if (!list->nr_fitting || list->all[i].fits)
			show_candidate(list, &list->all[i], sel->name);
	return list->nr_fitting ? -EADDRNOTAVAIL : -ESRCH;
}

/* The only one that fits.  A unit says that there are others, in BTF or not. */
static int choose(const struct selector *sel, const struct candidates *list, struct candidate *ret)
{
	for (__u32 i = 0; i < list->nr && list->nr_fitting == 1; i++) {
		*ret = list->all[i];
		if (ret->fits && !(is_bare(sel) && ret->unit))
			return 0;
	}
	return refuse(sel, list);
}

/**
 * find_func() - choose one function of vmlinux or a module
 *
 * Return: 0, or after a message -ESRCH, -EADDRNOTAVAIL or what reading gave.
 */
static int find_func(const struct selector *sel, struct candidate *ret)
{
	struct candidates list = {};
	struct object *obj;
	int err;

	err = open_object(sel, &obj);
	err = err ?: collect(sel, obj, &list);
	/* a number counts where the name is; a file may be a module's */
	if (!err && !sel->module && !list.nr_fitting && !(sel->rank && list.nr))
		err = collect_modules(sel, &list);
	/*
	 * A module's function that BTF deduplication has taken for vmlinux's: the
	 * kernel is given vmlinux's id and the module's fd, and looks for the name in
	 * the module.
	 */
	if (!err && !list.nr && obj->base && is_bare(sel) && !sel->probe) {
		err = collect(sel, obj->base, &list);
		if (!err && list.nr) {
			*ret = list.all[0];
			ret->obj = obj;
			goto out;
		}
	}
	err = err ?: choose(sel, &list, ret);
out:
	free(list.all);
	return err;
}

/* --- fentry, fexit, fmod_ret ------------------------------------------------- */

/* the same as libbpf does: by name, in the program that is to be traced */
static int find_in_prog(const struct selector *sel, struct bpf_prog_load_opts *opts)
{
	struct bpf_prog_info info = {};
	__u32 len = sizeof(info);
	struct btf *btf;
	int id;

	if (bpf_obj_get_info_by_fd(opts->attach_prog_fd, &info, &len))
		return -errno;
	btf = info.btf_id ? btf__load_from_kernel_by_id(info.btf_id) : NULL;
	id = btf ? btf__find_by_name_kind(btf, sel->target, BTF_KIND_FUNC) : -EINVAL;
	btf__free(btf);
	if (id > 0) {
		opts->attach_btf_id = id;
		return 0;
	}
	warn(sel, "'%s' is not in the BTF of the program to attach to", sel->target);
	return -EINVAL;
}

static int find_in_kernel(const struct selector *sel, struct bpf_prog_load_opts *opts)
{
	struct candidate func;
	int err;

	err = find_func(sel, &func);
	if (!err && func.obj->base)
		err = open_fd(sel, func.obj);
	if (err)
		return err;
	opts->attach_btf_id = func.id;
	opts->attach_btf_obj_fd = func.obj->fd;
	return 0;
}

static int prepare_tracing(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long flags)
{
	struct selector sel;
	int err;

	if (flags & SLEEPABLE)
		opts->prog_flags |= BPF_F_SLEEPABLE;
	/* bpf_program__set_attach_target() was called */
	if (opts->attach_btf_id)
		return 0;
	err = parse_selector(prog, false, &sel);
	if (err)
		return err;
	if (!sel.text) {
		warn(&sel, "SEC() names no function, nor does bpf_program__set_attach_target()");
		return -EINVAL;
	}
	err = opts->attach_prog_fd ? find_in_prog(&sel, opts) : find_in_kernel(&sel, opts);
	free(sel.text);
	return err;
}

static int attach_tracing(const struct bpf_program *prog, long flags, struct bpf_link **link)
{
	(void)flags;
	*link = bpf_program__attach_trace(prog);
	return *link ? 0 : -errno;
}

/* --- kprobe, kretprobe -------------------------------------------------------- */

/* Start of a module's core text, which addresses in its BTF count from. */
static int module_base(const struct selector *sel, const char *name, size_t *base)
{
	char line[4096], found[64];
	FILE *f = fopen(PROC_MODULES, "re");
	int err = f ? -ENOENT : -errno;

	while (f && err == -ENOENT && fgets(line, sizeof(line), f)) {
		/* name, size, users, their names, state, address */
		if (sscanf(line, "%63s %*s %*s %*s %*s %zx", found, base) == 2 &&
		    !strcmp(found, name))
			err = *base ? 0 : -EPERM;
	}
	if (f)
		fclose(f);
	if (err)
		warn(sel, "where module %s is: /proc/modules does not show it", name);
	return err;
}

/* What a kprobe is to be given: symbol and offset, or NULL and an address. */
static int find_probe(const struct selector *sel, const char **symbol, size_t *offset)
{
	struct candidate func;
	size_t base = 0;
	int err;

	err = find_func(sel, &func);
	if (err)
		return err;
	if (!func.record) {
		warn(sel, "BTF has no address of '%s'", sel->name);
		return -ENODATA;
	}
	if (func.record & RECORD_INIT) {
		warn(sel, "'%s' is init or exit text, which is not there any more", sel->name);
		return -ENXIO;
	}
	*symbol = func.obj->base ? NULL : "_text";
	if (!*symbol) {
		err = module_base(sel, func.obj->name, &base);
		if (!err && access(SYS_KPROBE_TYPE, R_OK)) {
			warn(sel, "no kprobes at addresses without perf's kprobe events");
			err = -EOPNOTSUPP;
		}
	}
	*offset = base + RECORD_OFFSET(func.record) + sel->offset;
	return err;
}

/* Does the bare name stand for one function, as far as BTF of vmlinux can tell? */
static int check_bare_name(const struct selector *sel)
{
	struct candidates list = {};
	struct candidate func;
	struct object *obj;
	int err;

	/* without addresses nothing is known; but a file that was given must be good */
	if (!btf_path && get_object(sel, VMLINUX, true, &obj))
		return 0;
	err = open_object(sel, &obj);
	err = err ?: collect(sel, obj, &list);
	/* what BTF does not know may be there all the same */
	if (!err && list.nr)
		err = choose(sel, &list, &func);
	free(list.all);
	return err;
}

static int attach_kprobe(const struct bpf_program *prog, long flags, struct bpf_link **link)
{
	LIBBPF_OPTS(bpf_kprobe_opts, opts, .retprobe = flags & RETPROBE);
	struct selector sel;
	const char *symbol;
	int err;

	/* as with libbpf's own: not for bpf_program__attach() */
	*link = NULL;
	err = parse_selector(prog, true, &sel);
	if (err || !sel.text)
		return err;
	if (sel.module || !is_bare(&sel)) {
		err = find_probe(&sel, &symbol, &opts.offset);
	} else {
		err = check_bare_name(&sel);
		symbol = sel.name;
		opts.offset = sel.offset;
	}
	if (!err) {
		*link = bpf_program__attach_kprobe_opts(prog, symbol, &opts);
		err = *link ? 0 : -errno;
	}
	free(sel.text);
	return err;
}

/* --- registration ------------------------------------------------------------- */

static const struct handler {
	const char *section;
	enum bpf_prog_type type;
	enum bpf_attach_type attach_type;
	long flags;
} handlers[] = {
	{ "fentry+", BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, 0 },
	{ "fentry.s+", BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, SLEEPABLE },
	{ "fexit+", BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT, 0 },
	{ "fexit.s+", BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT, SLEEPABLE },
	{ "fmod_ret+", BPF_PROG_TYPE_TRACING, BPF_MODIFY_RETURN, 0 },
	{ "fmod_ret.s+", BPF_PROG_TYPE_TRACING, BPF_MODIFY_RETURN, SLEEPABLE },
	{ "kprobe+", BPF_PROG_TYPE_KPROBE, 0, 0 },
	{ "kretprobe+", BPF_PROG_TYPE_KPROBE, 0, RETPROBE },
};

#define NR_HANDLERS	((int)ARRAY_SIZE(handlers))

void btf_func_sel__release(void)
{
	while (objects) {
		struct object *next = objects->next;

		free_object(objects);
		objects = next;
	}
	free(btf_path);
	btf_path = NULL;
}

int btf_func_sel__register(const struct btf_func_sel_opts *opts)
{
	static int nr_registered;

	if (opts && opts->sz < sizeof(*opts))
		return -EINVAL;
	btf_func_sel__release();
	if (opts && opts->btf_path) {
		btf_path = strdup(opts->btf_path);
		if (!btf_path)
			return -ENOMEM;
	}
	for (; nr_registered < NR_HANDLERS; nr_registered++) {
		const struct handler *h = &handlers[nr_registered];
		bool tracing = h->type == BPF_PROG_TYPE_TRACING;
		LIBBPF_OPTS(libbpf_prog_handler_opts, handler_opts,
			.cookie = h->flags,
			.prog_prepare_load_fn = tracing ? prepare_tracing : NULL,
			.prog_attach_fn = tracing ? attach_tracing : attach_kprobe,
		);
		int id = libbpf_register_prog_handler(h->section, h->type, h->attach_type,
						      &handler_opts);

		if (id < 0)
			return id;
	}
	return 0;
}
