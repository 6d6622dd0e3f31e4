/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kprobes on one of several functions of a name, chosen at run time, with any libbpf from
 * 1.0 on and any kernel, in C and C++.  What it takes is a table:
 *
 *	abtf list --running --table >table	(of shared names; --all --table: of all)
 *	link = abtf_attach_kprobe(prog, "table", "type_show@net/core/net-sysfs.c", false);
 *
 * The table is of one build of a kernel, which its first line says; on any other kernel
 * nothing is attached (ESTALE).
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

/* Is a function called what the user says: NAME, NAME@FILE, NAME@END-OF-FILE? */
static inline int abtf_fits(const char *name, const char *wanted)
{
	size_t len = strcspn(wanted, "@"), n = strlen(name), w;

	if (!strcmp(name, wanted))
		return 2;
	if (strncmp(name, wanted, len) || (name[len] && name[len] != '@'))
		return 0;
	if (!wanted[len])
		return 1;
	w = strlen(wanted + len + 1);
	return w && n > len + 1 + w && !strcmp(name + n - w, wanted + len + 1) &&
	       name[n - w - 1] == '/';
}

/*
 * Look a function up; @offset: its distance from _text.  Return: 0; -ESTALE if the
 * table is of another kernel, -ENOENT if it has no such function, -ENOTUNIQ if several,
 * another negative errno.
 */
static inline int abtf_offset(const char *table, const char *wanted, uint64_t *offset)
{
	char id[256], line[4096], *space;
	int err = abtf_build_id(id, sizeof(id)), best = 0, nr = 0, fits;
	FILE *f = err ? NULL : fopen(table, "r");

	if (!f)
		return err ? err : -errno;
	if (!fgets(line, sizeof(line), f) || strcspn(line, "\n") != strlen(id) ||
	    strncmp(line, id, strlen(id)))
		err = -ESTALE;
	while (!err && fgets(line, sizeof(line), f)) {
		space = strrchr(line, ' ');
		if (!space)
			continue;
		*space = 0;
		fits = abtf_fits(line, wanted);
		if (!fits || fits < best)
			continue;
		/* who bears just that name comes before all others */
		nr = fits > best ? 1 : nr + 1;
		best = fits;
		*offset = strtoull(space + 1, NULL, 16);
	}
	fclose(f);
	return err ? err : nr == 1 ? 0 : nr ? -ENOTUNIQ : -ENOENT;
}

/* As bpf_program__attach_kprobe(), but for the function: NULL and errno after an error. */
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

/*
 * All of several at once (SEC("kprobe.multi")).  The kernel wants addresses for that, so
 * this needs a /proc/kallsyms that shows them (otherwise EPERM), and _text in it (otherwise
 * ENOENT: arm64 without CONFIG_KALLSYMS_ALL does not have it).
 */
static inline struct bpf_link *abtf_attach_kprobe_multi(const struct bpf_program *prog,
							const char *table,
							const char *const *wanted, size_t nr)
{
	unsigned long *addrs = (unsigned long *)calloc(nr + 1, sizeof(*addrs)), text = 0;
	FILE *f = fopen("/proc/kallsyms", "r");
	struct bpf_kprobe_multi_opts opts;
	struct bpf_link *link = NULL;
	int err = !addrs ? ENOMEM : f ? ENOENT : EPERM;
	uint64_t offset = 0;
	char line[1024];

	while (f && err == ENOENT && fgets(line, sizeof(line), f)) {
		if (!strstr(line, " _text\n"))
			continue;
		text = strtoul(line, NULL, 16);
		err = text ? 0 : EPERM;
	}
	if (f)
		fclose(f);
	for (size_t i = 0; i < nr && !err; i++) {
		err = -abtf_offset(table, wanted[i], &offset);
		addrs[i] = text + offset;
	}
	memset(&opts, 0, sizeof(opts));
	opts.sz = sizeof(opts);
	opts.addrs = addrs;
	opts.cnt = nr;
	if (!err)
		link = bpf_program__attach_kprobe_multi_opts(prog, NULL, &opts);
	free(addrs);
	if (err)
		errno = err;
	return link;
}

#endif /* ABTF_PROBE_H */
