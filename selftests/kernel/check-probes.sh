#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make check-probes": boots Debian's own kernel with some of its modules, and tries the kprobes of
# predict.sh. The kernel must accept or reject them as abtf predicts from the debug image and from the
# modules. A probe of one of 18 type_show() must print the name in its first argument, and
# examples/latency.sh must see each call.
#   KVER=VERSION  another version than 6.12; "KEEP=1 make check-images ONLY=amd64-VERSION"
#                fetches its debug image
#   ARCH=arm64|s390x  instead of x86_64, likewise, emulated
#   EVERY=N, RANDOM_PLACES=N (500), MODULE_PLACES=N (20)  see predict.sh
#   SKIP=REGEX  no places in modules that match: 7.3-rc7 oopses at udp_tunnel6_dst_lookup.cold, if the
#                page that follows ip6_udp_tunnel is not mapped (docs/limits.md)
#   MODULES="A B"  these modules and their dependencies (nf_tables xfs e1000e; "many": 66 of different
#                kinds; "none")
#   VM_TIMEOUT=S  seconds until the guest is killed (3000)
set -eu
set -o pipefail
cd "$(dirname "$0")/../.."

kver=${KVER:-6.12} arch=${ARCH:-x86_64}
case $arch in
x86_64)	deb=amd64 machine=(qemu-system-x86_64 -cpu max) append='console=ttyS0 tsc=unstable no_timer_check' ;;
arm64)	deb=arm64 machine=(qemu-system-aarch64 -M virt -cpu max,pauth-impdef=on) append=console=ttyAMA0 ;;
s390x)	deb=s390x machine=(qemu-system-s390x -M s390-ccw-virtio -cpu max) append=console=ttyS0 ;;
*)	echo "ARCH=$arch: not one of x86_64, arm64, s390x" >&2; exit 2 ;;
esac
console=(-serial "file:console")
[ $deb != s390x ] || console=(-chardev file,id=console,path=console -device sclplmconsole,chardev=console)
work=$PWD/build/check-probes/$deb-$kver abtf=$PWD/encoder/abtf apt=$PWD/selftests/apt.sh
debian=$PWD/build/debian
[ "$deb-$kver" = amd64-6.12 ] || debian=$PWD/build/images/$deb-$kver
rm -rf "$work"
mkdir -p "$work/root"/{bin,proc,sys,dev,files}
cd "$work"

# The kernel must be from the same build as the debug image.
release=$(grep -a -o -m1 'Linux version [0-9][^ ]*' "$debian/vmlinux" | head -n 1 | cut -d' ' -f3)
if [ ! -e "$debian/image/vmlinuz" ]; then
	rm -rf "$debian/image"
	if [ "$deb-$kver" = amd64-6.12 ]; then
		as_user=()
		[ "$(id -u)" != 0 ] || as_user=(-o APT::Sandbox::User=root)
		mkdir download
		(cd download && apt-get -q -o Acquire::Retries=3 "${as_user[@]}" download "linux-image-$release")
		dpkg-deb -x download/*.deb "$debian/image"
		rm -r download
	else
		# newer kernels and their modules are in two packages
		"$apt" any $deb unpack "$debian/image" "linux-binary-$release" "linux-modules-$release"
	fi
	[ -e "$debian/image/lib" ] || ln -s usr/lib "$debian/image/lib"
	ln -s "$(cd "$debian/image" && find . -name "vmlinuz*" | head -n 1)" "$debian/image/vmlinuz"
fi
# newer packages have the lists of built-in modules elsewhere
depmod -b "$debian/image" "$release" 2>/dev/null

many='9p af_packet_diag ahci ath9k bluetooth bonding br_netfilter btrfs bridge cdc_ether ceph
	cfg80211 cifs dm_crypt dm_raid dm_thin_pool drbd e1000e erofs ext4 f2fs gfs2
	hid_multitouch i2c_i801 igb ip_vs ipvlan isofs ixgbe iwlwifi kvm l2tp_ppp mac80211 macsec
	md_mod mlx4_core mptcp_diag nbd nf_conntrack_ftp nf_tables nfsd nvme ocfs2 openvswitch
	overlay r8169 raid456 sch_cake sctp snd_hda_intel squashfs target_core_mod tg3 tipc tls tun
	udf usb_storage uvcvideo vhost_net virtio_gpu vxlan wireguard xfs xhci_pci zram'
modules=${MODULES:-nf_tables xfs e1000e}
case $modules in
many)	modules=$many ;;
none)	modules= ;;
esac
nr=0
for name in $modules; do
	modprobe -d "$debian/image" -S "$release" --show-depends "$name" 2>/dev/null || echo "missing $name"
done | sed -n 's/^insmod //p; s/^missing .*/&/p' | awk '!seen[$0]++' >inserted
! grep '^missing' inserted || exit 1
files=()
while read -r module _; do
	nr=$((nr + 1))
	files+=("root/files/$nr.ko")
	case $module in
	*.xz)	xz -dc "$module" ;;
	*.zst)	zstd -qdc "$module" ;;
	*)	cat "$module" ;;
	esac >"root/files/$nr.ko"
done <inserted
ABTF=$abtf RANDOM_PLACES=${RANDOM_PLACES:-500} MODULE_PLACES=${MODULE_PLACES:-20} \
	../../../selftests/kernel/predict.sh "$debian/vmlinux" "${files[@]}"
mv vmlinux modules root/files
id=$(head -n 1 table | cut -d ' ' -f 3)
echo "$nr modules; not tried: $(wc -l <ambiguous) clones and parts whose original is ambiguous"

# The probes for names() and latency() below
cp ../../../examples/latency.sh ../../../selftests/kernel/try-probes.sh root/files/
for option in '' --retprobe; do
	# shellcheck disable=SC2086 # an option, or none
	"$abtf" list --probe=tracefs $option "$debian/vmlinux" type_show@irqdesc.c >"root/files/probe$option"
done
"$abtf" list --probe=tracefs --args='kobj->name:string' "$debian/vmlinux" type_show@irqdesc.c >root/files/probe-args
cat >root/files/abtf <<'END'
case "$*" in *--retprobe*) cat /files/probe--retprobe ;; *) cat /files/probe ;; esac
END

busybox=/bin/busybox
if [ $deb != amd64 ]; then
	"$apt" any $deb unpack "$work/busybox" busybox-static
	busybox=busybox/usr/bin/busybox
fi
cp "$busybox" root/bin/
cat >root/init <<'END'
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t tracefs tracefs /sys/kernel/tracing
mount -t devtmpfs dev /dev
cd /files
echo "build id: $(od -An -tx1 -v /sys/kernel/notes | tr -d ' \n')"

# print the names of the interrupts whose files are read, not that of a network interface
names() {
	cat /files/probe-args >/sys/kernel/tracing/kprobe_events
	echo 1 >/sys/kernel/tracing/events/abtf/enable
	cat /sys/kernel/irq/*/type /sys/class/net/lo/type >/dev/null
	echo 0 >/sys/kernel/tracing/events/abtf/enable
	grep -o ' name=.*' /sys/kernel/tracing/trace | sort >/tmp/names
	for file in /sys/kernel/irq/*/type; do
		file=${file%/type}
		echo " name=\"${file##*/}\""
	done | sort >/tmp/expected
	[ -s /tmp/names ] && cmp -s /tmp/names /tmp/expected || { head -n 99 /tmp/names; echo 'names: not those of the interrupts' >>/tmp/errors; }
	echo >/sys/kernel/tracing/kprobe_events
	echo "names: $(grep -c . /tmp/names) calls"
}
names

# latency COUNT: measure type_show@irqdesc.c while COUNT shells read its files, and one of another
# type_show(), five times
latency() {
	ABTF='sh /files/abtf' sh /files/latency.sh type_show@irqdesc.c sh -c "for k in $(seq -s ' ' $1); do
		for i in 1 2 3 4 5; do cat /sys/kernel/irq/*/type /sys/class/net/lo/type >/dev/null; done & done; wait" >/tmp/latency 2>&1
	hits=$(sed -n 's/^ *Hits: //p' /tmp/latency)
	expected=$(($1 * 5 * $(ls /sys/kernel/irq/*/type | wc -l)))
	[ "$hits" = $expected ] || { cat /tmp/latency; echo "latency: $hits calls, not $expected" >>/tmp/errors; }
	[ ! -s /sys/kernel/tracing/kprobe_events ] && [ ! -s /sys/kernel/tracing/synthetic_events ] || echo 'latency: not removed' >>/tmp/errors
	echo "latency: $hits calls"
}
latency 1
latency 4

# the kernel also looks for "_text" in all modules
sh try-probes.sh vmlinux
for nr in $(ls | grep ko$ | cut -d. -f1 | sort -n); do
	insmod $nr.ko || echo "$nr.ko: not loaded"
done
sh try-probes.sh modules
[ ! -e /tmp/errors ] || cat /tmp/errors
echo "end of check-probes"
# the console of s390 loses what it has not printed yet
sleep 2
poweroff -f
END
mkdir root/tmp
chmod +x root/init
(cd root && find . | cpio -o -H newc -R 0:0 --quiet) | gzip -1 >initrd
timeout -k 5 "${VM_TIMEOUT:-3000}" "${machine[@]}" "${console[@]}" -accel tcg,thread=single -smp 1 -m 3072 \
	-nodefaults -no-user-config -no-reboot -display none -monitor none \
	-kernel "$debian/image/vmlinuz" -initrd initrd \
	-append "$append panic=-1 quiet rcupdate.rcu_expedited=1" </dev/null ||
	echo 'the guest did not end by itself'
tr -d '\r' <console | sed -n '/^build id: /,$p' >output
sed 1d output
[ -n "$id" ] && grep -q "$id" <<<"$(head -n 1 output)" || { echo "the build id of the booted kernel differs from the image"; exit 1; }
grep -q '^end of check-probes' output || { echo 'the guest ended early'; exit 1; }
! grep 'not loaded\|no such section\|^latency: .*not\|^names: not' output || { echo 'the guest printed these errors'; exit 1; }
grep '^[-+]' output | sort | cmp -s - wrong || { echo "unexpected differences; expected $work/wrong"; exit 1; }
echo "all $(cat root/files/modules root/files/vmlinux | wc -l) verdicts are as predicted, except for $(grep -c '^-' wrong) that were reversed"
