# SPDX-License-Identifier: GPL-2.0-only
# abtf: BTF whose functions have addresses.  "make help" says what there is.
#
# Only "setup*" and what depends on them (run, test*, fuzz, bench*, check-*,
# compare-pahole, run-vm, vm*, deb) install packages or use the network; plain "make" and "make install" never do.

PREFIX		?= /usr/local
DESTDIR		?=
bindir		:= $(PREFIX)/bin
mandir		:= $(PREFIX)/share/man/man1
compdir		:= $(PREFIX)/share/bash-completion/completions
includedir	:= $(PREFIX)/include
exampledir	:= $(PREFIX)/share/doc/abtf/examples

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

help:
	@echo 'make                  build encoder/abtf and encoder/abtf-pahole'
	@echo 'make install          install them below $$(DESTDIR)$$(PREFIX) (PREFIX=$(PREFIX))'
	@echo 'make uninstall        remove them from there'
	@echo
	@echo 'make run              set up, encode an image, list its functions:'
	@echo '                      the newest vmlinux with DWARF of this machine, else'
	@echo '                      the example of selftests/example'
	@echo '  VMLINUX=FILE        this image'
	@echo '  KERNEL=debian       Debian'"'"'s 6.12 (downloads 1 GB into build/debian;'
	@echo '                      KEEP=1 keeps the package)'
	@echo 'make test             set up and run all tests, those in guests of the patched'
	@echo '                      and the stock kernel, too (builds both)'
	@echo '  T=name              only those whose name contains it'
	@echo '  SANITIZE=1          those of the encoder, with ASan and UBSan'
	@echo 'make test-all         and those of Linux $(newest), and of arm64 and s390x, which are emulated'
	@echo 'make fuzz             fuzz targets, with libFuzzer and sanitizers: images, BTF, and what'
	@echo '                      the patched libbpf reads; also a part of make test SANITIZE=1'
	@echo '  FUZZ_S=S            seconds for each (60)'
	@echo '  FUZZ="A B"          these (image btf libbpf)'
	@echo '  COVERAGE=1          say what all their inputs reach'
	@echo 'make test-compilers   tests of the encoder with gcc 13 to 16 and clang 16 to 23 of Debian'"'"'s'
	@echo '                      suites (unpacks 5 GB below build/compilers; T=name: only these)'
	@echo '  COMPILERS="A B"     these (gcc-16, clang-22, ...)'
	@echo 'make test-opponent    encode random programs, and call each FUNC with the arguments of its prototype'
	@echo '  ROUNDS=N SEED=N     this many (100), starting with this one (1)'
	@echo '  COMPILERS="A B"     by these in turns (gcc clang; gcc-16 and others are downloaded)'
	@echo 'make test-mutants     break the encoder'"'"'s core in many ways: does a test fail each'
	@echo '                      time? (half an hour; T=name: only these)'
	@echo 'make same OLD=PROGRAM  does encoder/abtf still do what PROGRAM, an earlier one, does? BTF,'
	@echo '                      reports, lists, messages and exit codes, byte by byte (QUICK=1: in a'
	@echo '                      minute; ONLY="A B", FIXES=FILE: see selftests/same.sh)'
	@echo 'make bench            ratios to pahole on Debian'"'"'s 6.12 or VMLINUX=FILE'
	@echo '  ROUNDS=N            this many rounds (5)'
	@echo '  PAHOLE=FILE         a pahole other than apt'"'"'s'
	@echo '  CALLGRIND=1         count instructions too (takes minutes)'
	@echo 'make bench-modules    the same on all modules of Debian'"'"'s 6.12 (unpacks 6.1 GB),'
	@echo '                      and their contents; takes half an hour'
	@echo '  PAHOLE_ALL=1        pahole on all modules, not on a sample (SAMPLE=N, 200)'
	@echo 'make bench-libraries  what reading DWARF with libdw, and libbpf'"'"'s deduplication, would cost'
	@echo 'make bench-kernel     what addresses cost a kernel: bytes, boot, attaching'
	@echo '  ROUNDS=N            boots of each (3)'
	@echo 'make bench-lookup KVER=newest   how fast libbpf and the kernel find a name in sorted BTF, with'
	@echo '                      addresses and without (VMLINUX=FILE, too)'
	@echo 'make check-names      on Debian'"'"'s 6.12 or VMLINUX=FILE: does an unmodified libbpf find'
	@echo '                      every function whose name is not unique?'
	@echo 'make check-functions  do Debian'"'"'s 6.1, 6.12, $(newest), cloud and rt images have exactly the functions'
	@echo '                      that abtf lists? (downloads 4 GB; ONLY="A B", VMLINUX=FILE, KEEP=1)'
	@echo 'make check-probes     does Debian'"'"'s own 6.12 accept and reject kprobes as abtf says? (boots'
	@echo '                      it; KVER=$(newest); EVERY=1 MODULES=many: all functions of vmlinux and of'
	@echo '                      180 modules, half an hour; MODULES="A B": these)'
	@echo 'make check-inlined    on Debian'"'"'s 6.12 or VMLINUX=FILE: are inlined calls where'
	@echo '                      llvm-dwarfdump finds them?  (SAMPLE=N functions, 100)'
	@echo 'make check-callers    on Debian'"'"'s 6.12 or VMLINUX=FILE: are the calls that abtf lists those that'
	@echo '                      objdump shows?'
	@echo 'make check-tags       btf_type_tag and btf_decl_tag by gcc 16 and clang 22, encoded and'
	@echo '                      compared with unstable'"'"'s pahole (downloads 200 MB)'
	@echo 'make check-images     Debian'"'"'s images of six architectures and three versions, encoded,'
	@echo '                      checked and compared with unstable'"'"'s pahole (downloads 8 GB)'
	@echo '  ONLY="A B"          these (amd64-6.12, arm64-$(newest), ...)'
	@echo '  ROUNDS=N            rounds of both programs (3)'
	@echo '  KEEP=1              keep the images'
	@echo
	@echo 'make vm-kernel        apply the patches to Debian'"'"'s 6.12 and build it for QEMU'
	@echo '  KERNEL=stock        the pristine source'
	@echo '  DEBUG=1             with KASAN, UBSAN and PROVE_LOCKING'
	@echo '  FUNC_ADDR=n         without addresses in its BTF'
	@echo '  LINUX=DIR           this source tree instead of the patches'
	@echo '  KVER=$(newest)            this version instead of 6.12; KVER=newest is the same'
	@echo '  ARCH=arm64|s390x    for this machine, instead of x86_64; they are cross-built'
	@echo '                      and emulated, and all that is below takes them, too'
	@echo '  VARIANT=bti|gcc16|...      another compiler or configuration, see selftests/kernel/config.*'
	@echo 'make vm CMD='"'"'...'"'"'       run a shell command in a guest with that kernel'
	@echo '  FILES="A B"         host files that it finds in /files'
	@echo '  VM_TIMEOUT=S        seconds until the guest is killed (300, on a slow machine more)'
	@echo 'make vm-test          run the guest tests on that kernel (T=name, too)'
	@echo '  STRESS=S            seconds of stress (60)'
	@echo '  JOBS=N              guests at a time (3)'
	@echo 'make run-vm           attach to one of 22 cpumask_weight in it (INSTANCE=NAME@FILE)'
	@echo 'make vm-test-clients  test bpftrace, libbpf, cilium/ebpf, pwru of Debian unstable there (200 MB)'
	@echo 'make vm-test-progs    the kernel'"'"'s own BPF selftests there, on both kernels'
	@echo '  TESTS="A B"         these'
	@echo '  VMLINUX_BTF=FILE    for their vmlinux.h, not Debian'"'"'s cloud kernel'
	@echo
	@echo 'make check-patches    do the three series apply exactly, please checkpatch.pl, and'
	@echo '                      build after each patch? (an hour; SERIES=NAME: one of them;'
	@echo '                      BUILD=0: without building; BUILD=folders: without the whole kernel;'
	@echo '                      KVER=$(newest): those of that version)'
	@echo 'make compare-pahole KVER=newest   BTF of the stock kernel by abtf-pahole and by unstable'"'"'s'
	@echo '                      pahole: the same graph, sorted, the same kfuncs? and in what time'
	@echo 'make check-machines   does the kernel'"'"'s part compile for powerpc64le and riscv64?'
	@echo
	@echo 'make deb              build Debian packages into build/deb, and ask lintian'
	@echo 'make dist             build/abtf-VERSION.tar.gz of what is committed'
	@echo 'make test-deb         both, and install, use and remove them'
	@echo
	@echo 'make example          build only the example image, build/example/vmlinux'
	@echo 'make setup            install what building needs (Debian packages)'
	@echo 'make setup-test       and what the tests need'
	@echo 'make setup-kernel     and what kernels and guests need'
	@echo 'make drawings         docs/drawings/*.svg from docs/drawings/*.txt'
	@echo 'make compile_commands.json   for clangd'
	@echo 'make clean            remove what was built (what was downloaded stays)'
	@echo
	@echo 'V=1 shows the commands, CC=clang uses another compiler.'

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
	install -m 644 examples/README.md examples/Makefile examples/*.[ch] $(DESTDIR)$(exampledir)
	install -m 755 examples/*.sh $(DESTDIR)$(exampledir)
	install -m 644 examples/abtfprobe/* $(DESTDIR)$(exampledir)/abtfprobe

uninstall:
	rm -rf $(DESTDIR)$(exampledir) $(DESTDIR)$(includedir)/abtf_probe.h
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
	rm -rf build/example build/compare build/test build/test-[0-9]* build/run build/bench build/bench-* build/vm
	rm -rf build/test-compilers build/opponent build/fuzz build/same build/deb build/abtf-*.tar.gz build/bpftool build/libbpf build/kbuild build/names build/functions build/inlined build/check-probes build/which_cpumask_weight*
	rm -rf compile_commands.json

.PHONY: all help install uninstall setup setup-test setup-bench setup-kernel example run test test-all fuzz bench
.PHONY: bench-modules bench-libraries check-functions check-images check-inlined check-probes check-tags compare-pahole bench-lookup check-machines check-patches check-names vm-test-progs vm-source vm-kernel vm-guest vm vm-test vm-test-clients vm-test-progs run-vm bench-kernel clean
.PHONY: same test-compilers test-opponent test-mutants drawings deb dist test-deb compile_commands.json
