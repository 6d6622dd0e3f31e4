#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Out of memory, abtf exits with a message and status 1.  It writes no output, and leaves no
# temporary file.
. "${0%/*}/../lib.sh"

# enough strings and types for the heap to grow more than once
for ((i = 0; i < 4000; i++)); do
	echo "struct s$i { struct s$i *next; int a[$((i + 1))]; char name_of_a_member_$i; } v$i;"
done >many.c
unit many <many.c
image vmlinux many.o
cp vmlinux before
mkdir beside
cp vmlinux beside/

begin 'with too little memory, nothing is written'
if [[ $ABTF_PROGRAM = *sanitize* ]]; then
	skip 'the address sanitizer reserves more than any limit'
else
	needed=0
	: >messages
	# in smaller steps than the heap grows by; at first, not even libraries can be loaded
	for ((kb = 16000; kb < 400000; kb += 4000)); do
		status=0
		(ulimit -v $kb; exec "$ABTF" encode -j1 beside/vmlinux) >out 2>&1 </dev/null || status=$?
		if [ $status = 0 ]; then
			needed=$kb
			break
		fi
		# 127: the dynamic loader could not load a library
		[ $status != 127 ] || continue
		cat out >>messages
		[ $status = 1 ] || fail "status $status with $kb kB: $(head -n 1 out)"
		cmp -s before beside/vmlinux || fail "the image changed with $kb kB"
		[ "$(ls -A beside)" = vmlinux ] || fail "with $kb kB, files remain: $(ls -A beside)"
	done
	[ $needed -gt 0 ] || fail 'no memory limit was sufficient'
	has messages 'out of memory'
fi

begin 'with too little memory, JSON is one document, too'
if [[ $ABTF_PROGRAM = *sanitize* ]]; then
	skip 'the address sanitizer reserves more than any limit'
else
	: >documents
	for ((kb = 16000; kb < 400000; kb += 4000)); do
		status=0
		(ulimit -v $kb; exec "$ABTF_PROGRAM" list -aj vmlinux) >out 2>err </dev/null || status=$?
		[ $status != 0 ] || break
		[ $status != 127 ] || continue
		expect_eq "$status $(jq -r .format out)" '1 error' "$kb kB"
		expect_none <err
		cat out >>documents
	done
	expect_eq "$(jq -r .error documents | sort -u)" 'out of memory'
	cp documents json-seen/
fi
