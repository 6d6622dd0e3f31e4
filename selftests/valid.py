#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check abtf's JSON on stdin against docs/schema/FORMAT.json; text between documents is ignored.

In long arrays, only the first 100 and every 100th element are checked.
"""

import json
import pathlib
import re
import sys

import jsonschema

schemas = {path.stem: json.loads(path.read_text()) for path in
           (pathlib.Path(__file__).resolve().parent.parent / 'docs/schema').glob('*.json')}
text = sys.stdin.read()
failed = {'a command with an option for JSON printed none: ' + line
          for line in re.findall('^no JSON: (.*)', text, re.M)}
at, nr = 0, 0
while match := re.compile(r'^\{\n? *"format"', re.M).search(text, at):
    document, at = json.JSONDecoder().raw_decode(text, match.start())
    kind, nr = document['format'], nr + 1
    rows = document.get('functions' if kind == 'report' else kind)
    if isinstance(rows, list):
        rows[:] = rows[:100] + rows[100::100]
    if kind not in schemas:
        failed.add(f'there is no docs/schema/{kind}.json')
        continue
    for e in jsonschema.Draft202012Validator(schemas[kind]).iter_errors(document):
        failed.add(re.sub(r'\[\d+\]', '[]', f'{kind}: {e.json_path}: {e.message}')[:300])
print('\n'.join(sorted(failed)[:20]) if failed else f'{nr} documents')
sys.exit(bool(failed) or not nr)
