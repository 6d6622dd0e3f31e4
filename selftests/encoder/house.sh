#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The rules of docs/CONTRIBUTING.md for the encoder's own source that a script can check.
. "${0%/*}/../lib.sh"

# Each directory, and the directories above it in this table that it may include; a file of encoder/
# itself is listed by its name.  For example, dwarf/ must not know BTF, nor types/ ELF.
allowed='
	version
	util
	image		util
	dwarf		util image
	types		util
	btf		util image types
	load		util image types dwarf btf
	functions	util image types dwarf btf load
	encode		util image types dwarf btf load functions
	encode_features	util dwarf encode
	encode_report	util image btf encode
	locate		util image dwarf
	inlined		util image dwarf functions
	inspect		version util image dwarf btf functions encode encode_features locate inlined
	probe		util image dwarf btf inspect
	report		version util types btf encode locate inlined inspect probe
	cmd		version util image btf functions encode_features encode_report locate inlined
	cmd		inspect probe report
	main		version util cmd
'

# includes DIR: print "FILE ITS-DIRECTORY INCLUDED ITS-DIRECTORY" for each include in quotes
includes() {
	(cd "$1" && grep -rnoE '^#include "[^"]+"' --include='*.[ch]' .) | sed -E '
		s|^\./||; s|:[0-9]+:#include "| |; s|"$||' |
		awk '
		function module(file,	r) {
			r = file
			if (!sub(/\/.*/, "", r))
				sub(/\.[ch]$/, "", r)
			return r
		}
		{ print $1, module($1), $2, module($2) }'
}

# forbidden DIR: print includes that the rows above do not allow
forbidden() {
	includes "$1" | awk -v allowed="$allowed" '
	BEGIN {
		n = split(allowed, rows, "\n")
		for (i = 1; i <= n; i++) {
			nr = split(rows[i], names, " ")
			may[names[1], names[1]] = known[names[1]] = 1
			for (k = 2; k <= nr; k++)
				if (names[k] in known)
					may[names[1], names[k]] = 1
		}
	}
	!(($2, $4) in may) { print $1 " includes " $3 }'
}

begin 'directories only include the directories that they may know'
[ "$(includes "$top/encoder" | wc -l)" -gt 300 ] || fail 'the includes were not found'
forbidden "$top/encoder" | expect_none
(cd "$top/encoder" && find_lines -rlE 'linux/btf.h|BTF_KIND' util image dwarf) | expect_none

begin 'an include that is not allowed is found'
mkdir -p bad/util bad/btf bad/types bad/attic
echo '#include "btf/read.h"' >bad/util/low.c
echo '#include "util/grow.h"' >bad/btf/high.c
echo '#include "image/image.h"' >bad/types/elf.c
echo '#include "util/grow.h"' >bad/attic/lost.c
echo '#include "cmd/cmd.h"' >bad/encode.c
expect_eq "$(forbidden bad | sort)" 'attic/lost.c includes util/grow.h
encode.c includes cmd/cmd.h
types/elf.c includes image/image.h
util/low.c includes btf/read.h'

begin 'the judge includes nothing from the encoder'
expect_eq "$(cd "$selftests" && grep -rhoE '^#include "[^"]*/[^"]*"' judge compare/raw.[ch])" \
	"$(cd "$selftests" && grep -rhoE '^#include "../compare/raw.h"' judge)"
has_not "$selftests/judge/Makefile" '[[:space:]]-I'

# duplicate_tags DIR: print names of structs, unions and enums that are defined in two places
duplicate_tags() {
	(cd "$1" && grep -rhoE --include='*.[ch]' '^(typedef +|static +|const +)*(struct|union|enum) +[a-zA-Z_0-9]+ *(\{|$)' .) |
		grep -oE '[a-zA-Z_0-9]+ *\{?$' | tr -d ' {' | sort | uniq -d
}

begin 'names of structs, unions and enums are unique'
duplicate_tags "$top/encoder" | expect_none
mkdir twice
printf 'struct lines {\n};\nstatic const struct one {\n} o;\n' >twice/a.c
printf 'union lines {\n};\nstruct two\n{\n};\nstruct one *f(void);\n' >twice/b.h
echo 'enum two {' >twice/c.h
expect_eq "$(duplicate_tags twice)" 'lines
two'

# one_word_functions DIR: print static functions whose name is a single word, instead of a verb and an object
one_word_functions() {
	(cd "$1" && grep -rnoE --include='*.[ch]' '^static [a-z_0-9 *]*[ *][a-z_0-9]+\(' .) |
		sed -nE 's|^\./([^:]*):.*[ *]([a-z0-9]+)\($|\1 \2|p'
}

# in a header, one word may be enough
begin 'the name of a static function has a verb and an object'
expect_eq "$(one_word_functions "$top/encoder")" 'util/grow.h grow'
mkdir words
printf 'static int settle(struct matcher *m)\nstatic struct node *look_up(void)\n' >words/a.c
printf 'static const char *oops(int err)\nstatic inline bool set__has(int x)\nint run(void)\n' >words/b.c
expect_eq "$(one_word_functions words | sort)" 'a.c settle
b.c oops'

# vague_verbs DIR: print functions whose verb has several meanings.  Use parse_ for options, read_ for input,
# move_, add_, set_ and the like; notes are ELF notes.
vague_verbs() {
	(cd "$1" && find_lines -rnoE --include='*.[ch]' '\b([a-z_]+__)?(take|note)_[a-z_0-9]+\(' .) |
		sed -nE 's|^\./([^:]*):.*:(.*)\($|\1 \2|p' | sort -u
}

begin 'verbs of functions have one meaning'
vague_verbs "$top/encoder" | find_lines -v ' note__id_size$' | expect_none
mkdir vague
printf 'int job__take_jobs(void);\nstatic int note_text(int x)\nint mistake_of(int x);\nint msg_note(int x);\n' >vague/a.c
expect_eq "$(vague_verbs vague)" 'a.c job__take_jobs
a.c note_text'

# calls DIR: print "FILE FILE" if the first object uses a symbol that the second one defines
calls() {
	(cd "$1" && find . -name '*.o' -exec gcc-nm -A {} +) | awk '
		{ sub(/^\.\//, ""); file = $1; sub(/\.o:.*/, "", file); symbol = $NF }
		$(NF - 1) ~ /^[TDBRC]$/ { defines[symbol] = file }
		$(NF - 1) == "U" { uses[++nr] = symbol; user[nr] = file }
		END {
			for (i = 1; i <= nr; i++)
				if (uses[i] in defines && defines[uses[i]] != user[i])
					print user[i], defines[uses[i]]
		}' | sort -u
}

begin 'no files call each other in a circle'
# ignore objects whose source no longer exists
mkdir objects
objects=$top/build/encoder
[[ $ABTF_PROGRAM != */build/encoder-sanitize/* ]] || objects=$top/build/encoder-sanitize
(cd "$top/encoder" && find . -name '*.c') | while read -r file; do
	mkdir -p "objects/${file%/*}"
	cp "$objects/${file%.c}.o" "objects/${file%.c}.o"
done
calls objects >called
[ "$(wc -l <called)" -gt 300 ] || fail 'the calls were not found'
expect 0 tsort called
mkdir -p circle/a
echo 'int g(void); int f(void) { return g(); }' | gcc -x c -c -o circle/a/one.o -
echo 'int h(void); int g(void) { return h(); }' | gcc -x c -c -o circle/two.o -
echo 'int f(void); int h(void) { return f(); }' | gcc -x c -c -o circle/three.o -
calls circle >called
expect 1 tsort called
says 'contains a loop'

# code DIR: lines of its C files, without blank lines and comments
code() {
	find "$1" -name '*.[ch]' -exec cat {} + | awk '
	{
		for (code = ""; $0 != ""; ) {
			if (inside) {
				at = index($0, "*/")
				$0 = at ? substr($0, at + 2) : ""
				inside = !at
			} else if (match($0, /\/\*|\/\//)) {
				inside = substr($0, RSTART, 2) == "/*"
				code = code substr($0, 1, RSTART - 1)
				$0 = inside ? substr($0, RSTART + 2) : ""
			} else {
				code = code $0
				$0 = ""
			}
		}
		nr += code ~ /[^ \t]/
	}
	END { print nr + 0 }'
}

begin 'lines of code are counted without blank lines and comments'
mkdir code
printf '// no\n\n/* no */ int a;\n/*\n * no\n */\nint b; /* no\n no */ int c;\n\t\n#define D /* x */ 1 // no\n' >code/a.c
expect_eq "$(code code)" 4
all=$(code "$top/encoder") tools=0
for dir in cmd inlined inspect locate probe report; do
	tools=$((tools + $(code "$top/encoder/$dir")))
done
echo "lines of code: $all; $((all - tools)) without the tools"
[ "$all" -gt "$tools" ] || fail 'nothing was counted'

# stale_mutants LIST DIR: print mutants with a piece that is not in their file exactly once
stale_mutants() {
	perl -e '
		my ($list, $dir) = @ARGV;
		open(my $in, "<", $list) or die "$list: $!";
		while (my $line = <$in>) {
			chomp $line;
			if ($line =~ /^([^-+#\t][^\t]*)\t/) {
				($name, $file) = ($1, "");
			} elsif ($line =~ /^- (.*)/) {
				my ($piece, $nr) = ($1, 0);
				$nr++ while $text =~ /\Q$piece\E/g;
				print "$name $file\n" if $nr != 1;
			} elsif ($line =~ /^[^-+#]/) {
				$file = $line;
				my $found = open(my $source, "<", "$dir/$file");
				$text = $found ? join("", <$source>) : "";
			}
		}' "$1" "$2"
}

# unsafe_expectations DIR: print expectations that a failing command meets, because it prints nothing
unsafe_expectations() {
	(cd "$1" && find_lines -rnE --include='*.sh' \
		"expect_eq \"\\$\\(.*\\)\" ''|expect_(text|funcs) .* </dev/null" .)
}

begin 'tests notice commands that fail and print nothing'
unsafe_expectations "$selftests" | find_lines -v '^\./encoder/house\.sh:' | expect_none
mkdir unsafe
printf '%s\n' "expect_eq \"\$(funcs a)\" ''" 'expect_funcs a one </dev/null' 'funcs a | expect_none' >unsafe/a.sh
expect_eq "$(unsafe_expectations unsafe | cut -d: -f1,2 | tr '\n' ' ')" './a.sh:1 ./a.sh:2 '
# a failure anywhere in the pipe, in a command that prints nothing
cat >none.sh <<'T'
. "$1/lib.sh"
begin 'a missing file'
eval "$2"
T
for command in 'sed "" missing' 'funcs missing' 'types missing .' 'skipped missing' 'jq . missing | sort | uniq -d' \
	       'find_lines x missing' 'false' 'echo text' "expect_eq '' ''"; do
	[[ $command = expect_eq* ]] || command+=' | expect_none'
	status=0
	bash none.sh "$selftests" "$command" >none.out 2>&1 3>results || status=$?
	expect_eq "$(cut -f1 results)" fail "$command"
done
bash none.sh "$selftests" 'true | sort | find_lines x | expect_none' 3>results
expect_eq "$(cut -f1 results)" pass

begin 'the fuzz targets follow the interfaces that they use'
for file in common image btf expr; do
	gcc -std=gnu11 -D_GNU_SOURCE -fsyntax-only -Wall -Wno-unused-parameter -Werror \
		-I"$top/encoder" -I"$selftests/fuzz" "$selftests/fuzz/$file.c"
done
# fuzz targets have their own implementation of util/msg.h
sed -n '/^static/!s/^[a-z].*[ *]\(msg_[a-z_]*\)(.*/\1/p' "$top/encoder/util/msg.c" >defined
has defined '^msg_print$'
for name in $(cat defined); do
	grep -q "^[a-z].*[ *]$name(" "$selftests/fuzz/common.c" || fail "fuzz/common.c lacks $name()"
done

begin 'the code for each mutant in the list still exists'
stale_mutants "$selftests/mutants/list" "$top/encoder" | expect_none
mkdir moved
echo 'int once, twice, twice;' >moved/a.c
printf 'fits\ttypes\na.c\n- once\n+ never\n\ngone\ttypes\na.c\n- thrice\n\ndouble\ttypes\na.c\n- twice\n\nlost\ttypes\nb.c\n- once\n' >moved/list
expect_eq "$(stale_mutants moved/list moved)" 'gone a.c
double a.c
lost b.c'
