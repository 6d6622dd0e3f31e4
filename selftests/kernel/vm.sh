#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm.sh COMMAND...: boots the kernel that env.sh chooses, runs a shell command in the guest with output
# to stdout, and exits with its status. If something else fails, it prints a message to stderr, and
# exits with
#	123	the kernel complained (WARN, BUG, lockdep, KASAN, ...)
#	124	timeout
#	125	the guest died, or could not be started
# Variables:
#	FILES='A B'	host files or directories, in the guest below /files
#	VM_TIMEOUT=S	seconds until the guest is killed (300, with DEBUG=1 1200; on a slow
#			or busy machine more, see ../slowness.sh)
#	VM_MEMORY=M	MB that the guest has (512; with DEBUG=1 a gigabyte more)
#	VM_DIR=DIR	where console, output and status are left
#	VM_IMAGE=FILE	an image other than the one that was built
#	VM_ENV='A=1'	environment of the command
#	VM_APPEND='A B'	more for the kernel's command line
#	VM_QEMU='-A B'	more options of QEMU
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"

[ -n "$*" ] || die "usage: vm.sh COMMAND...  (or: make vm CMD='...')"
image=${VM_IMAGE:-$image}
[ -e "$image" ] || die "$image is not there; \"make vm-kernel\" builds it"
[ -e "$vm/base.cpio" ] || die "$vm/base.cpio does not exist; \"make vm-guest\" builds it"
memory=${VM_MEMORY:-512}
limit=300
[ "$kernel" != debug ] || limit=1200 memory=$((memory + 1024))
limit=${VM_TIMEOUT:-$((limit * ${SLOWNESS:-$("$here/../slowness.sh")}))}

if [ -n "${VM_DIR:-}" ]; then
	dir=$VM_DIR
	mkdir -p "$dir"
else
	dir=$(mktemp -d "$vm/run.XXXXXX")
	trap 'rm -rf "$dir"' EXIT
fi
rm -rf "$dir/root"
mkdir -p "$dir/root/vm" "$dir/root/files"
: >"$dir/console"
: >"$dir/output"
: >"$dir/status"

# The kernel unpacks several cpio archives in order: the first one is only made once, the second one is
# for this run.
{
	for assignment in ${VM_ENV:-}; do
		echo "export $assignment"
	done
	printf '%s\n' "$*"
} >"$dir/root/vm/command"
for file in ${FILES:-}; do
	cp -aL "$file" "$dir/root/files/"
done
(cd "$dir/root" && find . | cpio -o -H newc -R 0:0 --quiet) >"$dir/run.cpio"
cat "$vm/base.cpio" "$dir/run.cpio" >"$dir/initrd"
rm -rf "$dir/root" "$dir/run.cpio"

# A guest CPU stops when the host is busy: no_timer_check, because a late timer means
# panic at boot, and RCU stalls are only reported shortly before the time limit.  QEMU's
# TSC is the host's, which jumps by minutes if the host's CPUs do not agree about it;
# tsc=unstable makes the kernel use another clock.
stall=$((limit > 30 ? limit - 20 : limit))
append="panic=-1 oops=panic rcupdate.rcu_cpu_stall_timeout=$stall"
# KASAN checks the flag LA57 on each access, and identify_cpu() clears it briefly.  If an interrupt
# arrives then, KASAN reports every address of the direct mapping as a wild access.  With KASAN, ACPI
# may take more than 30 seconds to assign interrupts; then it gives up, and the guest has
# no interrupt for its output.
case $arch in
x86_64)
	machine=(qemu-system-x86_64 -cpu max -serial "file:$dir/console")
	append+=" console=ttyS0 tsc=unstable no_timer_check"
	if [ "$kernel" = debug ]; then
		machine[2]=max,la57=off
		append+=" pci=noacpi"
	fi
	;;
arm64)
	# Arm's own algorithm to authenticate pointers would take most of the time when emulated
	machine=(qemu-system-aarch64 -M virt -cpu max,pauth-impdef=on -serial "file:$dir/console")
	append+=" console=ttyAMA0"
	;;
s390x)
	machine=(qemu-system-s390x -M s390-ccw-virtio -cpu max
		 -chardev "file,id=console,path=$dir/console" -device "sclplmconsole,chardev=console")
	append+=" console=ttyS0"
	;;
esac
# One thread for both CPUs: QEMU before 8.1 may translate code that another CPU is
# patching, and continue with old code. Then the guest dies of an unexpected int3.
qemu=0
# shellcheck disable=SC2086 # VM_QEMU is words
timeout -k 5 "$limit" "${machine[@]}" -accel tcg,thread=single -smp 2 -m "$memory" \
	-nodefaults -no-user-config -no-reboot -display none -monitor none \
	-device virtio-serial \
	-chardev "file,id=output,path=$dir/output" -device virtserialport,nr=1,chardev=output \
	-chardev "file,id=status,path=$dir/status" -device virtserialport,nr=2,chardev=status \
	-kernel "$image" -initrd "$dir/initrd" \
	-append "$append ${VM_APPEND:-}" ${VM_QEMU:-} \
	</dev/null >"$dir/qemu.log" 2>&1 || qemu=$?
rm -f "$dir/initrd"

cat "$dir/output"

# Print the kernel's warnings, or the end of its console if there are none.
console() {
	if [ -n "$splat" ]; then
		printf '%s\n' "$splat"
		return
	fi
	echo "--- the end of the kernel's console:"
	tail -n 40 "$dir/console" | tr -d '\r'
	echo "---"
}

ended=$(grep -aE '^status=[0-9]+ tainted=[0-9]+ text=[0-9a-f]* end' "$dir/status" | tail -n 1 || true)
splat=$(awk -f "$here/splat.awk" "$dir/console")
# A guest that has printed the command's status must also shut down.
if [ -z "$ended" ] || [ $qemu != 0 ]; then
	exec >&2
	case $qemu in
	124|137)
		console
		echo "vm.sh: timeout: the guest was killed after $limit s${SLOWNESS:+, on a machine with slowness $SLOWNESS}"
		exit 124
		;;
	0)
		console
		echo "vm.sh: the guest died: it rebooted before the command ended"
		exit 125
		;;
	*)
		cat "$dir/qemu.log"
		echo "vm.sh: QEMU ended with status $qemu"
		exit 125
		;;
	esac
fi

status=${ended#status=} status=${status%% *}
tainted=${ended#*tainted=} tainted=${tainted%% *}
# M (machine check), B (bad page), D (died), W (warned), L (lock-up)
bad=$((tainted & (1 << 4 | 1 << 5 | 1 << 7 | 1 << 9 | 1 << 14)))
if [ -n "$splat" ] || [ $bad != 0 ]; then
	{
		console
		echo "vm.sh: the kernel complained (taint mask $tainted); the command's own status was $status"
	} >&2
	exit 123
fi
exit "$status"
