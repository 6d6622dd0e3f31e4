#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make compare-pahole KVER=newest": the BTF of the stock kernel's build, by abtf-pahole and
# by pahole of Debian's unstable, in the two steps of scripts/gen-btf.sh: encode
# .tmp_vmlinux1, or a module, to a file, from which resolve_btfids makes the final one. The types must
# be equal and sorted by name, with the same kfuncs. With addresses, and the patched resolve_btfids, no
# type may be missing, and only functions whose prototype is not proven. Prints the CPU seconds of each
# step with one thread, as Markdown.
#   ROUNDS=N    rounds (3); each round runs both programs, and the medians are compared
# Both kernels must have been built (make vm-kernel, with and without KERNEL=stock).
KERNEL=stock DEBUG='' FUNC_ADDR='' ARCH=''
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"
. "$top/selftests/measure.sh"
. "$top/selftests/promises.sh"
[ -e "$tree/scripts/gen-btf.sh" ] || die "KVER=$kver: resolve_btfids writes no BTF in this version; see make check-images"

tools=$top/build/compare
work=$linux/compare-pahole
declare -A encoder=([abtf]=$top/encoder/abtf-pahole [pahole]=$top/build/pahole-sid/pahole)
rounds=${ROUNDS:-3}
passed=0 failed=0

# check WHAT COMMAND...
check() {
	local what=$1

	shift
	if "$@" >"$work/said" 2>&1; then
		passed=$((passed + 1))
		echo "PASS $what"
	else
		failed=$((failed + 1))
		echo "FAIL $what"
		tail -n 30 "$work/said" | sed 's/^/     | /'
	fi
}

# flags TREE [VARIABLE=VALUE...]: print the options that kbuild passes to pahole 1.32, except -j
flags() {
	make -rR --no-print-directory -C "$out" -f "$top/selftests/kbuild/lib/kbuild.mk" srctree="$1" \
		CONFIG_PAHOLE_VERSION=132 CONFIG_PAHOLE_HAS_LANG_EXCLUDE=y "${@:2}" flags |
		sed 's/^vmlinux: //; s/, modules:.*//; s/\(^\| \)-j\( \|$\)/ /g'
}

# gen_btf TOOL IMAGE [BASE]: write DIR/IMAGE.BTF, where DIR is $subdir or TOOL
gen_btf() {
	local dir=$work/${subdir:-$1} name base=(${3:+--btf_base "$3"})

	name=$(basename "$2")
	mkdir -p "$dir"
	ln -sf "$2" "$dir/$name"
	cpu "$dir/encode-$name" "${encoder[$1]}" -J -j1 $pahole_flags "${base[@]}" \
		--btf_encode_detached="$dir/$name.BTF.1" "$2"
	cpu "$dir/resolve-$name" "${resolve:-$out/tools/bpf/resolve_btfids/resolve_btfids}" "${base[@]}" \
		--btf "$dir/$name.BTF.1" "$dir/$name"
}

# sorted FILE [BASE]: check that types are sorted by name, unnamed types first
sorted() {
	"$tools/btf-dump" "$@" | awk '$2 ~ /^(STRUCT|UNION|TYPEDEF|FUNC|VAR)$/ {
		print $3 == "size" && $4 != "size" ? "" : $3 }' >"$work/names"
	[ -s "$work/names" ] && sort -c "$work/names"
}

# kfuncs FILE: print the prototypes of tagged kfuncs, and of their variants with all arguments
kfuncs() {
	"$tools/btf-dump" "$1" | awk '
		$2 == "FUNC" {
			id = substr($1, 2, length($1) - 2)
			name[id] = $3
			proto[id] = $0
			sub(/^[^:]*: /, "", proto[id])
			if ($3 ~ /_impl$/)
				impl[id] = 1
		}
		$2 == "DECL_TAG" && $3 == "bpf_kfunc" { tagged[substr($5, 2, length($5) - 2)] = 1 }
		END {
			for (id in tagged)
				print "kfunc", proto[id]
			for (id in impl)
				print "all arguments", proto[id]
		}' | sort
}

# same_kfuncs A B: compare the kfuncs of two files; there must be some
same_kfuncs() {
	kfuncs "$1" >"$work/a" && kfuncs "$2" >"$work/b" && grep -q '^kfunc' "$work/a" &&
		grep -q '^all' "$work/a" && diff "$work/a" "$work/b"
}

# graph OPTION... A B: compare types. resolve_btfids repeats prototypes of kfuncs with implicit arguments
# in both. In modules, pahole repeats types of the base, which is not a difference.
graph() {
	local line

	"$tools/btf-compare" --all --linkage "$@" && return
	line=$("$tools/btf-compare" --all --linkage "$@" | tail -n 1)
	[[ $line =~ ^only\ in\ A:\ ([0-9]+),\ only\ in\ B:\ 0,\ repeats\ in\ A:\ ([0-9]+),\ repeats\ in\ B:\ ([0-9]+)$ ]] &&
		[ $((BASH_REMATCH[2] - BASH_REMATCH[3])) = "${BASH_REMATCH[1]}" ]
}

# functions FILE: print names, without the part after the "@"
functions() {
	"$tools/btf-dump" "$1" | awk '$2 == "FUNC" { sub(/@.*/, "", $3); print $3 }' | sort -u
}

# only_unproven_missing THEIRS OURS: check that OURS lacks no function of THEIRS, unless the report says
# that its prototype is not proven. pahole uses the source's name for clones.
only_unproven_missing() {
	nm "$out/.tmp_vmlinux1" | awk '$2 ~ /^[tTwW]$/ { print $3 }' | sort -u >"$work/symbols"
	"$top/encoder/abtf" encode -q --report="$work/report" -o /dev/null "$out/.tmp_vmlinux1"
	jq -r '.functions[] | select(.encoded | not) | [.symbol, .reason] | @tsv' "$work/report" |
		grep -E "	($promises)$" |
		cut -f1 | sort -u >"$work/broken"
	functions "$1" >"$work/theirs" && functions "$2" >"$work/ours" || return
	[ "$(wc -l <"$work/theirs")" -gt 1000 ] || { echo 'pahole has hardly any function'; return 1; }
	comm -23 "$work/theirs" "$work/ours" | comm -12 - "$work/symbols" | tee "$work/lacking" |
		comm -23 - "$work/broken" >"$work/unexplained" || return
	! grep . "$work/unexplained"
}

"$top/selftests/fetch-pahole.sh"
[ -e "$out/.tmp_vmlinux1" ] || die "$out is not built; \"make vm-kernel KERNEL=stock KVER=$kver\" builds it"
rm -rf "$work"
mkdir -p "$work"
mapfile -t modules < <(sed "s|^|$out/|; s/\.o$/.ko/" "$out/modules.order")

pahole_flags=$(flags "$tree")
echo "flags: $pahole_flags"
for ((i = 0; i < rounds; i++)); do
	for tool in pahole abtf; do
		gen_btf $tool "$out/.tmp_vmlinux1"
	done
done
for tool in pahole abtf; do
	for module in "${modules[@]}"; do
		gen_btf $tool "$module" "$work/pahole/.tmp_vmlinux1.BTF"
	done
done
cd "$work"
vmlinux=.tmp_vmlinux1.BTF
check 'vmlinux: the same graph, FUNCs, prototypes and tags, too' graph pahole/$vmlinux abtf/$vmlinux
check 'vmlinux: types are sorted by name' sorted abtf/$vmlinux
check "vmlinux: $(kfuncs pahole/$vmlinux | wc -l) kfuncs and _impl functions are equal" \
	same_kfuncs pahole/$vmlinux abtf/$vmlinux
# resolved PROGRAM: print the number of ids that are not 0; fail if all are 0
resolved() {
	od -An -v -tu4 -w4 "$1/.tmp_vmlinux1.BTF_ids" | grep -cv ' 0$'
}
ids=$(resolved pahole)
check "vmlinux: both programs resolve $ids ids" [ "$ids" = "$(resolved abtf)" ]
for module in "${modules[@]}"; do
	name=$(basename "$module")
	check "$name: the same graph" graph --base pahole/$vmlinux "pahole/$name.BTF" "abtf/$name.BTF"
	check "$name: types are sorted by name" sorted "abtf/$name.BTF" pahole/$vmlinux
done

pahole_flags=$(flags "$linux/patched" CONFIG_DEBUG_INFO_BTF_FUNC_ADDR=y)
echo "flags: $pahole_flags"
resolve=$linux/kernel-patched/tools/bpf/resolve_btfids/resolve_btfids
for ((i = 0; i < rounds; i++)); do
	subdir=addressed gen_btf abtf "$out/.tmp_vmlinux1"
done
check 'with addresses: the same types' "$tools/btf-compare" pahole/$vmlinux addressed/$vmlinux
check 'with addresses: only functions without a proven prototype are missing' only_unproven_missing pahole/$vmlinux addressed/$vmlinux
echo "     $(wc -l <lacking) of pahole's functions have no proven prototype"
check 'with addresses: types are sorted by name' sorted addressed/$vmlinux
check 'with addresses: the same kfuncs' same_kfuncs pahole/$vmlinux addressed/$vmlinux

echo
echo "| | pahole $("${encoder[pahole]}" --version) | abtf-pahole | with addresses |"
echo '|---|---:|---:|---:|'
for step in encode resolve; do
	echo -n "| $step |"
	for dir in pahole abtf addressed; do
		echo -n " $(seconds "$(median <$dir/$step-.tmp_vmlinux1)") |"
	done
	echo
done
echo
echo "$passed passed, $failed failed"
[ $failed = 0 ]
