#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Bash completes commands, options, and the functions of a kernel that was listed before.
. "${0%/*}/../lib.sh"
unset DEBUGINFOD_URLS
export XDG_CACHE_HOME=$PWD/cache

mkdir -p kernel/irq fs root/usr/lib/debug/boot
unit kernel/irq/core <<'C'
static __attribute__((noinline, used)) int type_show(int a) { return a; }
int type_store(int a) { return a; }
C
unit fs/core <<'C'
static __attribute__((noinline, used)) long type_show(char *p, int n) { return p[n]; }
C
image vmlinux kernel/irq/core.o fs/core.o
id=$(build_id vmlinux)
cp vmlinux root/usr/lib/debug/boot/vmlinux-6.12
where=(--build-id="$id" --sysroot=root)
tool objcopy -O binary --only-section=.notes vmlinux notes

# compgen fails if nothing matches, which is not a failure of the test
set +E
. "$top/encoder/bash-completion/abtf"

# complete_words WORD...: complete the last WORD; the words are split as in bash
complete_words() {
	COMP_WORDS=("$ABTF" "$@") COMP_CWORD=$# COMPREPLY=()
	COMP_LINE="$ABTF ${*// /}"
	COMP_LINE=${COMP_LINE// @/@} COMP_LINE=${COMP_LINE//@ /@}
	COMP_POINT=${#COMP_LINE}
	_abtf || :
	out=$(printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ')
}

begin 'commands and options are completed'
complete_words sym
expect_eq "$out" 'symbolize '
complete_words list --ret
expect_eq "$out" '--retprobe '
complete_words list --probe = lib
expect_eq "$out" 'libbpf '
complete_words list -p lib
expect_eq "$out" 'libbpf '
complete_words encode --lang
expect_eq "$out" '--lang-exclude= --lang= '
complete_words encode --features = +var,func_
expect_eq "$out" '+var,func_addr +var,func_unit '
complete_words -J --lang_exclude = rust,adaXX
expect_eq "$out" ' '
complete_words -J --lang_exclude = rust,ada8
expect_eq "$out" 'rust,ada83 '
complete_words report --sysroot = ro
expect_eq "$out" 'root '
complete_words -J --jobs x
expect_eq "$out" ' '
complete_words help rep
expect_eq "$out" 'report '

begin 'each option in the help is completed, and no hidden option'
for command in encode list check diff strip report symbolize -J; do
	complete_words $command --
	"$ABTF" $command --help | sed -nE 's/^  (-., |    )(--[a-z_-]+)(\[?=[^ ]*)?.*/\2/p' | sort >shown
	[ "$(wc -l <shown)" -ge 3 ] || fail "no options in the help: $command"
	tr ' ' '\n' <<<"$out" | sed 's/=$//' | sort | comm -13 - shown | expect_none
	[[ $out != *--complete* ]] || fail "hidden: $out"
done

begin 'no names of a kernel without a cache file, and its image is not read'
complete_words list "${where[@]}" type_
expect_eq "$out" ' '
[ ! -e cache ] || fail 'a cache was written'

"$ABTF" list "${where[@]}" >/dev/null

begin 'names of a kernel with a cache file are completed'
complete_words list "${where[@]}" type_
expect_eq "$out" 'type_show type_show@ type_store '
complete_words list "${where[@]}" type_st
expect_eq "$out" 'type_store '
complete_words list "${where[@]}" t
expect_eq "$out" ' '
complete_words list type_
expect_eq "$out" ' '
# "--option VALUE" in two words
complete_words list --sysroot root --build-id "$id" type_st
expect_eq "$out" 'type_store '
"$ABTF" list --notes=notes --sysroot=root >/dev/null
complete_words list --notes notes --sysroot root type_st
expect_eq "$out" 'type_store '
complete_words list --probe perf --sysroot=root --build-id "$id" type_st
expect_eq "$out" 'type_store '

begin 'files of NAME@FILE are completed, starting at any directory'
complete_words list "${where[@]}" type_show @
expect_eq "$out" 'fs/core.c kernel/irq/core.c '
complete_words list "${where[@]}" type_show @ irq
expect_eq "$out" 'irq/core.c '
complete_words list "${where[@]}" type_show @ co
expect_eq "$out" 'core.c core.c '
# where bash does not split words at "@"
complete_words list "${where[@]}" type_show@ker
expect_eq "$out" 'type_show@kernel/irq/core.c '
complete_words list "${where[@]}" nothing @ x
expect_eq "$out" ' '

begin 'the shell does not execute file names'
mkdir -p odd hostile/usr/lib/debug/boot
for name in 'a$(touch${IFS}pwn)' 'b;touch${IFS}pwn;'; do
	unit "odd/$name" <<<"static __attribute__((noinline, used)) int twin(int a) { return a + ${#name}; }"
done
unit odd/symbol <<<'int dollar(int a) { return a; }'
tool objcopy --redefine-sym 'dollar=dollar$HOME' odd/symbol.o
image hostile/usr/lib/debug/boot/vmlinux-6.12 odd/*.o
id=$(build_id hostile/usr/lib/debug/boot/vmlinux-6.12)
where=(--build-id="$id" --sysroot=hostile)
"$ABTF" list "${where[@]}" >/dev/null
for word in twin@ twin@odd/ twin@a twin@b; do
	complete_words list "${where[@]}" "$word"
	expect_eq "$(eval "printf '%s ' ${COMPREPLY[*]}")" "${out//\\/}"
done
[ ! -e pwn ] || fail 'a command was run'
complete_words list "${where[@]}" dol
# shellcheck disable=SC2016 # as it is inserted
expect_eq "$out" 'dollar\$HOME '
