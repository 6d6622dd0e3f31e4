/* SPDX-License-Identifier: GPL-2.0-only */
/* The tracepoint of registered-main.c. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM registered

#if !defined(_REGISTERED_H) || defined(TRACE_HEADER_MULTI_READ)
#define _REGISTERED_H

#include <linux/tracepoint.h>

struct registered_item;

DECLARE_TRACE(registered_event,
	TP_PROTO(struct registered_item *item),
	TP_ARGS(item)
);

#endif /* _REGISTERED_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE registered
#include <trace/define_trace.h>
