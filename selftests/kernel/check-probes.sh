#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make check-probes": boots Debian's own kernel with some of its modules, and tries a kprobe in
# every function, clone and part of a function in vmlinux and in those modules.  The kernel's verdict
# has to be the one that abtf reads from the debug image and from the modules.  Then examples/latency.sh
# has to see each call of one of 18 type_show().
#   KVER=VERSION  another version than 6.12; "KEEP=1 make check-images ONLY=amd64-VERSION"
#                fetches its debug image
#   EVERY=N      only one of N functions that have no flag and a name without a suffix or a file (8)
#   MODULES="A B"  these and what they depend on (nf_tables xfs e1000e; "many": 70 of many kinds)
set -eu
set -o pipefail
cd "$(dirname "$0")/../.."

kver=${KVER:-6.12}
work=$PWD/build/check-probes/$kver abtf=$PWD/encoder/abtf apt=$PWD/selftests/apt.sh
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
		# newer kernels and their modules are in two packages
		"$apt" any amd64 unpack "$debian/image" "linux-binary-$release" "linux-modules-$release"
	fi
	[ -e "$debian/image/lib" ] || ln -s usr/lib "$debian/image/lib"
	ln -s "$(cd "$debian/image" && find . -name "vmlinuz*" | head -n 1)" "$debian/image/vmlinuz"
fi
# newer packages have the lists of what is built in elsewhere
depmod -b "$debian/image" "$release" 2>/dev/null

# lines of PLACE and VERDICT
"$abtf" list --all --table "$debian/vmlinux" >table
id=$(head -n 1 table | cut -d ' ' -f 3)
awk -v every="${EVERY:-8}" 'NR > 1 && every && (NF > 2 || $1 ~ /[.@]/ || !(NR % every)) {
	print "_text+" $2, ($3 ~ /notrace|noprobe|init|unknown/ ? "rejected" : "accepted") }' \
	table >root/files/vmlinux

# places MODULE: lines of module, original ("-": not a clone or part), PLACE and VERDICT.
# The kernel finds a function by its name, unless several functions of the module have it: then it
# gets a section and an offset.  Code for initialization is not in memory any more.
places() {
	local name

	name=$(modinfo -F name "$1")
	nm --defined-only "$1" | awk -v ko="$name" '{ print $3, ko }' >>owners
	"$abtf" list -aj --base "$debian/vmlinux" "$1" |
		jq -r '.[] | [.name, .offset, (.flags - ["clone"])[0] // "accepted"] | @tsv' |
		awk -v ko="$name" '
		$3 == "unknown" { next }
		{ verdict = $3 == "accepted" ? $3 : "rejected"
		  name = original = $1
		  sub(/@.*/, "", name)
		  original = index(name, ".") > 1 ? substr(name, 1, index(name, ".") - 1) : "-" }
		$1 !~ /@/ { print ko, original, ko ":" $1, verdict; next }
		$3 != "init" { sub(/.*@/, "", $1); sub(/[+].*/, "", $1)
			print ko, original, ko "|" $1 "|" $2, verdict }'
}

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
nm --defined-only "$debian/vmlinux" | awk '{ print $3, "vmlinux" }' >owners
for name in $modules; do
	modprobe -d "$debian/image" -S "$release" --show-depends "$name" 2>/dev/null || echo "missing $name"
done | sed -n 's/^insmod //p; s/^missing .*/&/p' | awk '!seen[$0]++' >modules
! grep '^missing' modules || exit 1
while read -r module _; do
	nr=$((nr + 1))
	case $module in
	*.xz)	xz -dc "$module" >module.ko ;;
	*.zst)	zstd -qdc "$module" >module.ko ;;
	*)	cp "$module" module.ko ;;
	esac
	mv module.ko "root/files/$nr.ko"
	places "root/files/$nr.ko"
done <modules >places
# For a clone, the kernel looks for the original in vmlinux and in all modules, so that the verdict
# depends on the others.
awk '
	FILENAME == "owners" { nr[$1] += !(($1, $2) in owns); owns[$1, $2] = 1; next }
	nr[$2] > (($2, $1) in owns) { print $3 >"ambiguous"; next }
	{ print $3, $4 }' owners places >root/files/modules
touch ambiguous
echo "$(wc -l <modules) modules; not tried: $(wc -l <ambiguous) clones and parts, of whose originals there are several"

# Wrong predictions, which the guest must find: the first of each kind, reversed.
for file in vmlinux modules; do
	awk 'function other(verdict) { return verdict == "accepted" ? "rejected" : "accepted" }
		!seen[$2]++ { print "-" $1, other($2); print "+" $1, $2 }' root/files/$file >wrong.$file
	sed -n 's/^-//p' wrong.$file >>root/files/$file
done
sort wrong.vmlinux wrong.modules >wrong

# The example that measures latency, and what abtf prints for it
cp ../../../examples/latency.sh root/files/
for option in '' --retprobe; do
	# shellcheck disable=SC2086 # an option, or none
	"$abtf" list --probe=tracefs $option "$debian/vmlinux" type_show@irqdesc.c >"root/files/probe$option"
done
cat >root/files/abtf <<'END'
case "$*" in *--retprobe*) cat /files/probe--retprobe ;; *) cat /files/probe ;; esac
END

cp /bin/busybox root/bin/
cat >root/init <<'END'
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t tracefs tracefs /sys/kernel/tracing
mount -t devtmpfs dev /dev
cd /files
echo "build id: $(od -An -tx1 -v /sys/kernel/notes | tr -d ' \n')"
events=/sys/kernel/tracing/kprobe_events

# try FILE: its lines, with the kernel's verdict
try() {
	nr=0
	while read -r place predicted; do
		spec=$place
		case $place in
		*"|"*)
			section=${place#*|}
			offset=${section#*|} section=${section%|*}
			# only one read() of the file is possible
			base=$(cat /sys/module/${place%%|*}/sections/$section)
			[ $((base)) != 0 ] || echo "$place: no such section" >>/tmp/errors
			spec=$(printf "0x%x" $((base + offset)))
			;;
		esac
		nr=$((nr + 1))
		verdict=rejected
		! echo "p:probes/e$nr $spec" 2>/dev/null >>$events || verdict=accepted
		echo "$place $verdict"
		# adding an event takes longer the more there are
		[ $((nr % 100)) != 0 ] || : >$events
	done <$1 >/tmp/$1
	: >$events
	echo "$1: $(grep -c " accepted$" /tmp/$1) accepted, $(grep -c " rejected$" /tmp/$1) rejected, $(cut -d. -f1 /proc/uptime) s"
	# busybox has unified diffs only
	diff -U 0 $1 /tmp/$1 | grep '^[-+][^-+]' | head -n 500
	[ ! -e /tmp/errors ] || cat /tmp/errors
}

# latency COUNT: of type_show() while COUNT shells read five times what calls it, and another type_show()
latency() {
	ABTF='sh /files/abtf' sh /files/latency.sh type_show@irqdesc.c sh -c "for k in $(seq -s ' ' $1); do
		for i in 1 2 3 4 5; do cat /sys/kernel/irq/*/type /sys/class/net/lo/type >/dev/null; done & done; wait" >/tmp/latency 2>&1
	hits=$(sed -n 's/^ *Hits: //p' /tmp/latency)
	expected=$(($1 * 5 * $(ls /sys/kernel/irq/*/type | wc -l)))
	[ "$hits" = $expected ] || { cat /tmp/latency; echo "latency: $hits calls, not $expected" >>/tmp/errors; }
	[ ! -s $events ] && [ ! -s /sys/kernel/tracing/synthetic_events ] || echo 'latency: not removed' >>/tmp/errors
	echo "latency: $hits calls"
}
latency 1
latency 4

# the kernel looks for "_text" in all modules, too
try vmlinux
for nr in $(ls | grep ko$ | cut -d. -f1 | sort -n); do
	insmod $nr.ko || echo "$nr.ko: not loaded"
done
try modules
echo "end of check-probes"
poweroff -f
END
mkdir root/tmp
chmod +x root/init
(cd root && find . | cpio -o -H newc -R 0:0 --quiet) | gzip -1 >initrd
timeout -k 5 "${VM_TIMEOUT:-3000}" qemu-system-x86_64 -cpu max -accel tcg,thread=single -smp 1 -m 3072 \
	-nodefaults -no-user-config -no-reboot -display none -monitor none -serial "file:$work/console" \
	-kernel "$debian/image/vmlinuz" -initrd initrd \
	-append "console=ttyS0 panic=-1 quiet tsc=unstable no_timer_check rcupdate.rcu_expedited=1" </dev/null ||
	echo 'the guest did not end by itself'
tr -d '\r' <console | sed -n '/^build id: /,$p' >output
sed 1d output
head -n 1 output | grep -q "$id" || { echo "the kernel that booted is not the one of the image"; exit 1; }
grep -q '^end of check-probes' output && ! grep -q 'not loaded\|no such section\|^latency: .*not' output || exit 1
grep '^[-+]' output | sort | cmp -s - wrong || { echo "other differences than those of build/check-probes/$kver/wrong"; exit 1; }
echo "all $(cat root/files/modules root/files/vmlinux | wc -l) verdicts are as predicted, except for $(grep -c '^-' wrong) that were reversed"
