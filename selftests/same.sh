#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2086,SC2317 # a list of flags; groups are called by their names
# "make same OLD=PROGRAM": compares the results of OLD, an abtf that was built earlier, and of
# encoder/abtf byte by byte: BTF, whole images that were written in place (also .BTF.base and
# .rela.BTF), reports, lists and checks as text and JSON, messages and exit codes. This checks changes
# of the source that should not change any result. OLD runs with one thread, encoder/abtf with 1, 2
# and 8.
#
#   OLD=PROGRAM   the earlier program, e.g. a copy of encoder/abtf
#   ABTF=FILE     compare with this program, not with encoder/abtf
#   ONLY="A B"    only these groups of inputs:
#		example	the example image
#		lto	ThinLTO by clang, and the example after dwz, if they are there
#		corpus	objects, images and BTF compiled from the C in the tests by eight compilers,
#			and inputs found by make fuzz
#		damaged	the same with damaged bytes: exit codes and messages
#		modules	modules and vmlinux of the test kernels in build/linux-*, each kernel's
#			vmlinux with the default features only
#		debian	build/debian/vmlinux
#		kernels	vmlinux of every test kernel, like Debian's
#   QUICK=1	four sets of features, a part of corpus, damaged and modules, and no kernels
#   FIXES=FILE	expected differences. Each line has a shell pattern for GROUP/INPUT/RUN and, after
#		a tab, the reason. A pattern that matches no difference is an error.
#
# It stops at the first difference; both results are then in build/same/old and build/same/new
# (SAME_OUT=DIR: in DIR).
set -u -o pipefail
old=$(realpath "${OLD:-}" 2>/dev/null)
FIXES=${FIXES:+$(realpath "$FIXES")}
cd "$(dirname "$0")/.." || exit 1
top=$PWD out=$(realpath -m "${SAME_OUT:-build/same}")
new=$(realpath "${ABTF:-encoder/abtf}")
export LC_ALL=C XDG_CACHE_HOME=$out/cache
unset MAKEFLAGS DEBUGINFOD_URLS
shopt -s nullglob

# die MESSAGE
die() {
	echo "same: $*" >&2
	exit 1
}

[ -n "${OLD:-}" ] || die 'OLD=PROGRAM is missing: a copy of encoder/abtf from before the change'
{ [ -f "$old" ] && [ -x "$old" ]; } || die "$OLD is not a program"
cmp -s "$old" "$new" && echo "same: OLD and $new are identical" >&2

rm -rf "$out"/{old,new,bin,log}
mkdir -p "$out"/{old,new} "$out"/bin/{old,new} "$out/inputs"
for name in abtf abtf-pahole; do
	ln -s "$old" "$out/bin/old/$name"
	ln -s "$new" "$out/bin/new/$name"
done

patterns=() reasons=() used=()
if [ -n "${FIXES:-}" ]; then
	while IFS=$'\t' read -r pattern reason; do
		[ -n "$reason" ] || die "$FIXES: '$pattern': expected a tab and a reason"
		patterns+=("$pattern") reasons+=("$reason") used+=(0)
	done <"$FIXES"
fi

group='' input='' runs=0 all_runs=0 fixed=0 missing=''

# run WHICH J COMMAND...: "-jN" in it becomes -jJ
run() {
	local which=$1 jobs=$2

	shift 2
	(cd "$out/$which" && PATH=$out/bin/$which:$PATH && "${@/#-jN/-j$jobs}" \
		>stdout 2>stderr </dev/null; echo $? >status)
}

# expected NAME: test whether FIXES has this difference
expected() {
	local i

	for i in "${!patterns[@]}"; do
		# shellcheck disable=SC2053 # it is a pattern
		[[ $1 == ${patterns[i]} ]] || continue
		used[i]=$((used[i] + 1))
		fixed=$((fixed + 1))
		return 0
	done
	return 1
}

# same RUN COMMAND...: run a command that calls "abtf" or "abtf-pahole" with both programs
same() {
	local name=$group/$input/$1 jobs status

	shift
	run old 1 "$@"
	for jobs in 1 2 8; do
		[[ " $* " == *' -jN'* ]] || [ $jobs = 1 ] || continue
		runs=$((runs + 1))
		run new $jobs "$@"
		# crashes are errors, even if both crash, and so is wrong usage
		status=$(<"$out/new/status")
		[ "$status" != 2 ] || [[ $name == */usage ]] || ! grep -q '^Usage: ' "$out/new/stderr" ||
			{ echo "same: $name: exit status 2" >&2; different "$@"; }
		[ "$status" -lt 124 ] || { echo "same: $name: exit status $status" >&2; different "$@"; }
		diff -rq "$out/old" "$out/new" >"$out/log" && continue
		expected "$name" && continue
		echo "same: $name differs with -j$jobs:" >&2
		different "$@"
	done
}

# different COMMAND...: report a difference, and exit
different() {
	{
		echo "  $*" | cut -c1-300
		sed 's/^/  /' "$out/log"
		for file in status stderr stdout; do
			cmp -s "$out/old/$file" "$out/new/$file" ||
				diff -u "$out/old/$file" "$out/new/$file" | cut -c1-300 | head -n 12
		done
	} >&2
	exit 1
}

# input NAME: start with the next input; delete the results of the last one
input() {
	input=$1
	rm -rf "$out"/{old,new}
	mkdir "$out"/{old,new}
}

# place FILE NAME: make a copy to be modified
place() {
	cp -- "$1" "$out/old/$2"
	cp -- "$1" "$out/new/$2"
}

pahole=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs
features="default +true_signature +global_var +attributes +layout func_addr $pahole"
[ -z "${QUICK:-}" ] || features='default +true_signature +global_var,attributes,layout func_addr'

# read_back IMAGE BTF [BASE]: commands that read finished BTF
read_back() {
	local base=(${3:+--base "$3"})

	same list abtf list --all "${base[@]}" "$2"
	same list-json abtf list --all --json "${base[@]}" "$2"
	same check abtf check "${base[@]}" "$1" "$2"
	[ -n "${3:-}" ] || same report abtf report -o page.html "$1"
	# if pages differ as expected, the next runs must not
	rm -f "$out"/{old,new}/page.html
	same strip abtf strip "${base[@]}" "$2" plain.btf
}

# whole FILE: encode an image to a file, with all sets of features
whole() {
	local feature choice

	for feature in $features; do
		case $feature in
		default)	choice= ;;
		*)		choice=--features=$feature ;;
		esac
		same "encode-$feature" abtf encode -jN $choice -o out.btf --report=out.report "$1"
	done
	same encode abtf encode -jN -o out.btf "$1"
	same encode-elf abtf encode -jN -o out.elf "$1"
	same pahole abtf-pahole -J -jN --btf_features=$pahole --btf_encode_detached=pahole.btf "$1"
	same from-btf abtf encode -jN --from-btf -o from.btf --report=from.report "$1"
	same from-btf-global_var abtf encode -jN --from-btf --features=+global_var,layout -o from.btf "$1"
	read_back "$1" out.btf
	same list-image abtf list --all --json --image "$1" out.btf
	same list-inlined abtf list --inlined --all --json "$1"
	same list-table abtf list --table "$1"
	same diff abtf diff out.btf from.btf
}

# written FILE [BASE]: encode a copy in place, encode it again from its BTF, and read it
written() {
	local base=(${2:+--base "$2"}) feature

	for feature in $features; do
		place "$1" copy
		if [ "$feature" = default ]; then
			same "write-$feature" abtf encode -jN "${base[@]}" --report=out.report copy
		else
			same "write-$feature" abtf encode -jN "${base[@]}" --features="$feature" copy
		fi
		same "again-$feature" abtf encode -jN --from-btf "${base[@]}" -o again.btf \
			--report=again.report copy
		same "again-plain-$feature" abtf encode -jN --from-btf "${base[@]}" \
			--features=decl_tag,enum64 -o again.btf copy
	done
	place "$1" copy
	same write abtf encode -jN "${base[@]}" copy
	if [ -n "${2:-}" ]; then
		place "$1" distilled
		same distill abtf encode -jN "${base[@]}" --distilled-base distilled
		same distill-check abtf check "${base[@]}" distilled
		place "$1" alone
		same alone abtf encode -jN alone
		same alone-on-base abtf encode -jN --from-btf "${base[@]}" -o again.btf alone
	fi
	same out abtf encode -jN "${base[@]}" -o out.btf copy
	read_back copy out.btf "${2:-}"
	same inlined abtf list --inlined --all "${base[@]}" copy
	same probe abtf list --probe=tracefs "${base[@]}" copy twin
}

# --- inputs -----------------------------------------------------------------

example() {
	local image=$top/build/example/vmlinux

	[ -s "$image" ] || make --no-print-directory -s -C selftests/example >"$out/log" 2>&1 ||
		die "the example does not build; see $out/log"
	input vmlinux
	whole "$image"
	written "$image"
	input damaged-base
	head -c 5000 "$image" >"$out/inputs/short"
	same base abtf encode --base "$out/inputs/short" -o out.btf "$image"
	same usage abtf encode --no-such-option
	same help abtf encode --help
}

# lto_sources: write units with a common header
lto_sources() {
	local i

	cat >shared.h <<-'C'
	struct shared { int a; struct shared *next; union { long l; float f; } u; };
	static inline int helper(struct shared *s, int k) { return s->a * k + (s->next ? s->next->a : 0); }
	C
	for i in 1 2 3 4 5 6; do
		cat >u$i.c <<-C
		#include "shared.h"
		struct private { int p[$i]; struct shared *s; };
		static __attribute__((noinline, used)) int twin(struct private *p, int n) { return p->p[0] * n + $i; }
		__attribute__((noinline)) int in_$i(struct shared *s, struct private *p) { return helper(s, $i) + twin(p, s->a); }
		C
	done
}

lto() {
	local link="-O2 -g -ffreestanding -fno-pie -nostdlib -static -fno-stack-protector -w -mcmodel=kernel
		-mno-red-zone -Wl,--build-id=sha1 -Wl,-e,0 -Wl,-T,$top/selftests/example/vmlinux.lds
		-Wl,--defsym=IMAGE_BASE=0xffffffff81000000 -Wl,--defsym=PERCPU_BASE=0"
	local dir=$out/inputs/lto keep='-Wl,-u,in_1 -Wl,-u,in_2 -Wl,-u,in_3 -Wl,-u,in_4 -Wl,-u,in_5 -Wl,-u,in_6'

	mkdir -p "$dir"
	(cd "$dir" && lto_sources
		# shellcheck disable=SC2086 # lists of flags
		{
			clang -flto=thin -fuse-ld=lld $link $keep -o thin u?.c
			clang -flto -fuse-ld=lld $link $keep -o full u?.c
			gcc -flto $link $keep -o gcc u?.c
			gcc $link -o dwz u?.c && dwz dwz
		} >log 2>&1)
	for image in thin full gcc dwz; do
		[ -s "$dir/$image" ] || { echo "  lto: no $image (see $dir/log)"; continue; }
		input $image
		whole "$dir/$image"
		written "$dir/$image"
	done
}

# The initial corpus of the fuzz targets is made once, from the tests.
seeds() {
	local dir=$out/inputs/corpus

	[ -d "$dir/btf" ] || { rm -rf "$dir" && selftests/fuzz/corpus.sh "$dir" >"$out/log" 2>&1; } ||
		die "no corpus; see $out/log"
	images=("$dir"/image/* "$top"/build/fuzz/found/image/*)
	btfs=("$dir"/btf/* "$top"/build/fuzz/found/btf/*)
}

# taken NR N: test whether input NR is compared; with QUICK, every Nth is
taken() {
	[ -z "${QUICK:-}" ] || [ $(($1 % $2)) = 0 ]
}

# one_btf FILE: read BTF, which may be invalid
one_btf() {
	same list abtf list --all "$1"
	same list-json abtf list --all --json "$1"
	same strip abtf strip "$1" plain.btf
	same diff abtf diff "$1" "$1"
	same check abtf check "$top/build/example/vmlinux" "$1"
}

# one_image FILE NR: encode an image; NR determines the features
one_image() {
	local all

	read -ra all <<<"${features/default/+var}"
	same encode abtf encode -jN -o out.btf --report=out.report "$1"
	same feature abtf encode -j2 --features="${all[$2 % ${#all[@]}]}" -o feature.btf "$1"
	same pahole abtf-pahole -J --btf_features=$pahole --btf_encode_detached=pahole.btf "$1"
	same from-btf abtf encode -j2 --from-btf -o from.btf --report=from.report "$1"
	same check abtf check "$1" out.btf
	same list abtf list --all --json "$1"
	same inlined abtf list --all --inlined --json "$1"
}

corpus() {
	local nr=0 file base

	seeds
	base=$out/inputs/corpus/base.btf
	for file in "${images[@]}"; do
		nr=$((nr + 1))
		taken $nr 10 || continue
		input "${file##*/}"
		one_image "$file" $nr
		same split abtf encode -j2 --base "$base" -o split.btf "$file"
		place "$file" copy
		same distill abtf encode -j2 --base "$base" --distilled-base copy
	done
	# all images in one call, for the messages about failures
	input all
	same batch abtf encode -j1 -o batch "${images[@]}"
	for file in "${btfs[@]}"; do
		nr=$((nr + 1))
		taken $nr 10 || continue
		input "${file##*/}"
		one_btf "$file"
	done
}

# damage FROM TO SEED: change some bytes, the same ones each time
damage() {
	perl -e '
		my ($from, $to, $seed) = @ARGV;
		srand($seed);
		local $/;
		open(my $in, "<:raw", $from) or die; my $data = <$in>;
		for (1 .. 1 + int(rand(6))) {
			my $at = int(rand(length($data)));
			my @bytes = (0, 1, 0x7f, 0x80, 0xff, int(rand(256)), ord(substr($data, $at, 1)) + 1 & 255);
			substr($data, $at, 1) = chr($bytes[rand(@bytes)]);
		}
		open(my $out, ">:raw", $to) or die; print $out $data;' "$1" "$2" "$3"
}

damaged() {
	local nr=0 file dir=$out/inputs/damaged

	seeds
	if [ ! -d "$dir" ]; then
		mkdir -p "$dir.tmp"/{image,btf}
		for file in "$out"/inputs/corpus/{image,btf}/*; do
			for _ in 1 2 3; do
				nr=$((nr + 1))
				damage "$file" "$dir.tmp/$(basename "${file%/*}")/$nr" $nr
			done
		done
		mv "$dir.tmp" "$dir"
	fi
	input all
	same batch abtf encode -j1 -o batch "$dir"/image/*
	rm -rf "$out"/{old,new}/batch
	same batch-from-btf abtf encode -j1 --from-btf -o batch "$dir"/image/*
	nr=0
	for file in "$dir"/image/*; do
		nr=$((nr + 1))
		taken $nr 30 || continue
		input "${file##*/}"
		one_image "$file" $nr
		same check-base abtf check "$file" "$out/inputs/corpus/base.btf"
	done
	for file in "$dir"/btf/*; do
		nr=$((nr + 1))
		taken $nr 30 || continue
		input "${file##*/}"
		one_btf "$file"
	done
}

modules() {
	local vmlinux dir kernel file limit=100

	[ -z "${QUICK:-}" ] || limit=1
	for vmlinux in build/linux-*/kernel-*/vmlinux; do
		dir=${vmlinux%/vmlinux}
		kernel=${dir#build/} kernel=${kernel//\//-}
		# another process may be building it
		cp "$vmlinux" "$out/inputs/$kernel" || continue
		input "$kernel"
		same encode abtf encode -jN -o "$kernel.btf" --report=out.report "$out/inputs/$kernel"
		cp "$out/old/$kernel.btf" "$out/inputs/$kernel.btf" 2>/dev/null || continue
		while read -r file; do
			cp "$file" "$out/inputs/module.ko" 2>/dev/null || continue
			input "$kernel-${file##*/}"
			written "$out/inputs/module.ko" "$out/inputs/$kernel.btf"
		done < <(find -L "$dir" -name '*.ko' 2>/dev/null | sort | head -n "$limit")
		rm -f "$out/inputs/$kernel"
		[ -z "${QUICK:-}" ] || break
	done
}

debian() {
	[ -s build/debian/vmlinux ] || { echo '  debian: no build/debian/vmlinux'; return; }
	input vmlinux
	whole "$top/build/debian/vmlinux"
}

kernels() {
	local vmlinux kernel

	[ -z "${QUICK:-}" ] || return 0
	for vmlinux in build/linux-*/kernel-*/vmlinux; do
		kernel=${vmlinux#build/} kernel=${kernel%/vmlinux} kernel=${kernel//\//-}
		cp "$vmlinux" "$out/inputs/$kernel" || continue
		input "$kernel"
		whole "$out/inputs/$kernel"
		rm -f "$out/inputs/$kernel"
	done
}

for group in ${ONLY:-example lto corpus damaged modules debian kernels}; do
	case $group in
	example|lto|corpus|damaged|modules|debian|kernels) ;;
	*)	die "ONLY: no group $group" ;;
	esac
	runs=0
	$group
	echo "  $group: $runs runs are the same"
	if [ $runs = 0 ]; then
		[ -z "${ONLY:-}" ] || die "ONLY: group $group has no inputs"
		missing+=" $group"
	fi
	all_runs=$((all_runs + runs))
done
status=0
for i in "${!patterns[@]}"; do
	echo "  ${used[i]} differ as expected: ${patterns[i]}: ${reasons[i]}"
	[ "${used[i]}" -gt 0 ] || { echo "same: ${patterns[i]}: no difference matches this pattern" >&2; status=1; }
done
rm -rf "$out"/{old,new,bin,log}
[ $status != 0 ] || [ $all_runs != 0 ] || die 'nothing was compared'
echo "same: $all_runs runs, $fixed differ as expected${missing:+; not compared:$missing}"
exit $status
