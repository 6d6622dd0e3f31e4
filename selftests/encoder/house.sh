#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The rules of docs/CONTRIBUTING.md for the encoder's own source that a script can check.
. "${0%/*}/../lib.sh"

# From the bottom to the top: a file may include what stands in its own line or before it.
# A file of encoder/ itself goes by its name.
order='version util image types btf load functions encode encode_report
	locate inlined inspect probe report cmd main'

# includes DIR: "FILE ROOM INCLUDED ROOM" for each include in quotes
includes() {
	(cd "$1" && grep -rnoE '^#include "[^"]+"' --include='*.[ch]' .) | sed -E '
		s|^\./||; s|:[0-9]+:#include "| |; s|"$||' |
		awk '
		function room(file,	r) {
			r = file
			if (!sub(/\/.*/, "", r))
				sub(/\.[ch]$/, "", r)
			return r
		}
		{ print $1, room($1), $2, room($2) }'
}

# upward DIR: includes that lead upwards, or into a room that is not in the order
upward() {
	includes "$1" | awk -v order="$order" '
	BEGIN { n = split(order, names, /[ \t\n]+/); for (i = 1; i <= n; i++) level[names[i]] = i }
	!($2 in level) || !($4 in level) || level[$4] > level[$2] {
		print $1 " includes " $3
	}'
}

begin 'no include leads upwards'
[ "$(includes "$top/encoder" | wc -l)" -gt 300 ] || fail 'the includes were not found'
expect_eq "$(upward "$top/encoder")" ''

begin 'one that does is found'
mkdir -p bad/util bad/btf bad/attic
echo '#include "btf/read.h"' >bad/util/low.c
echo '#include "util/grow.h"' >bad/btf/high.c
echo '#include "util/grow.h"' >bad/attic/lost.c
echo '#include "cmd/cmd.h"' >bad/encode.c
expect_eq "$(upward bad | sort)" 'attic/lost.c includes util/grow.h
encode.c includes cmd/cmd.h
util/low.c includes btf/read.h'

begin 'check --dwarf is an opponent: it shares no reader and no rule with the encoder'
for file in verify dwarf arrival source same_type; do
	expect_eq "$(includes "$top/encoder" | awk -v file="inspect/$file." '
		index($1, file) == 1 && $4 ~ /^(load|functions|types|encode)$/ { print $1, $3 }')" ''
done

begin 'no two structs, unions or enums have one name'
expect_eq "$(cd "$top/encoder" && grep -rhoE --include='*.[ch]' \
	'^((static|const) )*(struct|union|enum) [a-z_0-9]+ \{' . | grep -oE '[a-z_0-9]+ \{' |
	sort | uniq -d)" ''

# Over the limits for now: what the readers and the store of types are made of.
begin 'no file has more than 700 lines, no header more than 150'
large='encode.c load/walk.c load/abbrev.h load/brief.h load/records.h types/store.h'
expect_eq "$(cd "$top/encoder" && wc -l ./*.[ch] ./*/*.[ch] | awk -v large=" $large " '
	$2 == "total" { next }
	{ sub(/^\.\//, "", $2) }
	$1 > ($2 ~ /h$/ ? 150 : 700) && !index(large, " " $2 " ") { print $2, $1 }')" ''
