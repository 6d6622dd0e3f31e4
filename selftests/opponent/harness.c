// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls each function of a random program (see generate.c) with the arguments of its prototype in
 * BTF, and checks what the function reports.
 *
 *	PROGRAM FILE
 *
 * FILE has a line for each FUNC: its offset from _text in hex, its name, "void" or "value", and its
 * parameters. Each function is called twice, with different junk in each register and stack slot
 * without an argument: its report must not depend on the junk.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"
#include "types.h"

extern char _text[];

#define MAX_PARAMS	64
#define MAX_EVENTS	4096
#define NR_REGS		6
#define NR_STACK	64

struct event {
	int	kind;		/* 'e'ntered, 'a'rgument, 'r'esult */
	int	number;
	int	word;		/* of an argument; or the size of a result */
	long	value;
};

struct trace {
	struct event	events[MAX_EVENTS];
	int		nr;
	long		returned;
};

static struct trace traces[2], *trace;

static void add_event(struct event event)
{
	if (trace->nr < MAX_EVENTS)
		trace->events[trace->nr++] = event;
}

void entered(int func)
{
	add_event((struct event){ 'e', func, 0, 0 });
}

void argument(int param, int word, long value)
{
	add_event((struct event){ 'a', param, word, value });
}

void result(int func, int size, long value)
{
	add_event((struct event){ 'r', func, size, value });
}

/*
 * call_function() - call @target with registers, a stack, and @junk in all other registers
 */
long call_function(const long *regs, const long *stack, long junk);
void *target, *saved_sp;

__asm__(
"	.text\n"
"call_function:\n"
"	push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
"	mov %rsp, saved_sp(%rip)\n"
"	and $-16, %rsp\n"
"	mov %rdx, %rbx\n"
"	mov $64, %ecx\n"			/* NR_STACK */
"1:	pushq -8(%rsi,%rcx,8)\n"
"	dec %ecx\n"
"	jnz 1b\n"
"	mov 8(%rdi), %rsi; mov 16(%rdi), %rdx; mov 24(%rdi), %rcx\n"
"	mov 32(%rdi), %r8; mov 40(%rdi), %r9; mov (%rdi), %rdi\n"
"	mov %rbx, %rax; mov %rbx, %rbp; mov %rbx, %r10; mov %rbx, %r11\n"
"	mov %rbx, %r12; mov %rbx, %r13; mov %rbx, %r14; mov %rbx, %r15\n"
"	call *target(%rip)\n"
"	mov saved_sp(%rip), %rsp\n"
"	pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
"	ret\n");

/*
 * The value of a parameter's word: unique for a long, and the same in each run. No value is negative:
 * no caller passes a negative one, so clang may extend a short with zeros.
 */
static long value_of(int number, enum type type, int word)
{
	long value = number * 64L + word * 16 + 7;

	switch (type) {
	case TYPE_SHORT:
		return value * 3 & 0x7fff;
	case TYPE_CHAR:
		return (unsigned char)(value * 5);
	default:
		return value * 1001;
	}
}

/* As the psABI of x86-64 passes them. */
struct arguments {
	long		regs[NR_REGS];
	long		stack[NR_STACK];
	int		nr_regs;
	int		nr_stack;
	struct pair	pairs[MAX_PARAMS];
	int		nr_pairs;
};

static void pass(struct arguments *args, int number, enum type type, long junk)
{
	int nr = type__nr_words(type);
	bool in_regs;
	long words[3];

	for (int i = 0; i < nr; i++)
		words[i] = value_of(number, type, i);
	if (type == TYPE_POINTER) {
		struct pair *pair = &args->pairs[args->nr_pairs++];

		*pair = (struct pair){ words[0], words[1] };
		words[0] = (long)pair;
		nr = 1;
	}
	/* the upper half is unused */
	if (type >= TYPE_INT && type <= TYPE_CHAR)
		words[0] = (words[0] & 0xffffffff) | (unsigned long)junk << 32;
	in_regs = type != TYPE_THREE && args->nr_regs + nr <= NR_REGS;
	for (int i = 0; i < nr; i++) {
		if (in_regs)
			args->regs[args->nr_regs++] = words[i];
		else
			args->stack[args->nr_stack++] = words[i];
	}
}

static const char *current;
static int violations;

static void violation(const char *what)
{
	printf("%s: %s\n", current, what);
	violations++;
}

static const struct event *find_event(const struct trace *t, int kind, int number, int word)
{
	for (int i = 0; i < t->nr; i++)
		if (t->events[i].kind == kind && t->events[i].number == number &&
		    t->events[i].word == word)
			return &t->events[i];
	return NULL;
}

static void check_arguments(const int *numbers, const enum type *of, int nr)
{
	char text[64];

	for (int p = 0; p < nr; p++) {
		for (int word = 0; word < type__nr_words(of[p]); word++) {
			const struct event *e = find_event(&traces[0], 'a', numbers[p], word);

			if (e && e->value != value_of(numbers[p], of[p], word)) {
				snprintf(text, sizeof(text), "parameter p%d_%d does not arrive",
					 numbers[p], of[p]);
				violation(text);
			}
		}
	}
}

/* The function that was called reports its number first, and its result last. */
static void check_result(void)
{
	const struct trace *t = &traces[0];
	const struct event *last = t->nr ? &t->events[t->nr - 1] : NULL;

	if (last && last->kind == 'r' && last->number == t->events[0].number &&
	    memcmp(&last->value, &t->returned, last->word))
		violation("the result is not returned");
}

static void check_function(char *params, bool is_void)
{
	static const long junk[2] = { 0x5a5a5a5a11, 0x33330777 };
	enum type of[MAX_PARAMS];
	int numbers[MAX_PARAMS], nr = 0;
	char *param;

	for (param = strtok(params, " \n"); param && nr < MAX_PARAMS; param = strtok(NULL, " \n")) {
		int type;

		if (sscanf(param, "p%d_%d", &numbers[nr], &type) != 2) {
			violation("has a parameter that is not one of the source");
			return;
		}
		of[nr++] = type;
	}
	for (int run = 0; run < 2; run++) {
		struct arguments args = { .nr_regs = 0 };

		for (int i = 0; i < NR_REGS; i++)
			args.regs[i] = junk[run];
		for (int i = 0; i < NR_STACK; i++)
			args.stack[i] = junk[run];
		for (int i = 0; i < nr; i++)
			pass(&args, numbers[i], of[i], junk[run]);
		trace = &traces[run];
		trace->returned = call_function(args.regs, args.stack, junk[run]);
	}
	if (traces[0].nr != traces[1].nr ||
	    memcmp(traces[0].events, traces[1].events, sizeof(struct event) * traces[0].nr))
		violation("depends on something that its prototype lacks");
	check_arguments(numbers, of, nr);
	if (!is_void)
		check_result();
}

int main(int argc, char **argv)
{
	char line[4096], name[256], ret[16];
	int nr = 0, failed = 0;
	FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;

	if (!in)
		return 2;
	while (fgets(line, sizeof(line), in)) {
		unsigned long offset;
		int end, status;

		if (sscanf(line, "%lx %255s %15s %n", &offset, name, ret, &end) != 3)
			return 2;
		current = name;
		target = _text + offset;
		fflush(stdout);
		/* it may crash */
		if (!fork()) {
			alarm(10);
			check_function(line + end, !strcmp(ret, "void"));
			fflush(stdout);
			_exit(violations != 0);
		}
		wait(&status);
		if (WIFSIGNALED(status))
			violation("crashes");
		failed += status != 0;
		nr++;
	}
	printf("%d functions, %d failed\n", nr, failed);
	return failed != 0;
}
