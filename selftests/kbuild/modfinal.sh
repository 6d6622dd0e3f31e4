#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# scripts/Makefile.btf and scripts/Makefile.modfinal pass the right arguments to an encoder, and
# link and encode modules when needed.  They are run without the rest of a kernel (kbuild.mk), on a
# small vmlinux with three modules; the file "log" records the calls.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/link.sh"
pristine=$top/build/linux-${KVER:-6.12}/src

# --- a directory to run them in -------------------------------------------------

# caller NAME COMMAND...: create a script NAME that writes its arguments to "log", then runs
# COMMAND with them
caller() {
	cat >"$1" <<-S
	#!/bin/sh
	case "\$*" in *--supported_btf_features*|*--version*) ;; *) echo "$1 \$*" >>"$PWD/log" ;; esac
	$2
	S
	chmod +x "$1"
}

# kbuild compiles only one unit here, which is empty and untested.
# shellcheck disable=SC2016 # the script expands it
caller cc 'for arg; do
	case $arg in -Wp,-MMD,*) dep=${arg#-Wp,-MMD,} ;; esac
	source=$arg
done
while [ "$1" != -o ]; do shift; done
echo "$2: $source" >"$dep"
exec gcc -c -x c -o "$2" /dev/null'
caller ld 'exec ld "$@"'
caller pahole-ours "exec \"$ABTF_PAHOLE\" \"\$@\""
caller pahole-debian 'exec pahole "$@"'
caller resolve_btfids "exec \"$patched\" \"\$@\""

ids_unit base <<'C'
struct task { int pid; struct task *next; };
static noinline __used int twin(int a) { return a; }
int base_func(struct task *t) { return t->pid; }
BTF_ID_LIST_SINGLE(base_list, func, twin)
C
for name in one two three; do
	ids_unit $name <<-C
	struct task { int pid; struct task *next; };
	static noinline __used int twin(int a) { return a + ${#name}; }
	static noinline __used int ${name}_func(struct task *t) { return t->pid; }
	BTF_SET_START(${name}_set)
	BTF_ID(func, twin)
	BTF_ID(func, ${name}_func)
	BTF_SET_END(${name}_set)
	C
done
link vmlinux base.o
"$ABTF" encode -q vmlinux

# make_dir NAME [OPTION]: create a build directory; OPTION is CONFIG_DEBUG_INFO_BTF_FUNC_ADDR=y
make_dir() {
	local name

	rm -rf "$1"
	mkdir -p "$1"/include/config "$1"/scripts/basic
	printf '%s\n' CONFIG_MODULES=y CONFIG_64BIT=y CONFIG_DEBUG_INFO_BTF=y CONFIG_DEBUG_INFO_BTF_MODULES=y \
		CONFIG_PAHOLE_VERSION=131 CONFIG_PAHOLE_HAS_LANG_EXCLUDE=y "${@:2}" >"$1"/include/config/auto.conf
	echo 'SECTIONS { }' >"$1"/scripts/module.lds
	cp fixdep "$1"/scripts/basic/
	cp -p vmlinux* "$1"
	for name in one two three; do
		cp -p $name.o "$1"
		echo $name.o >>"$1"/modules.order
		: >"$1"/$name.mod.c
	done
}

# kbuild TREE DIR [VARIABLE=VALUE...] [TARGET]: run kbuild, with output to "said" and, unless given,
# with abtf-pahole as PAHOLE
kbuild() {
	local tree=$1 dir=$2
	shift 2
	: >log
	make -rR --no-print-directory -C "$dir" -f "$selftests/kbuild/lib/kbuild.mk" srctree="$tree" \
		quiet='quiet_' KBUILD_VERBOSE=0 CC="$PWD/cc" LD="$PWD/ld" OBJCOPY=objcopy \
		PAHOLE="$PWD/pahole-ours" RESOLVE_BTFIDS="$PWD/resolve_btfids" "$@" >said 2>&1
}

gcc -O2 -o fixdep -I"$tree/scripts/include" "$tree/scripts/basic/fixdep.c"

# change FILE: make it newer than all files, even if file times are coarse
change() {
	sleep 0.05
	touch "$1"
}

# calls: print the called programs with their modules
calls() {
	sed -nE 's|^([a-z_-]+) .*|\1 &|p' log | while read -r tool line; do
		case $tool in cc) continue ;; esac
		echo "$tool: $(find_lines -oE '[^ =]+\.ko\b' <<<"$line" | sort -u)"
	done
}

# steps NAME...: expected output of calls() for modules that are linked, encoded and resolved
steps() {
	local name

	for name; do
		printf "%s: $name.ko\n" ld pahole-ours resolve_btfids
		# one sorts and finds ids, one writes them, and one relocations
		! by_file || printf "resolve_btfids: $name.ko\n%.0s" 2 3
	done
}

# complete DIR [BASE]: check that all modules are complete
complete() {
	local name

	for name in one two three; do
		expect 0 "$ABTF" check --base "$1/vmlinux" "$1/$name.ko"
		says '0 violations'
		"$ABTF" list -aj --base "$1/vmlinux" "$1/$name.ko" >list.json
		expect_eq "$(jq '.functions | length' list.json)" 2 "functions of $name"
		# Both ids are resolved, in order, to the module's own FUNCs.
		objcopy -O binary --only-section=.BTF_ids "$1/$name.ko" ids.bin
		expect_text "$(od -An -v -tu4 -w4 ids.bin | tr -d ' ')" < <(echo 2; jq '.functions[].id' list.json | sort -n)
	done
}

# --- arguments of the encoder ---------------------------------------------------

# flags TREE DIR [VARIABLE=VALUE...]: print the flags that the makefiles pass to the encoder
flags() {
	kbuild "$@" flags || fail 'make failed'
	cat said
}

begin 'option off: the same flags as in the pristine tree, and no call of the encoder'
make_dir off
for version in 118 121 124 125 126 131; do
	for extra in A=b KBUILD_EXTMOD=/module KBUILD_BUILD_TIMESTAMP=now; do
		set -- off CONFIG_PAHOLE_VERSION=$version $extra PAHOLE=/bin/false
		wanted=$(flags "$pristine" "$@")
		got=$(flags "$tree" "$@")
		expect_eq "$got" "$wanted" "$version $extra"
	done
done

begin 'option on: the flags of the pristine tree, and addresses and names, but no layout section'
make_dir on CONFIG_DEBUG_INFO_BTF_FUNC_ADDR=y
theirs=$(flags "$pristine" on | sed 's/ --btf_features=layout//')
ours=" --btf_features=+func_addr,func_unit"
expect_eq "$(flags "$tree" on | sed 's/ \+/ /g')" "${theirs/, modules:/$ours, modules:}"

# --- which modules, when --------------------------------------------------------

begin 'each module is linked, encoded and gets its ids resolved'
kbuild "$tree" on || fail "$(cat said)"
expect_eq "$(calls)" "$(steps one two three)"
complete on

begin 'nothing has changed: no program is called'
kbuild "$tree" on || fail "$(cat said)"
cat log said | expect_none

begin 'one module has changed: only that one is rebuilt'
change on/two.o
cp -a on on.before
kbuild "$tree" on || fail "$(cat said)"
expect_eq "$(calls)" "$(steps two)"
complete on
cmp on/two.ko on.before/two.ko || fail 'the rebuilt module differs'

begin 'vmlinux has changed: all are encoded again'
change on/vmlinux
kbuild "$tree" on || fail "$(cat said)"
expect_eq "$(calls | grep -c pahole)" 3
complete on
for name in one two three; do
	cmp on/$name.ko on.before/$name.ko || fail 'the rebuilt module differs'
done

# --- vmlinux, or none; another encoder ------------------------------------------

begin 'no vmlinux: modules without BTF, and a message for each'
make_dir none CONFIG_DEBUG_INFO_BTF_FUNC_ADDR=y
rm none/vmlinux
kbuild "$tree" none || fail "$(cat said)"
calls | find_lines -v '^ld' | expect_none
expect_text "$(grep Skipping said)" <<'E2'
Skipping BTF generation for one.ko due to unavailability of vmlinux
Skipping BTF generation for two.ko due to unavailability of vmlinux
Skipping BTF generation for three.ko due to unavailability of vmlinux
E2
kbuild "$tree" none || fail "$(cat said)"
calls | expect_none

# external NAME: create a build directory with the option on, and modules in another directory
external() {
	make_dir on CONFIG_DEBUG_INFO_BTF_FUNC_ADDR=y
	rm -rf "$1"
	mkdir "$1"
	mv on/*.o on/*.mod.c "$1"
	mv on/modules.order "$1"
	by_file || sed -i "s|^|$PWD/$1/|" "$1/modules.order"
}

# kbuild_external NAME [VARIABLE=VALUE]: run kbuild for external modules; since 6.13, it runs in their
# directory
kbuild_external() {
	if by_file; then
		kbuild "$tree" "$1" objtree="$PWD/on" KBUILD_EXTMOD=. extmod_prefix= "${@:2}"
	else
		kbuild "$tree" on KBUILD_EXTMOD="$PWD/$1" "${@:2}"
	fi
}

begin 'external modules, encoder with addresses: BTF split from vmlinux'
external mine
kbuild_external mine || fail "$(cat said)"
expect_eq "$(calls | grep -c pahole-ours)" 3
mv mine/*.ko on
complete on

begin 'external modules, encoder without addresses: no BTF, and a message for each'
external theirs
kbuild_external theirs PAHOLE="$PWD/pahole-debian" || fail "$(cat said)"
calls | find_lines -e pahole -e resolve | expect_none
for name in one two three; do
	has said "^Skipping BTF generation for (.*/)?$name.ko: .*pahole-debian does not support func_addr$"
	readelf -SW "theirs/$name.ko" >sections
	has_not sections ' \.BTF '
done

# --- option off: as in the pristine tree ----------------------------------------

# history TREE NAME: run four builds, and print their calls and results
history() {
	local step

	make_dir work
	: >history
	for step in first again module vmlinux; do
		case $step in
		module)		change work/two.o ;;
		vmlinux)	change work/vmlinux ;;
		esac
		kbuild "$1" work PAHOLE="$PWD/pahole-debian" CONFIG_PAHOLE_VERSION="$version" || fail "$(cat said)"
		echo "$step:" | cat - <(sort log) said >>history
	done
	(cd work && cat .*.cmd && sha256sum -- *.ko && find . | sort) >>history
	sed "s|$1|TREE|g" history >"$2"
}

version=$("$tree/scripts/pahole-version.sh" pahole)
begin 'option off: the same calls, output and files as in the pristine tree'
rm vmlinux*
link vmlinux base.o
pahole -J vmlinux
history "$pristine" history.pristine
history "$tree" history.patched
expect_eq "$(grep -c '^pahole-debian' history.pristine)" 7
diff -u history.pristine history.patched >differs || { fail 'the patched tree behaves differently:'; cat differs; }
