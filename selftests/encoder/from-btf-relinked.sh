#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# encode --from-btf: BTF of another link, after which functions have other addresses.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/from-btf.sh"

build_in_directory

begin 'BTF of another link: FUNCs get the new address of their name, or of their name and file'
unit pad <<<'int pad(int a) { return a * a * a * a * 7; }'
image moved pad.o drivers/net/b.o drivers/net/a.o
section vmlinux .BTF old.btf
replace_btf moved old.btf
amend moved
check_sums moved
verify moved moved.btf
expect 0 "$ABTF" check moved moved.btf
says ' 8 functions, 7 with an address'
[ "$(jq .funcs_moved moved.report)" -gt 0 ] || fail 'nothing has moved'
expect_eq "$(jq -r '.functions[] | select(.symbol == "pad").reason' moved.report)" no_btf

# Two functions with the same name and size: each is now where the other one was.
begin 'BTF of another link: functions with the same name that changed places are distinguished by their files'
unit one <<<'static __attribute__((noinline, used)) int dup(int one) { return one + 1; }'
unit two <<<'static __attribute__((noinline, used)) int dup(int two) { return two + 2; }'
image old one.o two.o
image new two.o one.o
expect_eq "$(nm old | grep ' dup$')" "$(nm new | grep ' dup$')" 'precondition: places'
for units in func_unit, ''; do
	"$ABTF" encode -q --features=${units}func_addr old
	section old .BTF old.btf
	replace_btf new old.btf
	amend new --features=${units}func_addr
	check_sums new
	if [ -n "$units" ]; then
		encode old
		expect_eq "$(jq .funcs_moved new.report)" 2
		expect_eq "$(funcs new | tr '\n' ' ')" \
			'dup@two.c = dup: int dup(int two) dup@one.c = dup: int dup(int one) '
	fi
done
# without files, this cannot be detected unless another function has moved
unit before <<<'int before(int a) { return a * a * a * 11; }'
image old one.o two.o pad.o
image new two.o one.o before.o pad.o
"$ABTF" encode -q --features=func_addr old
section old .BTF old.btf
replace_btf new old.btf
amend new --features=func_addr
check_sums new
expect_eq "$(jq -c '[.funcs_moved, .funcs.ambiguous_address, .funcs.encoded]' new.report)" '[1,2,1]'

begin 'BTF of another link: a fragment does not get the FUNC of the function that was there'
unit whole <<<'__attribute__((noinline, used)) int broken(int a) { return a + 5; }'
image old whole.o pad.o
"$ABTF" encode -q --features=func_addr old
section old .BTF old.btf
objcopy --redefine-sym broken=broken.cold old new
replace_btf new old.btf
amend new --features=func_addr
check_sums new
expect_eq "$(jq -c '[.funcs.no_symbol, .funcs.skipped]' new.report)" '[1,0]'
