// SPDX-License-Identifier: GPL-2.0-only
/*
 * A clone has other arguments than its source function, or returns nothing: NAME.isra.0 is
 * not NAME, even if the kernel's own BTF has a FUNC NAME at its address. tests/clones.host
 * has edited the image, and lists the added FUNCs in files.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>
#include <linux/netlink.h>
#include <bpf/bpf.h>

#include "guest.h"
#include "insn.h"

struct made {
	__u32 id;
	char name[128];
};

/* Return: how many there are; the next call overwrites them. */
static int made_funcs(const char *path, struct made **made)
{
	static struct made *all;
	static int room;
	char *text = read_file(path, NULL), *line, *rest = text;
	const struct btf_type *t;
	int nr = 0;

	while ((line = strsep(&rest, "\n")) && *line) {
		struct made *m;

		if (nr == room) {
			room = room ? room * 2 : 1024;
			all = realloc(all, room * sizeof(*all));
			need(all, "%s: out of memory", path);
		}
		m = &all[nr++];
		need(sscanf(line, "%u %127s", &m->id, m->name) == 2, "%s: %s", path, line);
		t = btf__type_by_id(vmlinux()->btf, m->id);
		need(t && btf_is_func(t) &&
		     !strcmp(btf__name_by_offset(vmlinux()->btf, t->name_off), m->name),
		     "id %u is no FUNC %s", m->id, m->name);
	}
	free(text);
	*made = all;
	return nr;
}

static void refuse(const struct made *m, enum bpf_attach_type type)
{
	struct target target = { .type = type, .id = m->id };
	char text[256];

	snprintf(text, sizeof(text), "Function %s is not at its address", m->name);
	expect_eq(refused(&target), -EINVAL, m->name);
	expect(strstr(prog_log, text), "%s: the verifier printed:\n%s", m->name, prog_log);
}

static void all_refused(void)
{
	struct made *made;
	int i, nr = made_funcs("/files/clones", &made);

	need(nr > 50, "only %d clones", nr);
	note("%d clones and fragments", nr);
	for (i = 0; i < nr; i++) {
		refuse(&made[i], BPF_TRACE_FENTRY);
		refuse(&made[i], BPF_TRACE_FEXIT);
	}
	expect_patched(NULL);
}

/*
 * fentry on netlink_autobind(struct socket *sock): bpf_sock_from_file(sock->file). The
 * clone gets a struct sock, so the helper would follow a pointer that is not one.
 */
static void crash_refused(void)
{
	struct sockaddr_nl to = { .nl_family = AF_NETLINK };
	struct field file = { .type = "socket", .member = "file" };
	struct nlmsghdr msg = { .nlmsg_len = sizeof(msg), .nlmsg_type = NLMSG_NOOP };
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		.expected_attach_type = BPF_TRACE_FENTRY,
		.log_buf = prog_log, .log_size = 4096, .log_level = 1);
	struct made *made;
	int prog, link, fd;

	if (!made_funcs("/files/crash", &made))
		skip_case("the compiler has made no clone of netlink_autobind()");
	field_find(vmlinux(), &file);
	const struct bpf_insn insns[] = {
		INSN_LOAD(BPF_DW, BPF_REG_1, BPF_REG_1, 0),
		INSN_LOAD(BPF_DW, BPF_REG_1, BPF_REG_1, file.off),
		INSN_CALL(BPF_FUNC_sock_from_file),
		INSN_MOV_IMM(BPF_REG_0, 0),
		INSN_EXIT(),
	};
	opts.attach_btf_id = made[0].id;
	prog = bpf_prog_load(BPF_PROG_TYPE_TRACING, "crash", "GPL", insns, ARRAY_SIZE(insns),
			     &opts);
	expect(prog < 0 && errno == EINVAL,
	       "the program was loaded, or rejected for another reason: %s",
	       strerror(errno));
	expect(strstr(prog_log, "Function netlink_autobind is not at its address"),
	       "the verifier printed:\n%s", prog_log);
	link = prog < 0 ? -1 : bpf_link_create(prog, 0, BPF_TRACE_FENTRY, NULL);

	/* With the program in place, here the kernel dies. */
	fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	need(fd >= 0, "socket: %s", strerror(errno));
	expect_eq(sendto(fd, &msg, sizeof(msg), 0, (void *)&to, sizeof(to)), sizeof(msg),
		  "sendto()");
	close(fd);
	if (link >= 0)
		close(link);
	if (prog >= 0)
		close(prog);
}

static void only_digits(void)
{
	struct target target = { .type = BPF_TRACE_FENTRY };
	struct made *made;
	int i, link, nr = made_funcs("/files/suffixes", &made), accepted = 0;

	expect_eq(nr, 4, "symbols");
	for (i = 0; i < nr; i++) {
		if (strcmp(made[i].name, "func_addr_hash")) {
			refuse(&made[i], BPF_TRACE_FENTRY);
			continue;
		}
		target.id = made[i].id;
		counters_reset();
		link = attach(&target);
		expect_eq(trigger(TRIGGERS "call_suffix"), 4321, "results of the functions");
		expect_eq(counters[0].hits, 1, "calls seen");
		expect(counters[0].ip == symbol(NULL, "func_addr_hash.llvm.123"),
		       "bpf_get_func_ip() is not the address in kallsyms");
		close(link);
		accepted++;
	}
	expect_eq(accepted, 1, "accepted symbols, with digits after .llvm.");
	expect_patched(NULL);
}

static const struct guest_case cases[] = {
	{ "no program is attached to a clone by the name of its source", all_refused },
	{ "a program that would crash the kernel is rejected", crash_refused },
	{ "only the suffix .llvm. with digits is accepted", only_digits },
	{ },
};

const struct guest_test test_clones = { "clones", cases, NULL };
