#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# On a terminal, list prints in color, omits repeated paths, and groups by prototype if the terminal
# is narrow.  In a pipe, it does none of that.
. "${0%/*}/../lib.sh"

mkdir -p kernel fs include
cat >include/shared.h <<'C'
struct s { int x; };

static __attribute__((noinline, used)) int shared(struct s *s) { return s->x; }
C
unit kernel/core <<'C'
#include "../include/shared.h"
static __attribute__((noinline, used)) int dup(struct s *s, const char *name) { return s->x + *name; }
C
unit kernel/sched <<'C'
#include "../include/shared.h"

static __attribute__((noinline, used)) int dup(int a) { return a; }
int only(int a) { return a; }
C
unit fs/core <<'C'
#include "../include/shared.h"



static __attribute__((noinline, used)) int dup(struct s *s, const char *name) { return s->x - *name; }
C
image vmlinux kernel/core.o kernel/sched.o fs/core.o

# without color, except where it is tested
export TERM=xterm NO_COLOR=1

# on COLUMNS ARGS...: write list's output on a terminal with this many columns to the file seen,
# without offsets, which depend on the compiler; they end where the column ends
on() {
	COMMAND="stty cols $1 && '$ABTF' list ${*:2} 2>err" script -qec 'eval "$COMMAND"' /dev/null </dev/null >typescript
	tr -d '\r' <typescript >raw
	has_not raw '^ {0,8}0x[0-9a-f]+ {3}|^ *0x[0-9a-f]+ [^ ]'
	sed -E '/^ *0x[0-9a-f]+  /s/^.{9}/   OFFSET/; s/ +$//' raw >seen
}

begin 'on 80 columns, list prints a line for each function, grouped by prototype'
on 80 vmlinux dup shared only
expect_text "$(cat seen)" <<'T'
static int dup(struct s *s, const char *name)
   OFFSET  unknown  dup@kernel/core.c:2
   OFFSET  unknown  dup@fs/core.c:5

static int dup(int a)
   OFFSET  unknown  dup@kernel/sched.c:3

global int only(int a)
   OFFSET  unknown  only  kernel/sched.c:4

static int shared(struct s *s)
   OFFSET  unknown  shared@kernel/core.c  include/shared.h:3
   OFFSET  unknown  shared@kernel/sched.c  include/shared.h:3
   OFFSET  unknown  shared@fs/core.c  include/shared.h:3
T
[ "$(grep -cE '^ +0x[0-9a-f]+  unknown' raw)" = 7 ] || fail 'not all functions have an offset'

begin 'on a narrow terminal, arguments and functions without DWARF are printed'
on 80 --args vmlinux dup@fs/core.c
[ "$(grep -c . seen)" = 3 ] || fail 'expected three lines'
has seen '^    s=.*,name='
encode vmlinux
on 40 vmlinux.btf dup
expect_text "$(sed -E 's/^ *[0-9]+ +0x[0-9a-f]+ /ID OFFSET /' seen)" <<'T'
static int dup(struct s *s, const char *name)
ID OFFSET  dup@kernel/core.c
ID OFFSET  dup@fs/core.c

static int dup(int a)
ID OFFSET  dup@kernel/sched.c
T

begin 'on 200 columns, list prints a table, and no path twice in a line'
on 200 vmlinux dup shared@kernel/core.c only
expect_text "$(cat seen)" <<'T'
   OFFSET  LINKAGE  FLAGS    NAME                  DECLARED            PROTOTYPE
   OFFSET  static   unknown  dup@kernel/core.c:2                       int dup(struct s *s, const char *name)
   OFFSET  static   unknown  dup@kernel/sched.c:3                      int dup(int a)
   OFFSET  static   unknown  dup@fs/core.c:5                           int dup(struct s *s, const char *name)
   OFFSET  global   unknown  only                  kernel/sched.c:4    int only(int a)
   OFFSET  static   unknown  shared@kernel/core.c  include/shared.h:3  int shared(struct s *s)
T

begin 'on 200 columns, empty columns are omitted'
on 200 vmlinux dup
expect_text "$(cat seen)" <<'T'
   OFFSET  LINKAGE  FLAGS    NAME                  PROTOTYPE
   OFFSET  static   unknown  dup@kernel/core.c:2   int dup(struct s *s, const char *name)
   OFFSET  static   unknown  dup@kernel/sched.c:3  int dup(int a)
   OFFSET  static   unknown  dup@fs/core.c:5       int dup(struct s *s, const char *name)
T

begin 'a pipe gets the whole table on any terminal, and JSON is the same everywhere'
expect 0 env -u NO_COLOR "$ABTF" list vmlinux dup only
expect_text "$(sed -E '/^ *0x[0-9a-f]+  /s/^.{9}/   OFFSET/' out)" <<'T'
   OFFSET  LINKAGE  FLAGS    NAME                DECLARED          PROTOTYPE
   OFFSET  static   unknown  dup@kernel/core.c   kernel/core.c:2   int dup(struct s *s, const char *name)
   OFFSET  static   unknown  dup@kernel/sched.c  kernel/sched.c:3  int dup(int a)
   OFFSET  static   unknown  dup@fs/core.c       fs/core.c:5       int dup(struct s *s, const char *name)
   OFFSET  global   unknown  only                kernel/sched.c:4  int only(int a)
T
for option in --json --table; do
	NO_COLOR='' on 80 $option vmlinux dup
	expect 0 "$ABTF" list $option vmlinux dup
	expect_eq "$(cat raw)" "$out" $option
done

begin 'names and flags are colored'
esc=$'\033'
NO_COLOR='' on 80 vmlinux dup@fs/core.c only
has seen "^ +OFFSET  $esc\[2munknown$esc\[m  $esc\[1mdup@fs/core\.c:5$esc\[m$"
has seen "^ +OFFSET  $esc\[2munknown$esc\[m  $esc\[1monly$esc\[m  kernel/sched\.c:4$"
NO_COLOR='' on 200 vmlinux dup@fs/core.c only
sed "s/$esc\[[0-9]*m//g" seen >plain
has seen "  $esc\[1monly$esc\[m {13}kernel/sched"
on 200 vmlinux dup@fs/core.c only
expect_eq "$(cat plain)" "$(cat seen)"
for setting in NO_COLOR=1 TERM=dumb TERM=; do
	(unset NO_COLOR; export "${setting?}"; on 80 vmlinux dup)
	has seen 'dup@fs'
	has_not seen "$esc"
done
(unset NO_COLOR; on 80 vmlinux dup)
has seen "$esc\[1m"

begin 'progress is shown on a terminal, unless it has no control sequences'
# progress TERM: list on a terminal of this type
progress() {
	TERM=$1 script -qec "'$ABTF' list vmlinux dup" /dev/null </dev/null >typescript
	has typescript 'dup@fs'
}
progress xterm
has typescript "^.units [0-9]*/[0-9]*$esc\[K"
for term in dumb ''; do
	progress "$term"
	has_not typescript "$esc|units"
done

begin 'the list of inlined functions depends on the terminal, too'
unit fs/inlined <<'C'
static inline __attribute__((always_inline)) int twice(int a) { return 2 * a; }
int (*volatile pointer)(int) = twice;
int call(int a) { return twice(a + 1); }
C
image inlined fs/inlined.o kernel/sched.o
NO_COLOR='' on 80 --inlined inlined
has seen " $esc\[1mtwice$esc\[m  +fs/inlined\.c:1$"
