#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The documentation: the FAQ quotes existing messages, links have targets, and the index lists all
# pages.
. "${0%/*}/../lib.sh"

# All strings of the sources, with adjacent literals joined, one message a line
cat "$top"/encoder/*/*.c "$top"/encoder/*.c >sources
sed -n 's/^+\([^+]\)/\1/p' "$top"/{kernel,libbpf}-patch/*/{,*/}*.patch >>sources
tr '\n' ' ' <sources | sed -E 's/"[[:blank:]]+"//g; s/\);/);\n/g' >messages

sed -n 's/^### `\(.*\)`$/\1/p' "$top/docs/faq.md" >quoted
begin 'the FAQ quotes messages'
[ "$(wc -l <quoted)" -ge 10 ] || fail 'the FAQ quotes too few messages'
while read -r message; do
	begin "a program prints: $message"
	# "..." stands for a conversion of printf
	regex=$(sed -E 's/[][\\.^$*+?(){}|]/\\&/g; s/\\\.\\\.\\\./%[^ ,:)]*[a-z]/g' <<<"$message")
	grep -qE -- "\"[^\"]*$regex" messages || fail 'no program prints the message'
done <quoted

# anchors FILE: GitHub's anchors for its headings
anchors() {
	grep '^#' "$1" | sed -E 's/^#+ //' | tr '[:upper:]' '[:lower:]' |
		sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}

links=0
for page in "$top"/README.md "$top"/CHANGELOG.md "$top"/docs/*.md; do
	name=${page#"$top"/}
	begin "links of $name"
	tr '\n' ' ' <"$page" | find_lines -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//' |
		find_lines -v '^https:' >links
	while read -r link; do
		links=$((links + 1))
		file=${link%%#*}
		target=$(dirname "$page")/$file
		[ -n "$file" ] || target=$page
		[ -e "$target" ] || { fail "no file $link"; continue; }
		[[ $link != *#* ]] || anchors "$target" | matches -xF -- "${link#*#}" || fail "no heading $link"
	done <links
done

begin 'docs/README.md lists every page'
[ $links -ge 100 ] || fail "only $links links"
for page in "$top"/docs/*.md; do
	[ "${page##*/}" = README.md ] || grep -qF "(${page##*/})" "$top/docs/README.md" || fail "docs/README.md does not list ${page##*/}"
done
