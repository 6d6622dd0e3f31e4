// SPDX-License-Identifier: GPL-2.0-only
/* FUNCs and the fields of structs, in the plain view of BTF. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "guest.h"

struct object *vmlinux(void)
{
	static struct object obj;

	if (!obj.btf) {
		obj.btf = btf__load_vmlinux_btf();
		need(obj.btf, "/sys/kernel/btf/vmlinux: %s", strerror(errno));
		obj.name = "vmlinux";
		obj.start_id = 1;
	}
	return &obj;
}

/* A descriptor of the BTF that the kernel has for a module. */
static int object_fd(const char *module)
{
	__u32 id = 0;

	while (!bpf_btf_get_next_id(id, &id)) {
		struct bpf_btf_info info = {};
		__u32 len = sizeof(info);
		char name[64] = "";
		int fd;

		fd = bpf_btf_get_fd_by_id(id);
		if (fd < 0)
			continue;
		info.name = (unsigned long)name;
		info.name_len = sizeof(name);
		if (!bpf_obj_get_info_by_fd(fd, &info, &len) && info.kernel_btf &&
		    !strcmp(name, module))
			return fd;
		close(fd);
	}
	return -ENOENT;
}

struct object *object_try(const char *module)
{
	struct object *obj = calloc(1, sizeof(*obj));
	char path[256];

	snprintf(path, sizeof(path), "/sys/kernel/btf/%s", module);
	obj->name = module;
	obj->start_id = btf__type_cnt(vmlinux()->btf);
	obj->fd = object_fd(module);
	obj->btf = obj->fd < 0 ? NULL : btf__parse_split(path, vmlinux()->btf);
	if (obj->btf)
		return obj;
	if (obj->fd >= 0)
		close(obj->fd);
	free(obj);
	return NULL;
}

struct object *object_open(const char *module)
{
	struct object *obj = object_try(module);

	need(obj, "%s has no BTF", module);
	return obj;
}

void object_close(struct object *obj)
{
	close(obj->fd);
	btf__free(obj->btf);
	free(obj);
}

static const char *name_of(const struct object *obj, const struct btf_type *t)
{
	return btf__name_by_offset(obj->btf, t->name_off);
}

int funcs(const struct object *obj, const char *name, __u32 *ids, int max)
{
	__u32 id, end = btf__type_cnt(obj->btf);
	size_t len = strlen(name);
	int nr = 0;

	for (id = obj->start_id; id < end; id++) {
		const struct btf_type *t = btf__type_by_id(obj->btf, id);

		if (!btf_is_func(t) || strncmp(name_of(obj, t), name, len) ||
		    (name_of(obj, t)[len] && name_of(obj, t)[len] != '@'))
			continue;
		if (nr < max)
			ids[nr] = id;
		nr++;
	}
	need(nr <= max, "%d FUNCs %s, room for %d", nr, name, max);
	return nr;
}

__u32 func(const struct object *obj, const char *name)
{
	__u32 id, end = btf__type_cnt(obj->btf), found = 0;

	for (id = obj->start_id; id < end; id++) {
		const struct btf_type *t = btf__type_by_id(obj->btf, id);

		if (!btf_is_func(t) || strcmp(name_of(obj, t), name))
			continue;
		need(!found, "%s: two FUNCs %s", obj->name, name);
		found = id;
	}
	need(found, "%s: no FUNC %s", obj->name, name);
	return found;
}

__u32 func_in(const struct object *obj, const char *name, const char *unit)
{
	size_t len = snprintf(NULL, 0, "%s@%s", name, unit);
	__u32 ids[64], found = 0;
	char text[256];
	int i, nr;

	snprintf(text, sizeof(text), "%s@%s", name, unit);
	if (text[len - 1] != '/')
		return func(obj, text);
	nr = funcs(obj, name, ids, ARRAY_SIZE(ids));
	for (i = 0; i < nr; i++) {
		const struct btf_type *t = btf__type_by_id(obj->btf, ids[i]);

		if (strncmp(name_of(obj, t), text, len))
			continue;
		need(!found, "%s: several FUNCs %s", obj->name, text);
		found = ids[i];
	}
	need(found, "%s: no FUNC %s", obj->name, text);
	return found;
}

/* --- fields ----------------------------------------------------------------- */

static const struct btf_type *resolve(const struct btf *btf, __u32 id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	while (btf_is_mod(t) || btf_is_typedef(t) || btf_is_type_tag(t))
		t = btf__type_by_id(btf, t->type);
	return t;
}

/* Looks into anonymous members, too. */
static bool member_find(const struct btf *btf, const struct btf_type *t, const char *name,
			size_t len, int *off, __u32 *type)
{
	const struct btf_member *m = btf_members(t);
	const char *has;
	int i;

	for (i = 0; i < btf_vlen(t); i++, m++) {
		has = btf__name_by_offset(btf, m->name_off);
		if (strlen(has) == len && !memcmp(has, name, len)) {
			*off += btf_member_bit_offset(t, i) / 8;
			*type = m->type;
			return true;
		}
		if (!*has && btf_is_composite(resolve(btf, m->type))) {
			int inner = *off + btf_member_bit_offset(t, i) / 8;

			if (member_find(btf, resolve(btf, m->type), name, len, &inner, type)) {
				*off = inner;
				return true;
			}
		}
	}
	return false;
}

void field_find(const struct object *obj, struct field *field)
{
	const char *name = field->member;
	const struct btf_type *t;
	__u32 type;
	int id;

	id = btf__find_by_name_kind(obj->btf, field->type, BTF_KIND_STRUCT);
	need(id > 0, "no struct %s", field->type);
	type = id;
	field->off = 0;
	while (*name) {
		size_t len = strcspn(name, ".");

		t = resolve(obj->btf, type);
		need(btf_is_composite(t) &&
		     member_find(obj->btf, t, name, len, &field->off, &type),
		     "struct %s has no member %s", field->type, field->member);
		name += len + (name[len] == '.');
	}
	field->size = btf__resolve_size(obj->btf, type);
}

const char *arg_struct(const struct object *obj, __u32 func, int arg)
{
	const struct btf_type *t = btf__type_by_id(obj->btf, func);

	t = btf__type_by_id(obj->btf, t->type);
	if (!btf_is_func_proto(t) || arg >= btf_vlen(t))
		return NULL;
	t = resolve(obj->btf, btf_params(t)[arg].type);
	if (!btf_is_ptr(t))
		return NULL;
	t = resolve(obj->btf, t->type);
	return btf_is_struct(t) ? btf__name_by_offset(obj->btf, t->name_off) : NULL;
}
