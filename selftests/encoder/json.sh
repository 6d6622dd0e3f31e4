#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Programs that read abtf's JSON rely on docs/schema, on one document on stdout even after an error,
# and on the exit status.  lib.sh checks the JSON of all tests against the schemas.
. "${0%/*}/../lib.sh"

cp "$example" vmlinux
"$ABTF" encode -q -o vmlinux.btf vmlinux
id=$(build_id vmlinux)

# json STATUS FORMAT ARG...: run abtf; stdout must be one document of FORMAT, and stderr empty
json() {
	local status=0

	"$ABTF" "${@:3}" >doc 2>messages </dev/null || status=$?
	expect_eq $status "$1" "${*:3}"
	expect_eq "$(jq -s 'length' doc)" 1
	expect_eq "$(jq -r .format doc)" "$2" "${*:3}"
	cat messages | expect_none 'standard error'
}

begin 'the document of each command has format, version and build id'
json 0 functions list -j vmlinux type_show
json 0 functions list -j --args vmlinux type_show
expect_eq "$(jq -c '[.build_id, .module, (.functions | length)]' doc)" "[\"$id\",null,3]"
json 0 functions list -j vmlinux.btf
expect_eq "$(jq .build_id doc)" null
json 0 inlined list --inlined -j vmlinux
json 0 calls list --inlined -j vmlinux cpumask_weight
expect_eq "$(jq -r .build_id doc)" "$id"
json 0 calls list --callers -j vmlinux cpumask_weight
expect_eq "$(jq -r .build_id doc)" "$id"
json 0 probes list --probe=json --args vmlinux type_show
expect_eq "$(jq -r .build_id doc)" "$id"
json 0 probes list --probe=json --retprobe vmlinux type_show
json 0 places symbolize -j vmlinux _text+0 type_show@irqdesc.c
expect_eq "$(jq -r .build_id doc)" "$id"
json 0 probes list --inlined --probe=json vmlinux cpumask_weight
expect_eq "$(jq -c '.probes[0] | [.name, .call]' doc)" \
	'["microcode_ready","cpumask_weight in microcode_ready at arch/x86/kernel/cpu/microcode/core.c:11"]'
json 0 images check -j vmlinux vmlinux.btf
expect_eq "$(jq -r '.images[0].build_id' doc)" "$id"
expect_eq "$(jq -c '.images[0].violations' doc)" '[]'
cp vmlinux moved
"$ABTF" encode -q moved
addr_edit moved type_show@kernel/irq/irqdesc.c offset 1
json 1 images check -j moved
expect_eq "$(jq -c '.images[0].violations | map(.name)' doc)" '["type_show@kernel/irq/irqdesc.c"]'
json 0 changes diff -j vmlinux vmlinux.btf
expect_eq "$(jq -c '[.old_image.build_id, .new_image.build_id]' doc)" "[\"$id\",null]"
"$ABTF" encode -q -o x.btf --report=x.report vmlinux
expect_eq "$(jq -r '.format, .build_id' x.report | xargs)" "report $id"

begin 'every format has a schema, and every schema is used by a test above or below'
unused=$(cd "$top/docs/schema"; ls -- *.json)
for format in $(cat json-seen/* | grep -o '"format": "[a-z]*"' | cut -d'"' -f4 | sort -u) error; do
	[ -e "$top/docs/schema/$format.json" ] || fail "no schema for $format"
	unused=$(grep -vx "$format.json" <<<"$unused" || :)
done
expect_none <<<"$unused"

begin 'a key has one meaning in all schemas'
"$python" - "$top/docs/schema" <<'EOF' | expect_none
import json, pathlib, re, sys

meanings = {}

def walk(schema, element):
    for key, value in schema.get('properties', {}).items():
        types = {value['type']} if isinstance(value.get('type'), str) else {*value.get('type', [])}
        # ":" or ";" separates details from the meaning
        text = re.split('[:;]', value.get('description', ''))[0]
        # the meaning of name and reason depends on the element; a report of 0.1.0 had "encoded" twice
        if (key not in ('name', 'reason') or element not in ('args', 'variables', 'violations')) and key != 'encoded':
            meanings.setdefault(key, set()).add((text, *types - {'null'}))
        walk(value, key)
    if 'items' in schema:
        walk(schema['items'], element)

for path in pathlib.Path(sys.argv[1]).glob('*.json'):
    walk(json.loads(path.read_text()), '')
if not meanings:
    print('no schemas')
for key, of in meanings.items():
    if len(of) > 1:
        print(key, of)
EOF

begin 'errors: one document, and nothing on standard error'
json 1 error list -j /nonexistent
expect_eq "$(jq -r .error doc)" '/nonexistent: cannot read: No such file or directory'
json 3 error list -j vmlinux type_shw
expect_eq "$(jq -r .error doc | head -n 2)" "vmlinux: no function named 'type_shw'
    did you mean type_show?"
id=$("$ABTF" list -j vmlinux | jq -r .build_id)
for options in -j '-j --callers' --probe=json '-j --inlined'; do
	# shellcheck disable=SC2086 # words
	json 3 error list $options vmlinux nosuch
	expect_eq "$(jq -r .build_id doc)" "$id" "$options"
done
json 3 error list -j --inlined vmlinux type_show
json 3 error list -j --callers vmlinux type_show
json 4 probes list --probe=json vmlinux param_setup
expect_eq "$(jq '.probes | length' doc)" 0
jq -r .error doc | matches 'omitted: 2 init' || fail "$(cat doc)"
json 3 places symbolize -j vmlinux 0 99999999
jq -r .error doc | matches "'99999999': no function is there" || fail "$(cat doc)"
json 2 images check -j vmlinux
json 2 error diff -j vmlinux /nonexistent

begin 'warnings are in the document'
json 0 probes list --probe=json vmlinux type_show param_setup
jq -r '.warnings[]' doc | matches 'rejects kprobes at 2 of 5 functions, which are omitted: 2 init' || fail "$(cat doc)"
expect_eq "$(jq -c '[.error, (.probes | length)]' doc)" '[null,3]'

begin 'wrong usage: a document on stdout, and the usage message on stderr'
expect 2 "$ABTF" list -j --probe=perf vmlinux type_show
expect_eq "$("$ABTF" list -j --probe=perf vmlinux type_show 2>/dev/null | jq -r .format || true)" error
expect 2 "$ABTF" list -j --no-such vmlinux
expect_eq "$("$ABTF" list -j --no-such vmlinux 2>/dev/null | jq -r .error || true)" "list: unknown or ambiguous option '--no-such'"
says '^Usage: abtf list'
# fails ARG...: expect a usage error, and one document on stdout
fails() {
	local status=0

	"$ABTF" "$@" >doc 2>messages || status=$?
	expect_eq $status 2 "$*"
	expect_eq "$(jq -rs 'map(.format) | join(" ")' doc)" error "$*"
	jq -e .error doc >messages || fail "$*"
}
# the option for JSON is the last, or not the only one
fails list --no-such -j vmlinux
fails list --probe=nosuch vmlinux -j type_show
fails list vmlinux --no-such --probe json type_show
fails check --no-such -qj vmlinux
fails list -p json -p perf vmlinux type_show
fails diff -jq vmlinux vmlinux
expect 0 "$ABTF_PROGRAM" list -j --help
says '^Usage: abtf list'
find_lines '"format"' <out | expect_none
expect 3 "$ABTF_PROGRAM" list vmlinux -- --json
says "no function named '--json'"

begin 'diff: in modules, an address is relative to a section, in DWARF and in BTF'
unit one <<<'__attribute__((noinline, used)) int f(int a) { return a; }'
unit two <<<'__attribute__((noinline, used, section(".other.text"))) int f(int a) { return a; }'
for file in one two; do
	cp $file.o $file.ko
	"$ABTF" encode -q --base vmlinux.btf $file.ko
done
for options in 'one.o two.o' '--base vmlinux.btf one.ko two.ko' '--base vmlinux.btf one.o two.ko'; do
	# shellcheck disable=SC2086 # words
	expect 1 "$ABTF" diff $options
	says '^! f: address \.text\+0x0 -> \.other\.text\+0x0$'
	# shellcheck disable=SC2086
	json 1 changes diff -j $options
	expect_eq "$(jq -c '.changes[] | [.change, .old.section, .old.offset, .new.section, .new.offset]' doc)" \
		'["address",".text",0,".other.text",0]' "$options"
done
json 0 changes diff -j --base vmlinux.btf one.o one.ko
json 1 changes diff -j vmlinux one.o
expect_eq "$(jq -c '[.changes[] | (.old, .new) | .section | values] | unique' doc)" '[".text"]'

begin 'without JSON, commands end with the documented status'
expect 1 "$ABTF" list /nonexistent
expect 2 "$ABTF" list
expect 3 "$ABTF" list vmlinux nosuch type_show
expect 3 "$ABTF" list --probe=perf vmlinux 'nosuch*'
expect 4 "$ABTF" list --probe=perf vmlinux param_setup
expect 0 "$ABTF" list --probe=perf vmlinux param_setup type_show
expect 4 "$ABTF" list --probe=tracefs --args=nosuch vmlinux type_show
expect 0 "$ABTF" list vmlinux param_setup
expect 1 "$ABTF" symbolize /nonexistent 0
expect 3 "$ABTF" symbolize vmlinux 0 99999999
expect 0 "$ABTF" check vmlinux vmlinux.btf
expect 2 "$ABTF" check vmlinux
expect 2 "$ABTF" check --base /nonexistent vmlinux vmlinux.btf
expect 2 "$ABTF" diff vmlinux /nonexistent
expect 0 "$ABTF" diff -q vmlinux vmlinux.btf
unit other <<<'int start(void) { return 0; }'
image other other.o
expect 1 "$ABTF" diff -q vmlinux other
expect 1 "$ABTF" check other vmlinux.btf
for status in 1 2 3 4; do
	man -l "$top/encoder/abtf.1" | sed -n '/^EXIT STATUS/,/^EXAMPLES/p' | matches -E "^ +$status( |$)" || fail "the man page lacks $status"
done

begin 'a test above prints each key in the schemas: it fails if the key is renamed'
cat json-seen/* >seen
"$python" - "$top/docs/schema" <<'EOF' | expect_none
import json, pathlib, re, sys

def defined(schema):
    for key, value in schema.get('properties', {}).items():
        yield from (key, *(f'{key}.{below}' for below in defined(value)))
    if 'items' in schema:
        yield from defined(schema['items'])

def printed(value):
    for element in value if isinstance(value, list) else []:
        yield from printed(element)
    for key, below in value.items() if isinstance(value, dict) else []:
        yield from (key, *(f'{key}.{name}' for name in printed(below)))

seen, text, at = {}, pathlib.Path('seen').read_text(), 0
while match := re.compile(r'^\{\n? *"format"', re.M).search(text, at):
    document, at = json.JSONDecoder().raw_decode(text, match.start())
    seen.setdefault(document['format'], set()).update(printed(document))
for path in pathlib.Path(sys.argv[1]).glob('*.json'):
    for key in set(defined(json.loads(path.read_text()))) - seen.get(path.stem, set()):
        print(path.stem, key)
EOF

begin 'the check of JSON fails for a key that is renamed, new, or missing, and without JSON'
json 0 functions list -j vmlinux type_show
valid() { "$python" "$selftests/valid.py" >valid.out; }
"$python" -c 'import jsonschema' 2>/dev/null || { skip 'no python3-jsonschema'; exit 77; }
valid <doc || fail 'precondition'
for edit in 's/"decl_file"/"declared"/' 's/"id": null, //' 's/"name"/"x": 1, "name"/' 's/"version": 1/"version": 2/' \
	's/"offset": /"offset": -/' 's/"format": "functions"/"format": "function"/'; do
	sed "$edit" doc >edited
	! valid <edited && [ -s valid.out ] || fail "$edit: the document is accepted"
done
{ cat doc; echo 'no JSON: list -j'; } >edited
! valid <edited && [ -s valid.out ] || fail 'a command without JSON is accepted'
! valid </dev/null || fail 'empty input is accepted'

begin 'JSON is checked wherever it is printed to: in pipes, files and /dev/null'
export ABTF
# copies NR COMMAND: it adds NR documents to those that are checked
copies() {
	local nr

	nr=$(ls json-seen | wc -l)
	bash -c "$2" || fail "$2"
	expect_eq $(($(ls json-seen | wc -l) - nr)) "$1" "$2"
}
copies 1 '"$ABTF" list -aj vmlinux | grep -q "^{.format"'
copies 1 '"$ABTF" list --json vmlinux >x.json && cmp x.json json-seen/$(ls -t json-seen | head -n 1)'
copies 1 '"$ABTF" diff -j vmlinux vmlinux.btf >/dev/null'
copies 1 '"$ABTF" list -p json vmlinux type_show | cat'
copies 1 '"$ABTF" list --probe json vmlinux type_show | cat'
copies 2 '"$ABTF" list -j vmlinux | cat & "$ABTF" list -j vmlinux | cat; wait'
copies 1 '"$ABTF" encode -q -o x.btf --report x.report vmlinux'
copies 1 '"$ABTF" encode -q -o x.btf --report=x.report vmlinux'
copies 0 '"$ABTF" encode -q -j 2 -o x.btf vmlinux; "$ABTF" list --probe=perf vmlinux type_show | cat'
copies 0 '! "$ABTF" list -j vmlinux >/dev/full'
expect 3 "$ABTF" list -j vmlinux nosuch
