#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# If a signal ends the encoder at any time, no temporary file is left, make gets all its tokens
# back, and the target is the old file or the new one.
. "${0%/*}/../lib.sh"

gcc -O2 -w -o watch "$selftests/encoder/watch.c"
gcc -O2 -w -shared -fPIC -o moments.so "$selftests/encoder/moments.c" -ldl
# let ASan start although another library is preloaded first
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"

for name in a b c d; do
	unit $name <<<"struct s { int x, $name; }; int f_$name(struct s *s) { return s->$name; }"
done
image pristine a.o b.o
"$ABTF" encode -q -o new.btf pristine
cp pristine new
"$ABTF" encode -q new
echo old >old.btf
signals=(1 2 15)

# at MOMENT SIGNAL COMMAND...: send SIGNAL at MOMENT, and set $status; messages are ignored.  A
# command that hangs blocks most signals, so it is killed.
at() {
	status=0
	timeout -s KILL "$hang_limit" env MOMENT="$1" SIGNAL="$2" LD_PRELOAD="$PWD/moments.so" "${@:3}" \
		2>messages || status=$?
}

# count_moments COMMAND...
count_moments() {
	LD_PRELOAD=$PWD/moments.so "$@" 2>messages
	nr=$(sed -n 's/ moments$//p' messages)
	# open, write, fchmod and rename are four calls
	[ "${nr:-0}" -ge 8 ] || fail "only ${nr:-no} moments"
}

# is_whole TARGET OLD NEW
is_whole() {
	if cmp -s "$1" "$2"; then
		seen_old=1
	elif cmp -s "$1" "$3"; then
		seen_new=1
	else
		fail "$1 is neither the old file nor the new one"
	fi
}

# no_leftovers WHEN
no_leftovers() {
	leftovers | expect_none "$1: leftovers"
	leftovers | xargs -r rm
}

# at_each_moment TARGET OLD NEW COMMAND...: send a signal at each moment, three signals in turns
at_each_moment() {
	local target=$1 old=$2 new=$3 sig m

	shift 3
	cp "$old" "$target"
	count_moments "$@"
	no_leftovers 'without a signal'
	seen_old='' seen_new=''
	for ((m = 1; m <= nr; m++)); do
		sig=${signals[m % 3]}
		cp "$old" "$target"
		at $m $sig "$@"
		expect_eq $status $((128 + sig)) "signal $sig at moment $m: status"
		no_leftovers "signal $sig at moment $m"
		is_whole "$target" "$old" "$new"
	done
	[ -n "$seen_old$seen_new" ] && [ -n "$seen_old" ] && [ -n "$seen_new" ] ||
		fail "old file seen: ${seen_old:-0}, new file seen: ${seen_new:-0}"
}

begin 'SIGKILL leaves a file with the expected name'
at 3 9 "$ABTF" encode -q -o target pristine
expect_eq $status 137 status
expect_eq "$(leftovers | sed 's/[0-9a-f]*$//')" ./.target.
leftovers | xargs rm

begin 'every other signal that ends the program removes the temporary file'
for sig in QUIT USR1 USR2 ALRM VTALRM PROF IO PWR XCPU; do
	cp pristine target
	at 3 "$(kill -l $sig)" "$ABTF" encode -q -o target pristine
	expect_eq "$status" $((128 + $(kill -l $sig))) "$sig: status"
	no_leftovers "$sig"
	is_whole target pristine new.btf
done

begin 'detached: a signal at each moment while writing leaves no temporary file'
at_each_moment out.btf old.btf new.btf "$ABTF" encode -q -o out.btf pristine

begin 'in place: a signal at each moment while writing leaves no temporary file'
at_each_moment target pristine new "$ABTF" encode -q target

for style in pipe fifo; do
	begin "$style jobserver: no file is left, and the tokens come back"
	cp pristine target
	count_moments "$ABTF" encode -q -j2 target
	for ((m = 1; m <= nr; m++)); do
		sig=${signals[m % 3]}
		cp pristine target
		expect 0 ./watch $style 3 0 env MOMENT=$m SIGNAL=$sig \
			LD_PRELOAD="$PWD/moments.so" "$ABTF" encode -q -j2 target
		says "left 3 abc, .*signal $sig\$"
		no_leftovers "signal $sig at moment $m"
		is_whole target pristine new
	done
done

begin 'several writers at a time: none leaves a file'
images=()
for i in 1 2 3 4 5 6 7 8; do cp pristine "m$i"; images+=("m$i"); done
count_moments "$ABTF" encode -q -j4 "${images[@]}"
for ((m = 1; m <= nr; m += 3)); do
	for i in "${images[@]}"; do cp pristine "$i"; done
	expect 0 ./watch fifo 3 0 env MOMENT=$m SIGNAL=15 LD_PRELOAD="$PWD/moments.so" \
		"$ABTF" encode -q -j4 "${images[@]}"
	says 'left 3 abc, .*signal 15$'
	no_leftovers "moment $m"
	for i in "${images[@]}"; do is_whole "$i" pristine new; done
done

begin 'under make: no token is missing'
cat >Makefile <<M
all: x y
x y:
	+MOMENT=\$(MOMENT) SIGNAL=15 LD_PRELOAD=$PWD/moments.so '$ABTF' encode -q -j8 -o \$@.btf pristine
M
for m in 2 5 8; do
	expect 2 make -k -j6 MOMENT=$m
	says 'Terminated'
	has_not out INTERNAL
	no_leftovers "moment $m"
done

begin 'the same signal again and again while the first one is handled: the cleanup completes'
for ((m = 1; m <= 16; m += 3)); do
	AGAIN=1 at $m 15 "$ABTF" encode -q -j4 "${images[@]}"
	expect_eq $status 143 "moment $m: status"
	no_leftovers "moment $m"
done

begin 'ignored signals stay ignored'
cp pristine target
# without at(), whose timeout(1) would not pass the ignored signal on
(trap '' TERM; MOMENT=3 SIGNAL=15 LD_PRELOAD=$PWD/moments.so exec "$ABTF" encode -q target) ||
	fail "status $?"
cmp target new || fail 'the target was not written'
no_leftovers 'an ignored signal'
