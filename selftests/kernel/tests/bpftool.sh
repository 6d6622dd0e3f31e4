#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The patched bpftool lists functions that share a name, and says which of them a
# program or link is for.
# kernels: patched debug
# timeout: 240
. /test/ktap.sh
plan 22
PATH=/files:$PATH

jq() {
	LD_LIBRARY_PATH=/files/jq /files/jq/jq "$@"
}

# shown FIELD...: of what "btf func" printed: id, selector, offset, addr
shown() {
	sed 's/^\[\([0-9]*\)\] /id \1 selector /' /tmp/out | awk -v fields="$*" '{
		n = split(fields, field, " ")
		line = ""
		for (i = 1; i <= n; i++)
			for (k = 1; k < NF; k += 2)
				if ($k == field[i])
					line = line (line == "" ? "" : " ") $(k + 1)
		if (line != "")
			print line
	}'
}

# symbols NAME [MODULE]: addresses of a name, as bpftool writes them
symbols() {
	awk -v name="$1" -v module="${2:+[$2]}" '$3 == name && $4 == module { print $1 }' /proc/kallsyms |
		sed 's/^0*/0x/' | sort
}

bpftool btf func >/tmp/out
shown id selector offset | grep -v '^[0-9]* [^@]*:' | sort >/tmp/got # vmlinux's
sort /files/instances >/tmp/want
check 'all that share a name: ids, selectors and offsets are what abtf says of the image' \
	cmp /tmp/got /tmp/want
check 'and there are many' [ "$(wc -l </tmp/got)" -gt 100 ]
bpftool btf func c_start >/tmp/out
check_eq 'c_start: three' "$(shown selector | tr '\n' ' ')" \
	'c_start@arch/x86/kernel/cpu/proc.c c_start@fs/proc/consoles.c c_start@crypto/proc.c '
check_eq 'where /proc/kallsyms has them' "$(shown addr | sort)" "$(symbols c_start)"
bpftool btf func c_start@crypto/proc.c >/tmp/out
check_eq 'one of them, by its selector' "$(shown selector)" 'c_start@crypto/proc.c'
addr=$(shown addr)
bpftool -j btf func c_start@crypto/proc.c >/tmp/json
check_eq 'in JSON' "$(jq -r '.[] | "\(.selector) \(.rank)"' /tmp/json)" 'c_start@crypto/proc.c 3'
# jq has no integers
check_eq 'its address' "$(grep -o '"addr":[0-9]*' /tmp/json)" "\"addr\":$(printf '%u' "$addr")"
check_eq 'all that share a name, in JSON' \
	"$(bpftool -j btf func | jq -r '.[] | select(.module == null) | .id' | sort)" "$(cut -d' ' -f1 /files/instances | sort)"
echo 2 >/proc/sys/kernel/kptr_restrict
bpftool btf func c_start >/tmp/out
check_eq 'no address, if they are hidden' "$(shown addr | wc -l) $(shown offset | wc -l)" '0 3'
echo 0 >/proc/sys/kernel/kptr_restrict
bpftool btf func c_start@crypto/nowhere.c >/tmp/out 2>&1
check_eq 'none of that selector: an error' "$? $(cat /tmp/out)" \
	"255 Error: no function matches 'c_start@crypto/nowhere.c', a bare name shows all of that name"

su nobody -s /bin/sh -c '/files/bpftool btf func c_start' >/tmp/out 2>&1
check_eq 'an unprivileged user: selectors only' "$(shown selector | wc -l) $(shown offset addr | wc -l)" '3 0'

modprobe bpf_func_addr_test_kmod
bpftool btf func bpf_func_addr_test_kmod:func_addr_twin >/tmp/out
check_eq "a module's: three" "$(shown selector | sed 's|.*/||' | tr '\n' ' ')" 'twin_1.c twin_2.c twin_3.c '
check_eq 'where /proc/kallsyms has them' "$(shown addr | sort)" \
	"$(symbols func_addr_twin bpf_func_addr_test_kmod)"
bpftool btf func func_addr_twin >/tmp/out
check_eq "without its name: vmlinux's, too" "$(shown selector | grep -c ^bpf_func_addr_test_kmod:) $(shown selector | wc -l)" '3 4'

bpftool btf dump file /sys/kernel/btf_addr/vmlinux >/tmp/dump
check 'a dump has offset and unit' \
	grep -q "FUNC 'c_start' .* offset=0x[0-9a-f]* unit='crypto/proc.c'$" /tmp/dump
check 'a dump of a module needs no -B' bpftool btf dump file /sys/kernel/btf_addr/bpf_func_addr_test_kmod

# shellcheck disable=SC2016 # helper's shell expands it
show='for what in prog link; do bpftool $what show; bpftool -j $what show >/tmp/$what.json; done >/tmp/shown'
helper fentry_crypto "$show" >/dev/null
check 'prog show says which c_start' grep -q '^.attach_func c_start@crypto/proc.c$' /tmp/shown
check 'link show, too' grep -q ' target_func c_start@crypto/proc.c *$' /tmp/shown
# attached PROGRAM: what JSON says it is attached to, and the id that its link has
attached() {
	selector=$(jq -r '.[] | select(.name == "'"$1"'") | .attach_func' /tmp/prog.json)
	echo "$selector $(jq -r '.[] | select(.target_func == "'"$selector"'") | .target_btf_id' /tmp/link.json)"
}
check_eq 'and in JSON' "$(attached fentry_crypto)" \
	"c_start@crypto/proc.c $(bpftool -j btf func c_start@crypto/proc.c | jq '.[].id')"
helper fentry_module "$show" >/dev/null
twin=bpf_func_addr_test_kmod:func_addr_twin@kernel/bpf/func_addr_test/twin_2.c
check_eq "a module's" "$(attached fentry_module)" "$twin $(bpftool -j btf func $twin | jq '.[].id')"

check_eq 'a skeleton with selectors: those of /proc/cpuinfo' "$(/files/skeleton /proc/cpuinfo)" cpuinfo
check_eq 'and of /proc/crypto' "$(/files/skeleton /proc/crypto)" crypto
