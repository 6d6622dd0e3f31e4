#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# Compare the values at places that "abtf list --args --probe=json" prints with the values that
# a running program has there.  The program is made of what kernel/modules/args.py generates; a
# debugger stops at each probe, and reads registers and memory.
# usage: args_run.py PROGRAM ABTF
# Prints differences, reasons of values without a place, and how many were compared.
import collections
import ctypes
import json
import os
import signal
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), '../kernel/modules'))
import args  # noqa: E402

program, abtf = sys.argv[1:3]
TRACEME, CONT, GETREGS, SETREGS = 0, 7, 12, 13
REGISTERS = ('r15 r14 r13 r12 bp bx r11 r10 r9 r8 ax cx dx si di orig_ax ip cs flags sp ss '
             'fs_base gs_base ds es fs gs').split()
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def ptrace(*call):
    if libc.ptrace(*call) < 0:
        raise OSError(ctypes.get_errno(), 'ptrace')


def symbols():
    text = subprocess.run(['nm', program], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {line.split()[2]: int(line.split()[0], 16) for line in text.splitlines() if len(line.split()) == 3}


def probes(*options):
    run = subprocess.run([abtf, 'list', '--probe=json', *options], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    if run.returncode not in (0, 4):
        sys.exit('%s: %s' % (' '.join(options), run.stderr))
    return json.loads(run.stdout)['probes']


class Child:
    def __init__(self):
        self.pid = os.fork()
        if not self.pid:
            ptrace(TRACEME, 0, None, None)
            os.execv(program, [program])
        os.waitpid(self.pid, 0)
        self.mem = open('/proc/%d/mem' % self.pid, 'r+b', buffering=0)
        self.saved = {}

    def read(self, address, size):
        self.mem.seek(address & 0xffffffffffffffff)
        return self.mem.read(size)

    def stop_at(self, address):
        if address not in self.saved:
            self.saved[address] = self.read(address, 1)
            self.write(address, b'\xcc')

    def write(self, address, data):
        self.mem.seek(address)
        self.mem.write(data)

    def registers(self):
        buf = ctypes.create_string_buffer(8 * len(REGISTERS))
        ptrace(GETREGS, self.pid, None, ctypes.addressof(buf))
        return dict(zip(REGISTERS, struct.unpack('<%dQ' % len(REGISTERS), buf.raw)))

    def set_registers(self, regs):
        buf = ctypes.create_string_buffer(struct.pack('<%dQ' % len(REGISTERS), *(regs[r] for r in REGISTERS)))
        ptrace(SETREGS, self.pid, None, ctypes.addressof(buf))

    def run(self):
        """Yield registers at each place, each of which is left once it was reached."""
        while True:
            ptrace(CONT, self.pid, None, None)
            _, status = os.waitpid(self.pid, 0)
            if os.WIFEXITED(status):
                return
            if os.WSTOPSIG(status) != signal.SIGTRAP:
                sys.exit('the program got signal %d' % os.WSTOPSIG(status))
            regs = self.registers()
            regs['ip'] -= 1
            self.write(regs['ip'], self.saved.pop(regs['ip']))
            self.set_registers(regs)
            yield regs


def evaluate(child, regs, arg):
    """Read a value as fetch.h describes its place; text for strings."""
    is_text = arg['expression'] + ':string' in arg['wanted']
    if arg['offsets']:
        at = regs[arg['registers'][0]] + arg['offsets'][0]
        for offset in arg['offsets'][1:]:
            at = struct.unpack('<Q', child.read(at, 8))[0] + offset
        size = 8 if is_text else arg['size']
        data = None if is_text and arg['size'] == 16 else child.read(at, size)
    else:
        at = None
        word = sum(regs[r] << 64 * i for i, r in enumerate(arg['registers'])) + arg['add']
        data = (word & (1 << 128) - 1).to_bytes(16, 'little')
    if is_text:
        at = at if data is None else int.from_bytes(data[:8], 'little')
        return child.read(at, 64).split(b'\0')[0].decode()
    value = int.from_bytes(data, 'little') >> arg['shift'] & ((1 << arg['bits']) - 1)
    if arg['signed']:
        value = args.signed(value, arg['bits'])
    return '0x%x' % value if arg['type'].endswith('*') else '%d' % value


def main():
    text = symbols()['_text']
    child = Child()
    places, returns = collections.defaultdict(list), {}
    wanted, seen, missing = {}, collections.Counter(), collections.Counter()

    def add(probe, key, prints, at):
        for arg, (expression, value) in zip(probe['args'], prints):
            plain = expression.replace(':string', '')
            if arg['expression'] != plain:
                sys.exit('%s: %s instead of %s' % (key, arg['expression'], plain))
            if arg['reason']:
                missing[key[0], arg['reason']] += 1
                continue
            arg['wanted'] = {expression}
            if key[0] != 'clones':
                wanted[key, expression] = value
            places[at].append((key, arg, expression, value))
        child.stop_at(at)

    def expressions(prints):
        return '--args=' + ','.join(e for e, _ in prints)

    for nr in range(args.FILES):
        for f in args.functions(nr):
            name = '%s@%s' % (f.name, f.file)
            found = probes(expressions(f.prints()), program, name)
            if len(found) != 1 and not f.direct:
                sys.exit('%s: %s' % (name, [p['name'] for p in found]))
            # one of these is called
            for probe in found:
                add(probe, ('clones' if f.direct else 'functions', name), f.prints(), text + probe['offset'])
        for f in args.returning(nr):
            name = '%s@%s' % (f.name, f.file)
            found = probes('--retprobe', expressions(f.prints()), program, name)
            returns[text + found[0]['offset']] = (found[0], ('results', name), f.prints())
            child.stop_at(text + found[0]['offset'])
        copies = {c.caller: c for c in args.copies(nr)}
        for k in range(args.INLINED):
            name = 'args_inline_%d@args-%d.c' % (k, nr)
            # each copy has its own values, of the same parameters
            same = next(c for c in copies.values() if c.inline == 'args_inline_%d' % k)
            plain = ','.join(dict.fromkeys(e for c in copies.values() if c.inline == same.inline
                                           for e, _ in c.prints()))
            for probe in probes('--inlined', '--args=' + plain, program, name):
                copy = copies[probe['call'].split(' in ')[1].split(' at ')[0]]
                prints = dict(copy.prints())
                probe['args'] = [a for a, e in zip(probe['args'], plain.split(',')) if e in prints]
                add(probe, ('inlined', copy.caller), [(e, prints[e]) for e in plain.split(',') if e in prints],
                    text + probe['offset'])
    for regs in child.run():
        if regs['ip'] in returns:
            found, key, prints = returns.pop(regs['ip'])
            add(found, key, prints, struct.unpack('<Q', child.read(regs['sp'], 8))[0])
        for key, arg, expression, value in places.pop(regs['ip'], []):
            got = evaluate(child, regs, arg)
            if got != value:
                print('%s %s %s: %s instead of %s; registers %s, offsets %s, add %s, at 0x%x' % (
                    *key, expression, got, value, arg['registers'], arg['offsets'], arg['add'], regs['ip'] - text))
            seen[key[0]] += 1
            wanted.pop((key, expression), None)
    for key, expression in wanted:
        print('%s %s %s: not reached' % (*key, expression))
    for (kind, reason), nr in sorted(missing.items()):
        print('%s: %d without a place: %s' % (kind, nr, reason))
    for kind in 'functions', 'clones', 'results', 'inlined':
        print('%s: %d compared' % (kind, seen[kind]))


main()
