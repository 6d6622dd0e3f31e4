#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# If no file has the code, list reads which probes the running kernel accepts from its lists.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/distributions.sh"

begin "no file has the code: the running kernel's lists are used"
# write_lists [SLIDE]: write kallsyms and the lists of ftrace and kprobes, relocated by SLIDE
write_lists() {
	local trace=root/sys/kernel/tracing kprobes=root/sys/kernel/debug/kprobes

	mkdir -p $trace $kprobes
	# shellcheck disable=SC2016 # the variables are perl's
	nm vmlinux | grep -v __fentry__ | sort | perl -ne '
		BEGIN { $slide = hex shift; ($trace, $kprobes) = splice @ARGV, 0, 2;
			open K, ">root/proc/kallsyms"; open A, ">$trace/available_filter_functions_addrs";
			open N, ">$trace/available_filter_functions"; open B, ">$kprobes/blacklist";
			print K "0000000000000000 D __per_cpu_start\n" }
		my ($at, $type, $name) = split;
		my $to = sprintf "%016x", hex($at) + $slide;
		print K "$to $type $name\n";
		next if $type !~ /^[tT]$/ || $name !~ /^(dup|listed)$/;
		print A "$to $name\n";
		print N "$name\n";
		printf B "0x$to-0x%016x\t$name\n", hex($to) + 16 if $name eq "listed";
		END { print K "ffffffffc0000000 t in_mod\t[nf_mod]\n"; print A "ffffffffc0000000 hidden [nf_mod]\n";
			print N "hidden [nf_mod]\n"; print B "0xffffffffc0000000-0xffffffffc0000010\tin_mod [nf_mod]\n" }' \
		"${1:-0}" $trace $kprobes
}
for slide in 0 1c000000; do
	new_machine
	put split usr/lib/debug/boot/vmlinux-$release
	write_lists $slide
	expect_found
	# before Linux 6.5, and with a kallsyms without _text
	rm root/sys/kernel/tracing/*_addrs
	sed -i '/ _s*text$/d' root/proc/kallsyms
	expect_found
done

begin "the running kernel's lists are not used for other kernels, or if the image has the code"
expect 0 "$ABTF" list -aj --build-id="$id" --sysroot=root
expect_eq "$(jq -r '.functions[].flags[0]' <<<"$out" | sort -u)" unknown
expect 0 "$ABTF" list -aj --notes=notes --sysroot=root
expect_eq "$(jq -r '.functions[].flags[0]' <<<"$out" | sort -u)" unknown
echo hidden >root/sys/kernel/tracing/available_filter_functions
put stripped boot/vmlinux-$release
expect_found
rm root/boot/vmlinux-$release

# print_flags: print the first flag of each function
print_flags() {
	"$ABTF" list -aj --running --sysroot=root | jq -r '.functions[] | "\(.name)=\(.flags[0] // "-")"' |
		sort | tr '\n' ' '
}

begin 'if addresses are hidden, the names that ftrace lists are used, and the blacklist is not'
new_machine
put split usr/lib/debug/boot/vmlinux-$release
write_lists
sed -i 's/^[0-9a-f]*/0000000000000000/' root/proc/kallsyms
sed -i 's/^[0-9a-f]*/0000000000000000/' root/sys/kernel/tracing/*_addrs
sed -i 's/0x[0-9a-f]*/0x0000000000000000/g' root/sys/kernel/debug/kprobes/blacklist
expect_eq "$(print_flags)" '__fentry__=notrace dup@kernel/core.c=unknown dup@kernel/other.c=unknown hidden=notrace listed=unknown '

begin 'names that occur less often in the list than in the image are matched by their order'
new_machine
put split usr/lib/debug/boot/vmlinux-$release
write_lists
rm root/sys/kernel/tracing/*_addrs
expect_eq "$(nm -n vmlinux | awk '$3 ~ /^(dup|listed|hidden|__fentry__)$/ { print $3 }' | tr '\n' ' ')" \
	'listed dup hidden dup __fentry__ '
# in the list: which of them can be patched
while IFS=: read -r names first second; do
	tr ' ' '\n' <<<"$names" >root/sys/kernel/tracing/available_filter_functions
	expect_eq "$(print_flags | tr ' ' '\n' | grep dup | tr '\n' ' ')" \
		"dup@kernel/core.c=$first dup@kernel/other.c=$second " "$names"
done <<'E'
listed dup hidden:-:notrace
listed hidden dup:notrace:-
listed dup hidden dup:-:-
listed hidden:notrace:notrace
listed dup __fentry__:unknown:unknown
listed dup dup:-:-
dup hidden:-:notrace
E

begin 'lists that are empty, unsorted or not lists are ignored'
unknown='__fentry__=unknown dup@kernel/core.c=unknown dup@kernel/other.c=unknown hidden=unknown listed=noprobe '
for list in '' 'dup' '[nf_mod]\n' 'x\0y\n' 'hidden\nlisted\n' 'listed\nhidden\nlisted\n' '\n\n\n'; do
	# shellcheck disable=SC2059
	printf "$list" >root/sys/kernel/tracing/available_filter_functions
	expect_eq "$(print_flags)" "$unknown" "$list"
done
for device in /dev/zero /dev/null /nowhere; do
	ln -sf $device root/sys/kernel/tracing/available_filter_functions
	expect_eq "$(print_flags)" "$unknown" "$device"
done
