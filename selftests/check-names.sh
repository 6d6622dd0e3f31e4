#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make check-names: every function of a real kernel that shares its name with another
# is found by the name that it has in BTF, it alone, and to the others there is a
# reason.
#   VMLINUX=FILE    an image with DWARF (default: build/debian/vmlinux, which
#                   "make run KERNEL=debian" fetches)
#   LINUX=DIR       a tree whose tools/lib/bpf has the patches (default: the one
#                   that selftests/kernel/patched.sh makes)
# What share a name is asked of readelf: function symbols, without the padding
# symbols __pfx_*.  The names in BTF are those that the distribution's bpftool shows
# in the plain form.  They are put to the distribution's libbpf, to the patched one
# and to abtf, and the end of the file to those two.
set -eu
set -o pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."
top=$PWD
image=${VMLINUX:-$top/build/debian/vmlinux}
[ -r "$image" ] || { echo "no $image: make run KERNEL=debian fetches one" >&2; exit 1; }
image=$(realpath "$image")
[ -n "${LINUX:-}" ] || selftests/kernel/patched.sh
tree=$(realpath "${LINUX:-build/linux/patched}")
out=$top/build/names
mkdir -p "$out/libbpf"
cd "$out"
failed=0

die() {
	echo "FAILED: $*"
	failed=1
}

make --no-print-directory -s -C "$top/selftests/compare"
make -s -j"$(nproc)" -C "$tree/tools/lib/bpf" OUTPUT="$out/libbpf/" "$out/libbpf/libbpf.a" >libbpf.log 2>&1 ||
	{ tail libbpf.log; echo "libbpf of $tree does not build"; exit 1; }
gcc -O2 -g -std=gnu11 -o find-stock "$top/selftests/libbpf/find-funcs.c" -lbpf -lelf
gcc -O2 -g -std=gnu11 -D_GNU_SOURCE -DPATCHED -isystem "$tree/tools/lib/bpf" \
	-isystem "$tree/tools/include" -isystem "$tree/tools/include/uapi" \
	-o find-patched "$top/selftests/libbpf/find-funcs.c" libbpf/libbpf.a -lelf -lz

"$top/encoder/abtf" encode -q -o vmlinux.btf --report report.json "$image"
"$top/encoder/abtf" strip vmlinux.btf plain.btf
bpftool -j btf dump file plain.btf | jq -r '.types[] | select(.kind == "FUNC") | "\(.name) \(.id)"' |
	sort >funcs

# SYMBOL ADDRESS, of symbols with several addresses
readelf -sW "$image" | awk '$4 == "FUNC" && $7 != "UND" && $8 !~ /^__pfx_/ { print $8, $2 }' |
	sort -u | awk '{ line[$1] = line[$1] $0 "\n"; n[$1]++ }
		END { for (name in n) if (n[name] > 1) printf "%s", line[name] }' | sort >symbols
cut -d' ' -f1 symbols | uniq >shared
text=$(readelf -sW "$image" | awk '$8 == "_text" { print $2 }')

# NAME ID, of the FUNCs of such symbols
awk 'NR == FNR { shared[$1]; next } { split($1, part, "@") } part[1] in shared' shared funcs >wanted

# --- each is found by its name ------------------------------------------------

cut -d' ' -f1 funcs | uniq -d >twice
[ ! -s twice ] || die "$(wc -l <twice) names stand twice"

cut -d' ' -f1 funcs | ./find-stock plain.btf | cmp -s - funcs || die 'the stock libbpf finds another one'

cut -d' ' -f1 wanted | ./find-patched vmlinux.btf >found
cut -d' ' -f1,2 found | cmp -s - wanted || die 'the patched libbpf finds another one'
# a symbol of that name must be where it says
while read -r name _ offset; do
	printf '%s %016x\n' "${name%%@*}" $((0x$text + offset))
done <found | sort >picked
[ -z "$(sort -u picked | comm -23 - symbols)" ] || die 'no symbol of that name is where BTF says'
[ "$(sort -u picked | wc -l)" = "$(wc -l <wanted)" ] || die 'two names are one function'

# abtf lists all of a bare name
grep @ wanted >files
while read -r name _; do
	"$top/encoder/abtf" list -j vmlinux.btf "$name" |
		jq -r --arg name "$name" 'if length == 1 then "\($name) \(.[0].id)" else "\($name) ?" end'
done <files | cmp -s - files || die 'abtf finds another one'

# --- by the end of its file, if that is enough --------------------------------

# NAME@END ID, of the shortest END that no other of the name has
awk '
{
	at = index($1, "@")
	if (!at) next
	name = substr($1, 1, at - 1)
	file[name, ++n[name]] = substr($1, at + 1)
	id[name, n[name]] = $2
}
function has(file, end,	k) {
	k = length(file) - length(end)
	return k >= 0 && substr(file, k + 1) == end && (!k || substr(file, k, 1) == "/")
}
END {
	for (name in n)
		for (i = 1; i <= n[name]; i++) {
			parts = split(file[name, i], part, "/")
			end = ""
			for (p = parts; p; p--) {
				end = part[p] (end == "" ? "" : "/" end)
				hits = 0
				for (k = 1; k <= n[name]; k++) hits += has(file[name, k], end)
				if (hits == 1) break
			}
			print name "@" end, id[name, i]
		}
}' wanted | sort >ends
cut -d' ' -f1 ends | ./find-patched plain.btf | cut -d' ' -f1,2 | cmp -s - ends ||
	die 'the patched libbpf finds another one by the end of its file'
while read -r name _; do
	"$top/encoder/abtf" list -j vmlinux.btf "$name" |
		jq -r --arg name "$name" 'if length == 1 then "\($name) \(.[0].id)" else "\($name) ?" end'
done <ends | cmp -s - ends || die 'abtf finds another one by the end of its file'

# --- an unmodified btf__dedup() leaves all of them ----------------------------

"$top/build/compare/btf-dedup" plain.btf dedup.btf
merged=$(($(wc -l <funcs) - $(bpftool -j btf dump file dedup.btf | jq '[.types[] | select(.kind == "FUNC")] | length')))
[ $merged = 0 ] || die "btf__dedup() merges $merged functions"

# --- what is between symbols and FUNCs ----------------------------------------

sort -u picked | comm -13 - symbols >missing
jq -r '.functions[] | select(.encoded | not) | [.symbol, .address, .reason] | @tsv' report.json |
	awk '{ print $1, substr($2, 3), $3 }' | sort >skipped
awk 'NR == FNR { reason[$1 " " $2] = $3; next }
	{ print ($1 " " $2 in reason) ? reason[$1 " " $2] : "unexplained" }' skipped missing |
	sort | uniq -c | sort -rn >reasons
! grep unexplained reasons || die 'some symbols have no FUNC, and no reason'

{
	printf '%6d names that several functions bear, %d symbols\n' \
		"$(wc -l <shared)" "$(wc -l <symbols)"
	printf '%6d of these functions are in BTF; the others are not because of\n' "$(wc -l <wanted)"
	sed 's/^ */           /' reasons
	printf '%6d are called NAME@FILE, %d NAME; each is found by its name\n' \
		"$(grep -c @ wanted)" "$(grep -vc @ wanted)"
	printf '%6d are found by the last part of FILE\n' "$(grep -vc '@.*/' ends)"
	printf '%6d functions in all, of which btf__dedup() merges %d\n' "$(wc -l <funcs)" "$merged"
} | tee summary
[ $failed = 0 ]
