# SPDX-License-Identifier: GPL-2.0-only
# From KTAP (Documentation/dev-tools/ktap.rst) to the lines that are counted:
#
#	pass|fail|skip <tab> NAME
#
# Indented lines are subtests: their parent's line has the result.  A violation of
# the format is a failure: no version line, no plan or two plans, results out of
# order, more or fewer than planned.
#	-v status=N	the exit status of the test; -v why=TEXT if it did not end

function result(what, name) {
	print what "\t" name
	failed = failed || what == "fail"
}

function broken(what) {
	result("fail", "KTAP: " what)
}

{
	sub(/\r$/, "")
}

/^(KTAP|TAP) version [0-9]+$/ {
	if (version++)
		broken("line " NR ": a second version line")
	next
}

/^1\.\.[0-9]+/ {
	if (planned++) {
		broken("line " NR ": a second plan")
	} else {
		plan = substr($0, 4)
		if (plan ~ /# *SKIP/) {
			sub(/^.*# *SKIP */, "", plan)
			result("skip", "all (" (plan == "" ? "no reason given" : plan) ")")
			plan = 0
		}
		plan += 0
	}
	next
}

/^Bail out!/ {
	broken($0)
	next
}

/^(not )?ok( |$)/ {
	good = $1 == "ok"
	line = $0
	sub(/^(not )?ok */, "", line)
	number = line
	sub(/[^0-9].*$/, "", number)
	seen++
	if (number != seen)
		broken("line " NR ": result " (number == "" ? "without number" : number) \
		       ", expected " seen)
	sub(/^([0-9]+ *)?(- *)?/, "", line)
	reason = ""
	if (match(line, / *# */)) {
		reason = substr(line, RSTART + RLENGTH)
		line = substr(line, 1, RSTART - 1)
	}
	if (line == "")
		line = "test " seen
	if (!good)
		result("fail", line (reason == "" ? "" : " (" reason ")"))
	else if (reason ~ /^SKIP/) {
		sub(/^SKIP */, "", reason)
		result("skip", line " (" (reason == "" ? "no reason given" : reason) ")")
	} else
		result("pass", line)
	next
}

END {
	if (!version)
		broken("no version line")
	if (!planned)
		broken("no plan")
	else if (plan != seen + 0)
		broken("planned " plan ", seen " seen + 0)
	if (why != "")
		result("fail", why)
	else if (status != 0 && !failed)
		result("fail", "exit status " status)
}
