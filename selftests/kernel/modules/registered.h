/* SPDX-License-Identifier: GPL-2.0-only */
/* The tracepoint of registered-main.c. */
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

/* Its class has the name of one of vmlinux, of which the first argument is no pointer. */
DECLARE_EVENT_CLASS(sched_switch, TP_PROTO(struct registered_item *item), TP_ARGS(item),
	TP_STRUCT__entry(__field(void *, item)), TP_fast_assign(__entry->item = item;),
	TP_printk("%p", __entry->item));
DEFINE_EVENT(sched_switch, registered_class_tp, TP_PROTO(struct registered_item *item),
	TP_ARGS(item));

#endif /* _REGISTERED_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE registered
#include <trace/define_trace.h>
