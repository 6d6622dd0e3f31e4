/* SPDX-License-Identifier: GPL-2.0-only */
/* The tracepoint of registered.c. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM registered

#if !defined(_REGISTERED_H) || defined(TRACE_HEADER_MULTI_READ)
#define _REGISTERED_H

#include <linux/tracepoint.h>

struct registered_item;

/* From 6.16 on, DECLARE_TRACE() itself appends "_tp"; this came with it. */
#ifdef DECLARE_TRACE_EVENT
DECLARE_TRACE(registered_event, TP_PROTO(struct registered_item *item), TP_ARGS(item));
#else
DECLARE_TRACE(registered_event_tp, TP_PROTO(struct registered_item *item), TP_ARGS(item));
#endif

#endif /* _REGISTERED_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE registered
#include <trace/define_trace.h>
