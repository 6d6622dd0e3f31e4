#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# Compare "abtf list --args -j" with DWARF's locations of parameters, which readelf prints.
# usage: dwarf_args.py IMAGE MACHINE ABTF, where functions do nothing, so that locations hold on entry
import json
import re
import subprocess
import sys

image, machine, abtf = sys.argv[1:4]
names = {
    'x86': 'ax dx cx bx si di bp sp r8 r9 r10 r11 r12 r13 r14 r15'.split(),
    'aarch64': ['x%d' % i for i in range(31)] + ['sp'],
    's390x': ['r%d' % i for i in range(16)],
    'powerpc64le': ['gpr%d' % i for i in range(32)],
    'riscv64': 'zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7'.split(),
}
names['clang'] = names['x86']
names = names[machine]
# the stack pointer, and the offset from it to the frame base on entry
stack, frame = {
    'x86': ('sp', 8), 'clang': ('sp', 0), 'aarch64': ('sp', 0), 's390x': ('r15', 160), 'powerpc64le': ('gpr1', 0),
    'riscv64': ('sp', 0),
}[machine]


def place(text):
    """Return (registers, offsets), or None if the location is something else."""
    text = re.sub(r' \([^()]*\)', '', text)
    ops = text.split('; ')
    regs = [op for op in ops if re.fullmatch(r'DW_OP_reg\d+', op)]
    if any(int(reg[9:]) >= len(names) for reg in regs):
        return None
    if regs and len(regs) == len([op for op in ops if not op.startswith('DW_OP_piece')]):
        return [names[int(reg[9:])] for reg in regs], []
    m = re.fullmatch(r'DW_OP_(fbreg|breg(\d+)): (-?\d+)(; DW_OP_deref)?', text)
    if not m:
        return None
    base = names[int(m[2])] if m[2] else stack
    if not m[2] and (int(m[3]) < 0 or (machine == 'powerpc64le' and int(m[3]) < 96)):
        return None # a copy: in its own frame, or where the caller reserved space for registers
    return [base], [int(m[3]) + (0 if m[2] else frame)] + ([0] if m[4] else [])


def command(*args):
    return subprocess.run(args, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True).stdout


places, func = {}, None
for die in re.split(r'\n <\d+><[0-9a-f]+>: ', command('readelf', '--debug-dump=info', image)):
    tag = re.match(r'Abbrev Number: \d+ \(DW_TAG_(\w+)\)', die)
    name = re.search(r'DW_AT_name +: (?:\(.*?\): )?(\S+)', die)
    location = re.search(r'DW_AT_location +: .*?\((DW_OP.*)\)(?:\n|$)', die)
    if tag and name and tag[1] == 'subprogram':
        func = name[1]
    if tag and name and location and tag[1] == 'formal_parameter':
        places[func, name[1]] = place(location[1])

equal = 0
for f in json.loads(command(abtf, 'list', '-j', '--args', image, '*'))['functions']:
    for arg in f['args']:
        root = re.match(r'\w+|\.\.\.', arg['expression'])[0]
        want = places.get((f['name'], root))
        got = (arg['registers'], arg['offsets'])
        if arg['reason']:
            print(f['name'], root + ':', arg['reason'])
        elif want and got != want:
            print(f['name'], root, 'differs:', got, 'instead of', want)
        equal += got == want
print(equal, 'equal')
