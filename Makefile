# SPDX-License-Identifier: GPL-2.0-only
# abtf: BTF whose functions have addresses.  "make help" and "make help-dev" say what there is.
#
# Only "setup*" and what depends on them (run, test*, fuzz, bench*, check-*,
# compare-pahole, run-vm, vm*, deb) install packages or use the network; plain
# "make", "make install" and "make check" never do.

PREFIX		?= /usr/local
DESTDIR		?=
bindir		:= $(PREFIX)/bin
mandir		:= $(PREFIX)/share/man/man1
compdir		:= $(PREFIX)/share/bash-completion/completions
includedir	:= $(PREFIX)/include
exampledir	:= $(PREFIX)/share/doc/abtf/examples
schemadir	:= $(PREFIX)/share/doc/abtf/schema

# The newest kernel that there are patches for.
newest		= $(shell selftests/versions.sh | tail -n 1)

# All cores, unless the user has said -j.
jobs		= $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))
submake		= $(MAKE) --no-print-directory $(jobs)

# What the scripts are told; the user sets them on make's command line.
export INSTANCE CALL TESTS ALL VMLINUX_BTF VMLINUX KERNEL KEEP T V SANITIZE CALLGRIND PAHOLE ROUNDS PAHOLE_ALL SAMPLE SMALL EVERY MODULES
# CMD is the guest's shell's: a $ in it is not for make.
override CMD	:= $(value CMD)
export OLD QUICK FIXES FUZZ FUZZ_S COVERAGE ONLY DEBUG FUNC_ADDR LINUX KVER ARCH VARIANT CMD FILES VM_TIMEOUT STRESS JOBS SERIES BUILD COMPILERS SEED

all:
	@$(submake) -C encoder

# The texts are files, in which @NAME@ is replaced.
help:
	@sed 's|@PREFIX@|$(PREFIX)|' selftests/help.txt

help-dev:
	@sed 's|@newest@|$(newest)|g' selftests/help-dev.txt

install: all
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(mandir) $(DESTDIR)$(compdir)
	install -m 755 encoder/abtf $(DESTDIR)$(bindir)/abtf
	ln -sf abtf $(DESTDIR)$(bindir)/abtf-pahole
	install -m 644 encoder/abtf.1 $(DESTDIR)$(mandir)/abtf.1
	ln -sf abtf.1 $(DESTDIR)$(mandir)/abtf-pahole.1
	install -m 644 encoder/bash-completion/abtf $(DESTDIR)$(compdir)/abtf
	ln -sf abtf $(DESTDIR)$(compdir)/abtf-pahole
	install -d $(DESTDIR)$(includedir) $(DESTDIR)$(exampledir)/abtfprobe
	install -m 644 examples/abtf_probe.h $(DESTDIR)$(includedir)/abtf_probe.h
	install -m 644 examples/README.md examples/Makefile examples/*.[ch] examples/*.go $(DESTDIR)$(exampledir)
	install -m 755 examples/*.sh $(DESTDIR)$(exampledir)
	install -m 644 examples/abtfprobe/* $(DESTDIR)$(exampledir)/abtfprobe
	install -d $(DESTDIR)$(schemadir)
	install -m 644 docs/schema/* $(DESTDIR)$(schemadir)

uninstall:
	rm -rf $(DESTDIR)$(exampledir) $(DESTDIR)$(schemadir) $(DESTDIR)$(includedir)/abtf_probe.h
	for name in abtf abtf-pahole; do \
		rm -f $(DESTDIR)$(bindir)/$$name $(DESTDIR)$(mandir)/$$name.1 $(DESTDIR)$(compdir)/$$name; \
	done

setup:
	@selftests/setup.sh build

setup-test:
	@selftests/setup.sh build test

setup-bench:
	@selftests/setup.sh build bench $(if $(CALLGRIND),callgrind)

setup-kernel:
	@selftests/setup.sh build kernel $(filter arm64 s390x,$(ARCH)) $(filter thinlto,$(VARIANT)) $(if $(filter gcc% clang%,$(VARIANT)),compilers)

example:
	@$(submake) -C selftests/example

run: setup
	@$(submake) -C encoder
	@selftests/run.sh

# For everyone, and for packages: unlike the targets below, this installs nothing.
check: all
	@selftests/check.sh

test-mutants: setup-test
	@$(submake) -C encoder
	@$(submake) -C selftests/compare
	@$(submake) -C selftests/judge
	@$(submake) -C selftests/example
	@selftests/mutants.sh

# A change that is meant to change nothing is compared with the program before it.
same: setup-test
	@$(submake) -C encoder
	@$(submake) -C selftests/example
	@selftests/same.sh

test: setup-test
	@$(submake) -C encoder
	@$(submake) -C selftests/compare
	@$(submake) -C selftests/judge
	@$(submake) -C selftests/example
	@selftests/test.sh

test-compilers: setup-test
	@selftests/setup.sh compilers
	@$(submake) -C encoder
	@$(submake) -C selftests/compare
	@$(submake) -C selftests/judge
	@$(submake) -C selftests/example
	@selftests/test-compilers.sh

test-opponent: setup-test
	@selftests/setup.sh $(if $(COMPILERS),compilers)
	@$(submake) -C encoder
	@$(submake) -C selftests/compare
	@$(submake) -C selftests/judge
	@selftests/test-opponent.sh

test-all: setup-test
	@selftests/setup.sh build kernel arm64 s390x machines
	@$(MAKE) --no-print-directory test ALL=1

# The fuzz targets use the patched source's libbpf.
fuzz: setup-test
	@selftests/setup.sh fuzz
	@$(MAKE) --no-print-directory -s vm-source
	@$(submake) -C encoder
	@selftests/fuzz.sh

# The source for all kernels, and the patches: guests of the stock kernel have
# programs with the patched libbpf, too.
# Tests that run in parallel may need it at the same time.
vm-source: setup-kernel
	@mkdir -p build
	@flock build/vm-source.lock selftests/kernel/source.sh
	@[ -n "$(LINUX)" ] || flock build/vm-source.lock selftests/kernel/patched.sh

vm-kernel: vm-source
	@$(submake) -s -C encoder
	@selftests/kernel/build.sh

vm-guest: vm-kernel
	@selftests/kernel/guest.sh

vm: vm-guest
	@selftests/kernel/vm.sh "$$CMD"

vm-test: vm-guest
	@$(submake) -s -C selftests/compare
	@selftests/kernel/vm-test.sh

vm-test-clients: vm-guest
	@$(submake) -s -C selftests/compare
	@selftests/fetch-clients.sh bpftrace bpftool libbpf-dev golang-go golang-github-cilium-ebpf-dev pwru
	@CLIENTS=1 selftests/kernel/vm-test.sh

run-vm: vm-guest
	@selftests/examples/run-vm.sh

# The kernel's own selftests, of which the series bring some.
vm-test-progs:
	@selftests/setup.sh build kernel patches
	@$(MAKE) --no-print-directory vm-guest KERNEL=stock
	@$(MAKE) --no-print-directory vm-guest KERNEL=patched
	@selftests/kernel/test-progs.sh

bench: setup-bench
	@$(submake) -C encoder
	@selftests/bench.sh

# What a stock kernel's build makes of its BTF, by abtf-pahole and by unstable's pahole.
compare-pahole: setup-test
	@$(MAKE) --no-print-directory vm-kernel KERNEL=stock
	@$(MAKE) --no-print-directory vm-kernel KERNEL=patched
	@$(submake) -s -C selftests/compare
	@selftests/kernel/compare-pahole.sh

# How fast libbpf and the kernel find a name in sorted BTF.
bench-lookup: setup-kernel
	@$(MAKE) --no-print-directory -s vm-source
	@$(submake) -s -C encoder
	@selftests/fetch-debian.sh
	@selftests/libbpf/bench/lookup.sh

# One encoder for all three, and in none of them the tests' functions.
bench-kernel: override VARIANT = bench
bench-kernel: override PAHOLE = $(CURDIR)/encoder/abtf-pahole
bench-kernel: setup-kernel
	@$(MAKE) --no-print-directory vm-guest KERNEL=patched
	@$(MAKE) --no-print-directory vm-guest KERNEL=off
	@$(MAKE) --no-print-directory vm-guest KERNEL=stock
	@selftests/kernel/bench.sh

check-patches:
	@selftests/setup.sh build kernel patches
	@selftests/kernel/source.sh
	@$(submake) -C encoder
	@selftests/kernel/check-patches.sh

check-machines:
	@selftests/setup.sh build kernel machines
	@$(MAKE) --no-print-directory vm-source ARCH=
	@$(submake) -s -C encoder
	@selftests/kernel/check-machines.sh

check-names: setup-test
	@$(submake) -C encoder
	@$(submake) -C selftests/compare
	@selftests/check-names.sh

check-functions: setup-test
	@$(submake) -C encoder
	@selftests/check-functions.sh

check-tags: setup-test
	@selftests/setup.sh compilers
	@$(submake) -C encoder
	@$(submake) -C selftests/compare
	@$(submake) -C selftests/judge
	@selftests/check-tags.sh

check-probes: setup-kernel
	@$(submake) -C encoder
	@[ "$${KVER:-6.12}" != 6.12 ] || selftests/fetch-debian.sh
	@selftests/kernel/check-probes.sh

check-inlined:
	@selftests/setup.sh build test
	@$(submake) -C encoder
	@selftests/check-inlined.sh

check-callers:
	@selftests/setup.sh build test
	@$(submake) -C encoder
	@selftests/check-callers.sh

check-images: setup-test
	@$(submake) -C encoder
	@$(submake) -C selftests/compare
	@$(submake) -C selftests/judge
	@selftests/check-images.sh

bench-modules: setup-bench
	@$(submake) -C encoder
	@$(submake) -C selftests/compare
	@selftests/bench-modules.sh

bench-libraries: setup-test
	@$(submake) -C encoder
	@$(submake) -C selftests/compare library-tools
	@selftests/bench-libraries.sh

deb:
	@selftests/setup.sh build deb
	@selftests/deb.sh

dist: version = $(shell sed -nE 's/^.define ABTF_VERSION[[:blank:]]+"(.*)"$$/\1/p' encoder/version.h)
dist:
	@mkdir -p build
	git archive --format=tar --prefix=abtf-$(version)/ HEAD | gzip -n >build/abtf-$(version).tar.gz

test-deb: setup-test
	@$(submake) -C encoder
	@$(submake) -C selftests/example
	@DIRS=packages selftests/run-tests.sh

drawings:
	@for text in docs/drawings/*.txt; do \
		awk -f docs/drawings/draw.awk $$text >$${text%.txt}.svg; \
	done

compile_commands.json:
	@$(MAKE) --no-print-directory -C encoder -nB V=1 | selftests/compile-commands.sh >$@.tmp
	@mv $@.tmp $@

clean:
	@$(MAKE) --no-print-directory -C encoder clean
	rm -rf build/example build/compare build/check build/test build/test-[0-9]* build/run build/bench build/bench-* build/vm
	rm -rf build/test-compilers build/opponent build/fuzz build/same build/deb build/abtf-*.tar.gz build/bpftool build/libbpf build/kbuild build/names build/functions build/inlined build/check-probes build/which_cpumask_weight*
	rm -rf compile_commands.json

.PHONY: all help help-dev check install uninstall setup setup-test setup-bench setup-kernel example run test test-all fuzz bench
.PHONY: bench-modules bench-libraries check-functions check-images check-inlined check-probes check-tags compare-pahole bench-lookup check-machines check-patches check-names vm-test-progs vm-source vm-kernel vm-guest vm vm-test vm-test-clients vm-test-progs run-vm bench-kernel clean
.PHONY: same test-compilers test-opponent test-mutants drawings deb dist test-deb compile_commands.json
