#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make check-selectors: every function of a real kernel that shares its name with
# another is picked by a selector, it alone, and to the others there is a reason.
#   VMLINUX=FILE    an image with DWARF (default: build/debian/vmlinux, which
#                   "make run KERNEL=debian" fetches)
#   LINUX=DIR       a tree whose tools/lib/bpf has the patches (default: the one
#                   that selftests/kernel/patched.sh makes)
# What share a name is asked of readelf: function symbols, without the padding
# symbols __pfx_*.  Selectors are made here, too, from names, units and order of
# ids as bpftool shows them in the plain form, and then put to abtf, to
# libbpf-patch/helper and to the patched libbpf.
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
out=$top/build/selectors
mkdir -p "$out"
cd "$out"
failed=0

die() {
	echo "FAILED: $*"
	failed=1
}

"$top/encoder/abtf" encode -q -o vmlinux.btf --report report.json "$image"
"$top/encoder/abtf" strip vmlinux.btf plain.btf
bpftool -j btf dump file plain.btf >plain.json

# NAME ADDRESS, of names with several addresses
readelf -sW "$image" | awk '$4 == "FUNC" && $7 != "UND" && $8 !~ /^__pfx_/ { print $8, $2 }' |
	sort -u | awk '{ line[$1] = line[$1] $0 "\n"; n[$1]++ }
		END { for (name in n) if (n[name] > 1) printf "%s", line[name] }' | sort >symbols
cut -d' ' -f1 symbols | uniq >names
text=$(readelf -sW "$image" | awk '$8 == "_text" { print $2 }')

# NAME ID OFFSET UNIT, of the FUNCs that bear such a name, in the order of ids
jq -r '(reduce (.types[] | select(.kind == "DECL_TAG" and (.name | startswith("unit:")))) as $tag
		({}; .[$tag.type_id | tostring] //= $tag.name[5:])) as $unit |
	.types[] | select(.kind == "FUNC") | [.name, .id, $unit[.id | tostring] // "-"] | @tsv' \
	plain.json | sort -s -k1,1 -k2,2n >funcs.all
join names funcs.all >funcs

# NAME SELECTOR ID: the unit if no other one of the name ends in it, else the rank;
# and in "ranks" the rank of each
awk '
function ends_in(unit, file,	at) {
	at = length(unit) - length(file)
	return at >= 0 && substr(unit, at + 1) == file && (!at || substr(unit, at, 1) == "/")
}
function flush(	i, k, same) {
	for (i = 1; i <= n; i++) { # nothing, the first time
		same = 0
		for (k = 1; k <= n; k++)
			same += ends_in(unit[k], unit[i])
		print name, name "@" (same == 1 ? unit[i] : i), id[i]
	}
	n = 0
}
$1 != name { flush(); name = $1 }
{ n++; id[n] = $2; unit[n] = $3 }
END { flush() }' funcs >selectors
awk '$1 != name { name = $1; n = 0 } { print name, name "@" ++n, $2 }' funcs >ranks

# --- each of them picks one, and that one -------------------------------------

# abtf, which also knows the address: a symbol of that name must be there
while read -r name selector id; do
	"$top/encoder/abtf" list -j vmlinux.btf "$selector" |
		jq -r --arg name "$name" --arg want "$id" --arg text "$text" \
		'if length == 1 and (.[0].id | tostring) == $want and .[0].name == $name
		 then [.[0].name, .[0].offset] else ["?", 0] end | @tsv'
done <selectors | while read -r name offset; do
	printf '%s %016x\n' "$name" $((0x$text + offset))
done >picked
paste -d' ' selectors picked | awk '$4 != $1 { print; bad = 1 } END { exit bad }' ||
	die 'abtf picks another one'
sort -u picked >picked.sorted
[ "$(wc -l <picked.sorted)" = "$(wc -l <selectors)" ] || die 'two selectors pick the same'
[ -z "$(comm -23 picked.sorted symbols)" ] || die 'no symbol of that name is where abtf says'

# the helper, as a program with that SEC() gets it from libbpf
mkdir -p root/sys/kernel/btf
cp plain.btf root/sys/kernel/btf/vmlinux
gcc -O2 -g -std=gnu11 -D_GNU_SOURCE -o helper-test "$top/selftests/libbpf/helper-test.c" -lbpf -lelf
{
	printf '#include <linux/bpf.h>\n#include <bpf/bpf_helpers.h>\n'
	sort -u selectors ranks |
		awk '{ printf "SEC(\"fentry/%s\") int p%d(void *ctx) { return 0; }\n", $2, NR }'
	echo 'char _license[] SEC("license") = "GPL";'
} >sections.c
clang -target bpf -O2 -g -I"/usr/include/$(uname -m)-linux-gnu" -c -o sections.o sections.c
./helper-test sections.o | tr '\t' ' ' | sort >helper.got
awk '{ print "fentry/" $2 " id " $3 }' selectors ranks | sort -u >helper.want
cmp -s helper.got helper.want || { die 'the helper picks another one'; diff helper.want helper.got | head; }

# the patched libbpf, with addresses and without
mkdir -p libbpf
make -s -j"$(nproc)" -C "$tree/tools/lib/bpf" OUTPUT="$out/libbpf/" "$out/libbpf/libbpf.a" >libbpf.log 2>&1 ||
	{ tail libbpf.log; echo "libbpf of $tree does not build"; exit 1; }
gcc -O2 -g -std=gnu11 -I"$tree/tools/lib" -I"$tree/tools/include/uapi" -o btf-instances \
	"$top/selftests/libbpf/btf-instances.c" libbpf/libbpf.a -lelf -lz
sort -u selectors ranks | cut -d' ' -f2,3 >libbpf.want
for btf in vmlinux.btf plain.btf; do
	cut -d' ' -f1 libbpf.want | ./btf-instances $btf >libbpf.got
	cmp -s libbpf.got libbpf.want || { die "libbpf picks another one in $btf"; diff libbpf.want libbpf.got | head; }
done

# --- what is between symbols and FUNCs ----------------------------------------

comm -13 picked.sorted symbols >missing
jq -r '.functions[] | select(.encoded | not) | [.symbol, .address, .reason] | @tsv' report.json |
	awk '{ print $1, substr($2, 3), $3 }' | sort >skipped
awk 'NR == FNR { reason[$1 " " $2] = $3; next }
	{ print ($1 " " $2 in reason) ? reason[$1 " " $2] : "unexplained" }' skipped missing |
	sort | uniq -c | sort -rn >reasons
! grep unexplained reasons || die 'some symbols have no FUNC, and no reason'

by_file=$(grep -cv '@[0-9]* ' selectors || true)
by_number=$(grep -c '@[0-9]* ' selectors || true)
{
	printf '%6d names that several functions bear, %d symbols\n' \
		"$(wc -l <names)" "$(wc -l <symbols)"
	printf '%6d of these functions are in BTF; the others are not because of\n' \
		"$(wc -l <selectors)"
	sed 's/^ */           /' reasons
	printf '%6d are picked by NAME@FILE, %d have no file of their own; all by NAME@N\n' \
		"$by_file" "$by_number"
} | tee summary
[ $failed = 0 ]
