/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Selectors in SEC() for an unmodified libbpf (1.1 and later).
 *
 * Put this file and btf_func_sel.c beside your program, call
 * btf_func_sel__register() before you open a BPF object, and link with
 * -lbpf -lelf.  Where several kernel functions share a name, section names of
 * fentry, fexit, fmod_ret (also with .s), kprobe and kretprobe can then say
 * which of them is meant:
 *
 *	SEC("fentry/type_show@drivers/base/cacheinfo.c")
 *	SEC("kprobe/c_start@crypto/proc.c")
 *	SEC("fexit/MODULE:type_show@2")
 *
 *	NAME		must be the only function of that name
 *	NAME@FILE	the one of the unit FILE; the path may be cut at a '/',
 *			on the left
 *	NAME@N		the N-th of that name in the kernel's BTF, from 1
 *	MODULE:...	any of these, in that module; without it vmlinux is
 *			searched first, then the modules
 *
 * For a kprobe, +OFFSET may follow, as with a bare name.
 *
 * fentry and its kind need nothing but a kernel whose BTF keeps all functions
 * of a name, and has their units in DECL_TAGs "unit:PATH": a BTF id is chosen.
 * A kprobe needs an address, but no particular kernel.  It is read from BTF with
 * addresses: /sys/kernel/btf_addr/, which only root can read, or a file made of
 * the distribution's debug image.
 */
#ifndef BTF_FUNC_SEL_H
#define BTF_FUNC_SEL_H

#include <stddef.h>

/**
 * struct btf_func_sel_opts - options
 * @sz:		sizeof(struct btf_func_sel_opts)
 * @btf_path:	ELF file with BTF with addresses, used for kprobes in vmlinux instead
 *		of /sys/kernel/btf_addr/vmlinux.  Its build id must be the running
 *		kernel's: "abtf encode -o FILE.elf" makes such a file from an
 *		image with DWARF.  Copied.
 */
struct btf_func_sel_opts {
	size_t sz;
	const char *btf_path;
};

/**
 * btf_func_sel__register() - make libbpf understand selectors
 * @opts:	options, or NULL
 *
 * Objects that are opened from here on have their programs handled by this helper
 * if their section is one of fentry, fexit, fmod_ret, kprobe, kretprobe.  libbpf
 * keeps pointers into its table of handlers, so the first call must come before
 * any object is opened.  Further calls only change the options.
 *
 * What has no selector works as without it, but for a bare NAME that several
 * functions bear: it is refused.
 *
 * bpf_object__load() then fails, or for kprobes bpf_program__attach(), with
 *
 *	-EADDRNOTAVAIL	several functions fit
 *	-ESRCH		none does
 *	-ENOENT		the module, or the file, is not there
 *	-ENODATA	it has no address in BTF, or there is no such BTF
 *	-ENXIO		it is init or exit text, which is not there
 *	-EINVAL		malformed selector or BTF, or BTF with kinds newer than ENUM64
 *	-ESTALE		the file is not of the running kernel
 *
 * or with what opening a file gave, and says why through libbpf's print
 * function.  If other functions of the name would do, they are listed, each with
 * a selector that picks it.
 *
 * Not thread-safe, like libbpf_register_prog_handler().
 *
 * Return: 0, or a negative error code.
 */
int btf_func_sel__register(const struct btf_func_sel_opts *opts);

/**
 * btf_func_sel__release() - free the BTF that was read, and forget the options
 *
 * To be called when all is loaded and attached; what is used again is read
 * again.  The handlers stay: libbpf up to 1.2 frees its table twice if the last
 * one is taken away and another one comes.
 */
void btf_func_sel__release(void);

#endif /* BTF_FUNC_SEL_H */
