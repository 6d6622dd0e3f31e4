/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that the tests in the guest share.
 *
 * A test is a table of cases (struct guest_case).  Each case runs in the order
 * of the table, and fails if one of its expect() fails; the result is KTAP on
 * stdout.  All tests are in one static program, linked with Debian's libbpf
 * (1.1), which does not support addresses: functions are found in the plain
 * /sys/kernel/btf files, by name, as any unprivileged reader can.
 *
 * ktap.c	cases and expectations
 * kernel.c	kallsyms, the kernel's log, files that trigger functions, modules
 * types.c	FUNCs, fields of structs, in plain BTF
 * prog.c	BPF programs that count calls, and their counters
 */
#ifndef GUEST_H
#define GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/btf.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* --- ktap.c ----------------------------------------------------------------- */

struct guest_case {
	const char *title;
	void (*run)(void);
};

struct guest_test {
	const char *name;
	const struct guest_case *cases;	/* ends with an empty one */
	/* checks preconditions; NULL: there are none */
	void (*setup)(void);
};

/* One file each. */
extern const struct guest_test test_weight, test_weight_fentry, test_weight_module, test_twins,
	test_kinds, test_module, test_plain_module, test_lookup, test_bad_vmlinux,
	test_stress, test_user_btf, test_info, test_lsm, test_security, test_deny, test_alias,
	test_clones, test_multi, test_multi_module, test_table, test_prefix, test_memory;

/**
 * run_test() - run all cases of a test and print KTAP
 *
 * Return: 0, or 1 if a case failed.
 */
int run_test(const struct guest_test *test);

/* Like printf(); the case fails, but continues. */
#define fail(...) fail_at(__FILE__, __LINE__, __VA_ARGS__)
void fail_at(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Like printf(); the case fails and ends. */
#define give_up(...) (fail(__VA_ARGS__), end_case())
void end_case(void) __attribute__((noreturn));

/* Like printf(): the case ends here and counts as skipped. */
void skip_case(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Comments in the output. */
void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * spawn() - run a part of the case in a separate process
 *
 * Its failures end it, not the caller.
 *
 * Return: its pid; its exit status is 0, or 1 if an expectation did not hold.
 */
pid_t spawn(void (*run)(const void *data), const void *data);

#define expect(cond, ...) \
	do { if (!(cond)) fail(__VA_ARGS__); } while (0)
#define need(cond, ...) \
	do { if (!(cond)) give_up(__VA_ARGS__); } while (0)

#define expect_eq(got, want, what) \
	do { \
		long long __got = (got), __want = (want); \
		expect(__got == __want, "%s: %lld (%#llx), expected %lld (%#llx)", \
		       what, __got, __got, __want, __want); \
	} while (0)

/* --- kernel.c --------------------------------------------------------------- */

#define TRIGGERS "/sys/kernel/debug/bpf_func_addr_test/"
#define KMOD_TRIGGERS "/sys/kernel/debug/bpf_func_addr_test_kmod/"
#define KMOD "bpf_func_addr_test_kmod"

/**
 * trigger() - read a whole file, because that calls a function
 *
 * Return: the number at its start, if any.  The case ends if it cannot be read.
 */
long long trigger(const char *path);

/** read_file() - Return: the content of a file, which the caller frees; @len gets its length */
char *read_file(const char *path, size_t *len);

/**
 * symbols() - addresses of a symbol, ascending
 * @module:	its module, or NULL for the kernel's own
 * @addrs:	room for @max of them
 *
 * Return: how many there are.
 */
int symbols(const char *module, const char *name, __u64 *addrs, int max);

/** symbol() - Return: the address of the only symbol with that name, otherwise 0 */
__u64 symbol(const char *module, const char *name);

/** made_by_clang() - Return: true if the kernel was compiled by clang */
bool made_by_clang(void);

/** traceable() - Return: true if ftrace has a site at that address */
bool traceable(__u64 addr);

/** expect_patched() - a function, or nothing (NULL), is all that ftrace has patched */
void expect_patched(const char *name);

/* Make log_has() ignore earlier messages of the kernel. */
void log_mark(void);

/** log_has() - Return: true if a line since log_mark() contains the text */
bool log_has(const char *text);

/** log_show() - print the kernel's messages since log_mark(), as comments */
void log_show(void);

/** module_load() - Return: 0 or a negative errno */
int module_load(const char *path);
int module_unload(const char *name);

/** module_path() - Return: path of an in-tree module, static */
const char *module_path(const char *name);

/** syscall_func() - Return: the FUNC of a system call as this machine has it, static */
const char *syscall_func(const char *name);

/** file_like() - Return: the first file that matches a pattern, static; NULL if there is none */
const char *file_like(const char *pattern);

/**
 * lone_module() - a module that needs no other one
 * @library:	in Linux 7.2 it has the algorithm, and @name needs it
 *
 * Return: @library if there is such a module, else @name.
 */
const char *lone_module(const char *name, const char *library);

/** module_loaded() - Return: true if /proc/modules lists it */
bool module_loaded(const char *name);

/* --- types.c ---------------------------------------------------------------- */

/* BTF of the kernel or a module: types from its file, and a descriptor of it. */
struct object {
	const char *name;	/* "vmlinux" or the module's */
	struct btf *btf;
	__u32 start_id;		/* its first id that is not in the base */
	int fd;			/* for attach_btf_obj_fd, 0 for vmlinux */
};

/** vmlinux() - Return: the kernel's own, read once */
struct object *vmlinux(void);

/** object_open() - Return: the BTF of a module; the case ends if there is none */
struct object *object_open(const char *module);

/** object_try() - Return: the BTF of a module, or NULL if there is none */
struct object *object_try(const char *module);
void object_close(struct object *obj);

/**
 * funcs() - ids of the FUNCs called NAME or NAME@FILE, ascending
 *
 * Only the object's own ids.
 *
 * Return: how many there are.
 */
int funcs(const struct object *obj, const char *name, __u32 *ids, int max);

/**
 * func() - Return: the id of the only FUNC with exactly this name; the case ends if there
 * is none
 */
__u32 func(const struct object *obj, const char *name);

/**
 * func_in() - id of the FUNC NAME@UNIT
 *
 * UNIT may be a directory, as "arch/", if it has only one such FUNC.
 *
 * Return: its id; otherwise the case ends.
 */
__u32 func_in(const struct object *obj, const char *name, const char *unit);

struct field {
	const char *type;	/* "struct kobject" is "kobject" */
	const char *member;	/* may be several, joined by '.' */
	int off, size;		/* bytes */
};

/** field_find() - fill in off and size; the case ends if there is no such member */
void field_find(const struct object *obj, struct field *field);

/** arg_struct() - Return: the struct that an argument points to, NULL if none */
const char *arg_struct(const struct object *obj, __u32 func, int arg);

/* --- prog.c ----------------------------------------------------------------- */

struct counter {
	__u64 hits;		/* calls seen */
	__u64 ip;		/* last bpf_get_func_ip(); LSM programs have none */
	__u64 value;		/* the last value that was read, see struct target */
};

/* The target of a program, and the program's action */
struct target {
	enum bpf_attach_type type;
	int obj_fd;		/* 0 for vmlinux */
	__u32 id;
	int key;		/* its counter */
	bool read;		/* counter.value = *(argument + off) of size bytes */
	int arg, off, size;
	int ret;		/* fmod_ret and LSM: return value */
	pid_t pid;		/* the program does nothing in other processes; 0: in all */
	bool sleepable;
};

#define NR_COUNTERS 128
extern struct counter *counters;

/* Sets all counters to zero. */
void counters_reset(void);

/** prog_load() - Return: a descriptor or a negative errno; prog_log has the verifier's words */
int prog_load(const struct target *target);

/** prog_attach() - Return: a link's descriptor or a negative errno */
int prog_attach(const struct target *target, int prog);

/** attach() - load and attach; the case ends if that fails. Return: a link's descriptor */
int attach(const struct target *target);

/* newer than Debian's headers */
#define BPF_TRACE_FENTRY_MULTI	((enum bpf_attach_type)59)
#define BPF_TRACE_FEXIT_MULTI	((enum bpf_attach_type)60)

/** attach_multi() - load and attach to several. Return: a link's descriptor, or a negative errno */
int attach_multi(const struct target *target, const __u32 *ids, __u32 nr);

/**
 * refused() - test if a program is rejected, at load or at attach
 *
 * Return: a negative errno; 0 if it was attached (and detached again).
 */
int refused(const struct target *target);

/**
 * not_patchable() - the error of prog_attach() for a function that ftrace does not know
 *
 * The error depends on the architecture.
 */
bool not_patchable(int err);

extern char prog_log[];

/** prog_insns() - load any program. Return: as prog_load() */
int prog_insns(enum bpf_prog_type type, const struct bpf_insn *insns, size_t nr,
	       __u32 flags, const int *fd_array);

/** prog_run() - run a BPF_PROG_TYPE_SYSCALL program. Return: its return value */
int prog_run(int prog, void *ctx, __u32 ctx_size);

/**
 * look_up() - find the name of a FUNC by bpf_btf_find_by_name_kind()
 * @obj:	the BTF that should be found; otherwise, the case fails, or ends
 *
 * Return: its id or a negative errno.
 */
int look_up(const struct object *obj, const char *name);

#endif /* GUEST_H */
