/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files from debuginfod servers.
 *
 * libdebuginfod of elfutils is loaded when it is needed and DEBUGINFOD_URLS names a server,
 * so that nothing depends on it; elfutils' own libdw does the same.  The library caches the
 * files that it fetches.  With libdw, progress and a stop by a signal would need
 * libdebuginfod, too.
 */
#ifndef ABTF_LOCATE_DEBUGINFOD_H
#define ABTF_LOCATE_DEBUGINFOD_H

#include "locate/build_id.h"

/** debuginfod__is_set() - Test whether DEBUGINFOD_URLS names a server. */
bool debuginfod__is_set(void);

/**
 * debuginfod__fetch() - fetch a file
 * @type:	"debuginfo", or "executable" for the code
 * @ret:	its path in the cache of libdebuginfod, which the caller frees
 *
 * Return: 0; -ENOENT if DEBUGINFOD_URLS is not set, or after a message if no server has the
 * file; another negative errno after a message.
 */
int debuginfod__fetch(const struct build_id *id, const char *type, char **ret);

#endif /* ABTF_LOCATE_DEBUGINFOD_H */
