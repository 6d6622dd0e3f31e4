#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Tests run abtf as this script, because lib.sh sets $ABTF to it.  It copies all JSON that
# $ABTF_PROGRAM prints, or writes with encode --report, to $JSON_SEEN, and lib.sh checks the copies
# against docs/schema at the end of the test file.  Otherwise, the program replaces the script, so
# that signals and limits apply to the program.

json='' report='' prefix=''
for arg do
	case $prefix$arg in
	-j | -[a-z]*j | --json | -pjson | --probe=json) json=1 ;;
	--report=*) whole=$prefix$arg report=${whole#--report=} ;;
	esac
	case $arg in
	-p) prefix=-p ;;
	--probe | --report) prefix=$arg= ;;
	*) prefix='' ;;
	esac
done

case $1 in
list | check | diff | symbolize)
	# a full disk and a closed stdout are errors of the program, not of cat
	# shellcheck disable=SC3013 # dash has -ef
	if [ -z "$json" ] || ! { [ -p /dev/stdout ] || [ -f /dev/stdout ] || [ /dev/stdout -ef /dev/null ]; }; then
		exec "$ABTF_PROGRAM" "$@"
	fi ;;
encode)
	[ -n "$report" ] || exec "$ABTF_PROGRAM" "$@" ;;
*)
	exec "$ABTF_PROGRAM" "$@" ;;
esac

copy=$JSON_SEEN/$$ status=0
while [ -e "$copy" ]; do copy=$copy+; done
if [ "$1" = encode ]; then
	"$ABTF_PROGRAM" "$@" || status=$?
	[ $status != 0 ] || [ ! -f "$report" ] || cp "$report" "$copy"
else
	"$ABTF_PROGRAM" "$@" >"$copy" || status=$?
	cat "$copy"
	grep -q '^{"format"' "$copy" || echo "no JSON: abtf $*" >>"$copy"
fi
exit $status
