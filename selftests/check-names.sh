#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make check-names: checks that an unmodified libbpf finds every function of a real kernel that
# shares its name by the name of its FUNC, or that there is a reason why it has no FUNC.
#   VMLINUX=FILE    this image (see real-image.sh)
# readelf determines which functions share a name: it lists function symbols,
# without the padding symbols __pfx_*.
# shellcheck source=real-image.sh
. "$(dirname "$0")/real-image.sh" names
compare=$top/build/compare
failed=0

# complain MESSAGE: print it; the script fails at the end
complain() {
	echo "FAILED: $*"
	failed=1
}

"$top/encoder/abtf" encode -q -o vmlinux.btf --report report.json "$image"
"$top/encoder/abtf" strip vmlinux.btf plain.btf
"$top/encoder/abtf" check "$image" vmlinux.btf || complain 'abtf check'

# NAME ADDRESS, for names with several addresses
readelf -sW "$image" | awk '$4 == "FUNC" && $7 != "UND" && $8 !~ /^__pfx_/ { print $8, $2 }' |
	sort -u | awk '{ line[$1] = line[$1] $0 "\n"; n[$1]++ }
		END { for (name in n) if (n[name] > 1) printf "%s", line[name] }' | sort >symbols
cut -d' ' -f1 symbols | uniq >names
[ -s names ] || complain 'no two function symbols share a name'
text=$(readelf -sW "$image" | awk '$8 == "_text" { print $2 }')

# --- from symbols to FUNCs ------------------------------------------------------

# NAME OFFSET ID FULL-NAME, for FUNCs with a shared name
"$top/encoder/abtf" list -aj vmlinux.btf |
	jq -r '.functions[] | [(.name | sub("@.*"; "")), .offset, .id, .name] | @tsv' | sort -k1,1 >all
join names all >funcs
while read -r name offset _; do
	printf '%s %016x\n' "$name" $((0x$text + offset))
done <funcs | sort >encoded
[ -s encoded ] || complain 'no function that shares its name is encoded'
uniq -d encoded >twice
[ ! -s twice ] || complain 'a function has two FUNCs'
comm -23 encoded symbols >unnamed
[ ! -s unnamed ] || complain 'the address of a FUNC has no symbol with its name'
comm -13 encoded symbols >missing
jq -r '.functions[] | select(.encoded | not) | [.symbol, .address, .reason] | @tsv' report.json |
	awk '{ print $1, substr($2, 3), $3 }' | sort >skipped
awk 'NR == FNR { reason[$1 " " $2] = $3; next }
	{ print ($1 " " $2 in reason) ? reason[$1 " " $2] : "unexplained" }' skipped missing |
	sort | uniq -c | sort -rn >reasons
! grep unexplained reasons || complain 'some symbols have no FUNC, and no reason'

# --- an unmodified libbpf, with the plain form --------------------------------

cut -d' ' -f4 funcs | xargs "$compare/btf-find" plain.btf | sort >found || true
cut -d' ' -f3,4 funcs | awk '{ print $2, $1 }' | sort >wanted
cmp -s wanted found || { complain 'libbpf does not find all of these FUNCs by name'; diff wanted found | head; }
"$compare/btf-find" plain.btf >answer || { complain 'libbpf finds the wrong FUNC, or a bare name'; cat answer; }
"$compare/btf-dedup" plain.btf dedup.btf
for btf in plain dedup; do
	"$compare/btf-dump" $btf.btf | grep -c '^[^ ]* FUNC ' >$btf.nr
done
cmp -s plain.nr dedup.nr || complain "btf__dedup() leaves $(cat dedup.nr) of $(cat plain.nr) FUNCs"

{
	printf '%6d shared names, %d symbols with these names\n' \
		"$(wc -l <names)" "$(wc -l <symbols)"
	printf '%6d of these functions are in BTF, and %d are found by name; the others are omitted, by reason:\n' \
		"$(wc -l <funcs)" "$(wc -l <found)"
	sed 's/^ */           /' reasons
	printf '%6d FUNCs before btf__dedup(), %d after it\n' "$(cat plain.nr)" "$(cat dedup.nr)"
} | tee summary
[ $failed = 0 ]
