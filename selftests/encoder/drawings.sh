#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The drawings of the docs are what draw.awk makes of their text.
. "${0%/*}/../lib.sh"

for text in "$top"/docs/drawings/*.txt; do
	name=$(basename "$text" .txt)
	begin "$name.svg is generated from $name.txt"
	awk -f "$top/docs/drawings/draw.awk" "$text" >drawing.svg
	cmp drawing.svg "${text%.txt}.svg" || fail 'another drawing: make drawings'
	begin "$name.svg is shown in the docs"
	grep -qr "drawings/$name.svg" "$top/README.md" "$top"/docs/*.md || fail 'by none'
done
