#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The patched bpftool shows the addresses of functions, and the target of a program or link.
# kernels: patched debug
. /test/ktap.sh
plan 14
PATH=/files:$PATH

# jq ARGUMENT...: run the host's jq with its libraries
jq() {
	LD_LIBRARY_PATH=/files/jq /files/jq/jq "$@"
}

funcs() {
	sed -nE "s/^(\[[0-9]*\] FUNC .*) type_id=[0-9]* linkage=[a-z]*/\1/p" /tmp/dump
}

bpftool btf dump file /files/vmlinux.btf >/tmp/dump
funcs >/tmp/got
check 'bpftool dumps the functions and offsets that abtf lists for the image' cmp /tmp/got /files/funcs
check 'bpftool dumps more than 1000 functions' [ "$(wc -l </tmp/got)" -gt 1000 ]
bpftool btf dump file /sys/kernel/btf/vmlinux >/tmp/dump
funcs >/tmp/got
check 'bpftool dumps the same names without addresses' [ "$(cat /tmp/got)" = "$(sed 's/ offset=.*//' /files/funcs)" ]

kmod=bpf_func_addr_test_kmod
modprobe $kmod
check 'bpftool dumps the BTF of a module without -B' bpftool btf dump file /sys/kernel/btf/$kmod
cp /sys/kernel/btf/$kmod /tmp/elsewhere
if bpftool btf help 2>&1 | grep -q 'file FILE \[file FILE'; then
	check 'bpftool accepts vmlinux as the base of another file' \
		bpftool btf dump file /tmp/elsewhere file /sys/kernel/btf/vmlinux
else
	skip 'bpftool accepts vmlinux as the base of another file' 'this bpftool dumps one file'
fi

# show_while_attached ARGS...: run "bpftool prog show" and "link show" while a program is attached
show_while_attached() {
	rm -f /tmp/fifo
	mkfifo /tmp/fifo
	selector "$@" /tmp/fifo >/dev/null &
	exec 3>/tmp/fifo # which it opens when it has attached the program
	for what in prog link; do
		bpftool $what show
		bpftool -j $what show >/tmp/$what.json
	done >/tmp/shown
	exec 3>&-
	wait
}

# in_json: print the program's and the link's target from the JSON, and the link's BTF id
in_json() {
	jq -r '.[] | select(.attach_func).attach_func' /tmp/prog.json
	jq -r '.[] | select(.target_func) | .target_func, .target_btf_id' /tmp/link.json
}

# id NAME: print the id of a FUNC in the last dump
id() {
	sed -n "s|^\[\([0-9]*\)\] FUNC '$1' .*|\1|p" /tmp/dump
}

needs_fentry
show_while_attached fentry/c_start@crypto/proc.c
check 'prog show names the file of c_start' grep -q '^.attach_func c_start@crypto/proc.c$' /tmp/shown
check 'link show names the file of c_start' grep -q ' target_func c_start@crypto/proc.c *$' /tmp/shown
bpftool btf dump file /sys/kernel/btf/vmlinux >/tmp/dump
check_eq 'prog show and link show name the file of c_start in JSON' "$(in_json | tr '\n' ' ')" \
	"c_start@crypto/proc.c c_start@crypto/proc.c $(id c_start@crypto/proc.c) "
show_while_attached fentry/$kmod:func_addr_twin@lib/func_addr_test/twin_2.c
bpftool btf dump file /sys/kernel/btf/$kmod >/tmp/dump
twin=$(sed -n "s|.*FUNC '\(func_addr_twin@[^']*/twin_2.c\)'.*|\1|p" /tmp/dump)
check_eq 'prog show and link show name a function of a module in JSON' "$(in_json | tr '\n' ' ')" "$kmod:$twin $kmod:$twin $(id "$twin") "
show_while_attached kprobe/c_start@crypto/proc.c
check_none 'a kprobe has no target function in JSON' in_json
check 'prog show lists the kprobe' jq -e 'any(.type == "kprobe")' /tmp/prog.json
check_eq 'a user without privilege sees names, but no addresses' \
	"$(su nobody -s /bin/sh -c '/files/bpftool btf dump file /sys/kernel/btf/vmlinux' | grep -c "FUNC 'c_start@[^']*' [^=]*=[^=]*=[a-z]*$")" 3

if [ -e /files/skeleton ]; then
	check_eq 'a skeleton counts the c_start of /proc/consoles' "$(/files/skeleton /proc/consoles)" consoles
	check_eq 'a skeleton counts the c_start of /proc/crypto' "$(/files/skeleton /proc/crypto)" crypto
else
	skip 'a skeleton counts the c_start of /proc/consoles' 'the bpftool that generates it only reads objects in its own byte order'
	skip 'a skeleton counts the c_start of /proc/crypto' 'the bpftool that generates it only reads objects in its own byte order'
fi
