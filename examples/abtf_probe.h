/* SPDX-License-Identifier: (LGPL-2.1 OR BSD-2-Clause) */
/*
 * kprobes on one of several functions with the same name, chosen at run time, with libbpf
 * 1.0 or later and any kernel, in C and C++.  It needs a table:
 *
 *	abtf list --running --table >table	(of shared names; --all --table: of all)
 *	link = abtf_attach_kprobe(prog, "table", "type_show@net/core/net-sysfs.c", false);
 *
 * The table is valid for one kernel build, identified in its first line; on any other
 * kernel, nothing is attached (ESTALE).
 *
 * A function is selected by
 *
 *	NAME		the source function NAME, which the compiler may have changed to
 *			NAME.isra.0 or NAME.constprop.0
 *	NAME.isra.0	the function with that symbol; also a part (NAME.part.0, NAME.cold)
 *	NAME@FILE	the one in FILE, or in a file whose path ends in /FILE
 *	NAME@FILE#2	the second with the symbol NAME in FILE
 *
 * or by its whole name in the table, which takes precedence.  If a source function has several
 * bodies, NAME selects none of them (ENOTUNIQ), because a probe on one would miss calls of the
 * others.  No body is called NAME in the table then, but NAME@FILE, or NAME@FILE#1 if FILE also
 * has a clone, or NAME@_text+OFFSET if its file is unknown.
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

#ifndef ABTF_NOTES
#define ABTF_NOTES "/sys/kernel/notes"
#endif

/* The build id of the running kernel in hex: a note of type 3, called "GNU". */
static inline int abtf_build_id(char *hex, size_t size)
{
	unsigned char notes[8192];
	FILE *f = fopen(ABTF_NOTES, "r");
	size_t len = f ? fread(notes, 1, sizeof(notes), f) : 0, at = 0;
	uint32_t head[3];

	if (f)
		fclose(f);
	while (at + 16 <= len) {
		memcpy(head, notes + at, sizeof(head));
		if (head[0] > len || head[1] > len)
			break;
		if (head[0] == 4 && head[2] == 3 && !memcmp(notes + at + 12, "GNU", 4) &&
		    at + 16 + head[1] <= len && 2 * head[1] < size) {
			for (uint32_t i = 0; i < head[1]; i++)
				sprintf(hex + 2 * i, "%02x", notes[at + 16 + i]);
			return 0;
		}
		at += 12 + ((head[0] + 3) & ~3U) + ((head[1] + 3) & ~3U);
	}
	return -ENOENT;
}

/*
 * How well a path fits @nr bytes of @end: 0 (not), 1 (it ends so, from the start of a directory
 * or file name), 2 (equal).
 */
static inline int abtf_fits_path(const char *path, const char *end, size_t nr)
{
	size_t len = strcspn(path, "#");

	while (nr && *end == '/') {
		end++;
		nr--;
	}
	if (!nr || len < nr || strncmp(path + len - nr, end, nr))
		return 0;
	return len == nr ? 2 : path[len - nr - 1] == '/';
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

/*
 * Take a line "NAME OFFSET" or "NAME OFFSET FLAG,FLAG" apart; a path in NAME may have blanks.
 * Return: 0 or -EBADMSG
 */
static inline int abtf_parse_line(char *line, uint64_t *offset, bool *accepted)
{
	char *word = strstr(line, " 0x"), *next = word;

	while (next) {
		word = next;
		next = strstr(word + 1, " 0x");
	}
	if (!word || word == line)
		return -EBADMSG;
	*word++ = 0;
	errno = 0;
	*offset = strtoull(word, &next, 16);
	if (next < word + 3 || errno || (*next && (*next != ' ' || !next[1])))
		return -EBADMSG;
	*accepted = !*next || abtf_accepts(next + 1);
	return 0;
}

/*
 * Look up a function. @offset: its distance from _text. Return: 0, -ESTALE (the table is from
 * another kernel), -ENOENT (no such function), -ENOTUNIQ (several), -EOPNOTSUPP (the kernel
 * rejects probes there, according to the table), -EBADMSG (the table is damaged), or another
 * negative errno.
 */
static inline int abtf_offset(const char *table, const char *wanted, uint64_t *offset)
{
	int err, best = 0, nr = 0, fits;
	bool accepted, rejected = false;
	char id[256], line[8192];
	uint64_t at;
	FILE *f;

	err = abtf_build_id(id, sizeof(id));
	f = err ? NULL : fopen(table, "r");
	if (!f)
		return err ? err : -errno;
	err = abtf_read_line(f, line, sizeof(line));
	if (err >= 0)
		err = err && !strcmp(line, id) ? 1 : -ESTALE;
	while (err > 0) {
		err = abtf_read_line(f, line, sizeof(line));
		if (err > 0 && abtf_parse_line(line, &at, &accepted))
			err = -EBADMSG;
		fits = err > 0 ? abtf_fits(line, wanted) : 0;
		if (!fits || fits < best)
			continue;
		if (fits > best) {
			best = fits;
			nr = 0;
			rejected = false;
		}
		/* symbols at one place are one function */
		if (!nr)
			*offset = at;
		nr += !nr || *offset != at;
		rejected |= !accepted;
	}
	fclose(f);
	return err ? err : nr > 1 ? -ENOTUNIQ : !nr ? -ENOENT : rejected ? -EOPNOTSUPP : 0;
}

/* What an error of the functions here means, for people. */
static inline const char *abtf_strerror(int err)
{
	switch (err < 0 ? -err : err) {
	case ESTALE:	return "the table is from another kernel";
	case ENOENT:	return "not in the table";
	case ENOTUNIQ:	return "several functions match";
	case EOPNOTSUPP: return "the kernel rejects probes on it (notrace, noprobe, init, or a flag of a later abtf)";
	case EBADMSG:	return "the table is damaged";
	default:	return strerror(err < 0 ? -err : err);
	}
}

/* Like bpf_program__attach_kprobe(), for @wanted. Return: NULL and errno after an error. */
static inline struct bpf_link *abtf_attach_kprobe(const struct bpf_program *prog, const char *table,
						  const char *wanted, bool retprobe)
{
	struct bpf_kprobe_opts opts;
	uint64_t offset = 0;

	memset(&opts, 0, sizeof(opts));
	errno = -abtf_offset(table, wanted, &offset);
	opts.sz = sizeof(opts);
	opts.offset = offset;
	opts.retprobe = retprobe;
	return errno ? NULL : bpf_program__attach_kprobe_opts(prog, "_text", &opts);
}

/* The run-time address of _text. Return: 0, -EPERM (hidden), -ENOENT (arm64 may not have it) */
static inline int abtf_text(unsigned long *text)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	char line[1024];
	int err = f ? -ENOENT : -EPERM;

	while (err == -ENOENT && fgets(line, sizeof(line), f)) {
		if (!strstr(line, " _text\n"))
			continue;
		*text = strtoul(line, NULL, 16);
		err = *text ? 0 : -EPERM;
	}
	if (f)
		fclose(f);
	return err;
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
	unsigned long *addrs = (unsigned long *)calloc(nr + 1, sizeof(*addrs)), text = 0;
	struct bpf_kprobe_multi_opts opts;
	struct bpf_link *link = NULL;
	int err = addrs ? 0 : -ENOMEM;
	uint64_t offset = 0;
	size_t i;

	if (bad)
		*bad = nr;
	for (i = 0; i < nr && !err; i++) {
		err = abtf_offset(table, wanted[i], &offset);
		if (!err)
			addrs[i] = offset;
		else if (bad)
			*bad = i;
	}
	err = err ? err : abtf_text(&text);
	for (i = 0; i < nr && !err; i++)
		addrs[i] += text;
	memset(&opts, 0, sizeof(opts));
	opts.sz = sizeof(opts);
	opts.addrs = addrs;
	opts.cnt = nr;
	if (!err)
		link = bpf_program__attach_kprobe_multi_opts(prog, NULL, &opts);
	free(addrs);
	if (err)
		errno = -err;
	return link;
}

#endif /* ABTF_PROBE_H */
