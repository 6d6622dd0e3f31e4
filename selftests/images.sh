# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034 # lists are used by the other files
# Debian's debug images, for "make check-images" and "make check-functions", which include this
# file and are started in the project's directory.  Each is a package of 1 GB.
images=$PWD/build/images
# the newest kernel that there are patches for
newest=$(selftests/versions.sh | tail -n 1)

# NAME SUITES ARCHITECTURE PACKAGE: the package depends on the package of the image. It is taken from
# the first of the suites that has the version in NAME.
image_list="
amd64-5.10	bullseye	amd64	linux-image-amd64-dbg
amd64-6.1	bookworm	amd64	linux-image-amd64-dbg
amd64-6.12	-	amd64	-
arm64-6.12	trixie	arm64	linux-image-arm64-dbg
s390x-6.12	trixie	s390x	linux-image-s390x-dbg
ppc64el-6.12	trixie	ppc64el	linux-image-powerpc64le-dbg
armhf-6.12	trixie	armhf	linux-image-armmp-dbg
riscv64-6.12	trixie	riscv64	linux-image-riscv64-dbg
amd64-$newest	sid,experimental	amd64	linux-image-amd64-dbg
arm64-$newest	sid,experimental	arm64	linux-image-arm64-dbg
s390x-$newest	sid,experimental	s390x	linux-image-s390x-dbg
ppc64el-$newest	sid,experimental	ppc64el	linux-image-powerpc64le-dbg
riscv64-$newest	sid,experimental	riscv64	linux-image-riscv64-dbg
loong64-$newest	sid,experimental	loong64	linux-image-loong64-dbg"

# Other configurations
other_images='
cloud-6.12	trixie	amd64	linux-image-cloud-amd64-dbg
rt-6.12	trixie	amd64	linux-image-rt-amd64-dbg'

# banner IMAGE: print version and package from the image itself: "6.12.107 6.12.107-1"
banner() {
	grep -a -o -m1 'Linux version [0-9][[:print:]]*' "$1" | head -n 1 |
		sed -n 's/^Linux version \([0-9.]*\).* Debian \([^ ]*\) .*/\1 \2/p' || true
}

# fetch_image NAME SUITES ARCHITECTURE PACKAGE: set $image; mark it if it was downloaded
fetch_image() {
	local name=$1 suite=$2 arch=$3 package=$4 dir=$images/$1 one found=

	image=$dir/vmlinux
	if [ "$suite" = - ]; then
		# other targets use it, too; on another architecture than amd64, it is for that architecture
		selftests/fetch-debian.sh
		image=$PWD/build/debian/vmlinux
	elif [ ! -s "$image" ]; then
		for one in ${suite//,/ }; do
			found=$(selftests/apt.sh "$one" "$arch" depends "$package") || return
			found=$(grep "^linux-image-${name#*-}[.+-].*-dbg\$" <<<"$found") && break
		done
		[ -n "$found" ] || { echo "no $package of Linux ${name#*-} in $suite" >&2; return 1; }
		suite=$one package=$found
		echo "  downloading $package of $suite, $arch"
		rm -f "$dir"/*.deb
		selftests/apt.sh "$suite" "$arch" download "$dir" "$package" >"$dir/apt.log"
		# One of the two is a link to the other.  tar stops reading when it has
		# seen both; dpkg-deb complains about that, which is harmless.
		{ dpkg-deb --fsys-tarfile "$dir"/*.deb 2>/dev/null || true; } |
			tar -x -O -f - --occurrence=1 --wildcards './usr/lib/debug/boot/vmlinux-*' \
				'./usr/lib/debug/lib/modules/*/vmlinux' >"$image.tmp" 2>/dev/null || true
		rm -f "$dir"/*.deb
		# the section headers are at the end of the file
		if [ -n "$(readelf -S "$image.tmp" 2>&1 >/dev/null)" ]; then
			echo "$package: no complete vmlinux could be unpacked" >&2
			rm "$image.tmp"
			return 1
		fi
		touch "$dir/fetched"
		mv "$image.tmp" "$image"
	fi
	if [[ $(banner "$image") != "${name#*-}"[.\ ]* ]]; then
		echo "$image: '$(banner "$image")' is not Linux ${name#*-}: the suite has a newer version" >&2
		return 1
	fi
}

# drop_image NAME: delete an image that fetch_image downloaded, unless KEEP=1
drop_image() {
	if [ -e "$images/$1/fetched" ] && [ "${KEEP:-}" != 1 ]; then
		rm -f "$images/$1"/{vmlinux,fetched}
	fi
}
