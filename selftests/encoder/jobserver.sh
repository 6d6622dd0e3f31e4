#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make's jobserver: each additional thread needs a token, and every token is returned.
. "${0%/*}/../lib.sh"

# watch.c explains its arguments and output
gcc -O2 -w -o watch "$selftests/encoder/watch.c"

# An image that takes some time: many copies of one unit.
{
	for i in $(seq 2000); do
		echo "struct s$i { int a, b, c, d; struct s$i *next; struct s$((i / 2 + 1)) *other; long x[$i]; };"
		((i % 20)) || echo "static __attribute__((noinline, used)) int f$i(struct s$i *s, int n) { return s->a + n; }"
	done
} | unit big
objects=()
for ((i = 0; i < 600; i++)); do objects+=(big.o); done
ld -r -o big.ko "${objects[@]}"
"$ABTF" encode -q -j1 -o want.btf big.ko
# and one for cases where the number of threads is known before it is read
ld -r -o small.ko "${objects[@]:0:20}"
"$ABTF" encode -q -j1 -o small.btf small.ko

# run ARGUMENT...: remove got.btf, and run watch
run() {
	rm -f got.btf
	expect 0 ./watch "$@"
}

# check_bytes [FILE]: compare got.btf with it, and remove got.btf
check_bytes() {
	cmp "${1:-want.btf}" got.btf || fail 'the BTF differs'
	rm -f got.btf
}

# most MIN MAX: check the highest number of tokens in the last run
most() {
	local n=${out#most }

	n=${n%% *}
	[ "$n" -ge "$1" ] && [ "$n" -le "$2" ] || fail "expected $1 to $2 tokens away at once: $out"
}

for style in pipe fifo; do
	begin "$style: no token, one thread"
	run $style 0 0 "$ABTF" encode -q -j8 -o got.btf big.ko
	says '^most 0 of 0, left 0 , busy 1, status 0$'
	check_bytes

	begin "$style: one thread more than tokens"
	run $style 1 0 "$ABTF" encode -q -j8 -o got.btf big.ko
	says '^most 1 of 1, left 1 a, busy [12], status 0$'
	check_bytes
	run $style 5 0 "$ABTF" encode -q -j8 -o got.btf big.ko
	most 2 5
	says 'left 5 abcde, .*status 0$'
	check_bytes

	begin "$style: -j is an upper bound"
	run $style 9 0 "$ABTF" encode -q -j1 -o got.btf big.ko
	says '^most 0 of 9, left 9 abcdefghi, busy 1, status 0$'
	run $style 9 0 "$ABTF" encode -q -j3 -o got.btf big.ko
	most 1 2
	says 'left 9 abcdefghi, .*status 0$'

	begin "$style: as pahole"
	cp big.ko p.ko
	run $style 2 0 "$ABTF_PAHOLE" -J -j8 --btf_encode_detached=got.btf p.ko
	most 1 2
	says 'left 2 ab, .*status 0$'
	run $style 2 0 "$ABTF_PAHOLE" -J --btf_encode_detached=got.btf p.ko
	says '^most 0 of 2, left 2 ab, .*status 0$'

	begin "$style: many images, one thread and one token for each"
	rm -rf made
	cp big.ko p1.ko; cp big.ko p2.ko; head -c 5000 big.ko >bad.ko
	run $style 1 0 "$ABTF" encode -q -j8 -o made big.ko p1.ko p2.ko
	says '^most 1 of 1, left 1 a, .*status 0$'
	cmp made/p2.ko.btf want.btf || fail 'the BTF differs'
	run $style 0 0 "$ABTF" encode -q -j8 -o made big.ko p1.ko p2.ko
	says '^most 0 of 0, left 0 , busy 1, status 0$'

	begin "$style: errors give the tokens back"
	run $style 3 0 "$ABTF" encode -q -j8 -o made big.ko bad.ko p1.ko p2.ko
	says 'left 3 abc, .*status 1$'
	run $style 3 0 "$ABTF" encode -q -j8 -o nowhere/got.btf big.ko
	says 'left 3 abc, .*status 1$'

	begin "$style: signals give the tokens back"
	for sig in 1 2 15; do
		run $style 4 $sig "$ABTF" encode -q -j8 -o got.btf big.ko
		most 1 4
		says "left 4 abcd, .*signal $sig\$"
		run $style 4 $sig "$ABTF" encode -q -j8 -o made big.ko p1.ko p2.ko
		says "left 4 abcd, .*signal $sig\$"
	done
done

begin 'an ignored signal stays ignored'
run pipe 4 1 sh -c "trap '' HUP; exec '$ABTF' encode -q -j8 -o got.btf big.ko"
says 'left 4 abcd, .*status 0$'
check_bytes

begin 'a missing jobserver: one thread, and no error'
for flags in '-j9 --jobserver-auth=98,99' '--jobserver-auth=-2,-2' '--jobserver-auth=' \
	'--jobserver-auth=0,1' '--jobserver-auth=3,4x' '--jobserver-auth=fifo:none' \
	'--jobserver-auth=fifo:big.ko' '--jobserver-fds=98,99' '--jobserver-auth=fifo:'; do
	cat >sub <<-S
	MAKEFLAGS='$flags' exec '$ABTF' encode -v -j8 -o got.btf small.ko
	S
	expect 0 sh sub
	says "cannot use make's jobserver"
	check_bytes small.btf
done
# descriptors of two different pipes
: | { MAKEFLAGS=--jobserver-auth=0,1 "$ABTF" encode -v -j8 -o got.btf small.ko 2>&1 | cat; } >log
has log "cannot use make's jobserver"

begin 'MAKEFLAGS without a jobserver, or with one after the options: no jobserver is used'
for flags in '' 'k -j' ' -- A=--jobserver-auth=98,99' ' -- --jobserver-auth=98,99'; do
	cat >sub <<-S
	MAKEFLAGS='$flags' exec '$ABTF' encode -v -j2 -o got.btf small.ko
	S
	expect 0 sh sub
	has_not out jobserver
	check_bytes small.btf
done

begin 'under make: never more threads than jobs, and make finds all its tokens at the end'
cat >Makefile <<M
all: one two three
one two three: big.ko
	+./watch make 0 0 '$ABTF' encode -q -j8 -o \$@.btf big.ko >\$@.log
bare: big.ko
	'$ABTF' encode -v -j8 -o bare.btf big.ko
M
for jobs in 1 2 3 6; do
	rm -f ./*.log one.btf two.btf three.btf
	case $jobs in
	1)	# no jobserver to watch
		sed -i 's/+.*0 0/+/' Makefile ;;
	2)	sed -i "s|+ '|+./watch make 0 0 '|" Makefile ;;
	esac
	expect 0 make -j$jobs
	! grep -qE 'INTERNAL|warning' out || fail "$out"
	for name in one two three; do
		cmp $name.btf want.btf || fail 'the BTF differs'
		[ $jobs != 1 ] || continue
		out=$(cat $name.log)
		most 0 $((jobs - 1))
		says "left [0-$((jobs - 1))] , busy [1-$jobs], status 0\$"
	done
done
# a single job gets the tokens that the others leave
expect 0 make -j4 one
out=$(cat one.log)
most 1 3
says 'of 3, left 3 '

begin 'make closes its pipe for a rule without "+": one thread, and no error'
expect 0 make -j4 bare
# make 4.4 has a FIFO, which every command can open
case $(make --version) in
'GNU Make 4.'[0-3]*)	says "cannot use make's jobserver" ;;
*)			has_not out 'cannot use' ;;
esac
cmp bare.btf want.btf || fail 'the BTF differs'
