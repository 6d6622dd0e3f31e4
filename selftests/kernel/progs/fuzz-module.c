// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz-module BASE.ko VARIANTS: loads modified copies of a module, and checks that no program can be
 * attached to a function other than the one that the FUNC names.  ../fuzz_module.py writes VARIANTS.
 *
 * A line of VARIANTS is "WANTED LABEL OFFSET:HEX...": bytes to write into the copy at an offset, which
 * may be its end or beyond. WANTED is
 *	same	must be loaded, with the same functions at the same addresses
 *	bad	must be rejected because of its BTF
 *	any	may be loaded or not
 * The first line must be "same original": it changes nothing, and a program must be attached to
 * each function with an address that ftrace can patch.
 *
 * If a variant is loaded:
 *	- each entry of /sys/kernel/btf_addr/NAME must be the id of a FUNC, and one of the module's
 *	  function symbols with its name must start at the address;
 *	- a program must only be accepted for a FUNC in this table (if there is one);
 *	- the function that ftrace then patches must have the name of the FUNC, and the program must be
 *	  called for the address in the table, if the prototype was not modified.  Programs for all
 *	  FUNCs are loaded, but only those for a FUNC whose entry or name is new, and for one other,
 *	  are attached, as this takes longer.  FUNCs whose prototype does not exist are left out,
 *	  because kernels, also stock ones, do not check this.
 *
 * FUZZ_PLANT=table, patched, called, bad or same breaks one of the expectations, so that this fails.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <linux/btf.h>

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })
#define MAX_FUNCS 4096

/* a function symbol of the module */
struct symbol {
	const char *name;
	unsigned long addr;	/* from the start of its section, then in memory */
	const char *section;
};

/* of /sys/kernel/btf_addr/NAME */
struct entry {
	__u32 id, offset;
};

/* a FUNC of the loaded module, with its entry */
struct func {
	__u32 id, type;
	char name[512];
	bool has_addr;
	__u32 offset;
};

/* the result of the program: the only value of an array */
struct seen {
	__u64 count;
	__u64 addr;
};

static uint8_t *base;
static size_t base_size;
static const char *module, *variant, *plant;
static struct symbol *symbols;
static unsigned int nr_symbols;
static uint8_t *vmlinux;	/* its BTF */
static __u32 vmlinux_types, vmlinux_strings;
static struct func funcs[MAX_FUNCS], original[MAX_FUNCS];
static unsigned int nr_funcs, nr_original;
static __u64 types_hash, original_hash;	/* of all types but FUNCs */
static int map;

static unsigned int variants, rejected, loaded, without_table, with_same;
static unsigned int programs, refused, attached, calls, wrong;

static void __attribute__((noreturn, format(printf, 1, 2))) die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("# %s: ", variant ?: "");
	vprintf(format, args);
	printf(": %s\n", strerror(errno));
	exit(1);
}

static void __attribute__((format(printf, 1, 2))) complain(const char *format, ...)
{
	va_list args;

	wrong++;
	if (wrong > 50)
		return;
	va_start(args, format);
	printf("# WRONG %s: ", variant);
	vprintf(format, args);
	putchar('\n');
	va_end(args);
}

/* read a file whole, with a NUL after its end; NULL if it is not there */
static uint8_t *slurp(const char *path, size_t *size)
{
	size_t room = 1 << 16, used = 0;
	uint8_t *data = malloc(room + 1);
	int fd = open(path, O_RDONLY);
	ssize_t n;

	if (fd < 0) {
		free(data);
		return NULL;
	}
	while ((n = read(fd, data + used, room - used)) > 0) {
		used += n;
		if (used == room)
			data = realloc(data, (room *= 2) + 1);
	}
	close(fd);
	data[used] = 0;
	if (size)
		*size = used;
	return data;
}

static bool is_there(const char *dir)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, module);
	return !access(path, F_OK);
}

static void read_symbols(void)
{
	Elf64_Ehdr *elf = (void *)base;
	Elf64_Shdr *sections = (void *)(base + elf->e_shoff), *symtab = NULL;
	const char *names = (char *)base + sections[elf->e_shstrndx].sh_offset, *strings;
	Elf64_Sym *syms;

	for (int i = 0; i < elf->e_shnum; i++)
		if (sections[i].sh_type == SHT_SYMTAB)
			symtab = &sections[i];
	if (!symtab)
		die("no symbols");
	syms = (void *)(base + symtab->sh_offset);
	strings = (char *)base + sections[symtab->sh_link].sh_offset;
	symbols = calloc(symtab->sh_size / sizeof(*syms), sizeof(*symbols));
	for (size_t i = 0; i < symtab->sh_size / sizeof(*syms); i++)
		if (ELF64_ST_TYPE(syms[i].st_info) == STT_FUNC && syms[i].st_shndx &&
		    syms[i].st_shndx < SHN_LORESERVE)
			symbols[nr_symbols++] = (struct symbol) {
				.name = strings + syms[i].st_name, .addr = syms[i].st_value,
				.section = names + sections[syms[i].st_shndx].sh_name,
			};
}

static unsigned long section_addr(const char *section)
{
	char path[256];
	uint8_t *text;
	unsigned long addr;

	snprintf(path, sizeof(path), "/sys/module/%s/sections/%s", module, section);
	text = slurp(path, NULL);
	addr = text ? strtoul((char *)text, NULL, 16) : 0;
	free(text);
	return addr;
}

/* the name of a FUNC, without @FILE, against a symbol */
static bool same_name(const char *func, const char *symbol)
{
	size_t len = strchrnul(func, '@') - func;

	return !strncmp(func, symbol, len) && (!symbol[len] || !strncmp(symbol + len, ".llvm.", 6));
}

/* does one of the module's functions with that name start there? */
static bool is_function(const char *func, unsigned long addr)
{
	static const char *last;
	static unsigned long start;

	last = NULL;
	for (unsigned int i = 0; i < nr_symbols; i++) {
		if (!same_name(func, symbols[i].name))
			continue;
		if (!last || strcmp(last, symbols[i].section)) {
			last = symbols[i].section;
			start = section_addr(last);
		}
		if (start && start + symbols[i].addr == addr)
			return true;
	}
	return false;
}

static unsigned long text_base(void)
{
	uint8_t *modules = slurp("/proc/modules", NULL);
	size_t len = strlen(module);
	unsigned long addr = 0;

	for (char *line = strtok((char *)modules, "\n"); line; line = strtok(NULL, "\n"))
		if (!strncmp(line, module, len) && line[len] == ' ' && strstr(line, " 0x"))
			addr = strtoul(strstr(line, " 0x") + 1, NULL, 16);
	free(modules);
	return addr;
}

static const char *string_at(const uint8_t *btf, __u32 off)
{
	const struct btf_header *hdr = (void *)btf;

	if (btf != vmlinux) {
		if (off < vmlinux_strings)
			return string_at(vmlinux, off);
		off -= vmlinux_strings;
	}
	if (off >= hdr->str_len)
		return NULL;
	return (char *)btf + hdr->hdr_len + hdr->str_off + off;
}

/* number the types of plain BTF; for each FUNC, add one to "funcs" */
static __u32 walk(const uint8_t *btf, __u32 id)
{
	const struct btf_header *hdr = (void *)btf;
	const uint8_t *at = btf + hdr->hdr_len + hdr->type_off, *end = at + hdr->type_len;

	while (at + sizeof(struct btf_type) <= end) {
		const struct btf_type *t = (void *)at;
		__u32 vlen = BTF_INFO_VLEN(t->info), more;

		switch (BTF_INFO_KIND(t->info)) {
		case BTF_KIND_INT:
		case BTF_KIND_VAR:
		case BTF_KIND_DECL_TAG:		more = 4; break;
		case BTF_KIND_ARRAY:		more = 12; break;
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
		case BTF_KIND_DATASEC:
		case BTF_KIND_ENUM64:		more = vlen * 12; break;
		case BTF_KIND_ENUM:
		case BTF_KIND_FUNC_PROTO:	more = vlen * 8; break;
		case BTF_KIND_PTR:
		case BTF_KIND_FWD:
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_FUNC:
		case BTF_KIND_FLOAT:
		case BTF_KIND_TYPE_TAG:		more = 0; break;
		default:
			complain("type %u of kind %u in the kernel's BTF", id, BTF_INFO_KIND(t->info));
			return id;
		}
		if (btf != vmlinux && BTF_INFO_KIND(t->info) == BTF_KIND_FUNC && nr_funcs < MAX_FUNCS) {
			const char *name = string_at(btf, t->name_off);

			if (BTF_INFO_KFLAG(t->info))
				complain("FUNC %u still has kind_flag", id);
			if (!name)
				complain("FUNC %u has no name", id);
			funcs[nr_funcs] = (struct func) { .id = id, .type = t->type };
			snprintf(funcs[nr_funcs++].name, sizeof(funcs->name), "%s", name ?: "");
		}
		more += sizeof(*t);
		for (__u32 i = 0; BTF_INFO_KIND(t->info) != BTF_KIND_FUNC && i < more && at + i < end; i++)
			types_hash = (types_hash ^ at[i]) * 0x100000001b3;
		at += more;
		id++;
	}
	if (at != end)
		complain("the types do not end at their end");
	return id;
}

/* a file descriptor of the module's BTF, or -1 */
static int btf_fd(void)
{
	__u32 id = 0;

	while (!bpf_btf_get_next_id(id, &id)) {
		char name[64] = "";
		struct bpf_btf_info info = { .name = (unsigned long)name, .name_len = sizeof(name) };
		__u32 len = sizeof(info);
		int fd = bpf_btf_get_fd_by_id(id);

		if (fd < 0)
			continue;
		if (!bpf_obj_get_info_by_fd(fd, &info, &len) && info.kernel_btf && !strcmp(name, module))
			return fd;
		close(fd);
	}
	return -1;
}

static int load(int btf, __u32 id)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		.expected_attach_type = BPF_TRACE_FENTRY,
		.attach_btf_obj_fd = btf, .attach_btf_id = id);
	struct bpf_insn insns[] = {
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_func_ip),
		INSN(BPF_LD | BPF_DW | BPF_IMM, 2, BPF_PSEUDO_MAP_VALUE, 0, map),
		INSN(0, 0, 0, 0, 0),
		INSN(BPF_STX | BPF_MEM | BPF_DW, 2, 0, offsetof(struct seen, addr), 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, 1),
		INSN(BPF_STX | BPF_ATOMIC | BPF_DW, 2, 3, offsetof(struct seen, count), BPF_ADD),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};

	return bpf_prog_load(BPF_PROG_TYPE_TRACING, "fuzz", "GPL", insns,
			     sizeof(insns) / sizeof(insns[0]), &opts);
}

/* read each of the module's files in debugfs, and write to its parameter, if it has any */
static void call_functions(void)
{
	char path[512];
	struct dirent *file;
	DIR *dir;
	int fd;

	snprintf(path, sizeof(path), "/sys/kernel/debug/%s", module);
	dir = opendir(path);
	while (dir && (file = readdir(dir)))
		if (file->d_name[0] != '.') {
			snprintf(path, sizeof(path), "/sys/kernel/debug/%s/%s", module, file->d_name);
			free(slurp(path, NULL));
		}
	if (dir)
		closedir(dir);
	snprintf(path, sizeof(path), "/sys/module/%s/parameters/call", module);
	fd = open(path, O_WRONLY);
	if (fd >= 0) {
		if (write(fd, "1", 1) != 1)
			complain("%s cannot be written: %s", path, strerror(errno));
		close(fd);
	}
}

/*
 * Compare a FUNC's prototype with the original. A trampoline only preserves the arguments
 * in the prototype, so a function with a wrong prototype must not be called.
 */
static bool may_be_called(const struct func *func)
{
	size_t len = strcspn(func->name, "@");

	for (unsigned int i = 0; i < nr_original; i++)
		if (strcspn(original[i].name, "@") == len && !strncmp(original[i].name, func->name, len))
			return original[i].type == func->type && types_hash == original_hash;
	return false;
}

/* the program is attached to FUNC: which function is patched, and which calls the program? */
static void check_attached(const struct func *func, unsigned long text, bool table)
{
	char *patched = (char *)slurp("/sys/kernel/tracing/enabled_functions", NULL), *end;
	const char *name = func->name;
	struct seen seen = {};
	__u32 zero = 0;

	if (plant && !strcmp(plant, "patched"))
		name = "another";
	if (!patched || !*patched)
		complain("FUNC %u %s: attached, but nothing is patched", func->id, func->name);
	else {
		/* a line that starts with a tab continues the one before */
		for (end = patched; (end = strchr(end, '\n')) && *++end == '\t';)
			;
		if (end && *end)
			complain("FUNC %u %s: more than one function is patched", func->id, func->name);
		patched[strcspn(patched, " \t\n")] = 0;
		if (!same_name(name, patched))
			complain("FUNC %u %s: %s is patched", func->id, name, patched);
	}
	free(patched);

	if (!may_be_called(func))
		return;
	bpf_map_update_elem(map, &zero, &seen, 0);
	call_functions();
	bpf_map_lookup_elem(map, &zero, &seen);
	if (plant && !strcmp(plant, "called"))
		seen.addr++;
	if (!seen.count)
		return;
	calls++;
	if (table ? seen.addr != text + func->offset : !is_function(func->name, seen.addr))
		complain("FUNC %u %s: called at 0x%llx", func->id, func->name, (unsigned long long)seen.addr);
}

/* is it in the original, too, with this address? */
static bool is_original(const struct func *func)
{
	for (unsigned int i = 0; i < nr_original; i++)
		if (!strcmp(original[i].name, func->name) && original[i].has_addr == func->has_addr &&
		    original[i].offset == func->offset)
			return true;
	return false;
}

/* can ftrace patch a function of the module with this name? */
static bool is_traceable(const char *func)
{
	uint8_t *all = slurp("/sys/kernel/tracing/available_filter_functions", NULL);
	char line[1024];
	bool found;

	snprintf(line, sizeof(line), "\n%.*s [%s]", (int)strcspn(func, "@"), func, module);
	found = !all || strstr((char *)all, line);
	free(all);
	return found;
}

static void check_loaded(bool first, bool same)
{
	size_t table_size = 0;
	struct entry *table;
	unsigned long text = text_base();
	unsigned int nr, with_addr = 0, here = 0, other;
	char path[128];
	__u32 nr_types;
	uint8_t *btf;
	int fd;

	nr_funcs = 0;
	types_hash = 0xcbf29ce484222325;
	snprintf(path, sizeof(path), "/sys/kernel/btf/%s", module);
	btf = slurp(path, NULL);
	if (!btf) {
		/* its section is gone */
		without_table++;
		if (same)
			complain("no BTF");
		return;
	}
	nr_types = walk(btf, vmlinux_types);
	snprintf(path, sizeof(path), "/sys/kernel/btf_addr/%s", module);
	table = (void *)slurp(path, &table_size);
	nr = table_size / sizeof(*table);
	without_table += !table;

	for (unsigned int i = 0, j = 0; i < nr; i++) {
		if (i && table[i].id <= table[i - 1].id)
			complain("entry %u of the table is not sorted", i);
		while (j < nr_funcs && funcs[j].id < table[i].id)
			j++;
		if (j == nr_funcs || funcs[j].id != table[i].id) {
			complain("entry %u of the table: id %u is not a FUNC", i, table[i].id);
			continue;
		}
		funcs[j].has_addr = true;
		funcs[j].offset = table[i].offset + (plant && !strcmp(plant, "table"));
		with_addr++;
		if (!is_function(funcs[j].name, text + funcs[j].offset))
			complain("FUNC %u %s: no such function at 0x%lx+0x%x", funcs[j].id, funcs[j].name, text,
				 funcs[j].offset);
	}
	if (first) {
		memcpy(original, funcs, sizeof(funcs));
		nr_original = nr_funcs;
		original_hash = types_hash;
		if (!with_addr)
			complain("no address");
	}
	for (unsigned int i = 0; same && i < nr_funcs; i++)
		if (nr_funcs != nr_original || !is_original(&funcs[i])) {
			complain("FUNC %u %s is not as in the original", funcs[i].id, funcs[i].name);
			break;
		}

	fd = btf_fd();
	if (fd < 0)
		complain("the module's BTF does not exist");
	other = nr_funcs ? variants % nr_funcs : 0;
	for (unsigned int i = 0; fd >= 0 && i < nr_funcs; i++) {
		const struct func *func = &funcs[i];
		int prog, link;

		/* this can crash Linux 6.12, see above */
		if (func->type >= nr_types)
			continue;
		prog = load(fd, func->id);
		if (prog < 0) {
			refused++;
			if (first && func->has_addr && (errno != ENOENT || is_traceable(func->name)))
				complain("FUNC %u %s: not loaded: %s", func->id, func->name, strerror(errno));
			continue;
		}
		programs++;
		if (table && !func->has_addr)
			complain("FUNC %u %s has no address, but a program for it is loaded", func->id, func->name);
		if (first || i == other || !is_original(func)) {
			link = bpf_raw_tracepoint_open(NULL, prog);
			if (link >= 0) {
				attached++;
				here++;
				check_attached(func, text, table);
				close(link);
			} else if (first) {
				complain("FUNC %u %s: not attached: %s", func->id, func->name, strerror(errno));
			}
		}
		close(prog);
	}
	if (first)
		printf("# %u FUNCs, %u with an address, %u attached, %u called\n", nr_funcs, with_addr, here, calls);
	if (fd >= 0)
		close(fd);
	free(table);
	free(btf);
}

/* rmmod: the programs are freed later */
static void unload(void)
{
	for (int i = 0; syscall(SYS_delete_module, module, O_NONBLOCK); i++) {
		if (errno != EAGAIN && errno != EBUSY && errno != EWOULDBLOCK)
			die("rmmod");
		if (i == 20000)
			die("is still used after 20 seconds");
		usleep(1000);
	}
}

static unsigned long tainted(void)
{
	char *text = (char *)slurp("/proc/sys/kernel/tainted", NULL);
	unsigned long mask = strtoul(text, NULL, 10);

	free(text);
	/* M, B, D, W, L, as in vm.sh */
	return mask & (1 << 4 | 1 << 5 | 1 << 7 | 1 << 9 | 1 << 14);
}

/* one line of VARIANTS; the first if first is set */
static void try(char *line, bool first)
{
	char *wanted = strtok(line, " "), *edit;
	uint8_t *copy = malloc(base_size + (1 << 20));
	size_t size = base_size;
	FILE *kmsg = fopen("/dev/kmsg", "w");
	bool bad, same;
	int err;

	variant = strtok(NULL, " ");
	if (!wanted || !variant)
		die("malformed line");
	bad = !strcmp(wanted, "bad");
	same = !strcmp(wanted, "same");
	memcpy(copy, base, base_size);
	while ((edit = strtok(NULL, " "))) {
		size_t at = strtoul(edit, &edit, 16);

		if (*edit++ != ':' || at > base_size + (1 << 19))
			die("malformed edit");
		for (; isxdigit(edit[0]) && isxdigit(edit[1]); edit += 2) {
			char byte[] = { edit[0], edit[1], 0 };

			while (size <= at)
				copy[size++] = 0;
			copy[at++] = strtoul(byte, NULL, 16);
		}
	}
	/* if there is a splat, the console shows which variant was loaded */
	if (kmsg) {
		fprintf(kmsg, "fuzz-module: %s\n", variant);
		fclose(kmsg);
	}
	if (plant && !first && !strcmp(plant, "bad"))
		bad = true, same = false;
	if (plant && !first && !strcmp(plant, "same"))
		same = true, bad = false;

	variants++;
	err = syscall(SYS_init_module, copy, size, "") ? errno : 0;
	if (err) {
		rejected++;
		if (same)
			complain("is rejected: %s", strerror(err));
		else if (bad && err != EINVAL)
			complain("is rejected, but not because of its BTF: %s", strerror(err));
		if (first)
			die("the original is rejected");
	} else {
		loaded++;
		with_same += same;
		if (bad)
			complain("is loaded, and should be rejected");
		check_loaded(first, same);
		unload();
	}
	if (is_there("/sys/module") || is_there("/sys/kernel/btf") || is_there("/sys/kernel/btf_addr"))
		complain("leaves something");
	free(copy);
}

int main(int argc, char **argv)
{
	FILE *lines;
	char *line = NULL, *slash;
	unsigned long taint;
	size_t room = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc != 3)
		return 1;
	plant = getenv("FUZZ_PLANT");
	base = slurp(argv[1], &base_size);
	slash = strrchr(argv[1], '/');
	module = strndup(slash ? slash + 1 : argv[1], strcspn(slash ? slash + 1 : argv[1], "."));
	lines = fopen(argv[2], "r");
	vmlinux = slurp("/sys/kernel/btf/vmlinux", NULL);
	if (!base || !lines || !vmlinux)
		die("%s, %s or the BTF of vmlinux", argv[1], argv[2]);
	vmlinux_strings = ((struct btf_header *)vmlinux)->str_len;
	vmlinux_types = walk(vmlinux, 1);
	read_symbols();
	map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "seen", 4, sizeof(struct seen), 1, NULL);
	if (map < 0)
		die("map");

	taint = tainted();
	for (bool first = true; getline(&line, &room, lines) > 0; first = false) {
		line[strcspn(line, "\n")] = 0;
		try(line, first);
		if (tainted() != taint)
			die("the kernel complained");
		if (variants % 500 == 0)
			printf("# %u variants, %u loaded, %u attached\n", variants, loaded, attached);
	}
	printf("# %u variants: %u rejected, %u loaded (%u as the original, %u without addresses); of programs, "
	       "%u refused, %u loaded, %u attached, %u called; %u wrong\n", variants, rejected, loaded,
	       with_same, without_table, refused, programs, attached, calls, wrong);
	/* a fuzzer that only loads, or only rejects, finds nothing */
	if (variants >= 100 && (loaded < variants / 20 || rejected < variants / 20)) {
		puts("# too few are loaded, or rejected");
		wrong++;
	}
	return wrong > 0;
}
