/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types of arguments: the size and layout of a type in BTF, and pointers to it.
 *
 * DWARF can describe a pointer to a type that BTF has without the pointer, so pointers are
 * counted next to the id.
 */
#ifndef ABTF_PROBE_TYPE_H
#define ABTF_PROBE_TYPE_H

#include "btf/data.h"

/**
 * struct arg_type - a type
 * @btf:	a checked object; NULL: the type is unknown
 * @id:		0: void
 * @pointers:	the type is a pointer to @id, @pointers times
 */
struct arg_type {
	const struct btf_data	*btf;
	uint32_t		id;
	uint8_t			pointers;
};

/** arg_type__of() - Return: the type with an id. */
static inline struct arg_type arg_type__of(const struct btf_data *btf, uint32_t id)
{
	return (struct arg_type){ .btf = btf, .id = id };
}

/** arg_type__resolve() - Return: the type without qualifiers and typedefs. */
struct arg_type arg_type__resolve(struct arg_type type);

/** arg_type__get() - Return: the BTF of the resolved type; NULL for a pointer that is counted. */
const struct btf_type *arg_type__get(struct arg_type type);

/** arg_type__kind() - Return: BTF_KIND_* of the resolved type; a pointer is BTF_KIND_PTR. */
unsigned int arg_type__kind(struct arg_type type);

/** arg_type__target() - Return: the target of a pointer, or the element of an array. */
struct arg_type arg_type__target(struct arg_type type);

/** arg_type__points_to() - Test for a pointer to a type with a type tag, such as "percpu". */
bool arg_type__points_to(struct arg_type type, const char *tag);

/** arg_type__size() - Return: its size in bytes; 0 if it is void, a function or incomplete. */
uint64_t arg_type__size(struct arg_type type);

/** arg_type__has_misaligned() - Test for a part that is not aligned naturally: it is packed. */
bool arg_type__has_misaligned(struct arg_type type);

/**
 * arg_type__is_unclear() - test a type of up to 16 bytes for members that compilers may ignore or not
 *
 * These are unnamed bit-fields that are all of the first or second eight bytes, and arrays without
 * elements: clang passes a struct that ends in "[]" in memory, but not one that ends in "[0]".
 */
bool arg_type__is_unclear(struct arg_type type);

/** arg_type__has_float() - Test for a floating-point number, at any depth. */
bool arg_type__has_float(struct arg_type type);

/** arg_type__has_wide() - Test for an integer of 16 bytes, at any depth. */
bool arg_type__has_wide(struct arg_type type);

/** arg_type__is_signed() - Test for a signed integer or enum. */
bool arg_type__is_signed(struct arg_type type);

/** arg_type__is_scalar() - Test for an integer, enum or pointer. */
bool arg_type__is_scalar(struct arg_type type);

/** arg_type__is_unique() - Test whether no other struct, union or enum has the name of one. */
bool arg_type__is_unique(struct arg_type type);

/** arg_type__declare() - Return: a declaration of @name with that type in C; malloc()ed. */
char *arg_type__declare(struct arg_type type, const char *name);

/**
 * arg_type__declare_plain() - declare a variable for a program that has the kernel's types
 *
 * The declaration has no qualifiers, and no tags such as __user, which vmlinux.h does not define.
 * A pointer to a type without a name becomes a "void *", as does one to a struct whose tag another
 * type has, too: vmlinux.h calls one of them NAME___2.  The same applies to typedefs and enums of a
 * module, because vmlinux.h does not define them.
 *
 * Return: a malloc()ed string; NULL for one of these without a pointer.
 */
char *arg_type__declare_plain(struct arg_type type, const char *name, bool is_module);

/** arg_type__has_other_order() - Test for __be16 and the like, or on a big-endian machine, __le16. */
bool arg_type__has_other_order(struct arg_type type, bool big_endian);

/** arg_type__is_bool() - Test for a bool. */
bool arg_type__is_bool(struct arg_type type);

/** arg_type__is_packed() - Test for an enum of 1 or 2 bytes, which has 4 in vmlinux.h of bpftool 7.1. */
bool arg_type__is_packed(struct arg_type type);

#endif /* ABTF_PROBE_TYPE_H */
