#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# build/linux/patched: the pristine source with all series applied, in a work
# tree of build/linux/src.  Does nothing if no patch has changed.  The series
# are applied beside it, and the work tree is moved from one result to the next:
# so only files that differ are written, and make builds only what they concern.
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"

# shellcheck source=series.sh
. "$here/series.sh"

work=$linux/patched
mapfile -t series < <(for name in "${all_series[@]}"; do patches_of "$name"; done)
[ ${#series[@]} != 0 ] || die 'there are no patches (LINUX=DIR names a source tree to build instead)'

base=$(git -C "$src" rev-parse base-import)
sum=$( (echo "$base"; cat "${series[@]}") | sha256sum | cut -d' ' -f1)
stamp=$linux/patched.sum
if [ -e "$work/Makefile" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$sum" ]; then
	exit 0
fi

# A work tree without files: git am takes out of the index what a patch touches.
try=$linux/patched.try
rm -rf "$try"
git -C "$src" worktree prune
git -C "$src" worktree add -q --no-checkout --detach "$try" "$base"
git -C "$try" read-tree HEAD
if ! git -C "$try" am -q --committer-date-is-author-date "${series[@]}" >"$linux/patched.log" 2>&1; then
	cat "$linux/patched.log" >&2
	die "a patch does not apply to Debian's source; see above"
fi
commit=$(git -C "$try" rev-parse HEAD)
rm -rf "$try"
git -C "$src" worktree prune

if ! [ -e "$work/.git" ]; then
	rm -rf "$work"
	git -C "$src" worktree prune
	git -C "$src" worktree add -q --detach "$work" "$commit"
else
	git -C "$work" checkout -q --force --detach "$commit"
	git -C "$work" clean -qfdx
fi
echo "$sum" >"$stamp"
echo "patched.sh: ${#series[@]} patches applied: build/linux/patched"
