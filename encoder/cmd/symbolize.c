// SPDX-License-Identifier: GPL-2.0-only
/*
 * Convert addresses, as tools print them, to NAME@FILE.
 *
 * Uses the function map, and the kernel's load address if it is known, to resolve
 * arguments, or to replace addresses in the output of a tool:
 *
 *	_text+0x16ce70, _text+1494640	the second as bpftrace prints it
 *	0xffffffff8116ce70		an address of this kernel, with or without 0x
 *	-2129211792			the same in decimal, as bpftrace prints reg("ip")
 *	SYMBOL+0x40 [MODULE], MODULE:SYMBOL+0x40	in a module
 *	SYMBOL+0x5/0x160, SYMBOL+5	in stack traces of the kernel and of bpftrace
 */
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/where.h"
#include "image/identity.h"
#include "inspect/selector.h"
#include "locate/running.h"
#include "probe/place.h"
#include "util/document.h"
#include "util/json.h"
#include "util/memory.h"
#include "util/msg.h"

/* Maximum number of functions in a message. */
#define MAX_NAMED	32

/* Number of digits of an address without 0x: shorter ones may be words or numbers. */
#define ADDRESS_DIGITS	16

/** struct loaded_section - @size bytes of a module's code, and their address */
struct loaded_section {
	uint64_t	address, size;
	uint32_t	section;
};

/**
 * struct symbolizer - the functions and the address of _text
 * @base:	the kernel's address of _text; 0 if it is not known
 * @loaded:	of a module: its code; empty if it is not known
 * @others:	functions of loaded modules, once they are needed; NULL: not of the running kernel
 * @root:	where they are read
 * @name:	of a module, or NULL
 * @unknown:	the reason why it is not known
 */
struct symbolizer {
	const struct function_map *map;
	uint64_t		base;
	VECTOR(struct loaded_section) loaded;
	struct loaded_functions	*others;
	const char		*root;
	char			*name;
	const char		*unknown;
};

/**
 * struct stack_entry - a line of a stack trace: NAME+OFFSET, NAME+OFFSET/SIZE or NAME
 * @len:	of the text, @name_len: of NAME
 * @size:	distance from the function to the next symbol; 0: unknown
 */
struct stack_entry {
	const char	*name;
	size_t		name_len, len;
	uint64_t	offset, size;
};

/* The functions that an entry may mean */
struct candidates {
	VECTOR(const struct function *);
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || c == '@';
}

/* Test whether a word ends before @s: a sentence ends with dots, too. */
static bool is_end(const char *s)
{
	return !is_word(s[strspn(s, ".")]);
}

/*
 * Read a number in hex (0x...) or decimal.  @address: a kernel's address, as in /proc/kallsyms
 * and stacks, without 0x or in decimal: bpftrace prints reg("ip") as a signed (0.17) or an
 * unsigned number.
 *
 * Return: its length, 0 for other text.
 */
static size_t read_number(const char *s, bool address, uint64_t *ret)
{
	size_t prefix = strncmp(s, "0x", 2) ? 0 : 2;
	size_t digits = strspn(s + prefix, "0123456789abcdefABCDEF");
	bool hex = prefix || (address && digits == ADDRESS_DIGITS);

	if (!hex) {
		prefix = address && *s == '-';
		digits = strspn(s + prefix, "0123456789");
	}
	if (!digits || (hex && address && digits > ADDRESS_DIGITS) || !is_end(s + prefix + digits))
		return 0;
	errno = 0;
	*ret = strtoull(s, NULL, hex ? 16 : 10);
	/* a decimal number is only an address if it is in the upper half */
	return errno || (address && !hex && !(*ret >> 63)) ? 0 : prefix + digits;
}

static bool find_offset(const struct symbolizer *s, uint32_t section, uint64_t offset,
			struct chosen *ret)
{
	const struct function *f = function_map__find(s->map, section, offset);

	if (f)
		*ret = (struct chosen){ f, offset - f->offset };
	return f;
}

static bool find_address(const struct symbolizer *s, uint64_t address, struct chosen *ret)
{
	for_each(sec, &s->loaded)
		if (address >= sec->address && address - sec->address < sec->size)
			return find_offset(s, sec->section, address - sec->address, ret);
	return !s->map->is_module && s->base && address >= s->base &&
	       find_offset(s, 0, address - s->base, ret);
}

/* "_text+0x10" in vmlinux. Return: the length, 0 for other text. */
static size_t read_key(const struct symbolizer *s, const char *text, struct chosen *ret)
{
	uint64_t offset;
	size_t digits;

	if (s->map->is_module || strncmp(text, "_text+", 6))
		return 0;
	digits = read_number(text + 6, false, &offset);
	return digits && find_offset(s, 0, offset, ret) ? 6 + digits : 0;
}

/* Return: false for text that is not an entry. */
static bool read_entry(const char *text, struct stack_entry *ret)
{
	const char *end;

	*ret = (struct stack_entry){ .name = text };
	while (is_word(text[ret->name_len]) && text[ret->name_len] != '@')
		ret->name_len++;
	end = text + ret->name_len;
	if (!ret->name_len || isdigit((unsigned char)*text))
		return false;
	if (*end == '+') {
		size_t digits = read_number(end + 1, false, &ret->offset), more = 0;

		if (!digits)
			return false;
		end += 1 + digits;
		if (*end == '/')
			more = read_number(end + 1, false, &ret->size);
		end += more ? 1 + more : 0;
	}
	ret->len = end - text;
	return true;
}

/* Some kernels do not print ThinLTO's suffix. */
static bool is_named(const char *name, const struct stack_entry *e)
{
	return !strncmp(name, e->name, e->name_len) &&
	       (!name[e->name_len] || name[e->name_len] == '@');
}

/*
 * Find the functions with the symbol NAME that have OFFSET and SIZE.  If labels follow a function,
 * its SIZE is less than the distance to the next function.  If no function has SIZE, the entry is
 * of another build or module, and only a unique name is found.
 */
static void find_candidates(const struct symbolizer *s, const struct stack_entry *e,
			    struct candidates *ret)
{
	struct candidates others = {};
	const struct named_functions named = function_map__named(s->map, e->name, e->name_len);
	uint32_t nr_named = 0;

	*ret = (struct candidates){};
	for_each(f, &named) {
		uint64_t extent;

		if (!f->has_offset || (!is_named(f->symbol, e) && !is_named(f->name, e)))
			continue;
		nr_named++;
		extent = function_map__extent(s->map, f);
		/* a call at the end returns to the end */
		if (e->offset < extent || (e->size && e->offset == extent))
			push(!e->size || (e->size >= f->size && e->size <= extent) ? ret : &others, f);
	}
	if (!ret->nr && nr_named == 1)
		*ret = others;
	else
		free(others.array);
}

/*
 * Read the object that follows an entry, malloc()ed: " [MODULE]", which CONFIG_STACKTRACE_BUILD_ID
 * extends by " BUILD-ID"; " [kernel]" (bcc, SystemTap); or, as perf prints it, " (PATH)", " ([MODULE])"
 * or " ([kernel.kallsyms])".
 *
 * Return: the name of a module, "" for vmlinux, or another path; NULL if none follows.
 */
static char *read_object(const char *text)
{
	bool is_perf = !strncmp(text, " (", 2);
	const char *start = text + 1 + is_perf;
	size_t len;

	if (is_perf && *start == '/') {
		char *path __cleanup(free_pointer) = xstrndup(start, strcspn(start, ")\n"));
		bool is_vmlinux = !strncmp(strrchr(path, '/'), "/vmlinux", 8);

		return is_vmlinux ? xstrdup("") : module__name_of_file(path) ?: no_free_ptr(path);
	}
	if ((!is_perf && *text != ' ') || *start++ != '[')
		return NULL;
	for (len = 0; isalnum((unsigned char)start[len]) || start[len] == '_'; len++)
		;
	text = start + len;
	if (*text == ' ')
		text += 1 + strspn(text + 1, "0123456789abcdef");
	if (!is_perf && (!len || *text != ']'))
		return NULL;
	return xstrndup(start, len == 6 && !strncmp(start, "kernel", len) ? 0 : len);
}

/*
 * Read "MODULE:" before @name, as in probes, malloc()ed; not "kprobe:", nor the segment in "RIP: 0010:".
 * Return: "" for vmlinux, NULL if there is none.
 */
static char *read_prefix(const char *line, const char *name)
{
	const char *end = name > line && name[-1] == ':' ? name - 1 : name, *start = end;
	char *module;

	while (start > line && (isalnum((unsigned char)start[-1]) || start[-1] == '_'))
		start--;
	if (end == name || (start > line && (is_word(start[-1]) || strchr("/-", start[-1]))) ||
	    start + strspn(start, "0123456789") == end)
		return NULL;
	module = xstrndup(start, end - start);
	if (!strcmp(module, "vmlinux"))
		*module = 0;
	if (strcmp(module, "kprobe") && strcmp(module, "kretprobe"))
		return module;
	free(module);
	return NULL;
}

/* With a size, the kernel printed an entry, and the word before it may be any. */
static char *object_of(const char *line, const struct stack_entry *e)
{
	char *object = read_object(e->name + e->len);

	return object || e->size ? object : read_prefix(line, e->name);
}

/*
 * bpftrace does not print the module of an entry, and no size.
 * Return: the loaded modules that it may be in, "A]|[B", or NULL.
 */
static char *find_modules_of_entry(const struct symbolizer *s, const struct stack_entry *e)
{
	char *object __cleanup(free_pointer) = read_object(e->name + e->len);

	if (e->size || object || !s->others)
		return NULL;
	if (!s->others->list) {
		running__read_modules(s->root, s->others);
		loaded_functions__sort(s->others);
	}
	return loaded_functions__modules(s->others, e->name, e->name_len, "]|[");
}

/*
 * In a module, an offset from a symbol may lead to another function, as in a probe.
 * Return: false if an entry means no function, or several, which are reported if @text is not NULL.
 */
static bool find_named(const struct symbolizer *s, const struct stack_entry *e, const char *text,
		       struct chosen *ret)
{
	const struct function_map *map = s->map;
	char *modules __cleanup(free_pointer) = NULL;
	struct stack_entry whole = *e;
	struct candidates c;
	bool found;

	find_candidates(s, e, &c);
	if (!c.nr && s->map->is_module && !e->size) {
		whole.offset = 0;
		find_candidates(s, &whole, &c);
	}
	modules = text && c.nr ? find_modules_of_entry(s, e) : NULL;
	found = c.nr == 1 && !modules && (whole.offset == e->offset ||
			      find_offset(s, c.array[0]->section, c.array[0]->offset + e->offset,
					  ret));
	if (found && whole.offset == e->offset)
		*ret = (struct chosen){ c.array[0], e->offset };
	if (text && (c.nr > 1 || modules)) {
		if (modules)
			msg_error("%s: '%s': functions of vmlinux and of loaded modules are called %.*s",
				  map->subject, text, (int)e->name_len, e->name);
		else
			msg_error("%s: '%s': %u functions are called %.*s", map->subject, text, c.nr,
				  (int)e->name_len, e->name);
		for (uint32_t i = 0; i < c.nr && i < MAX_NAMED; i++)
			msg_error("    %s+0x%" PRIx64, c.array[i]->name, e->offset);
		if (c.nr > MAX_NAMED)
			msg_error("    and %u more", c.nr - MAX_NAMED);
		if (modules)
			msg_error("    %.*s+0x%" PRIx64 " [%s]", (int)e->name_len, e->name,
				  e->offset, modules);
	} else if (text && !found) {
		msg_error("%s: '%s': no function is there", map->subject, text);
	}
	free(c.array);
	return found;
}

/* [.text]+0x10 in a module, as --table prints it */
static bool find_in_section(const struct symbolizer *s, const char *text, struct chosen *ret)
{
	const char *end = *text == '[' ? strstr(text, "]+") : NULL;
	const struct image *img = s->map->is_module && s->map->syms ? s->map->syms->img : NULL;
	uint64_t offset;
	size_t used;

	used = end && img ? read_number(end + 2, false, &offset) : 0;
	if (!used || end[2 + used])
		return false;
	for (uint32_t i = 1; i < img->nr_sections; i++) {
		const char *name = img->sections[i].name;

		if (strlen(name) == (size_t)(end - text - 1) &&
		    !strncmp(name, text + 1, end - text - 1) && find_offset(s, i, offset, ret))
			return true;
	}
	return false;
}

/* NAME@FILE+0x5, as `abtf list` accepts it. */
static int find_selected(const struct symbolizer *s, char *text, struct chosen *ret)
{
	struct selection sel = {};
	int err = selection__parse(&sel, &text, 1);

	err = err ?: selection__find(&sel, s->map, false);
	err = err ?: selection__check_places(&sel, s->map);
	if (!err && sel.funcs.nr != 1) {
		err = msg_fail(-ESRCH, "%s: '%s': matches %u functions:", s->map->subject, text,
			       sel.funcs.nr);
		for (uint32_t i = 0; i < sel.funcs.nr && i < MAX_NAMED; i++)
			msg_error("    %s", sel.funcs.array[i].func->name);
	}
	if (!err)
		*ret = sel.funcs.array[0];
	selection__destroy(&sel);
	return err;
}

/* Test whether something may be in the image: the rest is in vmlinux, or in another @object. */
static bool is_ours(const struct symbolizer *s, const char *object)
{
	if (!object)
		return true;
	return s->map->is_module ? *object && (!s->name || !strcmp(s->name, object)) : !*object;
}

static int report_other(const struct symbolizer *s, const char *text, const char *object)
{
	if (*object && !strchr(object, '/'))
		msg_error("%s: '%s': is in module %s: use its image, or --module %s", s->map->subject, text,
			  object, object);
	else
		msg_error("%s: '%s': is not in this image", s->map->subject, text);
	return -ESRCH;
}

/* Resolve an argument. Return: 0; or after a message, -ESRCH, or -EINVAL for a bad selector. */
static int find_place(const struct symbolizer *s, char *text, struct chosen *ret)
{
	char *colon = memrchr(text, ':', strcspn(text, "@"));	/* of NAME@FILE:LINE, not that one */
	char *start = colon ? colon + 1 : text;
	char *object __cleanup(free_pointer) = NULL;
	size_t len = strlen(start), used;
	struct stack_entry e;
	uint64_t number;
	bool is_entry;

	if (!len)
		return msg_fail(-ESRCH, "%s: '%s': no function is there", s->map->subject, text);
	is_entry = read_entry(start, &e);
	object = is_entry ? object_of(text, &e) : *start == '[' ? read_prefix(text, start) : NULL;
	if (!is_ours(s, object))
		return report_other(s, text, object);
	used = read_key(s, start, ret);
	if (used && strchr(" /", start[used]))
		return 0;
	if (find_in_section(s, start, ret))
		return 0;
	used = read_number(start, true, &number);
	if (used == len && find_address(s, number, ret))
		return 0;
	if (used != len)
		used = read_number(start, false, &number);
	if (used == len && !s->map->is_module && find_offset(s, 0, number, ret))
		return 0;
	if (used != len && strchr(start, '@'))
		return find_selected(s, start, ret);
	if (used != len && is_entry && strchr(" ", start[e.len]))
		return find_named(s, &e, text, ret) ? 0 : -ESRCH;
	if (s->unknown && read_number(start, true, &number) == len)
		msg_error("%s: '%s': no function is at this offset; if it is an address: %s",
			  s->map->subject, text, s->unknown);
	else
		msg_error("%s: '%s': no function is there", s->map->subject, text);
	return -ESRCH;
}

/* NAME@FILE, and +0x10 if it is not the start */
static void print_place(const struct chosen *p, FILE *f)
{
	fputs(p->func->name, f);
	if (p->into)
		fprintf(f, "+0x%" PRIx64, p->into);
}

/* In a stream. A filter of another object must not take a unique name in a module for its own. */
static void replace_place(const struct symbolizer *s, const struct chosen *p, const char *after,
			  FILE *out)
{
	char *object __cleanup(free_pointer) = read_object(after);

	print_place(p, out);
	if (s->name && p->into && !object && !strchr(p->func->name, '@'))
		fprintf(out, " [%s]", s->name);
}

/* Maximum number of files in the name of a function that may be any of several. */
#define MAX_FILES	4

/* NAME@(FILE|FILE|[MODULE]), without blanks, because tools split lines at them */
static void print_candidates(const struct candidates *c, const char *modules,
			     const struct stack_entry *e, FILE *out)
{
	fprintf(out, "%.*s@(", (int)e->name_len, e->name);
	for (uint32_t i = 0; i < c->nr && i < MAX_FILES; i++) {
		const struct function *f = c->array[i];
		const char *at = strchr(f->name, '@');

		fprintf(out, "%s%s", i ? "|" : "", at ? at + 1 : f->file ?: f->name);
	}
	if (c->nr > MAX_FILES)
		fputs("|...", out);
	if (modules)
		fprintf(out, "|[%s]", modules);
	fputc(')', out);
}

/*
 * The address of an entry, in the same line, decides between candidates.
 * Return: the function, or NULL.
 */
static const struct function *choose_by_address(const struct symbolizer *s, const char *line,
						const struct stack_entry *e,
						const struct candidates *c)
{
	struct chosen place;
	uint64_t address;

	for (const char *at = line; c->nr && *at; at++) {
		if ((at > line && is_word(at[-1])) || !read_number(at, true, &address) ||
		    !find_address(s, address, &place) || place.into != e->offset)
			continue;
		for_each(f, c)
			if (*f == place.func)
				return *f;
	}
	return NULL;
}

/*
 * Replace the name in an entry of a stack trace, if that is not the whole name already.
 * Return: the length of the text that was replaced, 0 for none.
 */
static size_t filter_entry(const struct symbolizer *s, const char *line, const char *text, FILE *out)
{
	const struct function *f = NULL;
	char *modules __cleanup(free_pointer) = NULL, *object __cleanup(free_pointer) = NULL;
	struct chosen place;
	struct candidates c;
	struct stack_entry e;
	size_t used = 0;

	if (!read_entry(text, &e) || e.len == e.name_len || !is_end(text + e.len) || text[e.len] == '/')
		return 0;
	object = object_of(line, &e);
	if (!is_ours(s, object))
		return 0;
	find_candidates(s, &e, &c);
	modules = c.nr ? find_modules_of_entry(s, &e) : NULL;
	f = c.nr == 1 && !modules ? c.array[0] : choose_by_address(s, line, &e, &c);
	if (f) {
		used = e.name_len;
		fputs(f->name, out);
	} else if (c.nr) {
		used = e.name_len;
		print_candidates(&c, modules, &e, out);
	} else if (s->map->is_module && find_named(s, &e, NULL, &place)) {
		used = e.len;
		replace_place(s, &place, text + e.len, out);
	}
	free(c.array);
	/* the start of a function, as a probe has it */
	if (used == e.name_len && !e.offset && !e.size)
		return e.len;
	return used;
}

/* Return: the length of a terminal's sequence for a colour (dmesg, grep), 0 for other text. */
static size_t read_colour(const char *s)
{
	size_t len = strncmp(s, "\033[", 2) ? 0 : 2 + strspn(s + 2, "0123456789;");

	return len && (s[len] == 'm' || s[len] == 'K') ? len + 1 : 0;
}

/* A name after "/" or "-" is a part of a path or word; ftrace prints "FUNC <-CALLER". */
static bool may_start_entry(const char *line, size_t i)
{
	return !i || (line[i - 1] != '/' && (line[i - 1] != '-' || (i > 1 && line[i - 2] == '<')));
}

static void filter_line(const struct symbolizer *s, const char *line, size_t len, FILE *out)
{
	struct chosen place;
	uint64_t address;
	size_t used, start = 0;
	bool in_files = false;

	for (size_t i = 0; i < len; i += used) {
		/* NAME@(FILE|FILE), which print_candidates() wrote, and FILE may be _text+OFFSET */
		if (strchr(" ()", line[i]))
			in_files = line[i] == '(' && i && line[i - 1] == '@';
		used = read_colour(line + i);
		if (used) {
			fwrite(line + i, 1, used, out);
			start = i + used;
			continue;
		}
		if (!in_files && (i == start || !is_word(line[i - 1]))) {
			used = read_key(s, line + i, &place);
			if (!used && (used = read_number(line + i, true, &address)) &&
			    !find_address(s, address, &place))
				used = 0;
			if (used) {
				replace_place(s, &place, line + i + used, out);
				continue;
			}
			used = may_start_entry(line, i) ? filter_entry(s, line, line + i, out) : 0;
		}
		if (used)
			continue;
		fputc(line[i], out);
		used = 1;
	}
}

/*
 * Copy lines, replacing addresses by names.  Bare numbers are only replaced if they are
 * addresses in the kernel's code.  Each line is written before the next one is read.
 */
static int filter_stream(const struct symbolizer *s, FILE *in, FILE *out)
{
	size_t size = 0;
	char *line = NULL;
	ssize_t len;
	int err;

	/* Ctrl-C ends the tool that writes to a pipe, which then prints its result. */
	if (!isatty(STDIN_FILENO))
		signal(SIGINT, SIG_IGN);
	errno = 0;
	while ((len = getline(&line, &size, in)) >= 0 && !ferror(out)) {
		filter_line(s, line, len, out);
		fflush(out);
	}
	err = ferror(in) || !feof(in) ? errno : 0;
	free(line);
	if (!err || ferror(out))
		return 0;
	msg_error("stdin: %s", strerror(err));
	return -err;
}

struct symbolize_options {
	const char	*base;
	bool		json;
	struct where	where;
};

static void symbolize_options__destroy(struct symbolize_options *opts)
{
	where__destroy(&opts->where);
}

static bool offset_of(const void *arg, const char *name, uint64_t *ret)
{
	const struct named_functions named = function_map__named(arg, name, strlen(name));

	*ret = 0;
	if (!strcmp(name, "_text"))
		return true;
	for_each(f, &named)
		if (!strcmp(f->name, name) && f->has_offset) {
			*ret = f->offset;
			return true;
		}
	return false;
}

/* With kernel.kptr_restrict=2, addresses are hidden from root, too. */
static const char *choose_advice(const struct where *where, const char *for_user,
				 const char *for_root)
{
	char *path __cleanup(free_pointer) = xasprintf("%s/proc/sys/kernel/kptr_restrict", where->sysroot);
	FILE *f = fopen(path, "re");
	int restricted = 0;

	if (f && fscanf(f, "%d", &restricted) != 1)
		restricted = 0;
	if (f)
		fclose(f);
	return restricted == 2 ? for_root : for_user;
}

static void find_base(const struct where *where, const struct function_map *map, struct symbolizer *s)
{
	int err = running__text(where->sysroot, offset_of, map, &s->base);

	if (!err)
		s->unknown = NULL;
	else if (err == -EPERM)
		s->unknown = choose_advice(where, "/proc/kallsyms hides addresses (kernel.kptr_restrict): run this as root",
					   "/proc/kallsyms hides addresses, from root, too: sudo sysctl kernel.kptr_restrict=1");
	else
		s->unknown = "/proc/kallsyms cannot be read, or does not list the kernel's functions";
}

/* The kernel shows the address of each section of a module.  Init text has been freed. */
static void find_loaded(const struct where *where, const struct image *img, struct symbolizer *s)
{
	s->unknown = choose_advice(where, "the module is not loaded, or /sys/module hides addresses: run this as root",
				   "the module is not loaded, or /sys/module hides addresses, from root, too: sudo sysctl kernel.kptr_restrict=1");
	for (uint32_t i = 1; i < img->nr_sections; i++) {
		const struct section *sec = &img->sections[i];
		uint64_t address;

		if (!(sec->flags & SHF_ALLOC) || !(sec->flags & SHF_EXECINSTR) ||
		    !strncmp(sec->name, ".init", 5))
			continue;
		address = running__section(where->sysroot, where->module, sec->name);
		if (address) {
			s->unknown = NULL;
			push(&s->loaded, (struct loaded_section){ address, sec->size, i });
		}
	}
}

static json_t *place_json(const struct function_map *map, const char *text, const struct chosen *p)
{
	const struct function *f = p->func;

	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "query", text_json(text),
			 "name", text_json(f ? f->name : NULL),
			 "into", f ? json_integer(p->into) : json_null(),
			 "section", f ? text_json(function_map__section(map, f->section)) : json_null(),
			 "offset", f ? json_integer(f->offset + p->into) : json_null());
}

static int print_places(const struct symbolizer *s, char **texts, int nr, bool json)
{
	int ret = 0;

	if (json)
		document__begin("places", function_map__head(s->map));
	for (int i = 0; i < nr; i++) {
		struct chosen place = {};
		int err = find_place(s, texts[i], &place);

		/* a place without a function is less than bad input */
		ret = ret == -EINVAL ? ret : err ?: ret;
		if (json) {
			document__add(place_json(s->map, texts[i], &place));
			continue;
		}
		if (place.func)
			print_place(&place, stdout);
		else
			fputs("??", stdout);
		putchar('\n');
	}
	return ret;
}

static int resolve_input(const struct symbolize_options *opts, const char *path,
			 struct image *img, const struct function_map *cached, char **texts, int nr)
{
	struct input in __cleanup(input__close) = {};
	struct function_map map __cleanup(function_map__destroy) = *cached;
	struct loaded_functions others __cleanup(loaded_functions__destroy) = {};
	struct symbolizer s = { .map = &map };
	int err = where__read(&opts->where, path, img, opts->base, &in, &map);

	if (!err && !map.has_image)
		err = msg_fail(-EINVAL, "%s: expected an image, whose symbols show where functions end",
			       path);
	if (!err && !map.is_module && !map.has_offsets)
		err = msg_fail(-EINVAL, "%s: no symbol _text, which offsets are relative to", path);
	if (err)
		return err;
	if (!where__is_used(&opts->where))
		s.base = map.text;
	s.name = map.is_module ? module__name(map.syms->img) : NULL;
	/* only --running is about this machine */
	if (!where__is_running(&opts->where)) {
		s.unknown = "the image was found by its build id, so its load address is not known";
	} else if (opts->where.module) {
		find_loaded(&opts->where, in.img, &s);
	} else if (opts->where.running) {
		find_base(&opts->where, &map, &s);
		s.others = &others;
		s.root = opts->where.sysroot;
	}
	if (!nr && s.unknown)
		msg_warn("only offsets are replaced, not addresses: %s", s.unknown);
	err = nr ? print_places(&s, texts, nr, opts->json) : filter_stream(&s, stdin, stdout);
	free(s.loaded.array);
	free(s.name);
	return err;
}

/* Write an argument -2129211792 in hex, because getopt_long() treats it as an option. */
static void accept_negative(char **arg)
{
	char *end;
	unsigned long long address = strtoull(*arg, &end, 10);

	if (**arg == '-' && end != *arg && !*end)
		*arg = xasprintf("0x%llx", address);
}

static const struct opt options[] = {
	OPT_BASE(struct symbolize_options, base),
	OPT_SET('j', "json", struct symbolize_options, json, "print JSON"),
	{}
};

static int cmd_symbolize(int argc, char **argv)
{
	struct symbolize_options opts __cleanup(symbolize_options__destroy) = {};
	struct function_map cached = {};
	struct image *img;
	int nr_args, status;

	for (int i = 1; i < argc; i++)
		accept_negative(&argv[i]);
	status = command__parse(&symbolize_command, argc, argv, &opts, &opts.where);
	if (status != GO_ON)
		return status;
	nr_args = argc - optind + where__is_used(&opts.where);
	if (nr_args < 1)
		return command__usage_error(&symbolize_command, "expected an image");
	if (opts.json && nr_args < 2)
		return command__usage_error(&symbolize_command, "--json needs an address");
	if (where__find(&opts.where, argv, opts.base ? NULL : &cached, &img))
		return EXIT_BAD;
	return exit_code(resolve_input(&opts, argv[optind], img, &cached, argv + optind + 1,
				       argc - optind - 1));
}

const struct command symbolize_command = {
	.name = "symbolize", .full_name = "abtf symbolize", .run = cmd_symbolize,
	.summary = "print which function is at an address",
	.usage = "abtf symbolize [-j] [--base BASE] IMAGE|--running [ADDRESS...]\n",
	.about =
	"Print which function is at an address: NAME@FILE, and +0x10 if it is not the start.\n"
	"Without ADDRESS, copy standard input, with names instead of addresses:\n"
	"\n"
	"  bpftrace ... | abtf symbolize --running\n"
	"\n"
	"  ADDRESS         _text+0x16ce70    an offset, as --probe prints it\n"
	"                  _text+1494640     the same, as bpftrace prints it\n"
	"                  0x16ce70          a bare offset from _text, hex or decimal\n"
	"                  ffffffff8116ce70  an address of the running kernel (--running, with\n"
	"                                    /proc/kallsyms), or one in IMAGE\n"
	"                  -2129211792       the same in decimal, as bpftrace prints it\n"
	"                  NAME+0x10/0x40    an entry of a stack trace, with or without the size,\n"
	"                                    which may decide between functions called NAME\n"
	"                  NAME@FILE+0x10    a place, as --probe accepts it\n"
	"                  in a module (IMAGE is a .ko): SYMBOL+0x40 [MODULE], MODULE:SYMBOL+0x40\n",
	.notes =
	"In standard input, offsets from _text, addresses, and entries of stack traces\n"
	"(NAME+0x10/0x40, NAME+16) are replaced, and everything else is copied.  If an\n"
	"entry may mean several functions, up to four files are shown, and with --running\n"
	"the loaded modules that have one: NAME@(FILE|FILE|[MODULE])+16.  As ADDRESS, such\n"
	"an entry lists all of the image.\n",
	.options = options, .finds_image = true,
};
