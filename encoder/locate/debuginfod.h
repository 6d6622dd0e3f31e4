/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Images from debuginfod servers, by libdebuginfod of elfutils.
 *
 * The library is loaded when it is needed and DEBUGINFOD_URLS names a server, so
 * that nothing depends on it; elfutils' own libdw does the same.  The library caches
 * the files that it fetches.
 */
#ifndef ABTF_LOCATE_DEBUGINFOD_H
#define ABTF_LOCATE_DEBUGINFOD_H

#include "locate/build_id.h"

/** debuginfod__is_asked() - Does DEBUGINFOD_URLS name a server? */
bool debuginfod__is_asked(void);

/**
 * debuginfod__find() - fetch a file with debug information
 * @ret:	where its path goes, malloc()ed
 *
 * Shows how far it is on a terminal.
 *
 * Return: 0; -ENOENT if no server is to be asked, or none has it (after a message
 * then); another negative errno after a message.
 */
int debuginfod__find(const struct build_id *id, char **ret);

#endif /* ABTF_LOCATE_DEBUGINFOD_H */
