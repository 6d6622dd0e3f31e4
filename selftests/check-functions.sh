#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make check-functions": checks that "abtf list" has exactly the functions in Debian's debug images,
# each with a unique name. nm and ftrace's table show which functions there are.
#   ONLY="A B"     these images of selftests/images.sh
#                  (all of amd64; the newest kernel is the newest in kernel-patch/)
#   VMLINUX=FILE   this image instead
#   KEEP=1         do not delete images that were downloaded
# The counts and errors of each image are kept in build/functions/NAME.
set -eu -o pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
abtf=$PWD/encoder/abtf
compare=$PWD/selftests/check-functions.pl
. selftests/images.sh
mkdir -p build/functions

# NAME OFFSET FLAGS, from a list in JSON
columns() {
	jq -r '.functions[] | [.name, .offset, (.flags | join(","))] | @tsv'
}

# must_find SED-SCRIPT TEXT...: check that the comparison reports these errors in a changed list
must_find() {
	sed -E "$1" "$dir/list" >"$dir/changed"
	"$compare" "$image" "$dir/changed" >"$dir/found" || true
	for text in "${@:2}"; do
		grep -qE "^error: $text$" "$dir/found" ||
			echo "error: after '$1', the comparison does not find '$text'"
	done
}

# examine NAME: check $image
examine() {
	dir=build/functions/$1
	rm -rf "$dir"
	mkdir "$dir"
	"$abtf" list -aj "$image" >"$dir/list.json"
	columns <"$dir/list.json" >"$dir/list"
	"$compare" "$image" "$dir/list" >"$dir/result" || grep -q '^error: ' "$dir/result"
	{
		# names are the same without options
		"$abtf" list -a "$image" | awk 'NR > 1 && !NF { done = 1 } NR > 1 && !done { print $4 }' |
			cmp -s - <(cut -f1 "$dir/list") || echo 'error: without -j, list -a has other names'
		must_find '/^vfs_read\t/d' 'vfs_read at [0-9a-f]+ is missing' \
			'ftrace patches vfs_read, which abtf does not print' \
			'[0-9]+ functions and aliases, but abtf has [0-9]+'
		must_find '/^vfs_read\t/{ p; s/vfs_read/added/ }' \
			'added at offset [0-9]+ is not a function of the image' \
			'[0-9]+ functions and aliases, but abtf has [0-9]+'
		must_find 's/^vfs_write\t/vfs_read\t/; s/^(vfs_open\t.*\t)$/\1notrace/' \
			'vfs_read is printed twice' \
			'ftrace patches vfs_open, which abtf calls notrace'
		must_find '/^vfs_read\t/{ p; s/vfs_read/&@fs\/read_write.c/ }' 'vfs_read is there twice'
	} >>"$dir/result"
	grep -v '^error' "$dir/result" | sed 's/^/  /'
	! grep '^error' "$dir/result" >"$dir/errors" || { head -n 20 "$dir/errors"; return 1; }
}

failed=0
if [ -n "${VMLINUX:-}" ]; then
	image_list="vmlinux - - $VMLINUX" ONLY=vmlinux
else
	image_list+=$other_images
fi
for name in ${ONLY:-amd64-6.1 amd64-6.12 amd64-$newest cloud-6.12 rt-6.12}; do
	read -r _ suite arch package < <(grep "^${name}[[:blank:]]" <<<"$image_list") ||
		{ echo "check-functions: no image is called $name" >&2; exit 1; }
	if [ -n "${VMLINUX:-}" ]; then
		image=$VMLINUX
	else
		mkdir -p "$images/$name"
		fetch_image "$name" "$suite" "$arch" "$package"
	fi
	echo "$name: $(banner "$image" | cut -d' ' -f2)"
	# set -e has no effect in a condition
	set +e
	(set -e; examine "$name")
	status=$?
	set -e
	[ $status = 0 ] || failed=1
	drop_image "$name"
done
[ $failed = 0 ]
