// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Selectors in SEC() for an unmodified libbpf, see btf_func_sel.h.
 *
 * Everything is chosen in plain BTF, by names, DECL_TAGs and the order of ids,
 * which libbpf can read.  BTF with addresses it cannot read: that is taken apart
 * into the plain form, with the same ids, and a table of the records.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "btf_func_sel.h"

/* A test puts a folder of its own there. */
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
	char *name;
	struct btf *btf;
	__u32 start_id;		/* the first id that is not the base's */
	__u64 *records;		/* by id from start_id on, 0: none; NULL: plain BTF */
	int fd;			/* of the kernel's BTF object, -1: not asked for yet */
	bool addressed;		/* read as BTF with addresses */
};

/* [MODULE:]NAME[@FILE|@N][+OFFSET] */
struct selector {
	char *text;		/* what the others point into, cut to pieces */
	const char *module;	/* NULL: vmlinux or any module */
	const char *name;
	const char *file;
	__u32 rank;
	size_t offset;
};

/* a FUNC of the name that was asked for */
struct candidate {
	const char *unit;	/* path, or NULL */
	__u32 id;
};

enum handler_flags {
	SLEEPABLE = 1,
	RETPROBE = 2,
};

static char *btf_path;
static struct object *objects;

/* --- messages --------------------------------------------------------------- */

/* They go where libbpf's go; it has no other way to ask where that is. */
static void warn(const char *format, ...)
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

/* --- bytes ------------------------------------------------------------------ */

/* sysfs says how long these files are. */
static int read_file(const char *path, void **data, size_t *size)
{
	struct stat st;
	ssize_t n = 0;
	int fd, err;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = fstat(fd, &st) ? -errno : 0;
	*data = err ? NULL : malloc(st.st_size + 1);
	if (!err && !*data)
		err = -ENOMEM;
	for (*size = 0; !err && (off_t)*size < st.st_size; *size += n) {
		n = read(fd, (char *)*data + *size, st.st_size - *size);
		if (n <= 0)
			err = n ? -errno : -EIO;
	}
	close(fd);
	if (err) {
		free(*data);
		*data = NULL;
	}
	return err;
}

/* The description of the build id's note, NULL if there is none. */
static const void *find_build_id(const void *notes, size_t size, size_t *len)
{
	while (size >= sizeof(Elf64_Nhdr)) {
		const Elf64_Nhdr *note = notes;
		size_t name = ((size_t)note->n_namesz + 3) & ~(size_t)3;
		size_t desc = ((size_t)note->n_descsz + 3) & ~(size_t)3;

		size -= sizeof(*note);
		if (name > size || note->n_descsz > size - name)
			return NULL;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof("GNU") &&
		    !memcmp(note + 1, "GNU", sizeof("GNU"))) {
			*len = note->n_descsz;
			return (const char *)(note + 1) + name;
		}
		if (desc > size - name)
			return NULL;
		size -= name + desc;
		notes = (const char *)(note + 1) + name + desc;
	}
	return NULL;
}

/* The .BTF section of an ELF file of the running kernel, which must say that it is. */
static int read_elf_btf(const char *path, void **data, size_t *size)
{
	size_t shstrndx, notes_size, id_len, own_len;
	Elf_Data *btf = NULL, *notes = NULL;
	const void *id = NULL, *own;
	Elf_Scn *scn = NULL;
	void *own_notes;
	Elf *elf;
	int fd, err;

	err = read_file(SYS_KERNEL "/notes", &own_notes, &notes_size);
	if (err)
		return err;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	err = fd < 0 ? -errno : 0;
	elf_version(EV_CURRENT);
	elf = err ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!err && (!elf || elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &shstrndx)))
		err = -EINVAL;
	while (!err && (scn = elf_nextscn(elf, scn))) {
		const char *name;
		GElf_Shdr shdr;

		if (!gelf_getshdr(scn, &shdr))
			continue;
		name = elf_strptr(elf, shstrndx, shdr.sh_name);
		if (name && !strcmp(name, ".BTF"))
			btf = elf_rawdata(scn, NULL);
		notes = shdr.sh_type == SHT_NOTE && !id ? elf_rawdata(scn, NULL) : NULL;
		if (notes && notes->d_buf)
			id = find_build_id(notes->d_buf, notes->d_size, &id_len);
	}
	own = find_build_id(own_notes, notes_size, &own_len);
	if (!err && (!id || !btf || !btf->d_buf)) {
		warn("%s: expected an ELF file with a build id and .BTF\n", path);
		err = -EINVAL;
	} else if (!err && (!own || own_len != id_len || memcmp(own, id, id_len))) {
		warn("%s: not of the running kernel: its build id is another\n", path);
		err = -ESTALE;
	} else if (!err) {
		*data = malloc(btf->d_size);
		if (*data)
			memcpy(*data, btf->d_buf, btf->d_size);
		else
			err = -ENOMEM;
		*size = btf->d_size;
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	free(own_notes);
	return err;
}

/* --- records ---------------------------------------------------------------- */

/* Bytes behind a struct btf_type, -EINVAL for a kind that is not known. */
static long extra_bytes(const struct btf_type *t)
{
	static const struct {
		__u8 known, fixed, per_element;
	} kinds[] = {
		[BTF_KIND_INT] = { 1, sizeof(__u32), 0 },
		[BTF_KIND_PTR] = { 1, 0, 0 },
		[BTF_KIND_ARRAY] = { 1, sizeof(struct btf_array), 0 },
		[BTF_KIND_STRUCT] = { 1, 0, sizeof(struct btf_member) },
		[BTF_KIND_UNION] = { 1, 0, sizeof(struct btf_member) },
		[BTF_KIND_ENUM] = { 1, 0, sizeof(struct btf_enum) },
		[BTF_KIND_FWD] = { 1, 0, 0 },
		[BTF_KIND_TYPEDEF] = { 1, 0, 0 },
		[BTF_KIND_VOLATILE] = { 1, 0, 0 },
		[BTF_KIND_CONST] = { 1, 0, 0 },
		[BTF_KIND_RESTRICT] = { 1, 0, 0 },
		[BTF_KIND_FUNC] = { 1, 0, 0 },
		[BTF_KIND_FUNC_PROTO] = { 1, 0, sizeof(struct btf_param) },
		[BTF_KIND_VAR] = { 1, sizeof(struct btf_var), 0 },
		[BTF_KIND_DATASEC] = { 1, 0, sizeof(struct btf_var_secinfo) },
		[BTF_KIND_FLOAT] = { 1, 0, 0 },
		[BTF_KIND_DECL_TAG] = { 1, sizeof(struct btf_decl_tag), 0 },
		[BTF_KIND_TYPE_TAG] = { 1, 0, 0 },
		[BTF_KIND_ENUM64] = { 1, 0, sizeof(struct btf_enum64) },
	};
	__u32 kind = btf_kind(t);

	if (kind >= ARRAY_SIZE(kinds) || !kinds[kind].known)
		return -EINVAL;
	if (kind == BTF_KIND_FUNC && btf_kflag(t))
		return sizeof(__u64);
	return kinds[kind].fixed + btf_vlen(t) * kinds[kind].per_element;
}

/*
 * Take the records out of the types at @types, in place.
 *
 * The types move towards the front, so the bytes that are read are never
 * behind those that are written.  Returns the bytes that are left.
 */
static long take_records(const char *path, char *types, __u32 len, __u64 *records)
{
	char *in = types, *out = types, *end = types + len;
	__u32 nr = 0;

	while (in != end) {
		struct btf_type t;
		__u32 words[2];
		long extra;

		if ((size_t)(end - in) < sizeof(t))
			goto malformed;
		memcpy(&t, in, sizeof(t));
		extra = extra_bytes(&t);
		if (extra < 0 || (size_t)(end - in) - sizeof(t) < (size_t)extra)
			goto malformed;
		in += sizeof(t);
		if (btf_kind(&t) == BTF_KIND_FUNC && btf_kflag(&t)) {
			memcpy(words, in, sizeof(words));
			records[nr] = (__u64)words[1] << 32 | words[0];
			if ((records[nr] & RECORD_CHECKED & ~RECORD_INIT) != RECORD_GUARD)
				goto malformed;
			in += extra;
			t.info &= ~(1U << 31);
			extra = 0;
		}
		memcpy(out, &t, sizeof(t));
		memmove(out + sizeof(t), in, extra);
		in += extra;
		out += sizeof(t) + extra;
		nr++;
	}
	return out - types;

malformed:
	warn("%s: malformed BTF: the %u-th type\n", path, nr + 1);
	return -EINVAL;
}

/* Make plain BTF of BTF with addresses, and a table of its records. */
static int strip_btf(const char *path, void *data, size_t *size, __u64 **records)
{
	struct btf_header *hdr = data;
	size_t body;
	long left;

	if (*size < sizeof(*hdr) || hdr->magic != BTF_MAGIC || hdr->hdr_len < sizeof(*hdr) ||
	    hdr->hdr_len > *size) {
		warn("%s: no BTF of this machine's byte order\n", path);
		return -EINVAL;
	}
	body = *size - hdr->hdr_len;
	if (hdr->type_off % 4 || hdr->type_off > body || hdr->type_len > body - hdr->type_off ||
	    hdr->str_off > body || hdr->str_len > body - hdr->str_off ||
	    hdr->str_off < hdr->type_off + hdr->type_len) {
		warn("%s: malformed BTF: its header\n", path);
		return -EINVAL;
	}
	*records = calloc(hdr->type_len / sizeof(struct btf_type) + 1, sizeof(**records));
	if (!*records)
		return -ENOMEM;
	left = take_records(path, (char *)data + hdr->hdr_len + hdr->type_off, hdr->type_len,
			    *records);
	if (left < 0) {
		free(*records);
		*records = NULL;
		return left;
	}
	/* the strings stay where they are, so there is a gap before them now */
	memmove((char *)data + hdr->hdr_len + hdr->type_off + left,
		(char *)data + hdr->hdr_len + hdr->str_off, hdr->str_len);
	hdr->type_len = left;
	hdr->str_off = hdr->type_off + left;
	*size = hdr->hdr_len + hdr->str_off + hdr->str_len;
	return 0;
}

/* --- objects ---------------------------------------------------------------- */

static void free_object(struct object *obj)
{
	if (!obj)
		return;
	btf__free(obj->btf);
	if (obj->fd >= 0)
		close(obj->fd);
	free(obj->records);
	free(obj->name);
	free(obj);
}

/* libbpf declares btf__new_split(), but exports it only from 1.6 on. */
static struct btf *new_split_btf(const void *data, size_t size, struct btf *base)
{
	struct btf *btf = NULL;
	char path[64];
	int fd;

	fd = memfd_create("btf", MFD_CLOEXEC);
	if (fd < 0)
		return NULL;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size)
		btf = btf__parse_raw_split(path, base);
	close(fd);
	return btf;
}

static int parse_addressed(const char *path, struct object *obj, struct btf *base)
{
	void *data = NULL;
	size_t size = 0;
	int err;

	err = path == btf_path ? read_elf_btf(path, &data, &size) : read_file(path, &data, &size);
	err = err ?: strip_btf(path, data, &size, &obj->records);
	if (!err) {
		obj->btf = base ? new_split_btf(data, size, base) : btf__new(data, size);
		if (!obj->btf)
			err = -errno;
	}
	free(data);
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
static int get_object(const char *name, bool addressed, struct object **ret)
{
	bool is_vmlinux = !strcmp(name, VMLINUX);
	struct object *obj, *base = NULL;
	char path[512];
	int err = 0;

	for (obj = objects; obj; obj = obj->next) {
		if (obj->addressed == addressed && !strcmp(obj->name, name)) {
			*ret = obj;
			return 0;
		}
	}
	if (!is_vmlinux) {
		err = get_object(VMLINUX, false, &base);
		if (err)
			return err;
	}
	obj = calloc(1, sizeof(*obj));
	if (!obj)
		return -ENOMEM;
	obj->fd = -1;
	obj->addressed = addressed;
	obj->start_id = base ? btf__type_cnt(base->btf) : 1;
	obj->name = strdup(name);
	if (!obj->name)
		err = -ENOMEM;
	snprintf(path, sizeof(path), SYS_KERNEL "/btf%s/%s", addressed ? "_addr" : "", name);
	if (!err && addressed) {
		err = parse_addressed(is_vmlinux && btf_path ? btf_path : path, obj,
				      base ? base->btf : NULL);
	} else if (!err) {
		obj->btf = base ? btf__parse_split(path, base->btf) : btf__parse(path, NULL);
		if (!obj->btf)
			err = -errno;
	}
	if (err) {
		free_object(obj);
		return err;
	}
	obj->next = objects;
	objects = obj;
	*ret = obj;
	return 0;
}

static int open_object(const char *subject, const char *name, bool addressed, struct object **ret)
{
	int err = get_object(name, addressed, ret);

	if (err == -ENOENT && addressed && !btf_path) {
		warn("%s: no addresses: the kernel has no " SYS_KERNEL "/btf_addr/%s, and no file was given\n",
		     subject, name);
		return -ENODATA;
	}
	if (err)
		warn("%s: BTF%s of %s: %s\n", subject, addressed ? " with addresses" : "", name,
		     strerror(-err));
	return err;
}

/* The kernel wants a module's BTF as a file descriptor, kept until it is loaded. */
static int get_object_fd(struct object *obj)
{
	__u32 id = 0;

	while (obj->fd < 0 && !bpf_btf_get_next_id(id, &id)) {
		struct bpf_btf_info info = {};
		__u32 len = sizeof(info);
		char name[64] = "";
		int fd;

		fd = bpf_btf_get_fd_by_id(id);
		if (fd < 0) {
			if (errno == ENOENT)
				continue;
			return -errno;
		}
		info.name = (uintptr_t)name;
		info.name_len = sizeof(name);
		if (!bpf_obj_get_info_by_fd(fd, &info, &len) && info.kernel_btf &&
		    !strcmp(name, obj->name))
			obj->fd = fd;
		else
			close(fd);
	}
	return obj->fd < 0 ? -ENOENT : obj->fd;
}

/* --- selectors -------------------------------------------------------------- */

static bool all_digits(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

static int parse_selector(const char *subject, const char *text, bool with_offset,
			  struct selector *sel)
{
	char *at, *colon, *plus, *end;

	memset(sel, 0, sizeof(*sel));
	sel->text = strdup(text);
	if (!sel->text)
		return -ENOMEM;
	sel->name = sel->text;
	plus = with_offset ? strrchr(sel->text, '+') : NULL;
	if (plus && isdigit(plus[1])) {
		errno = 0;
		sel->offset = strtoul(plus + 1, &end, 0);
		if (*end || errno)
			goto malformed;
		*plus = '\0';
	}
	at = strchr(sel->text, '@');
	if (at) {
		*at++ = '\0';
		if (all_digits(at)) {
			unsigned long rank;

			errno = 0;
			rank = strtoul(at, NULL, 10);
			if (!rank)
				goto malformed;
			/* beyond all ranks: well-formed, and picks nothing */
			sel->rank = errno || rank > UINT32_MAX ? UINT32_MAX : rank;
		} else {
			sel->file = at;
			if (!*at)
				goto malformed;
		}
	}
	colon = strchr(sel->text, ':');
	if (colon) {
		*colon = '\0';
		sel->module = sel->text;
		sel->name = colon + 1;
		/* it becomes part of a path */
		if (!*sel->module || strchr(sel->module, '/') || sel->module[0] == '.')
			goto malformed;
	}
	if (*sel->name)
		return 0;
malformed:
	warn("%s: '%s': expected [MODULE:]NAME, NAME@FILE or NAME@N with N from 1 on\n", subject,
	     text);
	free(sel->text);
	sel->text = NULL;
	return -EINVAL;
}

/* Does a unit's path end in @file, from a '/' on? */
static bool unit_matches(const char *unit, const char *file)
{
	size_t unit_len = strlen(unit), len = strlen(file);

	if (len > unit_len || strcmp(unit + unit_len - len, file))
		return false;
	return len == unit_len || unit[unit_len - len - 1] == '/';
}

static bool candidate_matches(const struct candidate *cand, __u32 rank, const struct selector *sel)
{
	if (sel->file)
		return cand->unit && unit_matches(cand->unit, sel->file);
	return !sel->rank || sel->rank == rank;
}

/* All FUNCs of a name, in the order of ids, with the first unit of each. */
static int collect(const struct object *obj, const char *name, struct candidate **ret,
		   __u32 *ret_nr)
{
	__u32 nr = 0, cnt = btf__type_cnt(obj->btf);
	struct candidate *cands = NULL, *grown;

	for (__u32 id = obj->start_id; id < cnt; id++) {
		const struct btf_type *t = btf__type_by_id(obj->btf, id);
		const char *text;

		if (!btf_is_func(t) && !btf_is_decl_tag(t))
			continue;
		text = btf__name_by_offset(obj->btf, t->name_off);
		if (!text)
			continue;
		if (btf_is_func(t) && !strcmp(text, name)) {
			grown = realloc(cands, (nr + 1) * sizeof(*cands));
			if (!grown) {
				free(cands);
				return -ENOMEM;
			}
			cands = grown;
			cands[nr++] = (struct candidate){ .id = id };
		} else if (btf_is_decl_tag(t) && btf_decl_tag(t)->component_idx == -1 &&
			   !strncmp(text, UNIT_PREFIX, strlen(UNIT_PREFIX))) {
			/* tags come after FUNCs */
			for (__u32 i = 0; i < nr; i++)
				if (cands[i].id == t->type && !cands[i].unit)
					cands[i].unit = text + strlen(UNIT_PREFIX);
		}
	}
	*ret = cands;
	*ret_nr = nr;
	return 0;
}

/* "  NAME@FILE" if that is one function, else "  NAME@N" */
static void list(const struct object *obj, const char *name, const struct candidate *cands,
		 __u32 nr)
{
	const char *module = strcmp(obj->name, VMLINUX) ? obj->name : "";
	const char *colon = *module ? ":" : "";

	for (__u32 i = 0; i < nr; i++) {
		const char *unit = cands[i].unit;
		__u32 same = 0;

		for (__u32 k = 0; unit && k < nr; k++)
			same += cands[k].unit && unit_matches(cands[k].unit, unit);
		if (same == 1 && !all_digits(unit))
			warn("  %s%s%s@%s\n", module, colon, name, unit);
		else
			warn("  %s%s%s@%u%s%s\n", module, colon, name, i + 1, unit ? "  of " : "",
			     unit ?: "");
	}
}

/**
 * select_func() - choose in one object
 * @explain:	say why not
 *
 * Return: the id; 0 if no FUNC fits, -ENOENT if none has the name, or
 * -EADDRNOTAVAIL, explained in any case, if several do.
 */
static int select_func(const char *subject, const struct object *obj, const struct selector *sel,
		       bool explain)
{
	bool bare = !sel->file && !sel->rank;
	__u32 nr, fits = 0, units = 0, id = 0;
	struct candidate *cands;
	int err;

	err = collect(obj, sel->name, &cands, &nr);
	if (err)
		return err;
	if (!nr)
		return -ENOENT;
	for (__u32 i = 0; i < nr; i++) {
		if (candidate_matches(&cands[i], i + 1, sel)) {
			id = cands[i].id;
			fits++;
		}
		units += !!cands[i].unit;
	}
	if (bare && nr == 1 && cands[0].unit) {
		warn("%s: there are several functions '%s'; BTF has one of them:\n", subject,
		     sel->name);
		err = -EADDRNOTAVAIL;
	} else if (fits > 1) {
		warn("%s: %u functions are '%s%s%s', choose one of:\n", subject, fits, sel->name,
		     sel->file ? "@" : "", sel->file ?: "");
		err = -EADDRNOTAVAIL;
	} else if (!fits && explain) {
		warn("%s: no '%s' is of that %s%s, there %s:\n", subject, sel->name,
		     sel->file ? "file" : "number", sel->file && !units ?
		     " (BTF does not say files)" : "", nr == 1 ? "is" : "are");
	}
	if (err || (!fits && explain))
		list(obj, sel->name, cands, nr);
	free(cands);
	return err ?: (int)id;
}

/*
 * A module's function that BTF deduplication has taken for vmlinux's: the kernel
 * is given vmlinux's id and the module's fd, and looks for the name in the module.
 */
static int select_folded(const struct object *obj, const struct selector *sel)
{
	int id;

	if (obj->addressed || sel->file || sel->rank || obj->start_id == 1)
		return -ENOENT;
	id = btf__find_by_name_kind(obj->btf, sel->name, BTF_KIND_FUNC);
	return id > 0 ? id : -ENOENT;
}

static int is_module(const struct dirent *entry)
{
	return strcmp(entry->d_name, VMLINUX) && !strchr(entry->d_name, '.');
}

/* Search all modules; the function must be in one of them only. */
static int find_in_modules(const char *subject, const struct selector *sel, bool addressed,
			   struct object **ret)
{
	struct dirent **names;
	int n, id, found = -ENOENT;

	*ret = NULL;
	n = scandir(addressed ? SYS_KERNEL "/btf_addr" : SYS_KERNEL "/btf", &names,
		    is_module, alphasort);
	if (n < 0)
		return -ENOENT;
	for (int i = 0; i < n; i++) {
		struct object *obj;

		/* a module may go away, and one that cannot be read is no answer */
		if (found == -EADDRNOTAVAIL || get_object(names[i]->d_name, addressed, &obj))
			continue;
		id = select_func(subject, obj, sel, false);
		if (id > 0 && *ret) {
			warn("%s: '%s' is in modules %s and %s, say which: %s:%s\n", subject,
			     sel->name, (*ret)->name, obj->name, obj->name, sel->name);
			found = -EADDRNOTAVAIL;
		} else if (id > 0) {
			*ret = obj;
			found = id;
		} else if (id == -EADDRNOTAVAIL || (id == 0 && found < 0)) {
			found = id;
		}
	}
	for (int i = 0; i < n; i++)
		free(names[i]);
	free(names);
	return found;
}

/**
 * find_func() - choose one function of vmlinux or a module
 * @ret:	the object that has it
 *
 * Return: the id, or after a message -ESRCH, -EADDRNOTAVAIL or what reading gave.
 */
static int find_func(const char *subject, const struct selector *sel, bool addressed,
		     struct object **ret)
{
	const char *name = sel->module ?: VMLINUX;
	struct object *obj, *module;
	int id, err;

	err = open_object(subject, name, addressed, &obj);
	if (err)
		return err;
	*ret = obj;
	id = select_func(subject, obj, sel, sel->module || sel->rank);
	if (id == -ENOENT && sel->module)
		id = select_folded(obj, sel);
	/* a number counts where the name is; a file may be a module's */
	if (!sel->module && (id == -ENOENT || (!id && sel->file))) {
		err = find_in_modules(subject, sel, addressed, &module);
		if (err > 0) {
			*ret = module;
			return err;
		}
		if (err == -EADDRNOTAVAIL)
			return err;
		if (!id)
			select_func(subject, obj, sel, true);
	}
	if (id == -ENOENT)
		warn("%s: no function is called '%s'\n", subject, sel->name);
	return id == -ENOENT || !id ? -ESRCH : id;
}

/* --- fentry, fexit, fmod_ret ------------------------------------------------- */

/* the same as libbpf does: by name, in the program that is to be traced */
static int find_in_prog(const char *subject, int prog_fd, const char *name)
{
	struct bpf_prog_info info = {};
	__u32 len = sizeof(info);
	struct btf *btf;
	int id;

	if (bpf_obj_get_info_by_fd(prog_fd, &info, &len))
		return -errno;
	btf = info.btf_id ? btf__load_from_kernel_by_id(info.btf_id) : NULL;
	id = btf ? btf__find_by_name_kind(btf, name, BTF_KIND_FUNC) : -EINVAL;
	btf__free(btf);
	if (id <= 0)
		warn("%s: '%s' is not in the BTF of the program to attach to\n", subject, name);
	return id > 0 ? id : -EINVAL;
}

static const char *target_of(const struct bpf_program *prog, char *subject, size_t size)
{
	const char *slash = strchr(bpf_program__section_name(prog), '/');

	snprintf(subject, size, "prog '%s'", bpf_program__name(prog));
	return slash ? slash + 1 : NULL;
}

static int prepare_tracing(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long flags)
{
	char subject[128];
	const char *target = target_of(prog, subject, sizeof(subject));
	struct selector sel;
	struct object *obj;
	int id, fd = 0;

	if (flags & SLEEPABLE)
		opts->prog_flags |= BPF_F_SLEEPABLE;
	/* bpf_program__set_attach_target() was called */
	if (opts->attach_btf_id)
		return 0;
	if (!target) {
		warn("%s: SEC() names no function, nor does bpf_program__set_attach_target()\n",
		     subject);
		return -EINVAL;
	}
	if (opts->attach_prog_fd) {
		id = find_in_prog(subject, opts->attach_prog_fd, target);
	} else {
		id = parse_selector(subject, target, false, &sel);
		if (id)
			return id;
		id = find_func(subject, &sel, false, &obj);
		free(sel.text);
		if (id > 0 && strcmp(obj->name, VMLINUX)) {
			fd = get_object_fd(obj);
			if (fd < 0)
				warn("%s: BTF object of module %s: %s\n", subject, obj->name,
				     strerror(-fd));
		}
	}
	if (id < 0 || fd < 0)
		return id < 0 ? id : fd;
	opts->attach_btf_id = id;
	opts->attach_btf_obj_fd = fd;
	return 0;
}

static int attach_tracing(const struct bpf_program *prog, long flags, struct bpf_link **link)
{
	(void)flags;
	*link = bpf_program__attach_trace(prog);
	return *link ? 0 : -errno;
}

/* --- kprobe, kretprobe -------------------------------------------------------- */

/* Start of a module's core text, which addresses in its BTF count from. */
static int module_base(const char *subject, const char *name, unsigned long long *base)
{
	char line[4096], found[64];
	int err = -ENOENT;
	FILE *f;

	f = fopen(PROC_MODULES, "re");
	if (!f)
		return -errno;
	while (err == -ENOENT && fgets(line, sizeof(line), f)) {
		/* name, size, users, their names, state, address */
		if (sscanf(line, "%63s %*s %*s %*s %*s %llx", found, base) == 2 &&
		    !strcmp(found, name))
			err = *base ? 0 : -EPERM;
	}
	fclose(f);
	if (err)
		warn("%s: where module %s is: %s\n", subject, name,
		     err == -EPERM ? "/proc/modules does not show it" : strerror(-err));
	return err;
}

/* What a kprobe is to be given: symbol and offset, or NULL and an address. */
static int find_probe(const char *subject, const struct selector *sel, const char **symbol,
		      size_t *offset)
{
	unsigned long long base = 0;
	struct object *obj;
	__u64 record;
	int id, err;

	id = find_func(subject, sel, true, &obj);
	if (id < 0)
		return id;
	record = obj->records[id - obj->start_id];
	if (!record) {
		warn("%s: BTF has no address of '%s'\n", subject, sel->name);
		return -ENODATA;
	}
	if (record & RECORD_INIT) {
		warn("%s: '%s' is init or exit text, which is not there any more\n", subject,
		     sel->name);
		return -ENXIO;
	}
	err = strcmp(obj->name, VMLINUX) ? module_base(subject, obj->name, &base) : 0;
	if (err)
		return err;
	*symbol = base ? NULL : "_text";
	*offset = base + RECORD_OFFSET(record) + sel->offset;
	return 0;
}

/* Does the bare name stand for one function, as far as we can know? */
static int check_bare_name(const char *subject, const struct selector *sel)
{
	struct object *obj;
	int id;

	/* of a file that was given, the user wants to know that it is no good */
	if (btf_path)
		id = open_object(subject, VMLINUX, true, &obj);
	else
		id = get_object(VMLINUX, true, &obj);
	if (id)
		return btf_path ? id : 0;
	id = select_func(subject, obj, sel, false);
	/* what BTF does not know may be there all the same */
	return id == -ENOENT || id > 0 ? 0 : id;
}

static int attach_kprobe(const struct bpf_program *prog, long flags, struct bpf_link **link)
{
	char subject[128];
	LIBBPF_OPTS(bpf_kprobe_opts, opts, .retprobe = flags & RETPROBE);
	const char *target = target_of(prog, subject, sizeof(subject)), *symbol;
	struct selector sel;
	int err;

	/* as with libbpf's own: not for bpf_program__attach() */
	*link = NULL;
	if (!target)
		return 0;
	err = parse_selector(subject, target, true, &sel);
	if (err)
		return err;
	if (sel.module || sel.file || sel.rank) {
		err = find_probe(subject, &sel, &symbol, &opts.offset);
	} else {
		err = check_bare_name(subject, &sel);
		symbol = sel.name;
		opts.offset = sel.offset;
	}
	if (!err && !symbol && access(SYS_KPROBE_TYPE, R_OK)) {
		warn("%s: no kprobes at addresses without perf's kprobe events\n", subject);
		err = -EOPNOTSUPP;
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
