#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Configures and builds the kernel that env.sh chooses, below build/linux-KVER, never in the source tree.
# It only runs make if the source, the configuration or the encoder has changed.
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"

mkdir -p "$out/tools-abtf"
exec 9>"$out.lock"
flock 9

fragments=("${configs[@]}")
case $kernel in
patched)	fragments+=("$here"/config.{patched,addr}) ;;
debug)		fragments+=("$here"/config.{patched,addr,debug}) ;;
off)		fragments+=("$here"/config.{patched,off}) ;;
esac
[ -z "${VARIANT:-}" ] || fragments+=("$here/config.$VARIANT")

# A hash of the tree, including uncommitted changes
tree_id() {
	git -C "$tree" rev-parse 'HEAD^{tree}'
	git -C "$tree" diff HEAD
	git -C "$tree" ls-files -z -o -- '*.[chS]' '*.in' '*.lds*' '*.sh' '*Kconfig*' '*Makefile*' '*Kbuild*' |
		(cd "$tree" && xargs -0r sha256sum)
}

fragments_id=$(cat "${fragments[@]}" "$0" | sha256sum)
encoder_id=$(sha256sum <"$encoder")
source_id=$(set -e; tree_id | sha256sum)
id=$(echo "$source_id $fragments_id $encoder_id" | sha256sum)
if [ "$(cat "$out/tools-abtf/id" 2>/dev/null)" = "$id" ]; then
	exit 0
fi

[ -z "$compiler" ] || "$top/selftests/fetch-compilers.sh" "$compiler"
log=$out.log
# run COMMAND...: run it with output to the log; if it fails, print errors in the log and exit
run() {
	"$@" >>"$log" 2>&1 9>&- || {
		grep -aE -B2 -A12 'error:|Error |warning:|not found' "$log" | tail -n 60 >&2
		die "building the $kver $kernel kernel for $arch failed; the whole log is in $log"
	}
}

# If the build is interrupted, nothing is up to date.
rm -f "$out/tools-abtf/id"

find "$out/tools-abtf" -name '*pahole' -delete # another one, with PAHOLE=FILE
cp "$encoder" "$pahole.tmp"
mv "$pahole.tmp" "$pahole"

# The value of each option; as in Kconfig, the last line for an option counts.
lines() {
	cat "${fragments[@]}" | tac |
		awk '{ option = $1 == "#" ? $2 : $1; sub(/=.*/, "", option) }
		     option ~ /^CONFIG_/ && !seen[option]++'
}

# All options of a fragment must be set, otherwise a test would test nothing.
check_config() {
	local line option missing=

	while read -r line; do
		case $line in
		'# CONFIG_'*' is not set')
			option=${line#'# '} option=${option%%' '*}
			! grep -q "^$option=" "$out/.config" || missing+="  $line"$'\n'
			;;
		CONFIG_*)
			grep -qxF "$line" "$out/.config" || missing+="  $line"$'\n'
			;;
		esac
	done < <(lines)
	[ -z "$missing" ] || die "not in the configuration of $tree:"$'\n'"$missing"
}

started=$SECONDS
echo "build.sh: building the $kver $kernel kernel for $arch from $tree (log: $log)"
: >"$log"
# Kconfig also runs the encoder.
config_id="$fragments_id $encoder_id"
stamp=$out/tools-abtf/config-id
if ! [ -e "$out/.config" ] || [ "$(cat "$stamp" 2>/dev/null)" != "$config_id" ] ||
   [ -n "$(find "$tree" -name 'Kconfig*' -newer "$stamp" -print -quit)" ]; then
	# merge the fragments on top of tinyconfig
	run kmake -s tinyconfig
	cat "${fragments[@]}" >>"$out/.config"
	run kmake -s olddefconfig
	check_config
	echo "$config_id" >"$stamp"
fi
# kbuild does not notice a changed encoder.
if [ "$(cat "$out/tools-abtf/encoder-id" 2>/dev/null)" != "$encoder_id" ]; then
	rm -f "$out"/vmlinux "$out"/.tmp_vmlinux*
fi
run kmake -s -j"$(nproc)" "${image##*/}" modules
echo "$encoder_id" >"$out/tools-abtf/encoder-id"
echo "$id" >"$out/tools-abtf/id"
echo "build.sh: $kver $kernel kernel for $arch built in $((SECONDS - started)) s"
