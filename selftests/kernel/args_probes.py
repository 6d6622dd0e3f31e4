#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# Generate probes with arguments for a module made of what modules/args.py generates, and the values
# that they have to print.
# usage: args_probes.py MODULE ABTF [COPIES [TOOL...]]
#	probes.tracefs		definitions; the event of probe N is called f, c, r or iN
#	expected.tracefs	what each prints; an event cN_M is one of several bodies that may be called
#	probes.TOOL		bpftrace, libbpf: programs as they are printed
#	expected.TOOL		"KIND LABEL: vN=VALUE" for each value that they print; c: if it is called
#	without			reasons of values without a place, and how many
# @COPIES: of that many inlined calls, only one is probed.
import collections
import concurrent.futures
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), 'modules'))
sys.dont_write_bytecode = True
import args  # noqa: E402

module, abtf = sys.argv[1:3]
sampled = int(sys.argv[3]) if len(sys.argv) > 3 else 1
tools = sys.argv[4:] or ['tracefs']
# the kinds of probes that a tool accepts: bpftrace has no return probe at an offset
KINDS = {'tracefs': 'fcri', 'bpftrace': 'fci', 'libbpf': 'fcri'}


def run(tool, options, prints, name):
    """Return the probes on @name that print values called v0, v1 and so on, and why others are not."""
    wanted = ','.join('v%d=%s' % (i, e) for i, (e, _) in enumerate(prints))
    done = subprocess.run([abtf, 'list', '--probe=' + tool, *options, '--args=' + wanted, module, name],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    # 4: something is not printed, for a reason
    if done.returncode not in (0, 4):
        sys.exit('%s: status %d: %s' % (name, done.returncode, done.stderr))
    start = {'tracefs': '^', 'bpftrace': '^kprobe:', 'libbpf': r'^SEC\('}[tool]
    probes = re.split('(?m)(?=%s)' % start, done.stdout)
    return [p for p in probes if p.strip()], re.findall(r' is not printed: (.*)', done.stderr)


def shown(fetch, value):
    """Write a value as tracefs prints it for a fetch argument."""
    kind = fetch.rsplit(':', 1)[1]
    if kind.endswith('string'):
        return '"%s"' % value
    if kind[0] == 'x':
        return value if value.startswith('0x') else '0x%x' % int(value)
    return '%d' % int(value, 0)


def jobs():
    for nr in range(args.FILES):
        for f in args.functions(nr):
            yield 'c' if f.direct else 'f', (), f.prints(), '%s@%s' % (f.name, f.file), None
        for f in args.returning(nr):
            yield 'r', ('--retprobe',), f.prints(), '%s@%s' % (f.name, f.file), None
        copies = args.copies(nr)
        for k in range(args.INLINED):
            same = [c for c in copies if c.inline == 'args_inline_%d' % k]
            # each copy has its own values, of the same parameters
            prints = [(e, None) for e in dict.fromkeys(e for c in same for e, _ in c.prints())]
            yield ('i', ('--inlined',), prints, 'args_inline_%d@args-%d.c' % (k, nr),
                   {c.caller: dict(c.prints()) for c in same})


def write_event(kind, event, line, values, probes, expected):
    what, place, *fetches = line.split()
    pairs = []
    for fetch in fetches:
        value = values[int(re.match(r'v(\d+)=', fetch)[1])]
        if value is not None:
            pairs.append((fetch, shown(fetch, value)))
    if pairs:
        probes.write('%s:args/%s %s %s\n' % (what[0], event, place, ' '.join(f for f, _ in pairs)))
        expected.write('%s %s\n' % (event, ' '.join('%s=%s' % (f.split('=')[0], v) for f, v in pairs)))


def write_program(kind, event, text, values, probes, expected):
    """Write a program, and what it prints; values of other copies are printed, too."""
    label = re.search(r'/\* (.*) \*/' if text.startswith('kprobe:') else r'// (.*)', text)[1]
    probes.write(text)
    for nr in re.findall(r' v(\d+)=', ''.join(re.findall(r'print[fk]\("(.*?)"', text))):
        value = values[int(nr)]
        expected.write('%s %s: v%s=%s\n' % (kind, label, nr, '*' if value is None else value))


def write_all(tool, pool, missing):
    nr, inlined, todo = 0, 0, [job for job in jobs() if job[0] in KINDS[tool]]
    # in an emulated guest, LLVM takes minutes for all of them
    if tool == 'bpftrace' and os.environ.get('QUICK'):
        todo = todo[::2]
    with open('probes.' + tool, 'w') as probes, open('expected.' + tool, 'w') as expected:
        for (kind, _, prints, name, callers), (found, reasons) in zip(todo, pool.map(lambda j: run(tool, *j[1:4]), todo)):
            missing.update('%s: %s: %s' % (tool, kind, r) for r in reasons)
            if kind in 'fr' and (len(found) > 1 or
                                 len(set(re.findall(r'\bv\d+=', ''.join(found)))) + len(reasons) != len(prints)):
                sys.exit('%s: %d probes, and %d reasons: %s' % (name, len(found), len(reasons), found))
            nr += 1
            for i, text in enumerate(found):
                event, values = '%s%d' % (kind, nr), [v for _, v in prints]
                if kind == 'i':
                    inlined += 1
                    if inlined % sampled:
                        continue
                    caller = re.search(r'[:" ](args_in_\w+)[+" ]', text)
                    if not caller:
                        sys.exit('%s: %s is not in a copy' % (name, text))
                    values = [callers[caller[1]].get(e) for e, _ in prints]
                if kind in 'ci':
                    event += '_%d' % i
                write = write_event if tool == 'tracefs' else write_program
                write(kind, event, text, values, probes, expected)


def main():
    missing = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for tool in tools:
            write_all(tool, pool, missing)
    with open('without', 'w') as f:
        for reason, count in sorted(missing.items()):
            f.write('%d %s\n' % (count, reason))


main()
