# SPDX-License-Identifier: GPL-2.0-only
# Print the kernel's warnings and crash reports from its console log.  A report ends with its trace,
# or after 60 lines.

BEGIN {
	first = "------------\\[ cut here \\]|(^|[^A-Za-z_])(WARNING|BUG): " \
		"|kernel BUG at |Oops: |[Gg]eneral protection fault" \
		"|KASAN: |KFENCE: |UBSAN: |ODEBUG: |Kernel panic|double fault" \
		"|possible (circular|recursive|irq lock inversion)|suspicious RCU usage" \
		"|inconsistent lock state|bad unlock balance|invalid wait context" \
		"|lock held when returning|held lock freed|nested lock was not taken" \
		"|(list_(add|del)|slab|Slab|stack).*corrupt|refcount_t: " \
		"|rcu: INFO: |INFO: rcu|INFO: task .* blocked|self-detected stall" \
		"|soft lockup|hard LOCKUP|workqueue lockup|Bad page (state|map)" \
		"|unregister_netdevice: waiting|trying to register non-static key" \
		"|Call [Tt]race:|[Uu]nable to handle (kernel|page)|kernel stack overflow" \
		"|ftrace bug|FTRACE BUG"
	lines = 0
}

{
	sub(/\r$/, "")
}

# A panic stops the guest, so all following lines belong to it.
$0 ~ first && lines < 60 {
	lines = 60
}

lines > 0 {
	print
	lines--
	if (/---\[ end /)
		lines = 0
	else if (/<\/TASK>/ && lines > 3)
		lines = 3
}
