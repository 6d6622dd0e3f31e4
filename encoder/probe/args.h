/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arguments: where a probe finds a value, and its type.
 *
 * A value is in registers, in memory that a register leads to, or a constant.  Otherwise, there
 * is a reason, which users see.
 */
#ifndef ABTF_PROBE_ARGS_H
#define ABTF_PROBE_ARGS_H

#include "probe/type.h"
#include "util/grow.h"

enum arg_how {
	ARG_UNAVAILABLE,
	ARG_REGISTER,		/* in @regs, the first one plus @add */
	ARG_MEMORY,		/* where @regs[0] and @offsets lead to */
	ARG_CONSTANT,		/* @add */
};

#define MAX_ARG_REGISTERS	8
#define MAX_ARG_READS		8

/**
 * struct arg_place - where a value is
 * @nr_regs:	registers that contain it, 8 bytes each
 * @nr_reads:	number of @offsets
 * @regs:	DWARF numbers
 * @offsets:	of memory: the first one is relative to @regs[0], the others to the pointer at the
 *		previous one; the value is at the last one
 * @reason:	why it is unavailable, or why it may be another value; NULL: it is the value
 */
struct arg_place {
	enum arg_how	how;
	uint8_t		nr_regs, nr_reads;
	uint8_t		regs[MAX_ARG_REGISTERS];
	int64_t		add;
	int64_t		offsets[MAX_ARG_READS];
	const char	*reason;
};

/** arg_place__none() - Return: an unavailable place. */
static inline struct arg_place arg_place__none(const char *reason)
{
	return (struct arg_place){ .how = ARG_UNAVAILABLE, .reason = reason };
}

/* How a value is printed. */
enum arg_print { PRINT_VALUE, PRINT_HEX, PRINT_STRING, PRINT_USER_STRING };

/**
 * struct arg - one value to print
 * @name:	a C identifier, unique in its list
 * @root:	the parameter that @path starts at, or "$retval"
 * @path:	"", or the members and elements after it, as in "->d_name.name"
 * @root_type, @root_place: of the parameter; NULL if the value has no address or name in C
 * @type, @place: of the value
 * @shift:	number of bits below it, in a register or in @size bytes of memory
 * @bits:	of it: 8 * @size, except for bit-fields and parts of registers
 * @size:	in bytes; of a bit-field, of the integer that contains it
 * @index:	of the parameter
 * @by_name:	in the kernel's BTF, the names in @path lead to the same place
 * @has_wide:	a struct on @path contains an integer of 16 bytes
 * @reason:	if it is unavailable; malloc()ed
 */
struct arg {
	char			*name;
	char			*root;
	char			*path;
	char			*reason;
	struct arg_type		root_type, type;
	struct arg_place	root_place, place;
	uint64_t		size;
	uint32_t		index;
	uint16_t		shift, bits;
	bool			is_signed;
	bool			by_name;
	bool			has_wide;
	enum arg_print		print;
};

/** struct args - an array of them */
struct args {
	VECTOR(struct arg);
};

/**
 * struct arg_list - the arguments of a probe
 * @params:	all parameters, or only the return value
 * @args:	values to print
 * @machine:	EM_*; @big_endian: its byte order
 * @is_entry:	the probe is where a function gets its arguments
 * @is_return:	it is where the function returns
 * @is_module:	types may not be in the kernel's BTF
 */
struct arg_list {
	struct args	params, args;
	uint16_t	machine;
	bool		big_endian;
	bool		is_entry;
	bool		is_return;
	bool		is_module;
};

/* Maximum number of parameters; malformed input may have more, which are ignored. */
#define MAX_ARG_PARAMS	256

/** arg_list__add() - Add a parameter, or the return value. */
void arg_list__add(struct arg_list *list, const char *name, struct arg_type type,
		   struct arg_place place);

/** arg_list__add_variable() - Add "...", the arguments without a parameter. */
void arg_list__add_variable(struct arg_list *list);

/**
 * arg_list__select() - choose the values to print
 * @text:	expressions separated by commas, in the syntax of perf probe:
 *		[LABEL=]NAME[->MEMBER|.MEMBER|[N]]...[:TYPE]; NULL: all parameters
 *
 * An expression that cannot be evaluated has a reason.
 *
 * Return: 0, or -EINVAL after a message if the syntax is wrong.
 */
int arg_list__select(struct arg_list *list, const char *text);

/** arg_list__free() - Free a list from xcalloc(). */
void arg_list__free(struct arg_list *list);

/** arg__is_available() - Test whether the value can be read. */
static inline bool arg__is_available(const struct arg *arg)
{
	return !arg->reason && arg->place.how != ARG_UNAVAILABLE;
}

#endif /* ABTF_PROBE_ARGS_H */
