#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# draw.awk generates the drawings of the documentation from their text.
. "${0%/*}/../lib.sh"

for text in "$top"/docs/drawings/*.txt; do
	name=$(basename "$text" .txt)
	begin "$name.svg is generated from $name.txt"
	awk -f "$top/docs/drawings/draw.awk" "$text" >drawing.svg
	cmp drawing.svg "${text%.txt}.svg" || fail 'the drawing differs: run make drawings'
	begin "$name.svg is shown in the docs"
	grep -qr "drawings/$name.svg" "$top/README.md" "$top"/docs/*.md || fail 'no page shows the drawing'
done
