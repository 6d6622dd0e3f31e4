// SPDX-License-Identifier: GPL-2.0-only
/* BPF programs that count calls, assembled by hand, so that no compiler is needed. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "guest.h"
#include "insn.h"

struct counter *counters;
static int counters_fd = -1;

char prog_log[1 << 16];

void counters_reset(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);

	if (!counters) {
		counters_fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "counters", sizeof(int),
					     sizeof(*counters), NR_COUNTERS, &opts);
		need(counters_fd >= 0, "creating a map: %s", strerror(errno));
		counters = mmap(NULL, NR_COUNTERS * sizeof(*counters), PROT_READ | PROT_WRITE,
				MAP_SHARED, counters_fd, 0);
		if (counters == MAP_FAILED) {
			counters = NULL;
			give_up("mapping the map: %s", strerror(errno));
		}
	}
	memset(counters, 0, NR_COUNTERS * sizeof(*counters));
}

static int load(enum bpf_prog_type type, const struct bpf_insn *insns, size_t nr,
		struct bpf_prog_load_opts *opts)
{
	int fd;

	prog_log[0] = '\0';
	opts->log_buf = prog_log;
	opts->log_size = sizeof(prog_log);
	opts->log_level = 1;
	fd = bpf_prog_load(type, "guest", "GPL", insns, nr, opts);
	return fd < 0 ? -errno : fd;
}

int prog_load(const struct target *target)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		.expected_attach_type = target->type,
		.attach_btf_id = target->id,
		.attach_btf_obj_fd = target->obj_fd,
		.prog_flags = target->sleepable ? BPF_F_SLEEPABLE : 0);
	bool lsm = target->type == BPF_LSM_MAC;
	static const int sizes[] = { [1] = BPF_B, [2] = BPF_H, [4] = BPF_W, [8] = BPF_DW };
	struct bpf_insn insns[32];
	size_t nr = 0;

	if (!counters)
		counters_reset();
	insns[nr++] = INSN_MOV(BPF_REG_6, BPF_REG_1);
	if (target->pid) {
		insns[nr++] = INSN_CALL(BPF_FUNC_get_current_pid_tgid);
		insns[nr++] = INSN_JEQ32_IMM(BPF_REG_0, target->pid, 2);
		insns[nr++] = INSN_MOV_IMM(BPF_REG_0, 0);
		insns[nr++] = INSN_EXIT();
	}
	insns[nr++] = INSN_MOV_IMM(BPF_REG_8, 0);
	if (target->read) {
		insns[nr++] = INSN_LOAD(BPF_DW, BPF_REG_8, BPF_REG_6, target->arg * 8);
		insns[nr++] = INSN_LOAD(sizes[target->size], BPF_REG_8, BPF_REG_8, target->off);
	}
	if (lsm) {
		insns[nr++] = INSN_MOV_IMM(BPF_REG_7, 0);
	} else {
		insns[nr++] = INSN_MOV(BPF_REG_1, BPF_REG_6);
		insns[nr++] = INSN_CALL(BPF_FUNC_get_func_ip);
		insns[nr++] = INSN_MOV(BPF_REG_7, BPF_REG_0);
	}
	insns[nr++] = INSN_STORE_IMM(BPF_W, BPF_REG_10, -4, target->key);
	insns[nr++] = INSN_LD_FD(BPF_REG_1, counters_fd);
	insns[nr++] = INSN_LD_FD_HIGH();
	insns[nr++] = INSN_MOV(BPF_REG_2, BPF_REG_10);
	insns[nr++] = INSN_ADD_IMM(BPF_REG_2, -4);
	insns[nr++] = INSN_CALL(BPF_FUNC_map_lookup_elem);
	insns[nr++] = INSN_JEQ_IMM(BPF_REG_0, 0, 4);
	insns[nr++] = INSN_MOV_IMM(BPF_REG_1, 1);
	insns[nr++] = INSN_ATOMIC_ADD(BPF_DW, BPF_REG_0, BPF_REG_1,
				      offsetof(struct counter, hits));
	insns[nr++] = INSN_STORE(BPF_DW, BPF_REG_0, BPF_REG_7, offsetof(struct counter, ip));
	insns[nr++] = INSN_STORE(BPF_DW, BPF_REG_0, BPF_REG_8, offsetof(struct counter, value));
	insns[nr++] = INSN_MOV_IMM(BPF_REG_0, target->ret);
	insns[nr++] = INSN_EXIT();
	return load(lsm ? BPF_PROG_TYPE_LSM : BPF_PROG_TYPE_TRACING, insns, nr, &opts);
}

/* a constant of the kernel that is not in its user-space headers */
static const int ENOTSUPP = 524;

int prog_attach(const struct target *target, int prog)
{
	int link = bpf_link_create(prog, 0, target->type, NULL);

	if (link >= 0)
		return link;
	if (errno == ENOTSUPP && !symbol(NULL, "register_ftrace_direct"))
		skip_case("this kernel's ftrace has no direct calls");
	return -errno;
}

bool not_patchable(int err)
{
	return err == -EBUSY || err == -EINVAL || err == -ENOTSUPP;
}

int attach(const struct target *target)
{
	int prog, link;

	prog = prog_load(target);
	need(prog >= 0, "loading for FUNC %u: %s; the verifier printed:\n%s", target->id,
	     strerror(-prog), prog_log);
	link = prog_attach(target, prog);
	close(prog);
	need(link >= 0, "attaching to FUNC %u: %s", target->id, strerror(-link));
	return link;
}

int attach_multi(const struct target *target, const __u32 *ids, __u32 nr)
{
	struct {
		__u32 prog_fd, target_fd, attach_type, flags;
		__u64 ids, cookies;
		__u32 nr;
	} attr = { .attach_type = target->type, .ids = (unsigned long)ids, .nr = nr };
	int prog = prog_load(target), link;

	need(prog >= 0, "loading: %s; the verifier printed:\n%s", strerror(-prog), prog_log);
	attr.prog_fd = prog;
	link = syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));
	if (link < 0)
		link = -errno;
	close(prog);
	return link;
}

int refused(const struct target *target)
{
	int prog, link;

	prog = prog_load(target);
	if (prog < 0)
		return prog;
	link = prog_attach(target, prog);
	close(prog);
	if (link < 0)
		return link;
	close(link);
	return 0;
}

int prog_insns(enum bpf_prog_type type, const struct bpf_insn *insns, size_t nr,
	       __u32 flags, const int *fd_array)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .prog_flags = flags, .fd_array = fd_array);

	return load(type, insns, nr, &opts);
}

int prog_run(int prog, void *ctx, __u32 ctx_size)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = ctx, .ctx_size_in = ctx_size);

	need(!bpf_prog_test_run_opts(prog, &opts), "running a program: %s", strerror(errno));
	return opts.retval;
}

/* Which BTF object a descriptor is of. */
static __u32 btf_id(int fd)
{
	struct bpf_btf_info info = {};
	__u32 len = sizeof(info);

	need(!bpf_obj_get_info_by_fd(fd, &info, &len), "descriptor %d: %s", fd, strerror(errno));
	return info.id;
}

int look_up(const struct object *obj, const char *name)
{
	struct bpf_insn insns[32];
	char text[64] = "";
	size_t nr = 0, size = strlen(name) + 1, i;
	__s64 ret = 0;
	int prog, word, fd;

	/* Store the name on the stack, four bytes at a time. */
	need(size <= sizeof(text), "%s: too long", name);
	memcpy(text, name, size);
	insns[nr++] = INSN_MOV(BPF_REG_6, BPF_REG_1);
	for (i = 0; i < size; i += sizeof(word)) {
		memcpy(&word, text + i, sizeof(word));
		insns[nr++] = INSN_STORE_IMM(BPF_W, BPF_REG_10, (int)i - 64, word);
	}
	insns[nr++] = INSN_MOV(BPF_REG_1, BPF_REG_10);
	insns[nr++] = INSN_ADD_IMM(BPF_REG_1, -64);
	insns[nr++] = INSN_MOV_IMM(BPF_REG_2, size);
	insns[nr++] = INSN_MOV_IMM(BPF_REG_3, BTF_KIND_FUNC);
	insns[nr++] = INSN_MOV_IMM(BPF_REG_4, 0);
	insns[nr++] = INSN_CALL(BPF_FUNC_btf_find_by_name_kind);
	insns[nr++] = INSN_STORE(BPF_DW, BPF_REG_6, BPF_REG_0, 0);
	insns[nr++] = INSN_MOV_IMM(BPF_REG_0, 0);
	insns[nr++] = INSN_EXIT();
	prog = prog_insns(BPF_PROG_TYPE_SYSCALL, insns, nr, BPF_F_SLEEPABLE, NULL);
	need(prog >= 0, "loading: %s; the verifier printed:\n%s", strerror(-prog), prog_log);
	prog_run(prog, &ret, sizeof(ret));
	close(prog);
	if (ret < 0)
		return ret;

	fd = ret >> 32;
	if (obj->fd)
		need(fd > 0 && btf_id(fd) == btf_id(obj->fd), "%s: not in %s", name, obj->name);
	else
		expect_eq(fd, 0, "a descriptor");
	if (fd > 0)
		close(fd);
	return ret;
}
