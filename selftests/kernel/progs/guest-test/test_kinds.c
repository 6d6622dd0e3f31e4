// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that share a name, of which only some can be attached to: one is notrace,
 * one is in init text, one is not open to error injection.  And a clone of gcc's.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

#define LEFT "lib/func_addr_test/left.c"
#define RIGHT "lib/func_addr_test/right.c"
#define MAIN "lib/func_addr_test/main.c"

/* Attach to a function, and read its file and its twin's (NULL: there is no twin). */
static void counts_alone(__u32 id, const char *file, const char *other)
{
	struct target target = { .type = BPF_TRACE_FENTRY, .id = id };
	int link;

	counters_reset();
	link = attach(&target);
	if (other)
		trigger(other);
	expect_eq(counters[0].hits, 0, "calls seen of the twin");
	trigger(file);
	expect_eq(counters[0].hits, 1, "calls seen");
	close(link);
}

/* ftrace cannot patch the function, so it has no FUNC. */
static void notrace(void)
{
	__u64 addrs[2];
	__u32 ids[1];

	expect_eq(symbols(NULL, "func_addr_quiet", addrs, ARRAY_SIZE(addrs)), 2,
		  "symbols of func_addr_quiet");
	expect_eq(funcs(vmlinux(), "func_addr_quiet@" RIGHT, ids, 1), 0,
		  "FUNCs of the notrace function");
}

static void notrace_twin(void)
{
	counts_alone(func_in(vmlinux(), "func_addr_quiet", LEFT), TRIGGERS "left_quiet",
		     TRIGGERS "right_quiet");
}

static void init_text(void)
{
	struct target target = { .type = BPF_TRACE_FENTRY };
	__u32 ids[1];

	expect_eq(funcs(vmlinux(), "func_addr_prepare@" MAIN, ids, 1), 0,
		  "FUNCs of one in init text that shares its name");
	target.id = func(vmlinux(), "kernel_init_freeable");
	expect_eq(refused(&target), -ENXIO, "one in init text that does not");
	expect(strstr(prog_log, "kernel_init_freeable has no address"),
	       "the verifier printed:\n%s", prog_log);
}

static void init_text_twin(void)
{
	counts_alone(func_in(vmlinux(), "func_addr_prepare", LEFT), TRIGGERS "left_prepare", NULL);
}

static void fmod_ret(void)
{
	struct target target = { .type = BPF_MODIFY_RETURN, .ret = -EIO };
	int link;

	counters_reset();
	target.id = func_in(vmlinux(), "func_addr_fail", LEFT);
	link = attach(&target);
	expect_eq(trigger(TRIGGERS "left_fail"), -EIO, "func_addr_fail() in left.c");
	expect_eq(trigger(TRIGGERS "right_fail"), 21, "func_addr_fail() in right.c");
	expect_eq(counters[0].hits, 1, "calls seen");
	close(link);
	expect_eq(trigger(TRIGGERS "left_fail"), 11, "func_addr_fail() in left.c, once detached");
}

static void fmod_ret_refused(void)
{
	struct target target = { .type = BPF_MODIFY_RETURN, .ret = -EIO };

	target.id = func_in(vmlinux(), "func_addr_fail", RIGHT);
	expect_eq(refused(&target), -EINVAL, "fmod_ret on func_addr_fail() in right.c");
	expect(strstr(prog_log, "is not modifiable"), "the verifier printed:\n%s", prog_log);
	expect_eq(trigger(TRIGGERS "right_fail"), 21,
		  "func_addr_fail() in right.c, after fmod_ret was rejected");
	/* But it can be traced like any other. */
	counts_alone(target.id, TRIGGERS "right_fail", TRIGGERS "left_fail");
}

/*
 * The symbol is func_addr_clone.isra.0.  There may be a FUNC with that name, to which
 * programs attach; the source's function is not available.
 */
static void clone_by_its_name(void)
{
	struct target target = { .type = BPF_TRACE_FENTRY };
	__u64 addr = symbol(NULL, "func_addr_clone.isra.0");
	__u32 ids[1];
	int link;

	if (!addr && made_by_clang())
		skip_case("clang does not rename clones");
	need(addr,
	     "no symbol func_addr_clone.isra.0: the compiler may have generated another clone");
	if (funcs(vmlinux(), "func_addr_clone", ids, 1)) {
		target.id = ids[0];
		expect_eq(refused(&target), -EINVAL, "the FUNC func_addr_clone");
		expect(strstr(prog_log, "Function func_addr_clone is not at its address"),
		       "the verifier printed:\n%s", prog_log);
	}
	if (!funcs(vmlinux(), "func_addr_clone.isra.0", ids, 1))
		return;
	target.id = ids[0];
	counters_reset();
	link = attach(&target);
	trigger(TRIGGERS "call_clone");
	expect_eq(counters[0].hits, 2, "calls seen");
	expect(counters[0].ip == addr, "bpf_get_func_ip() is not the address in kallsyms");
	close(link);
}

static const struct guest_case cases[] = {
	{ "a notrace function that shares its name has no FUNC", notrace },
	{ "a program is attached to the traceable twin of a notrace function", notrace_twin },
	{ "a function in init text has no address, or no FUNC if it shares its name", init_text },
	{ "a program is attached to the core text twin of a function in init text",
	  init_text_twin },
	{ "fmod_ret attaches to the twin that allows error injection", fmod_ret },
	{ "fmod_ret is rejected on the twin that does not allow error injection",
	  fmod_ret_refused },
	{ "a program is attached to a clone only by the clone's own name", clone_by_its_name },
	{ },
};

const struct guest_test test_kinds = { "kinds", cases, NULL };
