# SPDX-License-Identifier: GPL-2.0-only
# abtf: BTF whose functions have addresses. "make help" and "make help-dev" list the targets.
#
# Only "setup*" and targets that depend on them (run, test*, same, fuzz, bench*, check-*,
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

# The newest kernel with patches
newest		= $(shell selftests/versions.sh | tail -n 1)

# Use all cores, unless the user passes -j.
jobs		= $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))
submake		= $(MAKE) --no-print-directory -s $(jobs)

# Make prerequisites in their order: packages first.
.NOTPARALLEL:

# Variables for the scripts, which users set on make's command line
# CMD is for the guest's shell: make must not expand a $ in it.
override CMD	:= $(value CMD)
export INSTANCE CALL TESTS ALL VMLINUX_BTF VMLINUX KERNEL KEEP T V SANITIZE CALLGRIND PAHOLE ROUNDS PAHOLE_ALL SAMPLE SMALL EVERY MODULES OLD QUICK FIXES FUZZ FUZZ_S COVERAGE ONLY DEBUG FUNC_ADDR LINUX KVER ARCH VARIANT CMD FILES VM_TIMEOUT STRESS JOBS SERIES BUILD COMPILERS PAHOLE_TESTS SEED

.PHONY: all help help-dev install uninstall
all: encoder

# The texts are in files, in which @NAME@ is replaced.
help:
	@sed 's|@PREFIX@|$(PREFIX)|' selftests/help.txt

help-dev:
	@sed 's|@newest@|$(newest)|g' selftests/help-dev.txt

# These paths may contain blanks, but make's own functions would split them.
to		= '$(subst ','\'',$(DESTDIR)$(1))'

install: all
	install -d $(call to,$(bindir)) $(call to,$(mandir)) $(call to,$(compdir)) $(call to,$(includedir)) $(call to,$(exampledir)/abtfprobe) $(call to,$(schemadir))
	install -m 755 encoder/abtf $(call to,$(bindir)/abtf)
	ln -sf abtf $(call to,$(bindir)/abtf-pahole)
	install -m 644 encoder/abtf.1 $(call to,$(mandir)/abtf.1)
	ln -sf abtf.1 $(call to,$(mandir)/abtf-pahole.1)
	install -m 644 encoder/bash-completion/abtf $(call to,$(compdir)/abtf)
	ln -sf abtf $(call to,$(compdir)/abtf-pahole)
	install -m 644 examples/abtf_probe.h $(call to,$(includedir)/abtf_probe.h)
	install -m 644 examples/README.md examples/Makefile examples/*.[ch] examples/*.go $(call to,$(exampledir))
	install -m 755 examples/*.sh $(call to,$(exampledir))
	install -m 644 examples/abtfprobe/* $(call to,$(exampledir)/abtfprobe)
	install -m 644 docs/schema/* $(call to,$(schemadir))

uninstall:
	rm -rf $(call to,$(exampledir)) $(call to,$(schemadir)) $(call to,$(includedir)/abtf_probe.h)
	for name in abtf abtf-pahole; do rm -f $(call to,$(bindir))/$$name $(call to,$(mandir))/$$name.1 $(call to,$(compdir))/$$name; done

# Prerequisites of other targets: packages, programs, the source of a kernel

.PHONY: setup setup-test setup-bench setup-kernel setup-patches setup-compilers
setup-test:	 topics = test
setup-bench:	 topics = bench $(if $(CALLGRIND),callgrind)
setup-kernel:	 topics = kernel $(filter arm64 s390x,$(ARCH)) $(filter thinlto,$(VARIANT)) $(if $(filter gcc% clang%,$(VARIANT)),compilers)
setup-patches:	 topics = kernel patches
setup-compilers: topics = test compilers
setup setup-test setup-bench setup-kernel setup-patches setup-compilers:
	@selftests/setup.sh build $(topics)

.PHONY: encoder compare judge example
encoder:
	+@$(submake) -C encoder

compare judge example:
	+@$(submake) -C selftests/$@

# The source of all kernels, and the patches: guests of the stock kernel also have programs with the
# patched libbpf. The lock is for tests that run in parallel.
.PHONY: vm-source vm-kernel vm-guest
vm-source: setup-kernel
	@mkdir -p build
	@flock build/vm-source.lock selftests/kernel/source.sh
	@[ -n "$(LINUX)" ] || flock build/vm-source.lock selftests/kernel/patched.sh

vm-kernel: vm-source encoder
	@selftests/kernel/build.sh

vm-guest: vm-kernel
	@selftests/kernel/guest.sh

# The guest of one kernel, regardless of KERNEL
vm-guest-%:
	@$(MAKE) --no-print-directory vm-guest KERNEL=$*

# Tests on this machine

.PHONY: run check test test-all test-mutants same test-compilers test-pahole test-opponent test-deb fuzz
run: setup encoder
	@selftests/run.sh

# For users and packages: unlike the targets below, this installs nothing.
check: all
	@selftests/check.sh

test: setup-test encoder compare judge example
	@selftests/test.sh

test-all: setup-test
	@selftests/setup.sh build kernel arm64 s390x machines
	@$(MAKE) --no-print-directory test ALL=1

test-mutants: setup-test encoder compare judge example
	@selftests/mutants.sh

# Compares with an earlier program, after a change that should not change any result.
same: setup-test encoder example
	@selftests/same.sh

test-compilers: setup-compilers encoder compare judge example
	@selftests/test-compilers.sh

test-pahole: setup-compilers encoder example
	@selftests/setup.sh pahole
	@selftests/test-pahole.sh

test-opponent: $(if $(COMPILERS),setup-compilers,setup-test) encoder compare judge
	@selftests/test-opponent.sh

test-deb: setup-test encoder example
	@DIRS=packages selftests/run-tests.sh

# The fuzz targets use the patched source's libbpf.
fuzz: setup-test vm-source encoder
	@selftests/setup.sh fuzz
	@selftests/fuzz.sh

# Tests in guests

.PHONY: vm vm-test vm-test-clients vm-test-progs run-vm
vm: vm-guest
	@selftests/kernel/vm.sh "$$CMD"

vm-test: vm-guest compare example
	@selftests/kernel/vm-test.sh

vm-test-clients: vm-guest compare
	@selftests/fetch-clients.sh bpftrace bpftool libbpf-dev golang-go golang-github-cilium-ebpf-dev pwru
	@CLIENTS=1 selftests/kernel/vm-test.sh

# The kernel's own selftests, some of which are added by the series
vm-test-progs: setup-patches vm-guest-stock vm-guest-patched
	@selftests/kernel/test-progs.sh

run-vm: vm-guest
	@selftests/examples/run-vm.sh

# Measurements

.PHONY: bench bench-modules bench-libraries bench-lookup bench-kernel compare-pahole
bench: setup-bench encoder
	@selftests/bench.sh

bench-modules: setup-bench encoder compare
	@selftests/bench-modules.sh

bench-libraries: setup-test encoder
	+@$(submake) -C selftests/compare library-tools
	@selftests/bench-libraries.sh

# The time for libbpf and the kernel to find a name in sorted BTF
bench-lookup: vm-source encoder
	@selftests/fetch-debian.sh
	@selftests/libbpf/bench/lookup.sh

# Use one encoder for all three kernels, and leave out the test functions.
bench-kernel: override VARIANT = bench
bench-kernel: override PAHOLE = $(CURDIR)/encoder/abtf-pahole
bench-kernel: setup-kernel vm-guest-patched vm-guest-off vm-guest-stock
	@selftests/kernel/bench.sh

# Compares the BTF of a stock kernel's build by abtf-pahole and by unstable's pahole.
compare-pahole: setup-test compare
	@$(MAKE) --no-print-directory vm-kernel KERNEL=stock
	@$(MAKE) --no-print-directory vm-kernel KERNEL=patched
	@selftests/kernel/compare-pahole.sh

# Checks of real images, kernels and patches

.PHONY: check-patches check-machines check-configs check-probes check-args
check-patches: setup-patches encoder
	@selftests/kernel/source.sh
	@selftests/kernel/check-patches.sh

check-machines: setup encoder
	@selftests/setup.sh build kernel machines
	@$(MAKE) --no-print-directory vm-source ARCH=
	@selftests/kernel/check-machines.sh

check-configs: vm-source encoder
	@selftests/kernel/check-configs.sh

check-probes: setup-kernel encoder
	@[ "$${KVER:-6.12}" != 6.12 ] || selftests/fetch-debian.sh
	@selftests/kernel/check-probes.sh

check-args: setup-kernel encoder
	@selftests/check-args.sh

checks := check-names check-functions check-inlined check-callers check-images check-tags
.PHONY: $(checks)
$(checks): $(if $(filter check-tags,$(MAKECMDGOALS)),setup-compilers,setup-test) encoder compare judge
	@selftests/$@.sh

# Packages, and files generated from the source

.PHONY: dist deb drawings compile_commands.json clean
deb:
	@selftests/setup.sh build deb
	@selftests/deb.sh

dist: version = $(shell sed -nE 's/^.define ABTF_VERSION[[:blank:]]+"(.*)"$$/\1/p' encoder/version.h)
dist:
	@mkdir -p build
	git archive --format=tar --prefix=abtf-$(version)/ -o build/abtf-$(version).tar HEAD
	gzip -nf build/abtf-$(version).tar

drawings:
	@for text in docs/drawings/*.txt; do awk -f docs/drawings/draw.awk $$text >$${text%.txt}.svg; done

compile_commands.json:
	@$(MAKE) --no-print-directory -C encoder -nB V=1 >$@.make
	@selftests/compile-commands.sh <$@.make >$@.tmp
	@mv $@.tmp $@
	@rm $@.make

# Keeps downloads, and branches in a kernel's source.
downloaded	:= apt clients-sid compilers debian images pahole-sid sysroot
clean:
	@$(MAKE) --no-print-directory -C encoder clean
	[ ! -d build ] || find build -mindepth 1 -maxdepth 1 ! -name 'linux-*' $(downloaded:%=! -name %) -exec rm -rf {} +
	rm -rf build/linux-*/kernel-* build/linux-*/patched* build/linux-*/check* compile_commands.json
