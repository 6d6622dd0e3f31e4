#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# Generate probes with arguments for a module made of what modules/args.py generates, and the values
# that they have to print.
# usage: args_probes.py MODULE ABTF [COPIES]
#	probes		definitions for tracefs; the event of probe N is called f, c, r or iN
#	expected	what each prints; an event cN_M is one of several bodies that may be called
#	without		reasons of values without a place, and how many
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


def run(options, prints, name):
    """Return definitions of probes on @name that print values called v0, v1 and so on."""
    wanted = ','.join('v%d=%s' % (i, e) for i, (e, _) in enumerate(prints))
    done = subprocess.run([abtf, 'list', '--probe=tracefs', *options, '--args=' + wanted, module, name],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    # 4: something is not printed, for a reason
    if done.returncode not in (0, 4):
        sys.exit('%s: status %d: %s' % (name, done.returncode, done.stderr))
    return done.stdout.splitlines(), re.findall(r' is not printed: (.*)', done.stderr)


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


def main():
    missing, nr, inlined = collections.Counter(), 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, \
            open('probes', 'w') as probes, open('expected', 'w') as expected:
        todo = list(jobs())
        for (kind, _, prints, name, callers), (lines, reasons) in zip(todo, pool.map(lambda j: run(*j[1:4]), todo)):
            missing.update('%s: %s' % (kind, r) for r in reasons)
            if kind in 'fr' and len(lines) != 1 and not reasons:
                sys.exit('%s: %d probes' % (name, len(lines)))
            nr += 1
            for i, line in enumerate(lines):
                what, place, *fetches = line.split()
                event = '%s%d' % (kind, nr)
                values = [v for _, v in prints]
                if kind == 'i':
                    inlined += 1
                    if inlined % sampled:
                        continue
                    event += '_%d' % i
                    caller = re.search(r':(args_in_\w+)\+', place)
                    if not caller:
                        sys.exit('%s: %s is not in a copy' % (name, place))
                    values = [callers[caller[1]].get(e) for e, _ in prints]
                elif kind == 'c':
                    event += '_%d' % i
                pairs = []
                for fetch in fetches:
                    value = values[int(re.match(r'v(\d+)=', fetch)[1])]
                    if value is not None:
                        pairs.append((fetch, shown(fetch, value)))
                if not pairs:
                    continue
                probes.write('%s:args/%s %s %s\n' % (what[0], event, place, ' '.join(f for f, _ in pairs)))
                expected.write('%s %s\n' % (event, ' '.join('%s=%s' % (f.split('=')[0], v) for f, v in pairs)))
    with open('without', 'w') as f:
        for reason, count in sorted(missing.items()):
            f.write('%d %s\n' % (count, reason))


main()
