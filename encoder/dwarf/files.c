// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "dwarf/files.h"
#include "util/memory.h"
#include "util/msg.h"

/* A table describes the fields of its entries (DWARF 5, 6.2.4.1); this is enough. */
#define MAX_FORMATS	16

/**
 * struct line_header - the state needed to read the tables
 * @c:		over the header, starting at its tables
 */
struct line_header {
	const struct dwarf	*dw;
	struct cursor		c;
	uint16_t		version;
	uint8_t			offset_size;
};

static int header_error(const struct dwarf *dw, uint64_t offset, const char *what)
{
	return msg_fail(-EINVAL, "%s: .debug_line at 0x%" PRIx64 ": %s", dw->img->path, offset, what);
}

/* Read one field of an entry. */
static void read_field(struct line_header *h, uint64_t type, uint64_t code,
		       struct line_file *file)
{
	uint64_t value, number = 0;
	struct cursor *c = &h->c;
	const char *string = NULL;
	struct form form;
	uint32_t len;

	/* a field cannot be an address or an abbreviation's constant */
	if (!form__find(code, h->version, 0, h->offset_size, &form) || form.op == OP_CONSTANT) {
		cursor__fail(c);
		return;
	}
	value = form__read(c, form.op, &len);
	switch (form.class) {
	case VALUE_STRING:
		string = cursor__failed(c) ? "" : (const char *)c->begin + value;
		break;
	case VALUE_LINE_STRP:
		string = dwarf__string(&h->dw->line_str, value, &len);
		break;
	case VALUE_STRP:
		string = dwarf__string(&h->dw->str, value, &len);
		break;
	case VALUE_UINT:
		number = value;
		break;
	case VALUE_SINT:
	case VALUE_BLOCK:
	case VALUE_DATA16:
	case VALUE_STRX:
	case VALUE_SEC_OFFSET:
	case VALUE_SUPPLEMENT:
		break;
	default:
		cursor__fail(c);
	}
	if (type == DW_LNCT_path)
		file->name = string;
	else if (type == DW_LNCT_directory_index)
		file->dir = number;
}

/* DWARF 5: a description of the fields, then the entries, numbered from 0 */
static void read_table(struct line_header *h, struct files *f, bool dirs)
{
	uint64_t type[MAX_FORMATS], form[MAX_FORMATS], count;
	unsigned int fields = cursor__u8(&h->c);

	if (fields > MAX_FORMATS) {
		cursor__fail(&h->c);
		return;
	}
	for (unsigned int i = 0; i < fields; i++) {
		type[i] = cursor__uleb(&h->c);
		form[i] = cursor__uleb(&h->c);
	}
	count = cursor__uleb(&h->c);
	/* a field has at least one byte, which bounds the work unless there are no fields */
	if (count && (!fields || count > cursor__left(&h->c)))
		cursor__fail(&h->c);
	while (count-- && !cursor__failed(&h->c)) {
		struct line_file file = {};

		for (unsigned int i = 0; i < fields; i++)
			read_field(h, type[i], form[i], &file);
		if (dirs)
			push(&f->dirs, file.name);
		else
			push(&f->files, file);
	}
}

int files__read(const struct dwarf *dw, uint64_t stmt_list, const char *comp_dir,
		struct files *ret)
{
	struct line_header h = { .dw = dw };
	struct cursor c = dw->line;
	const char *name;
	struct line_program *program;
	uint8_t max_operations;
	uint64_t length;

	*ret = (struct files){ .comp_dir = comp_dir };
	cursor__skip(&c, stmt_list);
	length = cursor__unit_length(&c, &h.offset_size);
	if (h.offset_size == 4 && length >= 0xfffffff0)
		return header_error(dw, stmt_list, "reserved unit length");
	c = cursor__sub(&c, length);
	h.version = cursor__u16(&c);
	if (cursor__failed(&c))
		return header_error(dw, stmt_list, "unit does not fit into the section");
	if (h.version < 2 || h.version > 5)
		return header_error(dw, stmt_list, "unknown version, expected 2 to 5");
	if (h.version >= 5)
		cursor__skip(&c, 2);	/* address and segment selector size */
	length = cursor__uint(&c, h.offset_size);
	h.c = cursor__sub(&c, length);
	program = &ret->program;
	program->opcodes = c;
	program->min_length = cursor__u8(&h.c);
	max_operations = h.version >= 4 ? cursor__u8(&h.c) : 1;
	cursor__u8(&h.c);	/* default_is_stmt */
	program->line_base = cursor__u8(&h.c);
	program->line_range = cursor__u8(&h.c);
	if (max_operations != 1)
		program->line_range = 0;
	program->opcode_base = cursor__u8(&h.c);
	program->nr_operands = h.c.p;
	cursor__skip(&h.c, program->opcode_base ? program->opcode_base - 1 : 0);
	if (cursor__failed(&h.c))
		return header_error(dw, stmt_list, "header does not fit into its unit");
	if (h.version >= 5) {
		read_table(&h, ret, true);
		read_table(&h, ret, false);
	} else {
		/* two lists that end with an empty name, both numbered from 1 */
		push(&ret->dirs, NULL);
		push(&ret->files, (struct line_file){});
		while (*(name = cursor__string(&h.c)))
			push(&ret->dirs, name);
		while (*(name = cursor__string(&h.c))) {
			push(&ret->files, (struct line_file){ name, cursor__uleb(&h.c) });
			cursor__uleb(&h.c);	/* time */
			cursor__uleb(&h.c);	/* length */
		}
	}
	return cursor__failed(&h.c) ?
	       header_error(dw, stmt_list, "malformed directory or file table") : 0;
}

void files__release(struct files *f)
{
	free(f->dirs.array);
	free(f->files.array);
	*f = (struct files){};
}

/* Strip @comp_dir and then each "./"; "/" itself is not stripped. */
static const char *cut_prefix(const char *path, const char *comp_dir)
{
	size_t len = comp_dir ? strlen(comp_dir) : 0;

	while (len && comp_dir[len - 1] == '/')
		len--;
	if (len && !strncmp(path, comp_dir, len) && path[len] == '/') {
		path += len;
		while (*path == '/')
			path++;
	}
	while (path[0] == '.' && path[1] == '/') {
		path += 2;
		while (*path == '/')
			path++;
	}
	return path;
}

char *files__join(const char *dir, const char *name, const char *comp_dir)
{
	bool has_dir = name[0] != '/' && dir && *dir;
	size_t dir_len = has_dir ? strlen(dir) : 0, name_len = strlen(name);
	char *joined = xmalloc(dir_len + name_len + 2);
	const char *rest;

	memcpy(joined, dir ?: "", dir_len);
	joined[dir_len] = '/';
	memcpy(joined + dir_len + has_dir, name, name_len + 1);
	rest = cut_prefix(joined, comp_dir);
	return memmove(joined, rest, strlen(rest) + 1);
}

char *files__path(const struct files *f, uint64_t number)
{
	const struct line_file *file = &f->files.array[number];

	if (number >= f->files.nr || !file->name)
		return NULL;
	/* directory 0 is the compilation directory in every version */
	return files__join(file->dir && file->dir < f->dirs.nr ? f->dirs.array[file->dir] : NULL,
			   file->name, f->comp_dir);
}
