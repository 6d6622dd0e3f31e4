/* SPDX-License-Identifier: (LGPL-2.1 OR BSD-2-Clause) */
/*
 * kprobes on one of several functions with the same name, chosen at run time, with libbpf
 * 1.0 or later and any kernel, in C and C++.  It needs a table, or a directory of tables:
 *
 *	abtf list --running --table >table	(of shared names; --all --table: of all)
 *	abtf list --table --output=tables vmlinux-1 vmlinux-2 nf_tables.ko
 *
 *	link = abtf_attach_kprobe(prog, "tables", "type_show@net/core/net-sysfs.c", false);
 *	link = abtf_attach_kprobe(prog, "tables", "nf_tables:nf_tables_newrule", false);
 *
 * A table is valid for one build of a kernel or module, which is identified in its first line;
 * on any other, nothing is attached (ESTALE).  In a directory, the table of the running kernel
 * or the loaded module is found by its build id (ENODATA: there is none).
 *
 * A function is selected by
 *
 *	NAME		the source function NAME, which the compiler may have changed to
 *			NAME.isra.0 or NAME.constprop.0
 *	NAME.isra.0	the function with that symbol; also a part (NAME.part.0, NAME.cold)
 *	NAME@FILE	the one in FILE, or in a file whose path ends in /FILE
 *	NAME@/FILE	the one in FILE
 *	NAME@FILE#2	the second with the symbol NAME in FILE
 *
 * or by its whole name in the table, which takes precedence.  "MODULE:" precedes the name of a
 * function in a module, and may be omitted if @table is a file.
 *
 * If a source function has several bodies, NAME selects none of them (ENOTUNIQ), because a probe
 * on one would miss calls of the others.  No body is called NAME in the table then, but NAME@FILE,
 * or NAME@FILE#1 if FILE also has a clone, or NAME@_text+OFFSET if its file is unknown.
 *
 * A name that is unique in the kernel or module has no FILE in the table: NAME@FILE does not find
 * it (ENOENT), and NAME@FILE:LINE finds nothing.
 */
#ifndef ABTF_PROBE_H
#define ABTF_PROBE_H

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Below another directory, there are copies of the files in /sys and /proc, for tests. */
#ifndef ABTF_ROOT
#define ABTF_ROOT ""
#endif

/*
 * The build id in a file of notes in hex: a note of type 3, called "GNU".
 * Return: 0, -ENOENT (the file cannot be opened), or -ENXIO (it has no build id)
 */
static inline int abtf_read_build_id(const char *path, char *hex, size_t size)
{
	unsigned char notes[8192];
	FILE *f = fopen(path, "r");
	size_t len = f ? fread(notes, 1, sizeof(notes), f) : 0, at = 0;
	uint32_t head[3];

	if (!f)
		return -ENOENT;
	fclose(f);
	while (at + 16 <= len) {
		memcpy(head, notes + at, sizeof(head));
		if (head[0] > len || head[1] > len)
			break;
		if (head[0] == 4 && head[2] == 3 && !memcmp(notes + at + 12, "GNU", 4) &&
		    head[1] && at + 16 + head[1] <= len && 2 * head[1] < size) {
			for (uint32_t i = 0; i < head[1]; i++)
				sprintf(hex + 2 * i, "%02x", notes[at + 16 + i]);
			return 0;
		}
		at += 12 + ((head[0] + 3) & ~3U) + ((head[1] + 3) & ~3U);
	}
	return -ENXIO;
}

/* The length of MODULE in "MODULE:NAME", or 0 */
static inline size_t abtf_module_len(const char *wanted)
{
	size_t len = strcspn(wanted, ":@");

	return wanted[len] == ':' ? len : 0;
}

/*
 * The build id of the running kernel (@len is 0, or @module is vmlinux), or of a module.
 * Return: 0, -ENODEV (the module is not loaded), or -ENXIO (the build id cannot be read)
 */
static inline int abtf_build_id(const char *module, size_t len, char *hex, size_t size)
{
	char path[512] = ABTF_ROOT "/sys/kernel/notes";
	int err;

	if (len == 7 && !strncmp(module, "vmlinux", len))
		len = 0;
	if (len && (len >= 64 || memchr(module, '/', len) || *module == '.'))
		return -ENODEV;
	if (len)
		snprintf(path, sizeof(path), ABTF_ROOT "/sys/module/%.*s/notes/.note.gnu.build-id",
			 (int)len, module);
	err = abtf_read_build_id(path, hex, size);
	return err != -ENOENT ? err : len ? -ENODEV : -ENXIO;
}

/*
 * How well a path fits @nr bytes of @end: 0 (not), 1 (it ends so, from the start of a directory
 * or file name), 2 (equal). "/FILE" is the whole path.
 */
static inline int abtf_fits_path(const char *path, const char *end, size_t nr)
{
	size_t len = strcspn(path, "#");
	bool whole = nr && *end == '/';

	end += whole;
	nr -= whole;
	if (!nr || len < nr || strncmp(path + len - nr, end, nr))
		return 0;
	return len == nr ? 2 : !whole && path[len - nr - 1] == '/';
}

/* The length of the source function's name in a symbol's name: 3 of foo.isra.0 */
static inline size_t abtf_source_len(const char *symbol, size_t len)
{
	const char *dot = len > 1 ? (const char *)memchr(symbol + 1, '.', len - 1) : NULL;

	return dot ? (size_t)(dot - symbol) : len;
}

/* Is this the suffix of code that the compiler split off a function? */
static inline bool abtf_is_part(const char *suffix, size_t len)
{
	for (; len >= 5; suffix++, len--)
		if (!strncmp(suffix, ".part", 5) || !strncmp(suffix, ".cold", 5))
			return true;
	return false;
}

/*
 * How well @name fits @wanted: 0 (not), 1 (NAME, or the end of FILE), 2 (all of FILE without
 * its #NUMBER), 3 (equal).
 */
static inline int abtf_fits(const char *name, const char *wanted)
{
	size_t len = strcspn(wanted, "@"), symbol = strcspn(name, "@"), source = symbol;
	size_t file = wanted[len] ? strcspn(wanted + len + 1, "#") : 0;
	const char *number = wanted[len] ? wanted + len + 1 + file : "";

	if (!strcmp(name, wanted))
		return 3;
	/* a number selects one symbol */
	if (!*number && abtf_source_len(wanted, len) == len)
		source = abtf_source_len(name, symbol);
	if (source != len || strncmp(name, wanted, len) ||
	    (source < symbol && abtf_is_part(name + source, symbol - source)))
		return 0;
	if (!wanted[len])
		return 1;
	if (!name[symbol] || (*number && strcmp(name + strcspn(name, "#"), number)))
		return 0;
	return abtf_fits_path(name + symbol + 1, wanted + len + 1, file);
}

/*
 * Does the kernel accept a probe on a function with these flags? "clone" does not matter for
 * that, and "unknown" means that the image does not show it, but the kernel will check. Others are
 * reasons to reject it. Reject flags of a later abtf, too: their meaning is not known here.
 */
static inline bool abtf_accepts(const char *flags)
{
	for (size_t len; *flags; flags += len + 1) {
		len = strcspn(flags, ",");
		if (!(len == 5 && !strncmp(flags, "clone", len)) &&
		    !(len == 7 && !strncmp(flags, "unknown", len)))
			return false;
		if (!flags[len])
			return true;
	}
	return false;
}

/* Read a line, and cut off its end. Return: 1, 0 (no more), or -EBADMSG (too long, or no end) */
static inline int abtf_read_line(FILE *f, char *line, int size)
{
	size_t len;

	if (!fgets(line, size, f))
		return ferror(f) ? -EIO : 0;
	len = strcspn(line, "\n");
	if (!line[len])
		return -EBADMSG;
	line[len - (len && line[len - 1] == '\r')] = 0;
	return 1;
}

/* A place: @offset bytes after @start, a symbol, or "[.text]", a section of a module */
struct abtf_place {
	char		module[64];	/* "" in vmlinux */
	char		start[512];
	uint64_t	offset;
};

/* Take "0x10", "symbol+0x10" or "[.text]+0x10" apart. Return: 0 or -EBADMSG */
static inline int abtf_parse_place(char *text, struct abtf_place *place)
{
	char *plus = strrchr(text, '+'), *digits = plus ? plus + 1 : text, *end;
	const char *start = plus ? text : "_text";
	size_t len = plus ? (size_t)(plus - text) : strlen(start);

	if (strncmp(digits, "0x", 2) || !len || len >= sizeof(place->start) || memchr(start, '/', len))
		return -EBADMSG;
	memcpy(place->start, start, len);
	place->start[len] = 0;
	errno = 0;
	place->offset = strtoull(digits, &end, 16);
	return end < digits + 3 || errno || *end ? -EBADMSG : 0;
}

/*
 * Take a line "NAME PLACE" or "NAME PLACE FLAG,FLAG" apart; a path in NAME may have blanks.
 * Return: 0 or -EBADMSG
 */
static inline int abtf_parse_line(char *line, struct abtf_place *place, bool *accepted)
{
	char *word = strrchr(line, ' '), *flags = NULL;

	if (word && strncmp(word, " 0x", 3) && !strstr(word, "+0x")) {
		flags = word + 1;
		*word = 0;
		word = strrchr(line, ' ');
	}
	if (!word || word == line || (flags && !*flags))
		return -EBADMSG;
	*word = 0;
	*accepted = !flags || abtf_accepts(flags);
	return abtf_parse_place(word + 1, place);
}

/*
 * Check the first line, "abtf-table 1 BUILD-ID vmlinux|MODULE ...", or, as of earlier releases,
 * "BUILD-ID" of vmlinux. Without a module in @wanted, a table of a module is accepted, too.
 * Return: 0, -EPROTONOSUPPORT (another version), -ENOENT (of another module), -ENODEV (not loaded),
 * or -ESTALE
 */
static inline int abtf_check_table(char *line, const char *wanted, struct abtf_place *place)
{
	static const char version[] = "abtf-table 1 ";
	size_t len = abtf_module_len(wanted), name_len = strlen("vmlinux");
	char *id = line, *space, hex[256];
	const char *name = "vmlinux";
	int err;

	if (!strncmp(line, version, sizeof(version) - 1)) {
		id += sizeof(version) - 1;
		space = strchr(id, ' ');
		name_len = space ? strcspn(space + 1, " ") : 0;
		if (!name_len || name_len >= sizeof(place->module))
			return -EBADMSG;
		*space = 0;
		space[1 + name_len] = 0;
		name = space + 1;
	} else if (!*line || line[strspn(line, "0123456789abcdef")]) {
		return -EPROTONOSUPPORT;
	}
	if (len && (name_len != len || strncmp(name, wanted, len)))
		return -ENOENT;
	memcpy(place->module, name, name_len + 1);
	if (!strcmp(name, "vmlinux"))
		place->module[0] = 0;
	err = abtf_build_id(name, name_len, hex, sizeof(hex));
	return err ? err : strcmp(id, hex) ? -ESTALE : 0;
}

/* Open @table, or the one in that directory. Return: 0, -ENODATA (there is none), ... */
static inline int abtf_open_table(const char *table, const char *wanted, FILE **ret)
{
	char path[4096], hex[256];
	int err = abtf_build_id(wanted, abtf_module_len(wanted), hex, sizeof(hex));
	struct stat st;

	/* "FILE/." does not exist */
	snprintf(path, sizeof(path), "%s/.", table);
	if (!access(path, F_OK)) {
		if (err)
			return err;
		if (snprintf(path, sizeof(path), "%s/%.2s/%s.table", table, hex, hex + 2) >=
		    (int)sizeof(path))
			return -ENAMETOOLONG;
		/* opening a FIFO would wait for a writer */
		if (!stat(path, &st) && !S_ISREG(st.st_mode))
			return -EBADMSG;
		table = path;
	}
	*ret = fopen(table, "r");
	return *ret ? 0 : errno == ENOENT ? -ENODATA : -errno;
}

/*
 * Look up a function. Return: 0; -ENODATA (no table), -ESTALE (the table is from another kernel),
 * -ENODEV (the module is not loaded), -ENXIO (its build id, or the kernel's, cannot be read),
 * -ENOENT (no such function), -ENOTUNIQ (several), -EOPNOTSUPP (the kernel rejects probes there,
 * according to the table), -EBADMSG (the table is damaged), -EPROTONOSUPPORT (it has another
 * version), or another negative errno.
 */
static inline int abtf_find(const char *table, const char *wanted, struct abtf_place *place)
{
	size_t module = abtf_module_len(wanted);
	unsigned long long lines = 0, expected = 0;
	int err, best = 0, nr = 0, fits;
	bool accepted, rejected = false;
	struct abtf_place at;
	char line[8192];
	FILE *f;

	memset(&at, 0, sizeof(at));
	err = abtf_open_table(table, wanted, &f);
	if (err)
		return err;
	err = abtf_read_line(f, line, sizeof(line));
	/* the number of functions, which older tables do not have */
	if (err > 0)
		sscanf(line, "abtf-table 1 %*s %*s %*s %llu", &expected);
	if (err >= 0)
		err = err ? abtf_check_table(line, wanted, &at) : -EBADMSG;
	err = err ? err : 1;
	wanted += module ? module + 1 : 0;
	while (err > 0) {
		err = abtf_read_line(f, line, sizeof(line));
		if (err > 0 && abtf_parse_line(line, &at, &accepted))
			err = -EBADMSG;
		lines += err > 0;
		fits = err > 0 ? abtf_fits(line, wanted) : 0;
		if (!fits || fits < best)
			continue;
		if (fits > best) {
			best = fits;
			nr = 0;
			rejected = false;
		}
		/* symbols at one place are one function */
		nr += !nr || place->offset != at.offset || strcmp(place->start, at.start);
		if (nr == 1)
			*place = at;
		rejected |= !accepted;
	}
	fclose(f);
	/* others may match in the part that is missing */
	if (!err && lines < expected)
		err = -EBADMSG;
	return err ? err : nr > 1 ? -ENOTUNIQ : !nr ? -ENOENT : rejected ? -EOPNOTSUPP : 0;
}

/* What an error of the functions here means, for people. */
static inline const char *abtf_strerror(int err)
{
	switch (err < 0 ? -err : err) {
	case ENODATA:	return "no table for this kernel or module";
	case ESTALE:	return "the table is from another kernel";
	case ENODEV:	return "the module is not loaded";
	case ENXIO:	return "the build id of the kernel or module cannot be read";
	case ENOENT:	return "not in the table";
	case ENOTUNIQ:	return "several functions match";
	case EOPNOTSUPP: return "the kernel rejects probes on it (notrace, noprobe, init, or a flag of a later abtf)";
	case EBADMSG:	return "the table is damaged";
	case EPROTONOSUPPORT: return "the table is from another version of abtf";
	default:	return strerror(err < 0 ? -err : err);
	}
}

/* Is this line of /proc/kallsyms, "ADDRESS TYPE NAME" or "... NAME\t[MODULE]", the symbol? */
static inline bool abtf_is_symbol(const char *line, const struct abtf_place *place)
{
	const char *name = strchr(line, ' ');
	size_t len, module = strlen(place->module);

	name = name ? strchr(name + 1, ' ') : NULL;
	if (!name++)
		return false;
	len = strcspn(name, "\t\n");
	if (len != strlen(place->start) || strncmp(name, place->start, len))
		return false;
	name += len;
	return module ? !strncmp(name, "\t[", 2) && !strncmp(name + 2, place->module, module) &&
			name[2 + module] == ']' : *name != '\t';
}

/* The run-time address where a section of a module starts, 0 if it is hidden */
static inline unsigned long abtf_section(const struct abtf_place *place)
{
	char path[1024];
	unsigned long address = 0;
	FILE *f;

	snprintf(path, sizeof(path), ABTF_ROOT "/sys/module/%s/sections/%.*s", place->module,
		 (int)strcspn(place->start + 1, "]"), place->start + 1);
	f = fopen(path, "r");
	if (f && fscanf(f, "%lx", &address) != 1)
		address = 0;
	if (f)
		fclose(f);
	return address;
}

/*
 * The run-time addresses of @nr places. Return: 0, -EPERM (hidden), -ENOENT (arm64 may not list
 * _text)
 */
static inline int abtf_addresses(const struct abtf_place *places, size_t nr, unsigned long *addrs)
{
	FILE *f = fopen(ABTF_ROOT "/proc/kallsyms", "r");
	int err = f ? 0 : -EPERM;
	char line[1024];
	size_t i;

	memset(addrs, 0, nr * sizeof(*addrs));
	while (!err && fgets(line, sizeof(line), f))
		for (i = 0; i < nr && !err; i++) {
			if (addrs[i] || !abtf_is_symbol(line, &places[i]))
				continue;
			addrs[i] = strtoul(line, NULL, 16);
			err = addrs[i] ? 0 : -EPERM;
		}
	for (i = 0; i < nr && !err; i++) {
		if (places[i].start[0] == '[')
			addrs[i] = abtf_section(&places[i]);
		if (!addrs[i])
			err = places[i].start[0] == '[' ? -EPERM : -ENOENT;
		addrs[i] += places[i].offset;
	}
	if (f)
		fclose(f);
	return err;
}

/* Like bpf_program__attach_kprobe(), for @wanted. Return: NULL and errno after an error. */
static inline struct bpf_link *abtf_attach_kprobe(const struct bpf_program *prog, const char *table,
						  const char *wanted, bool retprobe)
{
	char symbol[sizeof(struct abtf_place)];
	struct bpf_kprobe_opts opts;
	struct abtf_place place;
	unsigned long address = 0;
	bool is_section;
	int err;

	memset(&place, 0, sizeof(place));
	memset(&opts, 0, sizeof(opts));
	err = abtf_find(table, wanted, &place);
	is_section = place.start[0] == '[';
	if (!err && is_section)
		err = abtf_addresses(&place, 1, &address);
	errno = -err;
	if (err)
		return NULL;
	snprintf(symbol, sizeof(symbol), "%s%s%s", place.module, *place.module ? ":" : "",
		 place.start);
	opts.sz = sizeof(opts);
	opts.offset = is_section ? address : place.offset;
	opts.retprobe = retprobe;
	/* without a symbol, the offset is an address */
	return bpf_program__attach_kprobe_opts(prog, is_section ? NULL : symbol, &opts);
}

/*
 * Attach to several at once (SEC("kprobe.multi")). Each name selects one function, as above; to
 * probe all bodies of a source function, name each. All names are looked up first. If one of
 * them fails, nothing is attached, and *@bad is its index; otherwise, *@bad is @nr (@bad may be
 * NULL). The kernel wants addresses for this. If they are hidden (kptr_restrict=2), errno is EPERM:
 * attach a SEC("kprobe") program with abtf_attach_kprobe() to each name instead.
 */
static inline struct bpf_link *abtf_attach_kprobe_multi(const struct bpf_program *prog,
							const char *table,
							const char *const *wanted, size_t nr,
							size_t *bad)
{
	struct abtf_place *places = (struct abtf_place *)calloc(nr + 1, sizeof(*places));
	unsigned long *addrs = (unsigned long *)calloc(nr + 1, sizeof(*addrs));
	struct bpf_kprobe_multi_opts opts;
	struct bpf_link *link = NULL;
	int err = addrs && places ? 0 : -ENOMEM;
	size_t i;

	if (bad)
		*bad = nr;
	for (i = 0; i < nr && !err; i++) {
		err = abtf_find(table, wanted[i], &places[i]);
		if (err && bad)
			*bad = i;
	}
	err = err ? err : abtf_addresses(places, nr, addrs);
	memset(&opts, 0, sizeof(opts));
	opts.sz = sizeof(opts);
	opts.addrs = addrs;
	opts.cnt = nr;
	if (!err)
		link = bpf_program__attach_kprobe_multi_opts(prog, NULL, &opts);
	free(addrs);
	free(places);
	if (err)
		errno = -err;
	return link;
}

#endif /* ABTF_PROBE_H */
