#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# For maintainers: regenerates one of the series from branches of build/linux-KVER/src.
#
#	format-patches.sh kernel-patch/6.12 libbpf..kernel kernel..kbuild
#
# The commits of all ranges, in this order, on top of the series before it.  The
# result depends on the commits' content, authors and dates alone.
#
# The cover letter keeps its subject, and its text up to the line "---".  The
# shortlog and the diffstat below that line are regenerated.  In a new series,
# subject and text are placeholders: replace them in the file;
# check-patches.sh rejects it until then.
KVER=${1:-} KVER=${KVER%/} KVER=${KVER%/fixes} KVER=${KVER%/parsing} KVER=${KVER##*/}
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"
# shellcheck source=series.sh
. "$here/series.sh"

[ $# -ge 2 ] || die "usage: ${0##*/} SERIES RANGE...; SERIES is one of ${all_series[*]}"
series=${1%/}
shift
case " ${all_series[*]} " in
*" $series "*) ;;
*) die "$series: not one of ${all_series[*]}" ;;
esac

base=$(git -C "$src" rev-parse --verify -q 'base-import^{commit}') ||
	die 'the source is not imported; "make vm-source" imports it'
tmp=$(mktemp -d)
try=$linux/format.try
cleanup() {
	rm -rf "$tmp" "$try"
	git -C "$src" worktree prune
}
trap cleanup EXIT

# A work tree without files: git am only checks out files that a patch changes.
rm -rf "$try"
git -C "$src" worktree prune
git -C "$src" worktree add -q --no-checkout --detach "$try" "$base"
git -C "$try" read-tree HEAD

# apply ARGUMENT...: git am in the separate work tree
apply() {
	git -C "$try" am -q --committer-date-is-author-date "$@" >"$tmp/log" 2>&1 || {
		cat "$tmp/log" >&2
		die "$what does not apply"
	}
}

for before in "${all_series[@]}"; do
	[ "$before" != "$series" ] || break
	mapfile -t patches < <(patches_of "$before")
	what=$before
	[ ${#patches[@]} = 0 ] || apply "${patches[@]}"
done
start=$(git -C "$try" rev-parse HEAD)

for range; do
	what=$range
	git -C "$src" format-patch -q -k --no-signature --full-index --binary --stdout "$range" >"$tmp/mbox"
	[ -s "$tmp/mbox" ] || die "$range: no commits"
	apply -k -3 "$tmp/mbox"
done

# The cover letter is from the committer of the last patch.
export GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE
GIT_COMMITTER_NAME=$(git -C "$try" log -1 --format=%an)
GIT_COMMITTER_EMAIL=$(git -C "$try" log -1 --format=%ae)
GIT_COMMITTER_DATE=$(git -C "$try" log -1 --format=%aD)
# The tree in the subject: for fixes, for new features, or a stable kernel.
for=bpf-next
[[ $series != */fixes ]] || for=bpf
[ "$kver" = "$newest" ] || for=$kver
git -C "$try" format-patch -q --subject-prefix="PATCH $for" --zero-commit --no-signature --numbered --cover-letter \
	--cover-from-description=none --stat=80 --base="$base" -o "$tmp/new" "$start"

subject='*** SUBJECT HERE ***'
echo '*** BLURB HERE ***' >"$tmp/text"
old=$top/$series/0000-cover-letter.patch
if [ -e "$old" ]; then
	subject=$(header "$old" Subject | sed 's/^\[[^]]*\] //')
	awk 'body && /^---$/ { exit } body { print } /^$/ { body = 1 }' "$old" >"$tmp/text"
fi
new=$tmp/new/0000-cover-letter.patch
awk -v subject="$subject" -v text="$tmp/text" '
	/^Subject: / && !seen { sub(/\*\*\* SUBJECT HERE \*\*\*/, ""); $0 = $0 subject; seen = 1 }
	/^\*\*\* BLURB HERE \*\*\*$/ {
		while ((getline line < text) > 0) {
			# empty lines at the end are not kept
			if (line == "") { empty = empty "\n"; continue }
			printf "%s%s\n", empty, line
			empty = ""
		}
		print "---"
		next
	}
	{ print }' "$new" >"$tmp/cover"
mv "$tmp/cover" "$new"
! applies_alone "$series" || sed -i '/^prerequisite-patch-id: /d' "$new"

mkdir -p "$top/$series"
rm -f "$top/$series"/*.patch
cp "$tmp/new"/*.patch "$top/$series/"
(cd "$tmp/new" && printf '%s\n' [0-9]*.patch | grep -v '^0000-') >"$top/$series/series"
echo "$series: $(wc -l <"$top/$series/series") patches, and the cover letter"
if grep -q '^Subject:.*\*\*\* SUBJECT HERE\|^\*\*\* BLURB HERE' "$old"; then
	echo "$series/0000-cover-letter.patch needs a subject and a text"
fi
