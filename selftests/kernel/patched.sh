#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Makes build/linux-KVER/patched, the stock source with all series applied, and with func_addr_test/ in
# lib/, a work tree of build/linux-KVER/src. It does nothing if no patch has changed. The series are applied in a separate
# tree, and the work tree is then moved to the result, which only writes changed files, so that make
# only rebuilds their users. If the source differs from the one that the series were made for, a hunk
# only needs one line of context, and may be there already (git am -3 -C1); a message reports this.
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"

# shellcheck source=series.sh
. "$here/series.sh"

work=$linux/patched
mapfile -t series < <(for name in "${all_series[@]}"; do patches_of "$name"; done)
if [ ${#series[@]} = 0 ]; then
	# the stock kernel needs no patches
	[ "$kernel" != stock ] || exit 0
	die "there are no patches for $kver (LINUX=DIR names a source tree to build instead)"
fi

base=$(git -C "$src" rev-parse base-import)
sum=$( (echo "$base"; cat "${series[@]}" "$here/add-functions.sh" "$here"/func_addr_test/*) | sha256sum | cut -d' ' -f1)
stamp=$linux/patched.sum
if [ -e "$work/Makefile" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$sum" ]; then
	exit 0
fi

# A work tree without files: git am only checks out files that a patch changes.
try=$linux/patched.try
rm -rf "$try"
git -C "$src" worktree prune
git -C "$src" worktree add -q --no-checkout --detach "$try" "$base"
git -C "$try" read-tree HEAD
version=$(git -C "$src" log -1 --format=%s base-import)
merge=()
for name in "${all_series[@]}"; do
	[ ! -e "$top/$name/series" ] ||
		grep -qx "base-commit: $base" "$top/$name/0000-cover-letter.patch" || merge=(-3 -C1)
done
if ! git -C "$try" am -q "${merge[@]}" --committer-date-is-author-date "${series[@]}" >"$linux/patched.log" 2>&1; then
	cat "$linux/patched.log" >&2
	die "a patch does not apply to Debian's source ($version); see above"
fi
[ ${#merge[@]} = 0 ] ||
	echo "patched.sh: the series were made for another source, and could be merged into this one: $version"

# Add the functions for tests, as the last commit.
git -C "$try" checkout -q HEAD -- lib/Makefile lib/Kconfig.debug
"$here/add-functions.sh" "$try"
git -C "$try" add -f lib/Makefile lib/Kconfig.debug lib/func_addr_test
git -C "$try" commit -q --no-verify -m 'Functions that share a name, for tests'
commit=$(git -C "$try" rev-parse HEAD)
rm -rf "$try"
git -C "$src" worktree prune

# a work tree of an earlier source cannot be used
if ! [ -e "$work/.git" ] || ! git -C "$work" rev-parse -q --verify HEAD >/dev/null 2>&1; then
	rm -rf "$work"
	git -C "$src" worktree prune
	git -C "$src" worktree add -q --detach "$work" "$commit"
else
	git -C "$work" checkout -q --force --detach "$commit"
	git -C "$work" clean -qfdx
fi
echo "$sum" >"$stamp"
echo "patched.sh: ${#series[@]} patches applied: ${work#"$top/"}"
