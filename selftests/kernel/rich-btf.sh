#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Prints the name of a file with BTF of a kernel in which everything is configured:
# the programs of the kernel's BPF selftests name types that the test kernels lack.
# It is Debian's cloud kernel, which is downloaded once (34 MB); or VMLINUX_BTF=FILE.
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"

if [ -n "${VMLINUX_BTF:-}" ]; then
	echo "$VMLINUX_BTF"
	exit 0
fi
dir=$linux/cloud
if [ ! -s "$dir/vmlinux" ]; then
	mkdir -p "$dir"
	package=$(apt-cache show --no-all-versions linux-image-6.12-cloud-amd64 |
		sed -n 's/^Depends: *\(linux-image-[^ ,]*\).*/\1/p' | head -n 1)
	[ -n "$package" ] || die 'no package linux-image-6.12-cloud-amd64; give VMLINUX_BTF'
	echo "${0##*/}: downloading $package" >&2
	(cd "$dir" && apt-get -q -o Acquire::Retries=3 -o APT::Sandbox::User=root download "$package" >log)
	deb=$(ls -t "$dir"/linux-image-*.deb | head -n 1)
	dpkg-deb --fsys-tarfile "$deb" | tar -xO --wildcards './boot/vmlinuz-*' >"$dir/vmlinuz"
	"$linux/src/scripts/extract-vmlinux" "$dir/vmlinuz" >"$dir/vmlinux.tmp"
	rm -f "$deb" "$dir/vmlinuz"
	mv "$dir/vmlinux.tmp" "$dir/vmlinux"
fi
echo "$dir/vmlinux"
