# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For tests of resolve_btfids, after ../../lib.sh: builds it, and links images in the
# steps of scripts/link-vmlinux.sh.
#	LINUX=DIR	the patched tree (build/linux-KVER/patched, made if it is not there)
# shellcheck disable=SC2034,SC2154 # of and for others that are sourced

tree=${LINUX:-$top/build/linux-${KVER:-6.12}/patched}
patched=$top/build/kbuild/${KVER:-6.12}/patched/resolve_btfids
stock=$top/build/kbuild/${KVER:-6.12}/stock/resolve_btfids

# The tool, also the original one, does not free all memory. It never exits with 99, so no report of a
# sanitizer is missed.
export ASAN_OPTIONS=detect_leaks=0:exitcode=99
export UBSAN_OPTIONS=exitcode=99:halt_on_error=1:print_stacktrace=1
failed=255

begin 'resolve_btfids builds, patched (with ASan and UBSan) and pristine'
[ -n "${LINUX:-}" ] || make --no-print-directory -s -C "$top" vm-source
mkdir -p "$top/build/kbuild"
flock "$top/build/kbuild/lock" make --no-print-directory -C "$selftests/kbuild" LINUX="$tree"

# The kernel's own header, with the headers that tools use otherwise.
with_ids="-DCONFIG_DEBUG_INFO_BTF -idirafter $tree/tools/include -idirafter $tree/include
	-include $tree/tools/include/linux/types.h -include $tree/include/linux/btf_ids.h"

# ids_unit NAME [FLAG...] <<'C': compile a unit that uses BTF_ID()
ids_unit() {
	# shellcheck disable=SC2086 # lists of flags
	unit "$@" $with_ids
}

# link NAME OBJECT...
link() {
	local name=$1
	shift
	# shellcheck disable=SC2086 # lists of flags
	$CC $common $machine $link -Wl,--build-id=none -Wl,-T,"$selftests/kbuild/lib/vmlinux.lds" \
		-o "$name" "$@"
}

# Test whether kbuild encodes modules to files, and embeds the BTF when ids are known (since 7.2).
by_file() {
	[ -e "$tree/scripts/gen-btf.sh" ]
}

# by_kbuild ENCODER TOOL MODULE: encode a module on vmlinux and resolve its ids, like kbuild; with
# addresses if ENCODER is abtf-pahole
by_kbuild() {
	local flags='' option=n

	if [ "$1" = "$ABTF_PAHOLE" ]; then
		flags=--btf_features=+func_addr,func_unit option=y
	fi
	if by_file; then
		mkdir -p include/config
		echo CONFIG_DEBUG_INFO_BTF_FUNC_ADDR=$option >include/config/auto.conf
		expect 0 env objtree=. PAHOLE="$1" PAHOLE_FLAGS="$flags" OBJCOPY=objcopy \
			RESOLVE_BTFIDS="$2" sh "$tree/scripts/gen-btf.sh" --btf_base vmlinux "$3"
	else
		"$1" -J $flags --btf_base vmlinux "$3"
		expect 0 "$2" -b vmlinux "$3"
	fi
}

# raw_ids LIST COUNT: print COUNT words of vmlinux's (or $module's) .BTF_ids, starting at LIST
raw_ids() {
	local image=${module:-vmlinux} start at

	start=$(tool readelf -SW "$image" | sed 's/^ *\[ *[0-9]*\]//' | awk '$1 == ".BTF_ids" { print $3 }')
	at=$(tool nm "$image" | awk -v name="$1" '$3 == name && !nr++ { print $1 }')
	section "$image" .BTF_ids ids.bin
	od -An -v -tu4 -w4 --endian="${endian:-little}" -j $((0x$at - 0x$start)) -N $(($2 * 4)) ids.bin |
		tr -d ' '
}

# id_names: print "ID KIND NAME" for types and functions of vmlinux, or of $module
id_names() {
	local image=${module:-vmlinux}
	local base=(${module:+vmlinux})

	"$ABTF" list -aj ${base:+--base "$base"} "$image" |
		jq -r '.functions[] | "\(.id) func \(.name)"'
	section "$image" .BTF ids.btf
	"$dump" ids.btf "${base[@]}" |
		sed -nE 's/^\[([0-9]+)\] (STRUCT|UNION|TYPEDEF) ([^ ]+).*/\1 \L\2\E \3/p'
}

# ids LIST COUNT: like raw_ids, but print each id as KIND NAME
ids() {
	module='' id_names >id-names
	[ -z "${module:-}" ] || id_names >>id-names
	raw_ids "$@" | awk 'NR == FNR { id = $1; sub(/^[0-9]+ /, ""); name[id] = $0; next }
		{ print $1 in name ? name[$1] : $1 }' id-names -
}

# expect_ids LIST <<'E'
expect_ids() {
	cat >want
	expect_text "$(ids "$1" "$(wc -l <want)")" <want
}
