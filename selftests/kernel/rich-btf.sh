#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Prints the name of a file with BTF of Debian's cloud kernel, which has types that the kernel's BPF
# selftests use and the test kernels lack. It is of this version, or, from unstable, at least as new, and
# is downloaded once (34 MB). VMLINUX_BTF=FILE replaces it.
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"

if [ -n "${VMLINUX_BTF:-}" ]; then
	echo "$VMLINUX_BTF"
	exit 0
fi
dir=$linux/cloud
if [ ! -s "$dir/vmlinux" ]; then
	mkdir -p "$dir"
	case $kver in
	6.12)
		package=$(apt-cache show --no-all-versions linux-image-6.12-cloud-amd64 |
			sed -n 's/^Depends: *\(linux-image-[^ ,]*\).*/\1/p' | head -n 1)
		get=(apt-get -q -o Acquire::Retries=3 -o APT::Sandbox::User=root download)
		;;
	*)
		# the image package is empty and depends on linux-binary, which has the kernel
		package=$("$top/selftests/apt.sh" sid amd64 depends linux-image-cloud-amd64 |
			grep -E '^linux-(image|binary)-[0-9].*-cloud-amd64$' | sort | head -n 1)
		get=("$top/selftests/apt.sh" sid amd64 download "$dir")
		;;
	esac
	[ -n "$package" ] || die "no cloud kernel of $kver; give VMLINUX_BTF"
	echo "${0##*/}: downloading $package" >&2
	(cd "$dir" && "${get[@]}" "$package" >log)
	deb=$(ls -t "$dir"/linux-*.deb | head -n 1)
	dpkg-deb --fsys-tarfile "$deb" | tar -xO --wildcards '*/vmlinuz*' >"$dir/vmlinuz"
	"$linux/src/scripts/extract-vmlinux" "$dir/vmlinuz" >"$dir/vmlinux.tmp"
	rm -f "$deb" "$dir/vmlinuz"
	mv "$dir/vmlinux.tmp" "$dir/vmlinux"
fi
echo "$dir/vmlinux"
