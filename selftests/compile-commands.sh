#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Turns the compiler lines of "make -nB V=1" into compile_commands.json.
set -eu
awk -v dir="$PWD/encoder" '
/ -c / && / -o / {
	command = $0
	gsub(/\\/, "\\\\", command)
	gsub(/"/, "\\\"", command)
	printf "%s\n  { \"directory\": \"%s\", \"file\": \"%s\", \"command\": \"%s\" }", n++ ? "," : "[", dir, $NF, command
}
END { print n ? "\n]" : "[]" }'
