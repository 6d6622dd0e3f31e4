/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sets of kfuncs in .BTF_ids, in the shape in which the kernel lays them out
 * and BTF encoders and resolve_btfids look for them: a symbol for the set, of
 * eight bytes per entry, and one symbol per entry that carries the name.
 */
#ifndef EXAMPLE_BTF_IDS_H
#define EXAMPLE_BTF_IDS_H

#define BTF_SET8_KFUNCS		"1"	/* flag in the set's header */
#define KF_RCU			"128"

#define BTF_STRING_(x)		#x
#define BTF_STRING(x)		BTF_STRING_(x)
#define BTF_JOIN_(a, b)		a ## b
#define BTF_JOIN(a, b)		BTF_JOIN_(a, b)

/* Set header: count (filled in after the link), then flags. */
#define BTF_KFUNCS_START(set)						\
asm(".pushsection .BTF_ids,\"a\"\n"					\
    ".local __BTF_ID__set8__" #set "\n"					\
    "__BTF_ID__set8__" #set ":\n"					\
    ".zero 4\n"								\
    ".long " BTF_SET8_KFUNCS "\n"					\
    ".popsection\n");

/* Entry: BTF id (filled in after the link), then flags. */
#define BTF_ID_FLAGS_(sym, flags)					\
asm(".pushsection .BTF_ids,\"a\"\n"					\
    ".local " BTF_STRING(sym) "\n"					\
    ".type " BTF_STRING(sym) ", %object\n"				\
    ".size " BTF_STRING(sym) ", 4\n"					\
    BTF_STRING(sym) ":\n"						\
    ".zero 4\n"								\
    ".long " flags "\n"							\
    ".popsection\n");
#define BTF_ID_FLAGS(kind, name, flags)					\
	BTF_ID_FLAGS_(BTF_JOIN(__BTF_ID__##kind##__##name##__, __COUNTER__), flags)

#define BTF_KFUNCS_END(set)						\
asm(".pushsection .BTF_ids,\"a\"\n"					\
    ".size __BTF_ID__set8__" #set ", . - __BTF_ID__set8__" #set "\n"	\
    ".popsection\n");

#endif /* EXAMPLE_BTF_IDS_H */
