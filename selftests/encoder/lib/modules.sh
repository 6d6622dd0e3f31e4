# SPDX-License-Identifier: GPL-2.0-only
# For tests of modules, after ../../lib.sh: a base, and a module with functions in several sections
# shellcheck shell=bash

# build_module [FLAG...]: build vmlinux, encode it, and build mod.ko
build_module() {
	cat >common.h <<-'C'
	struct later;
	struct task { int pid; struct task *next; struct later *later; int grid[2][3]; };
	typedef struct task task_t;
	enum state { IDLE, BUSY };
	C
	unit base "$@" <<-'C'
	#include "common.h"
	static __attribute__((noinline, used)) int twin(int a) { return a; }
	int base_func(task_t *t, enum state s) { return t->pid + s; }
	C
	unit m1 "$@" <<-'C'
	#include "common.h"
	struct later { long only_here; };
	struct private { task_t *task; struct later *later; };
	static __attribute__((noinline, used)) int twin(int a) { return a + 1; }
	static __attribute__((noinline, used)) int dup(struct private *p) { return p->task->pid; }
	int mod_func(task_t *t, enum state s) { return t->pid - s; }
	int __attribute__((section(".init.text"))) start(void) { return 1; }
	int __attribute__((section(".init.text"))) both(int a) { return a; }
	int counter __attribute__((section(".data..percpu"))) = 1;
	C
	unit m2 "$@" <<-'C'
	#include "common.h"
	static __attribute__((noinline, used)) int dup(char *s) { return *s; }
	static __attribute__((noinline, used)) int both(char *s) { return s[1]; }
	void __attribute__((section(".exit.text"))) stop(enum state s) { }
	C
	image vmlinux base.o
	"$ABTF" encode -q vmlinux
	module mod.ko m1.o m2.o
}

# build_kfuncs: build k.ko, with a kfunc
build_kfuncs() {
	unit k -I"$selftests/example/include" <<-'C'
	#include <linux/btf_ids.h>
	__attribute__((used)) int the_kfunc(int a) { return a; }
	__attribute__((used)) int no_kfunc(int a) { return a + 1; }
	BTF_KFUNCS_START(set)
	BTF_ID_FLAGS(func, the_kfunc, "0")
	BTF_KFUNCS_END(set)
	C
	module k.ko k.o m2.o
}
