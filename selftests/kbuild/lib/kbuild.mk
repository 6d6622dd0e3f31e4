# SPDX-License-Identifier: GPL-2.0-only
# The parts of the kernel's top Makefile that are needed to encode modules, so that
# scripts/Makefile.btf and scripts/Makefile.modfinal of a tree can be run without
# a kernel: in a directory with vmlinux, modules.order, objects and auto.conf.
include $(srctree)/scripts/Kbuild.include

objtree		:= .
include $(objtree)/include/config/auto.conf
abs_objtree	:= $(CURDIR)
abs_srctree	:= $(realpath $(srctree))
SRCARCH		:= x86
extmod_prefix	:= $(if $(KBUILD_EXTMOD),$(KBUILD_EXTMOD)/)
MODORDER	:= $(extmod_prefix)modules.order
KBUILD_BUILTIN	:= $(if $(KBUILD_EXTMOD),,$(wildcard vmlinux))
CONFIG_SHELL	:= sh

ifdef CONFIG_DEBUG_INFO_BTF
include $(srctree)/scripts/Makefile.btf
endif

export srctree objtree SRCARCH extmod_prefix MODORDER KBUILD_BUILTIN KBUILD_EXTMOD CONFIG_SHELL
export CC LD OBJCOPY PAHOLE RESOLVE_BTFIDS

modules: ; @$(MAKE) -f $(srctree)/scripts/Makefile.modfinal

flags: ; @echo 'vmlinux: $(PAHOLE_FLAGS), modules: $(MODULE_PAHOLE_FLAGS)'

.PHONY: modules flags
