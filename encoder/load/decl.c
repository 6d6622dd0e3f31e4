// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "load/decl.h"

int decls__find(const struct image *img, const struct symbols *syms, struct decl *decls,
		size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		decls[i].file = NULL;
		decls[i].line = 0;
		decls[i].external = false;
		decls[i].found = false;
	}
	return 0;
}

void decls__release(struct decl *decls, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		free(decls[i].file);
		decls[i].file = NULL;
	}
}
