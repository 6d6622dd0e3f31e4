// SPDX-License-Identifier: GPL-2.0-only
/* The kernel as files and system calls show it: symbols, log, triggers, modules. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "guest.h"

char *read_file(const char *path, size_t *len)
{
	size_t size = 0, room = 1 << 16;
	char *data = malloc(room);
	ssize_t n;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	need(fd >= 0, "%s: %s", path, strerror(errno));
	while ((n = read(fd, data + size, room - size - 1)) > 0) {
		size += n;
		if (room - size < 2)
			data = realloc(data, room *= 2);
	}
	close(fd);
	need(!n, "reading %s: %s", path, strerror(errno));
	data[size] = '\0';
	if (len)
		*len = size;
	return data;
}

long long trigger(const char *path)
{
	char *text = read_file(path, NULL);
	long long value = strtoll(text, NULL, 0);

	free(text);
	return value;
}

static int compare_addrs(const void *a, const void *b)
{
	__u64 x = *(const __u64 *)a, y = *(const __u64 *)b;

	return x < y ? -1 : x > y;
}

/* Cached, because reading kallsyms takes most of a second. NULL: modules have changed since. */
static char *kallsyms;

static void kallsyms_forget(void)
{
	free(kallsyms);
	kallsyms = NULL;
}

int symbols(const char *module, const char *name, __u64 *addrs, int max)
{
	char *text, *sym, *end, mod[128];
	int nr = 0;

	if (!kallsyms)
		kallsyms = read_file("/proc/kallsyms", NULL);
	text = kallsyms;
	/* "ADDRESS TYPE NAME", and of a module "\t[MODULE]" */
	for (sym = text; (sym = strstr(sym, name)); sym = end) {
		end = sym + strlen(name);
		if (sym[-1] != ' ')
			continue;
		/* ThinLTO renames a static function that another unit uses */
		if (!strncmp(end, ".llvm.", 6))
			end += 6 + strspn(end + 6, "0123456789");
		if (*end != '\n' && *end != '\t')
			continue;
		if (sscanf(end, "\t[%127[^]]]", mod) != 1)
			mod[0] = '\0';
		if (strcmp(mod, module ?: ""))
			continue;
		while (sym > text && sym[-1] != '\n')
			sym--;
		if (nr < max)
			addrs[nr] = strtoull(sym, NULL, 16);
		need(strtoull(sym, NULL, 16), "kallsyms shows no addresses");
		nr++;
	}
	need(nr <= max, "%d symbols %s, room for %d", nr, name, max);
	qsort(addrs, nr, sizeof(*addrs), compare_addrs);
	return nr;
}

__u64 symbol(const char *module, const char *name)
{
	__u64 addrs[64];

	return symbols(module, name, addrs, ARRAY_SIZE(addrs)) == 1 ? addrs[0] : 0;
}

bool made_by_clang(void)
{
	char *version = read_file("/proc/version", NULL);
	bool clang = strstr(version, "clang");

	free(version);
	return clang;
}

bool traceable(__u64 addr)
{
	unsigned long long site;
	char line[1024];
	bool found = false;
	FILE *file;

	file = fopen("/sys/kernel/tracing/available_filter_functions_addrs", "re");
	need(file, "available_filter_functions_addrs: %s", strerror(errno));
	/* It can follow an endbr64, or a bti and a move. */
	while (!found && fgets(line, sizeof(line), file))
		found = sscanf(line, "%llx", &site) == 1 && site - addr <= 8;
	fclose(file);
	return found;
}

void expect_patched(const char *name)
{
	char *functions = read_file("/sys/kernel/tracing/enabled_functions", NULL);
	size_t len = name ? strlen(name) : 0;
	const char *line = functions;
	bool only = !name ? !*functions :
		    !strncmp(functions, name, len) && functions[len] == ' ';

	/* "NAME (1) R D ..."; lines that start with a tab continue the function. */
	while (only && (line = strchr(line, '\n')))
		only = !*++line || *line == '\t';
	expect(only, "patched should be %s, and is:\n%s", name ?: "nothing", functions);
	free(functions);
}

const char *syscall_func(const char *name)
{
	static const char *const prefixes[] = { "__x64", "__arm64", "__s390x" };
	static char func[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(prefixes); i++) {
		snprintf(func, sizeof(func), "%s_sys_%s", prefixes[i], name);
		if (symbol(NULL, func))
			return func;
	}
	give_up("no function of the system call %s", name);
}

const char *file_like(const char *pattern)
{
	static char path[256];
	glob_t found;

	if (glob(pattern, 0, NULL, &found))
		return NULL;
	snprintf(path, sizeof(path), "%s", found.gl_pathv[0]);
	globfree(&found);
	return path;
}

/* --- log -------------------------------------------------------------------- */

static int kmsg = -1;
static char log_text[1 << 16];

void log_mark(void)
{
	if (kmsg >= 0)
		close(kmsg);
	kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	need(kmsg >= 0 && lseek(kmsg, 0, SEEK_END) == 0, "/dev/kmsg: %s", strerror(errno));
	log_text[0] = '\0';
}

/* All lines since log_mark(). A record can be read once, so they are kept. */
static const char *log_read(void)
{
	char record[8192], *text;
	size_t len = strlen(log_text);
	ssize_t n;

	while ((n = read(kmsg, record, sizeof(record) - 1)) > 0) {
		record[n] = '\0';
		text = strchr(record, ';');
		text = text ? text + 1 : record;
		text[strcspn(text, "\n")] = '\0';
		len += snprintf(log_text + len, sizeof(log_text) - len, "%s\n", text);
		need(len < sizeof(log_text), "the kernel prints too many messages");
	}
	return log_text;
}

bool log_has(const char *text)
{
	return strstr(log_read(), text);
}

void log_show(void)
{
	note("the kernel printed:\n%s", log_read());
}

/* --- modules ---------------------------------------------------------------- */

int module_load(const char *path)
{
	int fd, err = 0;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	need(fd >= 0, "%s: %s", path, strerror(errno));
	kallsyms_forget();
	if (syscall(SYS_finit_module, fd, "", 0))
		err = -errno;
	close(fd);
	return err;
}

int module_unload(const char *name)
{
	kallsyms_forget();
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? -errno : 0;
}

bool module_loaded(const char *name)
{
	char *list = read_file("/proc/modules", NULL), *line, *rest = list;
	size_t len = strlen(name);
	bool found = false;

	while (!found && (line = strsep(&rest, "\n")))
		found = !strncmp(line, name, len) && line[len] == ' ';
	free(list);
	return found;
}

const char *lone_module(const char *name, const char *library)
{
	struct utsname uts;
	char path[512];

	uname(&uts);
	snprintf(path, sizeof(path), "/lib/modules/%s/kernel/lib/crypto/%s.ko", uts.release, library);
	return access(path, F_OK) ? name : library;
}

const char *module_path(const char *name)
{
	static char path[512];
	const char *dir = getenv("MODULES");
	struct utsname uts;
	char cmd[600];
	FILE *find;

	uname(&uts);
	if (dir)
		snprintf(cmd, sizeof(cmd), "find %s -name '%s.ko'", dir, name);
	else
		snprintf(cmd, sizeof(cmd), "find /lib/modules/%s/ -name '%s.ko'", uts.release,
			 name);
	find = popen(cmd, "re");
	if (!find || !fgets(path, sizeof(path), find))
		path[0] = '\0';
	if (find)
		pclose(find);
	need(path[0], "%s: nothing found", cmd);
	path[strcspn(path, "\n")] = '\0';
	return path;
}
