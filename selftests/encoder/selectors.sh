#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# MODULE:... in selectors.
. "${0%/*}/../lib.sh"

unit base <<'C'
static __attribute__((noinline, used)) int dup(int a) { return a; }
C
unit a <<'C'
static __attribute__((noinline, used)) int dup(long a) { return a; }
C
unit b <<'C'
static __attribute__((noinline, used)) int dup(char *a) { return *a; }
int lone(void) { return 0; }
C
image vmlinux base.o
"$ABTF" encode -q vmlinux
mkdir -p drivers
ld -r -o drivers/my-mod.ko a.o b.o
"$ABTF" encode -q --base vmlinux drivers/my-mod.ko
"$ABTF" encode -q --base vmlinux -o my_mod.ko.btf drivers/my-mod.ko

begin 'a module is called as its file'
for file in drivers/my-mod.ko my_mod.ko.btf; do
	for name in my_mod my-mod; do
		expect 0 "$ABTF" list --base vmlinux $file $name:dup
		expect_eq "$(grep -c 'int dup(' out)" 2
		expect 0 "$ABTF" list --base vmlinux $file $name:dup@2
		says 'int dup\(char \*a\)'
		expect_eq "$(grep -c 'int dup(' out)" 1
		expect 0 "$ABTF" list --base vmlinux $file $name:dup@a.c
		says 'int dup\(long int a\)'
		expect_eq "$(grep -c 'int dup(' out)" 1
	done
done

begin 'what list prints of a module is a selector, everywhere'
for file in drivers/my-mod.ko my_mod.ko.btf; do
	"$ABTF" list -aj --base vmlinux $file >list.json
	expect_eq "$(jq -r '.[].selector' list.json | tr '\n' ' ')" 'my_mod:dup@a.c my_mod:dup@b.c my_mod:lone '
	for selector in $(jq -r '.[].selector' list.json); do
		expect 0 "$ABTF" list -j --base vmlinux $file "$selector"
		expect_eq "$(jq -r '.[].selector' out)" "$selector"
	done
done

begin 'vmlinux is what has no base, whatever its file is called'
cp vmlinux linux-6.12
expect 0 "$ABTF" list linux-6.12 vmlinux:dup
says 'int dup\(int a\)'
expect 1 "$ABTF" list --base vmlinux drivers/my-mod.ko vmlinux:dup
says "its functions are those of 'my-mod'"
cp drivers/my-mod.ko vmlinux.ko
expect 1 "$ABTF" list --base vmlinux vmlinux.ko vmlinux:dup
for file in vmlinux.ko a@b.ko a:b.ko; do
	[ -e $file ] || cp vmlinux.ko $file
	expect 0 "$ABTF" list --base vmlinux $file dup@a.c
	says ' dup@a.c '
done
expect_eq "$("$ABTF" list -aj vmlinux | jq -r '.[].selector')" dup

begin 'another module, and one of a similar name'
for name in other my my_mod2 my_mo my_mod.ko; do
	expect 1 "$ABTF" list --base vmlinux drivers/my-mod.ko $name:dup
	says "'$name:dup' was not found"
done
expect 1 "$ABTF" list linux-6.12 other:dup
expect 1 "$ABTF" list --base vmlinux drivers/my-mod.ko my_mod:dup@3

begin 'what is malformed'
for text in : :dup my_mod: my_mod:@1 my_mod:dup@ my_mod:dup@0; do
	expect 2 "$ABTF" list --base vmlinux drivers/my-mod.ko "$text"
	says "selector '$text'"
done
expect 1 "$ABTF" list --base vmlinux drivers/my-mod.ko 'dup@my_mod:1'
says "no unit of the 2 instances of dup ends in 'my_mod:1'"
