#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The report: every instance is encoded, or skipped with a reason, and the sums match.
. "${0%/*}/../lib.sh"
cp "$example" vmlinux
encode vmlinux

begin 'the sums of the report are consistent'
for q in '.instances == (.functions | length)' \
	 '.instances == .encoded + ([.skipped[]] | add)' \
	 '.encoded == ([.functions[] | select(.encoded)] | length)' \
	 '. as $r | [.skipped | to_entries[] | . as $s | .value == ([$r.functions[] | select(.reason == $s.key)] | length)] | all' \
	 '[.functions[] | select(.encoded | not) | .reason != null] | all' \
	 '[.functions[] | select(.encoded) | .reason == null] | all' \
	 '[.functions[] | has("name") and has("address") and has("file")] | all'; do
	expect_eq "$(jq "$q" vmlinux.report)" true "$q"
done

begin 'the instances are exactly the function symbols'
expect_eq "$(jq -r '.functions[] | "\(.address) \(.symbol)"' vmlinux.report | sort)" \
	"$(readelf -sW vmlinux | awk '$4 == "FUNC" && $7 != "UND" { print "0x" $2, $8 }' | sort)"

begin 'encoded functions are in the BTF, and no others'
expect_eq "$(jq -r '.functions[] | select(.encoded) | .name' vmlinux.report | sort)" \
	"$(sed -nE 's/^.* FUNC ([^ ]+) .*/\1/p' vmlinux.dump | sort)"
expect_eq "$(jq '[.functions[] | select(.symbol == "cpumask_weight" and .encoded)] | length' vmlinux.report)" 22

begin '--report=- writes the report to stdout'
"$ABTF" encode -q -o t.btf --report - vmlinux | cmp - vmlinux.report || fail 'the report differs'

begin 'a report that cannot be written: status 1'
device full
expect 1 "$ABTF" encode -q -o t.btf --report full vmlinux
says '^abtf: error: full: cannot write'
