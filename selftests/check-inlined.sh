#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make check-inlined: compares the inlined calls of 100 functions of a real kernel with those that
# llvm-dwarfdump shows. That program can only print all of DWARF, which takes some minutes.
#   VMLINUX=FILE    this image (see real-image.sh)
#   SAMPLE=N        number of functions (100), evenly spread over all names
# shellcheck source=real-image.sh
. "$(dirname "$0")/real-image.sh" inlined

# "NAME ADDRESS...": an inlined call, and where its code may begin according to DWARF.  If gcc
# has inlined a part of a function into the rest of the same function, that is not a call.
llvm-dwarfdump --debug-info "$image" | awk '
function string() {
	return match($0, /"[^"]*"/) ? substr($0, RSTART + 1, RLENGTH - 2) : ""
}
function number(	s) {
	s = match($0, /\(0x[0-9a-f]+/) ? substr($0, RSTART + 1, RLENGTH - 1) : ""
	return s
}
function flush(	k) {
	if (tag == "subprogram") {
		decl[die] = line
		base[die] = origin
	}
	if (tag != "")
		in_func[depth] = name
	if (tag == "inlined_subroutine" && name != "" && places != "") {
		for (k = depth - 1; k > 0 && in_func[k] == ""; k--)
			;
		if (in_func[k] != name)
			print name places
		else
			maybe[++nr] = origin "\t" line "\t" name places
	}
	tag = name = places = line = origin = ""
}
/^0x[0-9a-f]+: / {
	flush()
	die = substr($1, 1, length($1) - 1)
	match($0, /: +/)
	depth = RLENGTH
	in_func[depth] = ""
	if (/DW_TAG_(subprogram|inlined_subroutine)/)
		tag = substr($2, 8)
	next
}
tag == "" { next }
/DW_AT_abstract_origin/ { name = string(); origin = number() }
/DW_AT_name/ { name = string() }
/DW_AT_(decl|call)_line/ && (tag == "subprogram") == /decl/ { match($0, /[0-9]+\)/); line = substr($0, RSTART, RLENGTH - 1) }
/DW_AT_(low|entry)_pc/ { places = places " " number() }
/^ *\[0x/ {
	match($0, /0x[0-9a-f]+/)
	from = substr($0, RSTART, RLENGTH)
	match($0, /, 0x[0-9a-f]+/)
	if (substr($0, RSTART + 2, RLENGTH - 2) != from)
		places = places " " from
}
END {
	flush()
	for (i = 1; i <= nr; i++) {
		split(maybe[i], m, "\t")
		while (decl[m[1]] == "" && base[m[1]] != "")
			m[1] = base[m[1]]
		if (m[2] != decl[m[1]])
			print m[3]
	}
}' >calls

python3 - "$abtf" "$image" "${SAMPLE:-100}" <<'P'
import collections, json, subprocess, sys
abtf, image, sample = sys.argv[1], sys.argv[2], int(sys.argv[3])
text = next(int(line.split()[0], 16) for line in
            subprocess.run(['nm', image], capture_output=True, text=True).stdout.splitlines()
            if line.endswith(' _text'))
calls = collections.defaultdict(list)
for line in open('calls'):
    name, *places = line.split()
    calls[name].append([int(place, 16) - text for place in places])
names = sorted(name for name in calls if name.isidentifier() and len(calls[name]) <= 200)
names = names[::max(1, len(names) // sample)][:sample]
failed = nr = 0
for name in names:
    out = subprocess.run([abtf, 'list', '--inlined', '-j', image, name], capture_output=True, text=True)
    ours = [call['offset'] for call in json.loads(out.stdout)['calls']] if out.returncode == 0 else []
    ours = [int(offset, 0) if isinstance(offset, str) else offset for offset in ours]
    nr += len(ours)
    for places in calls[name]:
        found = next((place for place in places if place in ours), None)
        if found is None:
            print(f'FAILED: {name}: only llvm-dwarfdump has {hex(places[0])}')
            failed = 1
        else:
            ours.remove(found)
    for offset in ours:
        print(f'FAILED: {name}: llvm-dwarfdump lacks {hex(offset)}')
        failed = 1
print(f'{len(names)} functions, {nr} inlined calls: llvm-dwarfdump {"differs" if failed else "agrees"}')
sys.exit(failed or not nr)
P
