#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Checks the series like a maintainer would. Starting from Debian's source, in a separate work tree
# (build/linux-KVER/check), for each patch in order:
#
#	exact		every hunk applies at its line number (patch -F0)
#	am		git am accepts it
#	checkpatch	scripts/checkpatch.pl --strict has no complaints
#	builds		the files that it touches build, without warnings that the
#			pristine source does not have; kernel objects with W=1, and
#			again with DEBUG_INFO_BTF_MODULES=n (shown as :n)
#
# and for each series: numbers, the file "series", cover letter, base-commit, size.
# SERIES=NAME only checks one series (and applies the ones before it first).
# BUILD=0 does not build anything, and takes a few minutes.
# BUILD=dirs builds the changed directories, but not the whole kernel, and takes half an hour.
# KVER=VERSION chooses the version of the series.
# shellcheck source=env.sh
[ -z "${SERIES:-}" ] || { KVER=${SERIES%/fixes} KVER=${KVER%/parsing} KVER=${KVER##*/}; }
. "$(dirname "$0")/env.sh"
# shellcheck source=series.sh
. "$here/series.sh"
# shellcheck source=bpf-selftests.sh
. "$here/bpf-selftests.sh"

unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL V T O CC CFLAGS LDFLAGS ARCH PAHOLE
tree=$linux/check
out=$linux/check-build
pahole=$top/encoder/abtf-pahole
kernel=patched
logs=$linux/check-logs
passed=0 failed=0 nr_before=0

base=$(git -C "$src" rev-parse --verify -q 'base-import^{commit}') ||
	die 'the source is not imported; "make vm-source" imports it'

# --- results ----------------------------------------------------------------

# result STATUS WHAT [FILE]: count a result; FILE has the reason for a failure
result() {
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
		return 0
	fi
	failed=$((failed + 1))
	echo "FAIL $2"
	[ -z "${3:-}" ] || tail -n 40 "$3" | sed 's/^/    /'
}

# --- builds -----------------------------------------------------------------

# Print warnings without line numbers, which patches change.
warnings() {
	sed -n 's/^\([^ :]*\):[0-9]*:\([0-9]*:\)* warning: /\1: warning: /p' "$@" |
		sed "s|^$tree/||; s|^\.\./check/||" | sort -u
}

# configure [LINE...]: configure the kernel, with these additional lines
configure() {
	[ -e "$out/.config" ] || kmake -s tinyconfig || return
	cat "${configs[@]}" "$here"/config.{patched,addr} >>"$out/.config"
	printf '%s\n' "$@" >>"$out/.config"
	kmake -s olddefconfig
}

# build NAME: build one target, see touched(); output goes to stdout
build() {
	local jobs out=$out
	jobs=-j$(nproc)

	[ "$1" = "${1%:n}" ] || out=$out-n
	case ${1%:n} in
	config)		configure && out=$out-n &&
				configure '# CONFIG_DEBUG_INFO_BTF_MODULES is not set' &&
				! grep -q ^CONFIG_DEBUG_INFO_BTF_MODULES= "$out/.config" ;;
	libbpf)		mkdir -p "$out/tools/libbpf"
			make -s "$jobs" -C "$tree/tools/lib/bpf" O= OUTPUT="$out/tools/libbpf/" ;;
	bpftool)	mkdir -p "$out/tools/bpftool"
			make -s "$jobs" -C "$tree/tools/bpf/bpftool" O= OUTPUT="$out/tools/bpftool/" \
				feature-llvm=0 feature-clang-bpf-co-re=0 ;;
	resolve_btfids)	kmake -s "$jobs" tools/bpf/resolve_btfids ;;
	kernel)		kmake -s "$jobs" W=1 vmlinux modules ;;
	# with W=1 as above, because otherwise everything would be rebuilt
	selftests)	kmake -s "$jobs" W=1 vmlinux modules && build_selftests ;;
	*/)		kmake -s "$jobs" W=1 "${1%:n}" ;;
	*)		echo "build: unknown target $1"; return 1 ;;
	esac 2>&1 </dev/null
}

# test_progs, and all of its programs and kernel modules. They are built in the source tree, because
# with OUTPUT=, a second make does not find the headers made by the first one. Files that the compiler
# cannot build may be omitted, except for those that the series add.
build_selftests() {
	local ours

	bpf_selftests "$tree/tools/testing/selftests/bpf" "$out" -s PAHOLE="$pahole" test_progs 2>&1 |
		tee "$logs/selftests" || return
	ours=$(sed -n 's|^+++ b/tools/testing/selftests/bpf/.*/\(.*\)\.c$|\1|p' "$top/selftests/patch/$kver"/*.patch)
	! not_built "$logs/selftests" | grep -E "^($(tr '\n' '|' <<<"$ours")none)\."
}

# touched PATCH: print the targets to build after it, as names for build(), one per line
touched() {
	local file

	sed -n 's|^+++ b/||p; s|^--- a/||p; s/^rename to //p' "$1" | sort -u | while read -r file; do
		case $file in
		*Kconfig*)				echo config ;;
		tools/include/*|tools/lib/bpf/*)	echo libbpf ;;
		tools/bpf/bpftool/*)			echo bpftool ;;
		tools/bpf/resolve_btfids/*)		echo resolve_btfids ;;
		tools/testing/selftests/bpf/*)		echo selftests ;;
		scripts/Makefile*|scripts/link-vmlinux.sh|Makefile)
							echo kernel ;;
		include/*)				printf '%s\n' "${headers_in[@]}" ;;
		Documentation/*|MAINTAINERS|.gitignore|scripts/*|tools/*)
							;;
		*/*.[chS]|*/Makefile)			echo "${file%/*}/" ;;
		*)					echo kernel ;;
		esac
	done | sed 's|^.*/$|&\n&:n|' | awk -v build="${BUILD:-1}" '
		build == "dirs" && ($0 == "kernel" || $0 == "selftests") { next }
		# configure first, and build the whole kernel and its users last
		$0 == "config" || $0 == "kernel" || $0 == "selftests" { has[$0] = 1; next }
		!seen[$0]++ { rest[++n] = $0 }
		END {
			if ("config" in has) print "config"
			for (i = 1; i <= n; i++) print rest[i]
			if ("kernel" in has) print "kernel"
			if ("selftests" in has) print "selftests"
		}'
}

# last_of SERIES: print the targets that must build after all of it: users of libbpf, and the kernel
last_of() {
	case $1 in
	libbpf-patch/*)		echo bpftool resolve_btfids ;;
	kernel-patch/*/fixes|kernel-patch/*/parsing) ;;
	kernel-patch/*)		[ "${BUILD:-1}" = dirs ] || echo kernel kernel:n ;;
	esac
}

# Directories whose files use the changed headers
headers_in=(kernel/bpf/ kernel/module/ kernel/trace/)

# The stock source's warnings in the changed directories; they are kept for the next run.
baseline() {
	local id name

	id=$( (echo "$base"; cat "${configs[@]}" "$here"/config.{patched,addr}) | sha256sum | cut -c1-16)
	mkdir -p "$logs/base-$id"
	for name; do
		local log=$logs/base-$id/${name//\//_}

		[ -e "$log" ] || {
			echo "(pristine source: building $name)"
			# a file that does not exist yet has no warnings
			case $name in
			config|selftests) : ;;
			*/|*/:n) [ ! -e "$tree/${name%:n}/Makefile" ] || build "$name" ;;
			*) build "$name" ;;
			esac >"$log.tmp" || die "$name of the pristine source does not build; see $log.tmp"
			mv "$log.tmp" "$log"
		}
	done
	warnings "$logs/base-$id"/* >"$logs/base"
}

# --- series and patches -----------------------------------------------------

# added_lines PATCH...: how many lines the patches add, except to documentation and tests
added_lines() {
	printf '%s\n' "$@" | while read -r patch; do
		git apply --numstat -- "$patch"
	done | awk '$3 !~ "/testing/" && $3 !~ "ocumentation/" { sum += $1 } END { print sum + 0 }'
}

# check_size SERIES: limit the number of patches, to 15 as maintainer-netdev.rst does, and of added lines. The last
# patch of the kernel series, /sys/kernel/btf_addr, can be omitted, so the limit for the others is lower.
check_size() {
	local max_patches=15 max_lines lines patches status=0

	case $1 in
	*/fixes|*/parsing|selftests/*) return 0 ;;
	libbpf-patch/*)		max_lines=(430) ;;
	kernel-patch/*)		max_lines=(800 720) ;;
	esac
	mapfile -t patches < <(patches_of "$1")
	lines=("$(added_lines "${patches[@]}")" "$(added_lines "${patches[@]::${#patches[@]}-1}")")
	printf '%s: %s patches (at most %s), %s lines added (at most %s), %s of them before the last patch (at most %s)\n' \
		"$1" ${#patches[@]} $max_patches "${lines[0]}" "${max_lines[0]}" \
		"${lines[1]}" "${max_lines[1]:-${max_lines[0]}}" >"$logs/why"
	cat "$logs/why"
	[ ${#patches[@]} -le $max_patches ] || status=1
	[ "${lines[0]}" -le "${max_lines[0]}" ] || status=1
	[ "${lines[1]}" -le "${max_lines[1]:-${max_lines[0]}}" ] || status=1
	result $status "$1: its size" "$logs/why"
}

# check_series SERIES: check numbers, the file "series", and the cover letter
check_series() {
	local series=$1 dir=$top/$1 cover=$top/$1/0000-cover-letter.patch status=0 got

	: >"$logs/why"
	(cd "$dir" && printf '%s\n' *.patch | grep -v '^0000-') >"$logs/files"
	diff "$logs/files" "$dir/series" >>"$logs/why" || status=1
	awk '{ n = sprintf("%04d-", NR); if (index($0, n) != 1) { print "not number " NR ": " $0; bad = 1 } }
	     END { exit bad }' "$dir/series" >>"$logs/why" || status=1
	result $status "$series: the file \"series\" lists its patches, in order" "$logs/why"

	status=0
	: >"$logs/why"
	[ -n "$(header "$cover" Subject)" ] || { echo "$cover: no subject"; status=1; } >>"$logs/why"
	! grep -n '\*\*\* .* HERE \*\*\*' "$cover" >>"$logs/why" || status=1
	result $status "$series: the cover letter has been written" "$logs/why"

	status=0
	! grep -n '@abtf\.invalid' "$dir"/*.patch >"$logs/why" || status=1
	result $status "$series: no patch has the placeholder address abtf.invalid" "$logs/why"

	status=0
	got=$(sed -n 's/^base-commit: //p' "$cover")
	if [ "$got" != "$base" ]; then
		status=1
		cat >"$logs/why" <<-T
		base-commit of the series: $got
		import of the tarball: $base
		If Debian's source is newer than the series (it is $(git -C "$src" log -1 --format=%s base-import)),
		nothing else need be wrong; see whether the patches still apply.
		T
	fi
	result $status "$series: its base-commit is the import" "$logs/why"

	status=0
	got=$(grep -c '^prerequisite-patch-id: ' "$cover" || true)
	nr=$nr_before
	! applies_alone "$series" || nr=0
	if [ "$got" != "$nr" ]; then
		status=1
		echo "$got prerequisite-patch-ids, expected $nr" >"$logs/why"
	fi
	result $status "$series: the cover letter lists its prerequisite patches" "$logs/why"
}

# check_build PATCH TARGET: build a target, and set $built
check_build() {
	local status=0

	build "$2" >"$logs/why" || status=1
	result $status "$1: $2 builds" "$logs/why"
	[ $status = 0 ] && built+=" $2" || built+=" ($2)"
	warnings "$logs/why" | comm -23 - "$logs/base" >"$logs/new"
	status=0
	[ ! -s "$logs/new" ] || status=1
	result $status "$1: $2 has no new warnings" "$logs/new"
}

# check_patch PATCH CLOSELY: read, apply and build it, as a maintainer would; with CLOSELY=0, only apply it
check_patch() {
	local patch=$1 closely=$2 name status row built=

	name=${patch#"$top"/}
	row=' '
	if [ "$closely" = 1 ]; then
		status=0
		(cd "$tree" && LC_ALL=C command patch -p1 -F0 --dry-run -f <"$patch") >"$logs/why" 2>&1 || status=1
		! grep -qE 'fuzz|offset' "$logs/why" || status=1
		result $status "$name: every hunk applies at its line number" "$logs/why"
		[ $status = 0 ] && row+='exact ' || row+='  -   '

		status=0
		# checkpatch.pl wants MAINTAINERS entries for new files (BPF's directories are
		# covered), rejects libelf's type names, needs Debian's python, and in newer kernels
		# wants const bin_attributes, which are filled in at run time.  Debian's source has
		# no history for commit ids.
		(cd "$tree" && PATH=/usr/bin:/bin scripts/checkpatch.pl --strict --quiet \
			--no-summary --terse --ignore FILE_PATH_CHANGES,CONST_STRUCT,UNKNOWN_COMMIT_ID "$patch") 2>&1 |
			grep -vE 'CHECK: Avoid CamelCase: <G?Elf(_[A-Za-z]+)?>$' >"$logs/why" || :
		[ ! -s "$logs/why" ] || status=1
		result $status "$name: checkpatch.pl --strict" "$logs/why"
		[ $status = 0 ] && row+='checkpatch ' || row+='     -     '
	fi

	status=0
	git -C "$tree" am -q --committer-date-is-author-date "$patch" >"$logs/why" 2>&1 || status=1
	if [ "$closely" = 1 ] || [ $status != 0 ]; then
		result $status "$name: git am" "$logs/why"
	fi
	[ $status = 0 ] || die "$name does not apply; the patches after it cannot be checked"
	[ "$closely" = 1 ] || return 0
	row+='am '

	for what in $(touched "$patch"); do
		case $what in
		# a directory without a Makefile is built with its parent
		*/|*/:n) [ -e "$tree/${what%:n}Makefile" ] || continue ;;
		esac
		check_build "$name" "$what"
	done
	printf '%s %s%s\n' "$row" "${name%.patch}" "${built:+:$built}"
}

# --- main -------------------------------------------------------------------

mkdir -p "$logs" "$out" "$out-n"
if [ -e "$tree/.git" ]; then
	rm -rf "$(git -C "$tree" rev-parse --absolute-git-dir)/rebase-apply"
	git -C "$tree" checkout -q --force --detach "$base"
	git -C "$tree" clean -qfdx
else
	rm -rf "$tree"
	git -C "$src" worktree prune
	git -C "$src" worktree add -q --detach "$tree" "$base"
fi

case " ${all_series[*]} " in
*" ${SERIES:-${all_series[0]}} "*) ;;
*) die "SERIES=$SERIES: not one of ${all_series[*]}" ;;
esac
all=() wanted=()
for series in "${all_series[@]}"; do
	[ -e "$top/$series/series" ] || die "$series: unknown series"
	wanted+=("$series")
	[ "${SERIES:-$series}" = "$series" ] || continue
	mapfile -t -O ${#all[@]} all < <(patches_of "$series")
	[ "${SERIES:-}" != "$series" ] || break
done

if [ "${BUILD:-1}" = 0 ]; then
	touched() { :; }
	last_of() { :; }
fi
[ "${BUILD:-1}" = 0 ] || build config >"$logs/why" || die "cannot configure; see $logs/why"
mapfile -t parts < <(
	for patch in "${all[@]}"; do
		touched "$patch"
	done
	for series in "${wanted[@]}"; do
		[ "${SERIES:-$series}" != "$series" ] || last_of "$series" | tr ' ' '\n'
	done)
mapfile -t parts < <(printf '%s\n' "${parts[@]}" | sort -u)
: >"$logs/base"
[ "${BUILD:-1}" = 0 ] || baseline "${parts[@]}"

for series in "${wanted[@]}"; do
	mapfile -t patches < <(patches_of "$series")
	if [ -n "${SERIES:-}" ] && [ "$SERIES" != "$series" ]; then
		echo "$series: applied, not checked"
		nr_before=$((nr_before + ${#patches[@]}))
		for patch in "${patches[@]}"; do
			check_patch "$patch" 0
		done
		continue
	fi
	echo "$series:"
	check_series "$series"
	check_size "$series"
	nr_before=$((nr_before + ${#patches[@]}))
	for patch in "${patches[@]}"; do
		check_patch "$patch" 1
	done
	built=
	for what in $(last_of "$series"); do
		check_build "$series" "$what"
	done
	[ -z "$built" ] || printf '%27s%s:%s\n' '' "$series as a whole" "$built"
done
case ${BUILD:-1} in
0)	without=', nothing was built' ;;
dirs) without=', without the whole kernel' ;;
*)	without='' ;;
esac
echo "check-patches: $passed passed, $failed failed$without"
[ $failed = 0 ]
