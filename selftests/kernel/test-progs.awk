# SPDX-License-Identifier: GPL-2.0-only
# Compare results of test_progs on the stock and on the patched kernel:
# awk -v tests='A B' -v new='B' -f test-progs.awk STOCK PATCHED
# A test or subtest passes if it is OK on the patched kernel.  One that is not new is skipped if
# both kernels SKIP or both FAIL it.  Everything else fails, also a test without a result, and the
# exit status is 1.

function add(name, status) {
	# Subtests may share a name.
	name = name (seen[FILENAME, name]++ ? " (" seen[FILENAME, name] ")" : "")
	if (!(name in known)) {
		known[name] = 1
		names[++nr_names] = name
	}
	status_of[kernel, name] = status
}

function show(name, before, after, verdict) {
	printf "%-20s %-8s %-8s%s\n", name, before, after, verdict
}

# Print every test, and subtests that are not OK.
function judge(name,	test, before, after, verdict) {
	test = name
	sub(/\/.*/, "", test)
	before = (("stock", name) in status_of) ? status_of["stock", name] : "none"
	after = (("patched", name) in status_of) ? status_of["patched", name] : "none"
	if (index(" " new " ", " " test " "))
		before = "new"
	if (after == "OK") {
		passed++
	} else if (after == before && after != "none") {
		skipped++
		verdict = after == "FAIL" ? "  (fails on the stock kernel, too)" : ""
	} else {
		failed++
		verdict = "  <-- FAILED"
	}
	if (test == name || after != "OK")
		show(name, before, after, verdict)
}

FNR == 1 {
	kernel = FILENAME == ARGV[1] ? "stock" : "patched"
	again = 0
}

{ sub(/\r$/, "") }

# After this line, failures are printed again.
/^All error logs:/ { again = 1 }
/^Summary: / { summary = summary "  " kernel ": " $0 "\n" }

# "(SKIP: 1/4)" may follow; subtests are counted separately.
{ sub(/ \(SKIP: [0-9]+\/[0-9]+\)$/, "") }

!again && /^#[0-9]+(\/[0-9]+)? +[^ ].*:(OK|FAIL|SKIP)$/ {
	status = $0
	sub(/.*:/, "", status)
	sub(/^#[0-9\/]+ +/, "")
	sub(/:(OK|FAIL|SKIP)$/, "")
	add($0, status)
}

END {
	show("test", "stock", "patched")
	# requested tests without a result
	nr = split(tests, asked, " ")
	for (i = 1; i <= nr; i++)
		if (!(asked[i] in known))
			names[++nr_names] = asked[i]
	for (i = 1; i <= nr_names; i++)
		judge(names[i])
	printf "%s", summary
	printf "%d passed, %d failed, %d skipped, with subtests\n", passed, failed, skipped
	exit failed > 0
}
