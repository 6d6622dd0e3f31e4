# SPDX-License-Identifier: GPL-2.0-only
"""damage.py [OPTION...] FILE COPY CHANGE... -- COMMAND...
Runs COMMAND for each CHANGE, with a copy of FILE that has the change in COPY. The command must end with
status 0, or fail as the options allow: with a message, and without an output file. Before that, it must
succeed with an unchanged copy.

Changes; END is the size of FILE:
  cut:FIRST:END:STEP         cut off at each of these offsets
  set:FIRST:END:STEP:HEX/... other bytes at each of these offsets, one HEX after the other
  zero:FROM:END              zeroes (ones:FROM:END: 0xff) instead of these bytes
  random:COUNT               single bytes, always the same ones
Options:
  --fail=STATUS    the status of a failure (1); several are allowed: 1,2
  --output=FILE    removed before each run; exists afterwards if the status is 0, and only then
  --same=FILE      the output must be the same as this file
  --then=COMMAND   must succeed if the status is 0
Prints the number of runs and of failures that were allowed, and stops at the first failure that is not allowed."""
import os
import random
import shlex
import subprocess
import sys


def changed(data, change):
    """Yield each changed copy, with a description of the change"""
    kind, *args = change.split(':')
    values = args.pop().split('/') if kind == 'set' else []
    args = [len(data) if arg == 'END' else int(arg) for arg in args]
    if kind == 'cut':
        for at in range(*args):
            yield data[:at], f'cut off at {at}'
    elif kind == 'set':
        for nr, at in enumerate(range(*args)):
            value = bytes.fromhex(values[nr % len(values)])[:len(data) - at]
            yield data[:at] + value + data[at + len(value):], f'{value.hex()} at {at}'
    elif kind in ('zero', 'ones'):
        at, end = args
        byte = b'\0' if kind == 'zero' else b'\xff'
        yield data[:at] + byte * (end - at) + data[end:], f'{byte.hex()} from {at} to {end}'
    elif kind == 'random':
        some = random.Random(1)
        for _ in range(*args):
            at, value = some.randrange(len(data)), some.randrange(256)
            yield data[:at] + bytes([value]) + data[at + 1:], f'{value:02x} at {at}'
    else:
        sys.exit(f'damage.py: {change}?')


def contents(path):
    with open(path, 'rb') as file:
        return file.read()


def main():
    argv = sys.argv[1:]
    command = argv[argv.index('--') + 1:]
    argv = argv[:argv.index('--')]
    options = {'fail': '1'}
    while argv[0].startswith('--'):
        name, value = argv.pop(0)[2:].split('=', 1)
        options[name] = value
    allowed = [int(status) for status in options.pop('fail').split(',')]
    output, same, then = (options.pop(name, None) for name in ('output', 'same', 'then'))
    assert not options, options
    path, copy, *changes = argv
    data = contents(path)
    limit = 120 * int(os.environ['SLOWNESS'])
    runs = failures = 0

    def fault():
        """Run the command, and return an error text or a false value"""
        nonlocal failures
        if output and os.path.lexists(output):
            os.unlink(output)
        # a signal is a negative status; TimeoutExpired ends the test
        ran = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, timeout=limit)
        there = output and os.path.lexists(output)
        said = ran.stdout[:300].decode(errors='replace')
        if ran.returncode:
            failures += 1
            if ran.returncode not in allowed:
                return f'status {ran.returncode}: {said}'
            if not said:
                return f'status {ran.returncode}, and no message'
            return there and f'status {ran.returncode}, and {output} was written'
        if output and not there:
            return f'status 0, and no {output}'
        if same and contents(output) != contents(same):
            return f'status 0, and {output} differs from {same}'
        if then:
            ran = subprocess.run(shlex.split(then), stdin=subprocess.DEVNULL, timeout=limit,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if ran.returncode:
                return f'status 0, but {then}: status {ran.returncode}: {ran.stderr.decode()[:300]}'
        return None

    def write_copy(content):
        with open(copy, 'wb') as file:
            file.write(content)

    # otherwise, all runs may fail for a reason that is not the change
    write_copy(data)
    wrong = fault()
    if wrong or failures:
        sys.exit(f'unchanged: {wrong or "the command fails"}')
    for change in changes:
        for damaged, what in changed(data, change):
            write_copy(damaged)
            runs += 1
            wrong = fault()
            if wrong:
                sys.exit(f'{what}: {wrong}')
    print(f'{runs} runs, {failures} failures')
    if not runs:
        sys.exit('no CHANGE was given')


main()
