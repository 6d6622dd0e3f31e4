#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make test-pahole: run pahole's own tests with pahole 1.32, and with abtf-pahole for each command
# that encodes BTF. Print both results of each test. It is an error if a test passes only with
# pahole, unless selftests/pahole-tests gives a reason. Output is below build/test-pahole.
#   COMPILERS="A B"   by default gcc-16 clang-22 clang-23; the tests are run for each gcc and clang
#   PAHOLE_TESTS=DIR  instead of the tests in Debian's source package
#   VMLINUX=FILE      the image that tests encode (build/example/vmlinux)
#   ABTF=FILE         another abtf
#   T=name            only tests with this in their name
set -eu -o pipefail
cd "$(dirname "$0")/.."
out=$PWD/build/test-pahole known=$PWD/selftests/pahole-tests
: "${COMPILERS:=gcc-16 clang-22 clang-23}" "${VMLINUX:=build/example/vmlinux}"
VMLINUX=$(realpath "$VMLINUX")
if [ -n "${PAHOLE_TESTS:-}" ]; then
	selftests/fetch-pahole.sh
	tests=$(realpath "$PAHOLE_TESTS")
else
	selftests/fetch-pahole.sh tests
	tests=$PWD/build/pahole-sid/tests
fi
[ -f "$tests/test_lib.sh" ] || { echo "test-pahole.sh: $tests: no test_lib.sh" >&2; exit 1; }
rm -rf "$out"
mkdir -p "$out"/{bin,abtf}

# A wrapper that starts the loader would have the loader's name in ps.
sid=$PWD/build/pahole-sid
for program in pahole pfunct; do
	cp "$sid/usr/bin/$program" "$out/bin/$program"
	patchelf --set-interpreter "$sid/usr$(patchelf --print-interpreter "$sid/usr/bin/$program")" \
		--force-rpath --set-rpath "$(echo "$sid"/usr/lib/*-linux-gnu*)" "$out/bin/$program"
done

# The same for abtf. Only pahole prints types.
ln -s "$(realpath "${ABTF:-encoder/abtf}")" "$out/abtf/pahole"
cat >"$out/wrapper" <<END
#!/bin/bash
for arg; do
	case \$arg in
	-J|--btf_encode|--btf_encode_detached*)
		exec -a abtf-pahole $out/abtf/pahole "\$@" ;;
	esac
done
exec $out/bin/pahole "\$@"
END
chmod +x "$out/wrapper"

# run_test PROGRAM NAME: print pass, skip or fail
run_test() {
	local program=$1 name=$2 dir=$run/$1 status=0

	if [ ! -d "$dir" ]; then
		mkdir -p "$dir"/{bin,tmp}
		cp -r "$tests" "$dir/tests"
		# not in /tmp, where failed tests leave their files
		sed -i "s|mktemp -d /tmp/|mktemp -d $dir/tmp/|" "$dir/tests/test_lib.sh"
		ln -s "$gcc" "$dir/bin/gcc"
		ln -s "$clang" "$dir/bin/clang"
		ln -s "$out/bin/pfunct" "$dir/bin/pfunct"
		if [ "$program" = pahole ]; then
			ln -s "$out/bin/pahole" "$dir/bin/pahole"
		else
			ln -s "$out/wrapper" "$dir/bin/pahole"
		fi
	fi
	(cd "$dir/tests" && VERBOSE=1 PATH=$dir/bin:$PATH timeout 3600 "./$name" "$VMLINUX") \
		>"$dir/$name.log" 2>&1 </dev/null || status=$?
	case $status in
	0)	echo pass ;;
	2)	echo skip ;;
	*)	echo fail ;;
	esac
}

# matched PROGRAM NAME: how many functions in BTF the test found in DWARF
matched() {
	grep 'Matched' "$run/$1/$2.log" || true
}

# reason NAME: why it only passes with pahole
reason() {
	sed -n "s/^$1	*//p" "$known"
}

gccs=() clangs=()
for name in $COMPILERS; do
	path=$(command -v "$name") || {
		selftests/fetch-compilers.sh "$name"
		path=$PWD/build/compilers/$name
	}
	case $name in
	clang*)	clangs+=("$path") ;;
	*)	gccs+=("$path") ;;
	esac
done
[ ${#gccs[@]} != 0 ] && [ ${#clangs[@]} != 0 ] ||
	{ echo "test-pahole.sh: COMPILERS needs a gcc and a clang" >&2; exit 1; }

failed=0 passed=0
declare -A differs agrees
for gcc in "${gccs[@]}"; do
	for clang in "${clangs[@]}"; do
		run=$out/${gcc##*/}-${clang##*/}
		mkdir "$run"
		for file in "$tests"/*.sh; do
			name=${file##*/}
			[ "$name" != test_lib.sh ] && [[ $name == *"${T:-}"* ]] || continue
			theirs=$(run_test pahole "$name")
			ours=$(run_test abtf-pahole "$name")
			case $theirs,$ours in
			pass,pass)	result=PASS ;;
			pass,*|skip,fail) result=FAIL ;;
			*)		result=SAME ;;
			esac
			# btf_functions.sh passes without any function, too.
			diff <(matched pahole "$name") <(matched abtf-pahole "$name") || result=FAIL
			[ "$theirs" != pass ] || passed=$((passed + 1))
			if [ $result = FAIL ]; then
				differs[$name]=1
				[ -z "$(reason "$name")" ] || result=KNOWN
			fi
			[ $result != PASS ] || agrees[$name]=1
			[ $result != FAIL ] || failed=$((failed + 1))
			printf '%-5s %s with %s and %s: pahole: %s, abtf-pahole: %s\n' $result "$name" \
				"${gcc##*/}" "${clang##*/}" "$theirs" "$ours"
			[ $result != KNOWN ] || echo "      $(reason "$name")"
		done
	done
done

while read -r name _; do
	if [[ ${agrees[$name]:-} && ! ${differs[$name]:-} ]]; then
		echo "FAIL  $name is in selftests/pahole-tests, but passes"
		failed=$((failed + 1))
	fi
done <"$known"
echo "$passed tests passed with pahole; $failed of them failed with abtf-pahole, without a reason"
[ $failed = 0 ] && [ $passed != 0 ]
