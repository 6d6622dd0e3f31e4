#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Commands in README.md, docs/quickstart.md and the examples of the man page are run, and
# print the output shown there.
#
# In an indented block, a line that starts with "$ " is a command, and its output follows.  A line
# "..." matches any lines, and "..." in a line matches any text; numbers and blanks may differ;
# for the images shown in the documentation, only blanks.  Here, --running finds the
# example, and then Debian's 6.12 if available.  In a block without "$ ", lines that start with
# abtf, make or sudo are commands: make targets must exist; sudo, apt and bpftrace are stubs; and in
# a line with FILE or the like, only the command must exist.
. "${0%/*}/../lib.sh"

unset DEBUGINFOD_URLS
export XDG_CACHE_HOME=$PWD/cache
mkdir -p bin encoder build/example root/sys/kernel root/usr/lib/debug/boot
cp "$example" build/example/vmlinux
ln -s "$ABTF" encoder/abtf

# running IMAGE: make IMAGE the running kernel
running() {
	# absolute links are resolved below --sysroot
	ln -f "$1" root/usr/lib/debug/boot/vmlinux-6.12 2>/dev/null ||
		cp "$1" root/usr/lib/debug/boot/vmlinux-6.12
	objcopy -O binary --only-section=.note.gnu.build-id "$1" root/sys/kernel/notes
	[ -s root/sys/kernel/notes ] || objcopy -O binary --only-section=.notes "$1" root/sys/kernel/notes
	running=$(build_id "$1")
}

# the module ext4 is loaded
mkdir -p root/proc/sys/kernel root/sys/module/ext4/notes root/usr/lib/debug/lib/modules/6.12/kernel/fs/ext4
echo 6.12 >root/proc/sys/kernel/osrelease
unit ext4 -pg -mfentry -mrecord-mcount <<'C'
static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=ext4";
static __attribute__((noinline, used)) int ext4_file_open(void *inode, int *file) { return *file; }
C
module root/usr/lib/debug/lib/modules/6.12/kernel/fs/ext4/ext4.ko -Wl,--build-id ext4.o
objcopy -O binary --only-section=.note.gnu.build-id --set-section-flags .note.gnu.build-id=alloc \
	root/usr/lib/debug/lib/modules/6.12/kernel/fs/ext4/ext4.ko root/sys/module/ext4/notes/.note.gnu.build-id

cat >bin/abtf <<S
#!/bin/bash
for word; do
	shift
	set -- "\$@" "\$word"
	[ "\$word" != --running ] || set -- "\$@" --sysroot='$PWD/root'
done
exec '$ABTF' "\$@"
S
cat >bin/sudo <<'S'
#!/bin/bash
exec env "$@"
S
cat >bin/make <<S
#!/bin/bash
exec $(command -v make) -n -C '$top' "\$@"
S
printf '#!/bin/bash\nexit 0\n' >bin/apt
printf '#!/bin/bash\nprintf "%%s\\n" "${@: -1}" >>bpftrace.said\n' >bin/bpftrace
chmod +x bin/*
PATH=$PWD/bin:$PATH

# blocks FILE: print the number, kind ("command", "output", "paste" or "other") and text of each line
blocks() {
	awk '
	function flush(	i) {
		for (i = 1; i <= n; i++) {
			if (transcript && line[i] ~ /^\$ /)
				print at[i] "\tcommand\t" substr(line[i], 3)
			else if (transcript)
				print at[i] "\toutput\t" line[i]
			else if (line[i] !~ /^(sudo|make|abtf)( |$)/)
				print at[i] "\tother\t" line[i]
			else
				print at[i] "\tpaste\t" line[i]
		}
		n = transcript = 0
	}
	/^    / { line[++n] = substr($0, 5); at[n] = FNR; if (line[n] ~ /^\$ /) transcript = 1; next }
	{ flush() }
	END { flush() }' "$1"
}

ignore_numbers() {
	sed -E 's/0x[0-9a-f]+/N/g; s/type_show_[0-9a-f]+/type_show_N/g; s/[0-9]+/N/g' | normalize_blanks
}

normalize_blanks() {
	sed -E 's/[[:blank:]]+/ /g; s/^ | $//g'
}

# The images that the documentation shows: the example as Debian 12's gcc compiles it, and
# Debian's 6.12.117.
gcc12=
[ "$(readelf --debug-dump=info "$example" 2>/dev/null | grep -c 'DW_AT_producer.*GNU C11 12\.2')" = 0 ] || gcc12=1
debian=764949bbe8b7a9241512fbf3b0d66d0ba34686a8

# filter_for COMMAND: print the filter for its output: normalize_blanks if numbers must match, otherwise
# ignore_numbers
filter_for() {
	case $1 in
	*--running*)	[ "$running" = $debian ] ;;
	*)		[ "$gcc12" ] ;;
	esac && echo normalize_blanks || echo ignore_numbers
}

# compare WANTED GOT FILTER: compare the files as described above
compare() {
	local -a want got
	local i=0 k any='' pattern
	mapfile -t want < <("$3" <"$1")
	mapfile -t got < <("$3" <"$2")
	for ((k = 0; k < ${#want[@]}; k++)); do
		if [ "${want[k]}" = ... ]; then
			any=1
			continue
		fi
		pattern=${want[k]//\\/\\\\}
		pattern=${pattern//\*/\\*}
		pattern=${pattern//\[/\\[}
		pattern=${pattern//\?/\\?}
		pattern=${pattern//\(/\\(}
		# the blank before it is optional, too
		pattern=${pattern// .../*}
		pattern=${pattern//.../*}
		# shellcheck disable=SC2053 # it is a pattern
		while [ "$any" ] && [ $i -lt ${#got[@]} ] && [[ ${got[i]} != $pattern ]]; do
			i=$((i + 1))
		done
		# shellcheck disable=SC2053
		if [ $i -ge ${#got[@]} ] || [[ ${got[i]} != $pattern ]]; then
			fail "expected '${want[k]}', got '${got[i]-nothing}'"
			return
		fi
		i=$((i + 1))
		any=
	done
	[ "$any" ] || [ $i = ${#got[@]} ] || fail "more output than documented: '${got[i]}'"
}

finish() {
	[ -z "$command" ] || compare wanted got "$(filter_for "$command")"
	command=
}

# transcript COMMAND: run it; the expected output follows
transcript() {
	command=$1
	: >wanted
	# 1: a difference was found
	bash -o pipefail -c "$command" >got 2>got.err </dev/null ||
		[[ $? = 1 && $command = 'abtf diff '* ]] || fail "status $?: $(head -n 3 got.err)"
	# warnings come last, as in a terminal
	cat got.err >>got
}

# pasted COMMAND: run it, as far as possible here
pasted() {
	local words
	read -ra words <<<"${1%%#*}"
	if [ "${words[0]}" = abtf ] && grep -qE ' (FILE|IMAGE|VMLINUX|IN|A B)( |\||$)' <<<"${1%%#*}"; then
		"$ABTF" "${words[1]}" --help >got || fail "no command ${words[1]}"
	else
		bash -o pipefail -c "$1" >got 2>&1 </dev/null || fail "status $?: $(head -n 3 got)"
	fi
}

# try FILE: run all of its commands
try() {
	local file=$1 number kind text
	command=
	while IFS=$'\t' read -r number kind text; do
		[ "$kind" = output ] || finish
		[ "$kind" = output ] || [ "$kind" = other ] || echo "$text" >>all
		case $kind in
		command)
			begin "$file:$number: $text$of"
			transcript "$text"
			;;
		output)
			printf '%s\n' "$text" >>wanted
			;;
		paste)
			begin "$file:$number: $text$of"
			pasted "$text"
			;;
		esac
	done < <(blocks "${2:-$top/$file}")
	finish
}

# Convert the man page's examples to blocks as in README.md. A line that starts with a tab continues
# the command before it.
man_examples() {
	awk '
	/^\.Sh / { on = $2 == "EXAMPLES" }
	!on { next }
	/^\.Ed/ { print "    " line "\n"; literal = begun = 0 }
	/^\.Bd / { literal = 1; next }
	!literal { next }
	{ gsub(/\\e/, "\\") }
	line ~ /\\$/ || /^\t/ { sub(/\\$/, "", line); sub(/^\t/, " "); line = line $0; next }
	{ if (begun) print "    " line; begun = 1; line = $0 }' "$top/encoder/abtf.1"
}

# on_terminal COMMAND: have the command of a README print to a terminal
on_terminal() {
	sed "s|^    \$ \($1\)$|    $ NO_COLOR=1 script -qc 'stty cols 78; \1 2>/dev/null' /dev/null \| tr -d '\\\\r'|"
}

# Files that the commands use
cp "$example" vmlinux
"$ABTF" encode -q vmlinux
mkdir -p old new
unit old/a <<'C'
int probe(int irq) { return irq; }
int same(void) { return 0; }
int gone(void) { return 1; }
C
unit new/a <<'C'
int probe(unsigned int irq) { return irq; }
int same(void) { return 0; }
int added(void) { return 1; }
C
image old/vmlinux old/a.o
image new/vmlinux new/a.o
man_examples | on_terminal 'abtf list vmlinux.btf type_show' >man.md
on_terminal 'abtf list --running type_show' <"$top/docs/quickstart.md" >quickstart.md
[ "$(cat man.md quickstart.md | grep -c "script -qc 'stty")" = 2 ]

for image in "$example" "$top/build/debian/vmlinux"; do
	[ -r "$image" ] || continue
	running "$image"
	of=
	[ "$image" = "$example" ] || of=" (Debian's 6.12)"
	try README.md
	try docs/quickstart.md quickstart.md
	try 'man page' man.md
done
[ "$(grep -c . all)" -ge 20 ] || fail 'commands are missing'

begin 'the arguments of bpftrace are programs with a probe and an action'
expect_text "$(ignore_numbers <bpftrace.said | sed -E 's|/\* type_show@[^ ]* \*/|/* NAME */|' | sort -u)" <<'T'
$attr = (struct kobj_attribute *)argN;
$kobj = (struct kobject *)argN;
kprobe:_text+N /* NAME */
kprobe:_text+N /* NAME */ { @[reg("ip")] = count(); }
kprobe:_text+N /* NAME */,
kprobe:_text+N { @ = count(); }
kprobe:_text+N { @[comm] = count(); }
printf("type_show@kernel/irq/irqdesc.c kobj=Nx%lx attr=Nx%lx buf=Nx%lx\n", (uintN)$kobj, (uintN)$attr, (uintN)argN);
{
}
T
