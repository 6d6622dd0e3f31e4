// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same as selector.c, but a module is loaded again while libbpf reads the table of
 * its functions: RELOAD is the name of the module, and RELOAD_AT "open" (when the table
 * is open, and the BTF was not read) or "read" (when the BTF was read).
 * Linked with --wrap=fopen64 and --wrap=fread.
 */
#include "selector.c"

FILE *__real_fopen64(const char *path, const char *mode);
size_t __real_fread(void *data, size_t size, size_t nr, FILE *file);

static FILE *table;

static void reload(const char *at)
{
	const char *module = getenv("RELOAD");
	char command[256];

	if (!module || strcmp(getenv("RELOAD_AT") ?: "", at))
		return;
	snprintf(command, sizeof(command), "rmmod %s && modprobe %s", module, module);
	if (system(command))
		die(command);
	unsetenv("RELOAD");
}

FILE *__wrap_fopen64(const char *path, const char *mode)
{
	const char *name = strrchr(path, '/');
	FILE *file = __real_fopen64(path, mode);

	if (file && name && !strcmp(name + 1, getenv("RELOAD") ?: "") && strstr(path, "/btf_addr/")) {
		table = file;
		reload("open");
	}
	return file;
}

size_t __wrap_fread(void *data, size_t size, size_t nr, FILE *file)
{
	if (file == table)
		reload("read");
	return __real_fread(data, size, nr, file);
}
