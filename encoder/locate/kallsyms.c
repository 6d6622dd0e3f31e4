// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "locate/kallsyms.h"

int kallsyms__text(const char *path, bool (*offset_of)(const char *name, void *arg, uint64_t *ret),
		   void *arg, uint64_t *ret)
{
	FILE *f = fopen(path, "re");
	uint64_t address, offset;
	char line[1024], name[512], type;
	int err = -ENOENT;

	if (!f)
		return -errno;
	while (err == -ENOENT && fgets(line, sizeof(line), f)) {
		/* those of modules follow all others */
		if (strchr(line, '[') ||
		    sscanf(line, "%" SCNx64 " %c %511s", &address, &type, name) != 3)
			continue;
		offset = 0;
		if (strcmp(name, "_text") && (!strchr("tTwW", type) || !offset_of(name, arg, &offset)))
			continue;
		err = address ? 0 : -EPERM;
		*ret = address - offset;
	}
	fclose(f);
	return err;
}
