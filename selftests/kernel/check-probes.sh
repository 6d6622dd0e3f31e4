#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make check-probes": boots Debian's own kernel with some of its modules, and tries a kprobe in
# every function that has an address, in vmlinux and in those modules.  Its verdict has to
# be the one that abtf reads from the debug image.
#   KVER=7.2     the 7.2 of Debian's unstable, not 6.12; "KEEP=1 make check-images ONLY=amd64-7.2"
#                fetches its debug image
#   EVERY=N      only one of N functions without a flag and with a unique name (1)
#   MODULES="A B"  these and what they depend on
set -eu
set -o pipefail
cd "$(dirname "$0")/../.."

kver=${KVER:-6.12} work=$PWD/build/check-probes abtf=$PWD/encoder/abtf apt=$PWD/selftests/apt.sh
debian=$PWD/build/debian
[ "$kver" = 6.12 ] || debian=$PWD/build/images/amd64-$kver
rm -rf "$work"
mkdir -p "$work/root"/{bin,proc,sys,dev,files}
cd "$work"

# The kernel of the debug image, which is of one build only.
release=$(grep -a -o -m1 'Linux version [0-9][^ ]*' "$debian/vmlinux" | head -n 1 | cut -d' ' -f3)
if [ ! -e "$debian/image/vmlinuz" ]; then
	rm -rf "$debian/image"
	if [ "$kver" = 6.12 ]; then
		as_user=()
		[ "$(id -u)" != 0 ] || as_user=(-o APT::Sandbox::User=root)
		mkdir download
		(cd download && apt-get -q -o Acquire::Retries=3 "${as_user[@]}" download "linux-image-$release")
		dpkg-deb -x download/*.deb "$debian/image"
		rm -r download
	else
		# unstable has the kernel and its modules in two packages
		"$apt" sid amd64 unpack "$debian/image" "linux-binary-$release" "linux-modules-$release"
	fi
	[ -e "$debian/image/lib" ] || ln -s usr/lib "$debian/image/lib"
	ln -s "$(cd "$debian/image" && find . -name "vmlinuz*" | head -n 1)" "$debian/image/vmlinuz"
fi
depmod -b "$debian/image" "$release"

# lines of PLACE and VERDICT
"$abtf" list --table "$debian/vmlinux" >shared
"$abtf" list --all --table "$debian/vmlinux" >all
awk -v every="${EVERY:-1}" 'FNR == 1 { next }
	FILENAME == "shared" { wanted[$1] = 1; next }
	$1 in wanted || NF > 2 || !(FNR % every) { print "_text+" $2, ($NF ~ /notrace|noprobe|init/ ? "rejected" : "accepted") }' \
	shared all >root/files/vmlinux
id=$(head -n 1 all)

nr=0
for name in ${MODULES:-nf_tables xfs e1000e}; do
	modprobe -d "$debian/image" -S "$release" --show-depends "$name"
done | sed -n 's/^insmod //p' | awk '!seen[$1]++ { print $1 }' >modules
while read -r module; do
	nr=$((nr + 1))
	case $module in
	*.xz)	xz -dc "$module" >module.ko ;;
	*.zst)	zstd -qdc "$module" >module.ko ;;
	*)	cp "$module" module.ko ;;
	esac
	mv module.ko "root/files/$nr.ko"
	name=$(modinfo -F name "root/files/$nr.ko")
	"$abtf" list -aj --base "$debian/vmlinux" "root/files/$nr.ko" |
		jq -r --arg ko "$name" '.[] | select(.flags | index("unknown") | not) |
			"\($ko):\(.name) \(if .flags - ["clone"] == [] then "accepted" else "rejected" end)"'
done <modules >root/files/modules

cp /bin/busybox root/bin/
cat >root/init <<'END'
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t tracefs tracefs /sys/kernel/tracing
cd /files
echo "build id: $(od -An -tx1 -v /sys/kernel/notes | tr -d ' \n')"
for nr in $(ls *.ko | cut -d. -f1 | sort -n); do
	insmod $nr.ko || echo "$nr.ko: not loaded"
done
nr=0
for file in modules vmlinux; do
	while read -r place predicted; do
		nr=$((nr + 1))
		verdict=rejected
		! echo "p:probes/e$nr $place" 2>/dev/null >>/sys/kernel/tracing/kprobe_events || verdict=accepted
		echo "$place $verdict"
	done <$file >/tmp/$file
	echo "$file: $(grep -c accepted /tmp/$file) accepted, $(grep -c rejected /tmp/$file) rejected"
	diff $file /tmp/$file | grep '^[<>]' | head -n 100
done
echo "end of check-probes"
poweroff -f
END
mkdir root/tmp
chmod +x root/init
(cd root && find . | cpio -o -H newc -R 0:0 --quiet) | gzip -1 >initrd
timeout -k 5 "${VM_TIMEOUT:-3000}" qemu-system-x86_64 -cpu max -accel tcg,thread=single -smp 2 -m 3072 \
	-nodefaults -no-user-config -no-reboot -display none -monitor none -serial "file:$work/console" \
	-kernel "$debian/image/vmlinuz" -initrd initrd \
	-append "console=ttyS0 panic=-1 quiet tsc=unstable no_timer_check" </dev/null ||
	echo 'the guest did not end by itself'
tr -d '\r' <console | sed -n '/^build id: /,$p' >output
sed 1d output
head -n 1 output | grep -q "$id" || { echo "the kernel that booted is not the one of the image"; exit 1; }
grep -q '^end of check-probes' output && ! grep -q '^[<>]\|not loaded' output || exit 1
echo "all $(cat root/files/modules root/files/vmlinux | wc -l) verdicts are as predicted"
