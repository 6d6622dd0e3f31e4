#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make run", after its setup, with and without an installed debug image.  The commands that it
# prints at the end work, and README.md also has them.
. "${0%/*}/../lib.sh"

mkdir -p tree/encoder machine/usr/lib/debug/boot bin empty
ln -s "$selftests" tree/selftests
ln -s "$ABTF" tree/encoder/abtf
# the example was built before
cat >bin/make <<S
#!/bin/bash
[ "\${*: -1}" = selftests/example ] || exit 1
mkdir -p build/example
cp '$example' build/example/vmlinux
S
chmod +x bin/make

# run [VARIABLE=VALUE...]: make run; write the printed commands to the file "commands"
run() {
	expect 0 env PATH="$PWD/bin:$PATH" "$@" bash tree/selftests/run.sh
	sed '1,/^Next:$/d; s/^  //' out >commands
	[ -s commands ] || fail 'no commands'
}

# Run the printed commands, and check their results.
commands_work() {
	local command
	while read -r command; do
		(cd tree && bash -c "$command") >did 2>&1 </dev/null || { fail "'$command' failed:"; cat did; }
	done <commands
	[ -s tree/build/report.html ] || fail 'no HTML page was written'
	rm -f tree/build/report.html
}

begin "on a machine without a debug image: the example, and exactly README's output"
run SYSROOT="$PWD/empty"
says 'no vmlinux with DWARF on this machine'
sed -n 's/^    \$ \(encoder\/.*\)/\1/p' "$top/README.md" | grep -v ' encode ' | sort >shown
expect_text "$(sort commands)" <shown
commands_work

begin 'with a debug image: that image, which is only read'
cp "$example" machine/usr/lib/debug/boot/vmlinux-6.12
tool objcopy --remove-section=.BTF machine/usr/lib/debug/boot/vmlinux-6.12
cksum machine/usr/lib/debug/boot/vmlinux-6.12 >before
run SYSROOT="$PWD/machine"
says 'vmlinux-6\.12, the newest with DWARF on this machine'
has commands 'list .*vmlinux-6\.12 type_show$'
commands_work
expect_eq "$(cksum machine/usr/lib/debug/boot/vmlinux-6.12)" "$(cat before)"

begin 'VMLINUX=FILE, for an image with other names, and one without shared names'
unit net/a <<<'static __attribute__((noinline, used)) int dup(int *p) { return *p; }'
unit net/b <<<'static __attribute__((noinline, used)) int dup(int *p) { return *p; }'
image other net/a.o net/b.o
run VMLINUX="$PWD/other"
has commands ' dup@net/a\.c$'
commands_work
image single net/a.o
run VMLINUX="$PWD/single"
has_not commands ' list '
commands_work
