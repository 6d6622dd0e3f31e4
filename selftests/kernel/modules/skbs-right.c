// SPDX-License-Identifier: GPL-2.0-only
#include <linux/skbuff.h>

#include "opaque.h"

int skbs_call_right(struct sk_buff *skb);

static noinline int skbs_twin(struct sk_buff *skb)
{
	return skb->len + 2;
}

int skbs_call_right(struct sk_buff *skb)
{
	return opaque(skbs_twin)(skb);
}
