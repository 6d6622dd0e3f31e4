#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""fuzz_module.py MODULE.ko N SEED: prints modifications of a module's BTF with addresses and of its
.rela.BTF for progs/fuzz-module.c, which explains the lines; the first changes nothing. A kernel
must reject a variant that is "bad", and ignore the change if it is "same"."""
import random
import struct
import sys

FUNC, KIND_FLAG = 12, 1 << 31


class Module:
    def __init__(self, path):
        self.data = data = open(path, "rb").read()
        self.order = ">" if data[5] == 2 else "<"
        shoff, = self.unpack("Q", 40)
        shnum, shstrndx = self.unpack("HH", 60)
        # name, type, flags, addr, offset, size, link, info, addralign, entsize
        headers = [(shoff + 64 * i, self.unpack("IIQQQQIIQQ", shoff + 64 * i)) for i in range(shnum)]
        names = headers[shstrndx][1][4]
        self.sections = {self.string(names + h[0]): (at, h[4], h[5]) for at, h in headers}
        self.btf_header, self.btf, self.btf_size = self.sections[".BTF"]
        self.rela_header, self.rela, size = self.sections[".rela.BTF"]
        self.relas = [self.unpack("QQq", self.rela + at) for at in range(0, size, 24)]
        symtab, strtab = self.sections[".symtab"], self.sections[".strtab"]
        self.symbols = [self.string(strtab[1] + self.unpack("I", symtab[1] + at)[0])
                        for at in range(0, symtab[2], 24)]
        self.header = self.unpack("HBBIIIII", self.btf)
        hdr_len, type_off, type_len, str_off, str_len = self.header[3:8]
        self.types_at = hdr_len + type_off
        self.strings = data[self.btf + hdr_len + str_off:][:str_len]
        types = data[self.btf + self.types_at:][:type_len]
        self.types = []     # (place in .BTF, bytes with the record)
        at = 0
        while at < type_len:
            size = self.type_size(types, at)
            self.types.append((self.types_at + at, types[at:at + size]))
            at += size
        self.funcs = [i for i, (at, t) in enumerate(self.types) if self.kind(t) == FUNC]
        self.records = [i for i in self.funcs if self.info(self.types[i][1]) & KIND_FLAG]
        assert len(self.records) == len(self.relas) > 0

    def unpack(self, what, at, data=None):
        return struct.unpack_from(self.order + what, self.data if data is None else data, at)

    def pack(self, what, *values):
        return struct.pack(self.order + what, *values)

    def string(self, at):
        return self.data[at:self.data.index(b"\0", at)].decode()

    def info(self, t):
        return self.unpack("I", 4, t)[0]

    def kind(self, t):
        return self.info(t) >> 24 & 31

    def type_size(self, types, at):
        info, = self.unpack("I", at + 4, types)
        kind, vlen = info >> 24 & 31, info & 0xffff
        each = {4: 12, 5: 12, 6: 8, 13: 8, 15: 12, 19: 12}.get(kind, 0)
        more = {1: 4, 3: 12, 14: 4, 17: 4, FUNC: 8 if info & KIND_FLAG else 0}.get(kind, 0)
        return 12 + more + each * vlen

    def func_symbol(self, n):
        return self.symbols[self.relas[n][1] >> 32]


class Fuzzer:
    """Each method below that does not start with _ returns the expected verdict ("bad", "same" or "any") and
    a list of edits: (offset in the file, bytes)."""

    def __init__(self, module, seed):
        self.m, self.r = module, random.Random(seed)
        self.kinds = sorted(k for k in dir(self) if not k.startswith("_") and k not in ("m", "r", "kinds"))

    def _record(self):
        n = self.r.randrange(len(self.m.records))
        return n, self.m.btf + self.m.types[self.m.records[n]][0]

    def _any_number(self, bits=32):
        return self.r.choice([0, 1, self.r.getrandbits(bits), self.r.getrandbits(8), self.r.getrandbits(16),
                              1 << self.r.randrange(bits), (1 << bits) - 1 - self.r.getrandbits(3)])

    def _word(self, value):
        return self.m.pack("I", value & 0xffffffff)

    def _rela(self, n, offset, info, addend):
        return self.m.rela + 24 * n, self.m.pack("QQq", offset, info, addend)

    def _end(self):
        return len(self.m.data) + 7 & ~7

    def _replace(self, types=None, relas=None, strings=None):
        """a new section .BTF, .rela.BTF or both, at the end of the file"""
        at, new, edits = self._end(), b"", []
        if types is not None:
            types, strings = b"".join(types), self.m.strings if strings is None else strings
            magic, version, flags = self.m.header[:3]
            new = self.m.pack("HBBIIIII", magic, version, flags, 24, 0, len(types), len(types), len(strings))
            new += types + strings
            edits.append((self.m.btf_header + 24, self.m.pack("QQ", at, len(new))))
            new += bytes(-len(new) % 8)
        if relas is not None:
            packed = b"".join(self.m.pack("QQq", *rela) for rela in relas)
            edits.append((self.m.rela_header + 24, self.m.pack("QQ", at + len(new), len(packed))))
            new += packed
        return edits + [(at, new)]

    def _relas_of(self, types, symbols):
        """relocations for the records of these types: symbols has r_info of each"""
        at, relas = 24, []
        for t in types:
            if self.m.kind(t) == FUNC and self.m.info(t) & KIND_FLAG:
                relas.append((at + 12, symbols[len(relas)], 0))
            at += len(t)
        return relas

    def _bytes(self, at, size, count):
        return [(at + self.r.randrange(size), bytes([self.r.getrandbits(8)])) for i in range(count)]

    # records

    def guard(self):
        n, at = self._record()
        return "bad", [(at + 16, self._word(0xff000000 ^ 1 << self.r.randrange(32)))]

    def high_word(self):
        n, at = self._record()
        value = self._any_number()
        return "bad" if value != 0xff000000 else "same", [(at + 16, self._word(value))]

    def offset(self):
        # the symbol decides
        n, at = self._record()
        return "same", [(at + 12, self._word(self._any_number()))]

    def offset_of_another(self):
        (n, at), (k, other) = self._record(), self._record()
        return "same", [(at + 12, self.m.data[other + 12:other + 16])]

    def kind_flag(self):
        at, t = self.m.types[self.r.choice(self.m.funcs)]
        return "any", [(self.m.btf + at + 4, self._word(self.m.info(t) ^ KIND_FLAG))]

    def kind_flag_of_any(self):
        at, t = self.r.choice(self.m.types)
        return "any", [(self.m.btf + at + 4, self._word(self.m.info(t) ^ KIND_FLAG))]

    def linkage(self):
        n, at = self._record()
        return "any", [(at + 4, self._word(FUNC << 24 | KIND_FLAG | self._any_number(16)))]

    def info(self):
        at, t = self.r.choice(self.m.types)
        return "any", [(self.m.btf + at + 4, self._word(self.m.info(t) ^ 1 << self.r.randrange(32)))]

    def prototype(self):
        n, at = self._record()
        return "any", [(at + 8, self._word(self._any_number()))]

    def prototype_of_another(self):
        (n, at), (k, other) = self._record(), self._record()
        return "any", [(at + 8, self.m.data[other + 8:other + 12])]

    def type_of_any(self):
        at, t = self.r.choice(self.m.types)
        return "any", [(self.m.btf + at + 8, self._word(self._any_number()))]

    # names

    def name(self):
        n, at = self._record()
        return "any", [(at, self._word(self._any_number()))]

    def name_of_another(self):
        (n, at), (k, other) = self._record(), self._record()
        same = self.m.func_symbol(n) == self.m.func_symbol(k)
        return ("same" if k == n else "any" if same else "bad"), [(at, self.m.data[other:other + 4])]

    def names_swapped(self):
        (n, at), (k, other) = self._record(), self._record()
        same = self.m.func_symbol(n) == self.m.func_symbol(k)
        # two functions that share a name: both have symbols with that name
        return ("same" if k == n else "any" if same else "bad"), [
            (at, self.m.data[other:other + 4]), (other, self.m.data[at:at + 4])]

    def name_in_the_middle(self):
        n, at = self._record()
        return "bad", [(at, self._word(self.m.unpack("I", at)[0] + self.r.randrange(1, 4)))]

    def string_cut(self):
        strings = self.m.btf + self.m.header[3] + self.m.header[6]
        return "any", [(strings + self.r.randrange(len(self.m.strings)), b"\0")]

    def string_char(self):
        strings = self.m.btf + self.m.header[3] + self.m.header[6]
        char = self.r.choice(b"@#./ \x01\x7f\xff_a0")
        return "any", [(strings + self.r.randrange(len(self.m.strings)), bytes([char]))]

    def strings_shorter(self):
        return "any", self._replace(types=[t for at, t in self.m.types], relas=self._moved(),
                                    strings=self.m.strings[:self.r.randrange(len(self.m.strings))])

    def strings_without_end(self):
        return "bad", self._replace(types=[t for at, t in self.m.types], relas=self._moved(),
                                    strings=self.m.strings[:-1])

    # .rela.BTF

    def _moved(self):
        """the relocations if types start at 24"""
        return [(at - self.m.types_at + 24, info, addend) for at, info, addend in self.m.relas]

    def rela_offset(self):
        n, at = self._record()
        offset, info, addend = self.m.relas[n]
        new = self.r.choice([offset + self.r.randrange(-16, 17), self._any_number(64),
                             offset ^ 1 << self.r.randrange(64), offset + (1 << 32)]) & (1 << 64) - 1
        return "same" if new == offset else "bad", [self._rela(n, new, info, addend)]

    def rela_addend(self):
        n, at = self._record()
        offset, info, addend = self.m.relas[n]
        new = self.r.choice([self.r.randrange(-64, 64), self._any_number(63), -self._any_number(63), 1 << 32])
        return "bad" if new else "same", [self._rela(n, offset, info, new)]

    def rela_symbol(self):
        n, at = self._record()
        offset, info, addend = self.m.relas[n]
        new = self.r.choice([self.r.randrange(len(self.m.symbols)), self._any_number(), len(self.m.symbols)])
        wanted = "bad"
        if new == info >> 32:
            wanted = "same"
        elif new < len(self.m.symbols) and self.m.symbols[new] == self.m.func_symbol(n):
            wanted = "any"
        return wanted, [self._rela(n, offset, new << 32 | info & 0xffffffff, addend)]

    def rela_symbol_of_another(self):
        (n, at), (k, other) = self._record(), self._record()
        same = self.m.func_symbol(n) == self.m.func_symbol(k)
        offset, info, addend = self.m.relas[n]
        return ("same" if n == k else "any" if same else "bad"), [
            self._rela(n, offset, self.m.relas[k][1], addend)]

    def rela_type(self):
        # it is not applied, so its type has no meaning
        n, at = self._record()
        offset, info, addend = self.m.relas[n]
        return "same", [self._rela(n, offset, info >> 32 << 32 | self._any_number(), addend)]

    def relas_swapped(self):
        (n, at), (k, other) = self._record(), self._record()
        return "same" if n == k else "bad", [self._rela(n, *self.m.relas[k]), self._rela(k, *self.m.relas[n])]

    def relas_shuffled(self):
        relas = self.m.relas[:]
        self.r.shuffle(relas)
        return "same" if relas == self.m.relas else "bad", self._replace(relas=relas)

    def rela_missing(self):
        relas = self.m.relas[:]
        del relas[self.r.randrange(len(relas))]
        return "bad", self._replace(relas=relas)

    def rela_twice(self):
        relas = self.m.relas[:]
        n = self.r.randrange(len(relas))
        relas.insert(self.r.choice([n, len(relas)]), relas[n])
        return "bad", self._replace(relas=relas)

    def rela_overwrites(self):
        (n, at), (k, other) = self._record(), self._record()
        return "same" if n == k else "bad", [self._rela(n, *self.m.relas[k])]

    def relas_gone(self):
        # without a name, or of another type
        if self.r.getrandbits(1):
            return "bad", [(self.m.rela_header, self._word(0))]
        return "any", [(self.m.rela_header + 4, self._word(self.r.randrange(12)))]

    def relas_size(self):
        size = 24 * len(self.m.relas)
        new = max(0, self.r.choice([size - self.r.randrange(1, 48), size + self.r.randrange(1, 48),
                                    self._any_number(16)]))
        return "same" if new // 24 == len(self.m.relas) else "any", [
            (self.m.rela_header + 32, self.m.pack("Q", new))]

    def relas_elsewhere(self):
        new = self.m.rela + self.r.randrange(-512, 512)
        return "any", [(self.m.rela_header + 24, self.m.pack("Q", new))]

    def rela_bytes(self):
        return "any", self._bytes(self.m.rela, 24 * len(self.m.relas), self.r.randrange(1, 4))

    # the types as a whole

    def funcs_shuffled(self):
        """with their relocations"""
        types = [t for at, t in self.m.types]
        order = self.m.records[:]
        self.r.shuffle(order)
        infos = dict(zip(self.m.records, (info for at, info, addend in self.m.relas)))
        for place, i in zip(self.m.records, order):
            types[place] = self.m.types[i][1]
        # .BTF_ids has ids of kfuncs, and others must not be registered
        return "any" if ".BTF_ids" in self.m.sections else "same", self._replace(
            types, self._relas_of(types, [infos[i] for i in order]))

    def funcs_swapped(self):
        """without their relocations"""
        types = [t for at, t in self.m.types]
        n, k = self.r.sample(range(len(self.m.records)), 2) if len(self.m.records) > 1 else (0, 0)
        i, j = self.m.records[n], self.m.records[k]
        types[i], types[j] = types[j], types[i]
        same = self.m.func_symbol(n) == self.m.func_symbol(k)
        return ("same" if n == k else "any" if same else "bad"), self._replace(types, self._moved())

    def _without_records(self, places):
        types, infos = [], []
        for i, (at, t) in enumerate(self.m.types):
            if i in places:
                t = t[:4] + self._word(self.m.info(t) & ~KIND_FLAG) + t[8:12]
            elif i in self.m.records:
                infos.append(self.m.relas[self.m.records.index(i)][1])
            types.append(t)
        return types, infos

    def record_gone(self):
        """with its relocation: a FUNC without an address"""
        places = self.r.sample(self.m.records, self.r.randrange(1, len(self.m.records) + 1))
        types, infos = self._without_records(places)
        return "any", self._replace(types, self._relas_of(types, infos))

    def record_gone_only(self):
        """and the relocation stays"""
        place = self.r.choice(self.m.records)
        types, infos = self._without_records([place])
        n = self.m.records.index(place)
        infos.insert(n, self.m.relas[n][1])
        relas = self._relas_of(types, infos)
        relas.insert(n, (self._moved()[n][0], infos[n], 0))
        return "any" if len(self.m.records) == 1 else "bad", self._replace(types, relas)

    def func_twice(self):
        n = self.r.randrange(len(self.m.records))
        types = [t for at, t in self.m.types] + [self.m.types[self.m.records[n]][1]]
        infos = [info for at, info, addend in self.m.relas]
        return "any", self._replace(types, self._relas_of(types, infos + [infos[n]]))

    def types_cut(self):
        types = b"".join(t for at, t in self.m.types)
        return "any", self._replace([types[:self.r.randrange(len(types))]], self._moved())

    def type_gone(self):
        types = [t for at, t in self.m.types]
        del types[self.r.randrange(len(types))]
        return "any", self._replace(types, self._moved())

    def type_inserted(self):
        types = [t for at, t in self.m.types]
        types.insert(self.r.randrange(len(types) + 1), self.r.choice(types))
        return "any", self._replace(types, self._moved())

    def types_shuffled(self):
        types = [t for at, t in self.m.types]
        i, j = self.r.randrange(len(types)), self.r.randrange(len(types))
        types[i], types[j] = types[j], types[i]
        return "any", self._replace(types, self._moved())

    # the header, and anything

    def header(self):
        at, size = self.r.choice([(0, 2), (2, 1), (3, 1), (4, 4), (8, 4), (12, 4), (16, 4), (20, 4)])
        value = self._any_number(8 * size)
        if self.r.getrandbits(1):
            value = self.m.header[[0, 2, 3, 4, 8, 12, 16, 20].index(at)]
            value += self.r.choice([-8, -4, -1, 1, 4, 8, 12])
        value &= (1 << 8 * size) - 1
        return "any", [(self.m.btf + at, self.m.pack({1: "B", 2: "H", 4: "I"}[size], value))]

    def section_size(self):
        new = self.r.choice([0, self.r.randrange(self.m.btf_size),
                             self.m.btf_size + self.r.choice([-8, -4, -1, 1, 4, 8])])
        return "any", [(self.m.btf_header + 32, self.m.pack("Q", new))]

    def btf_bytes(self):
        return "any", self._bytes(self.m.btf, self.m.btf_size, self.r.randrange(1, 6))

    def btf_words(self):
        words = self.m.btf_size // 4
        return "any", [(self.m.btf + 4 * self.r.randrange(words), self._word(self._any_number()))
                       for i in range(self.r.randrange(1, 3))]

    def base_bytes(self):
        """of the separate base, if there is one"""
        if ".BTF.base" not in self.m.sections:
            return self.btf_words()
        header, at, size = self.m.sections[".BTF.base"]
        return "any", self._bytes(at, size, self.r.randrange(1, 4))

    def _variants(self, count):
        for i in range(count):
            kind = self.kinds[i % len(self.kinds)]
            wanted, edits = getattr(self, kind)()
            if self.r.randrange(8) == 0:
                # several at once; of edits of the same bytes, the last counts
                other = self.r.choice(self.kinds)
                wanted, kind, edits = "any", kind + "+" + other, edits + getattr(self, other)()[1]
            yield wanted, f"{i + 1}:{kind}", edits


def main():
    module = Module(sys.argv[1])
    print("same original")
    for wanted, label, edits in Fuzzer(module, int(sys.argv[3]))._variants(int(sys.argv[2]) - 1):
        print(wanted, label, *(f"{at:x}:{data.hex()}" for at, data in edits))


main()
