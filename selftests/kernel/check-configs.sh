#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Checks that the kernel files that the series change compile without warnings in all configurations of
# the options that they depend on, and that each function of BTF that one of them calls is defined. The
# kernel is not linked. An option that Kconfig does not allow is off; a configuration that was
# checked already is skipped.
#	CONFIGS='A B'	only these: letters of options that are off (see below), or "none"
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"
[ -z "$cross" ] || die "ARCH=$arch: this machine only"

# FUNC_ADDR is the option itself.
options='O=MODULES B=DEBUG_INFO_BTF_MODULES M=MODULE_ALLOW_BTF_MISMATCH S=SYSFS K=KALLSYMS_ALL F=DEBUG_INFO_BTF_FUNC_ADDR'
if [ -z "${CONFIGS:-}" ]; then
	# neighbors differ in few options, so that little is compiled again
	for modules in '' B M O; do
		for sysfs in '' S; do
			for kallsyms in '' K; do
				CONFIGS+=" ${modules:+$modules}$sysfs$kallsyms"
				[ -n "$modules$sysfs$kallsyms" ] || CONFIGS+=none
			done
		done
	done
	CONFIGS+=' F OF'
fi

patches=("$top/kernel-patch/$kver"/{,fixes/}*.patch)
touched=$(sed -n 's,^+++ b/\(kernel/.*\|net/.*\)\.c$,\1,p' "${patches[@]}" | sort -u)
[ -n "$touched" ] || die "kernel-patch/$kver touches no source"
# what the series add or use
names=$(sed -n '/^+[^+]/p' "${patches[@]}" | grep -oE '\b[a-z_]*btf_[a-z_]+\b' | sort -u)
out=$linux/objects-configs
pahole=$out/tools-abtf/$(basename "$encoder")
log=$out.log
mkdir -p "$out/tools-abtf"
cp "$encoder" "$pahole"
echo "check-configs.sh: log: $log"
: >"$log"
failed=0
declare -A seen

for config in $CONFIGS; do
	kmake -s tinyconfig >>"$log" 2>&1
	cat "${configs[@]}" "$here"/config.{patched,addr} >>"$out/.config"
	what=
	for option in $options; do
		value=y
		if [[ $config != none && $config == *"${option%=*}"* ]]; then
			value=n
			what+=" ${option#*=}=n"
		fi
		echo "CONFIG_${option#*=}=$value" >>"$out/.config"
	done
	# there is no module without MODULES
	[[ $config != *O* ]] || sed -i 's/=m$/=n/' "$out/.config"
	kmake -s olddefconfig >>"$log" 2>&1
	# on, if the options that it needs are on
	for option in $options; do
		option=CONFIG_${option#*=}
		grep -q "^$option=y" "$out/.config" || continue
		[[ " $what " != *" ${option#CONFIG_}=n "* ]] || die "$option cannot be off; see $log"
	done
	addr=n
	! grep -qx CONFIG_DEBUG_INFO_BTF_FUNC_ADDR=y "$out/.config" || addr=y
	what="${what:- all on}, addresses: $addr"
	[ $addr = y ] || [[ $config == *[SF]* ]] || { echo "FAIL$what"; failed=1; continue; }
	sum=$(sha256sum <"$out/.config")
	if [ -n "${seen[$sum]:-}" ]; then
		echo "SKIP$what: as${seen[$sum]}"
		continue
	fi
	seen[$sum]=$what
	# ignore warnings of the stock build
	kmake -s -j"$(nproc)" W=1 prepare scripts >>"$log" 2>&1 || {
		tail -n 40 "$log"
		die "cannot be prepared; see $log"
	}
	objects=()
	for file in $touched; do
		case $file in
		kernel/module/*)	grep -qx CONFIG_MODULES=y "$out/.config" || continue ;;
		kernel/bpf/sysfs_btf)	grep -qx CONFIG_SYSFS=y "$out/.config" || continue ;;
		esac
		objects+=("$file.o")
	done
	status=0
	kmake -s -j"$(nproc)" W=1 "${objects[@]}" >"$log.part" 2>&1 || status=1
	cat "$log.part" >>"$log"
	undefined=
	[ $status != 0 ] || undefined=$(cd "$out" && nm "${objects[@]}" | awk -v names="$names" '
		BEGIN { n = split(names, list, "\n"); for (i = 1; i <= n; i++) known[list[i]] }
		NF == 2 && $1 == "U" { used[$2] }
		NF == 3 { defined[$3] }
		END { for (name in used) if (name in known && !(name in defined)) print name }')
	# shellcheck disable=SC2001 # lines
	if [ $status != 0 ] || grep 'warning: ' "$log.part" | grep -qFf <(sed 's/$/.c:/' <<<"$touched") ||
	   [ -n "$undefined" ]; then
		grep -E -A6 'error:|warning: |Error ' "$log.part" | tail -n 40
		[ -z "$undefined" ] || printf 'undefined: %s\n' "$undefined"
		echo "FAIL$what"
		failed=1
	else
		echo "PASS$what: ${#objects[@]} files"
	fi
done
exit $failed
