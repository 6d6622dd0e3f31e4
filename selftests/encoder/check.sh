#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# check: violations that the symbol table alone shows.  Each kind is made by editing valid BTF.
# commands.sh tests the order of ids and the tags, init.sh init text, module-relocations.sh relocations.
. "${0%/*}/../lib.sh"

unit a <<'C'
int function(int a) { return a; }
int last(int a) { return a + 1; }
C
image vmlinux a.o
encode vmlinux

# renamed NAME SYMBOL: copy vmlinux to NAME, and rename its function to SYMBOL
renamed() {
	objcopy --redefine-sym function="$2" vmlinux "$1"
}

begin 'the symbol must have exactly the name: a clone is a different function'
expect 0 "$ABTF" check vmlinux vmlinux.btf
for suffix in .isra.0 .constprop.0 .llvm.0.isra.0 .llvm. .llvm.12a .lto_priv.0 .5 1 _; do
	renamed clone function$suffix
	expect 1 "$ABTF" check clone vmlinux.btf
	says "FUNC function\\): _text \\+ 0x[0-9a-f]+ is 0x[0-9a-f]+, where 'function$suffix' starts"
	expect_eq "$(wc -l <out)" 3
done
for symbol in functio xfunction __pfx_function; do
	renamed clone $symbol
	expect 1 "$ABTF" check clone vmlinux.btf
	says "FUNC function\\): .*, where '$symbol' starts"
done

begin "a symbol with ThinLTO's suffix is the same function"
for suffix in .llvm.1 .llvm.12345678901234567890; do
	renamed lto function$suffix
	verify lto vmlinux.btf
done

# Linux adds NAME_impl for a kfunc with implicit arguments, without an address.
begin "a FUNC NAME_impl with the address of NAME is wrong"
unit k <<<'int kfunc_impl(int a, void *aux) { return a; }'
image kernel k.o
encode kernel
for symbol in kfunc kfunc_imp kfun kfunc_; do
	objcopy --redefine-sym kfunc_impl=$symbol kernel implicit
	expect 1 "$ABTF" check implicit kernel.btf
	says "FUNC kfunc_impl\\): .*, where '$symbol' starts"
done

begin 'one symbol of several at the address is enough'
objcopy --add-symbol functio=.text:0,function,global \
	--add-symbol function.isra.0=.text:0,function,global vmlinux several
expect 0 "$ABTF" check several vmlinux.btf

begin 'a fragment is not a function, even if a FUNC has its name'
for piece in func.cold fn.part.0; do
	name=${piece//./_}
	objcopy --redefine-sym function=$piece vmlinux pieces
	unit piece <<<"int $name(int a) { return a; } int last(int a) { return a + 1; }"
	image whole piece.o
	encode whole
	sed "s/$name/$piece/" whole.btf >lie.btf
	expect 1 "$ABTF" check pieces lie.btf
	says "FUNC $piece\\): '$piece' is a part of a function"
	expect_eq "$(wc -l <out)" 3
done

begin 'a function that ends after its section is a violation'
unit big <<'C'
int function(int a) { return a; }
int last(int a) { return a + 1; }
C
# shellcheck disable=SC2086 # lists of flags
gcc $common $machine -S -o big.s big.c
sed 's/\.size\tlast,.*/.size\tlast, 0x1000000/' big.s >bigger.s
gcc -c -o bigger.o bigger.s
image bigger bigger.o
expect 1 "$ABTF" check bigger vmlinux.btf
says "FUNC last\\): 'last' ends after its section .text"
expect_eq "$(wc -l <out)" 3

begin 'functions without a FUNC are counted'
expect 0 "$ABTF" check vmlinux vmlinux.btf
says '2 places where a function starts, 0 of them without a FUNC'
unit more <<'C'
int function(int a) { return a; }
int last(int a) { return a + 1; }
int third(int a) { return a + 2; }
C
unit piece <<<'asm(".type third.cold, @function\nthird.cold: nop\n");'
image more more.o piece.o
need_symbol more 't third\.cold'
expect 0 "$ABTF" check more vmlinux.btf
says '3 places where a function starts, 1 of them without a FUNC'

begin 'modules: the symbol of the relocation must have exactly the name'
unit mod <<'C'
int function(int a) { return a; }
C
module mod.ko mod.o
"$ABTF" encode -q --base vmlinux.btf mod.ko
expect 0 "$ABTF" check --base vmlinux.btf mod.ko
objcopy --redefine-sym function=function.llvm.77 mod.ko lto.ko
expect 0 "$ABTF" check --base vmlinux.btf lto.ko
objcopy --redefine-sym function=function.isra.0 mod.ko clone.ko
expect 1 "$ABTF" check --base vmlinux.btf clone.ko
says "FUNC function\\): its relocation is against 'function.isra.0'"
"$ABTF" encode -q --base vmlinux.btf -o mod.btf mod.ko
expect 0 "$ABTF" check --base vmlinux.btf lto.ko mod.btf
expect 1 "$ABTF" check --base vmlinux.btf clone.ko mod.btf
says "FUNC function\\): no section has a function with that name at 0x0"
# at 0x0, there is only a part of the function
unit parts <<'C'
int first(int a) { return a; }
int function(int a) { return a; }
asm(".section .text.unlikely, \"ax\"\n.type function.cold, @function\n"
    "function.cold: .zero 4\n.size function.cold, 4\n.previous");
C
module parts.ko parts.o
expect 1 "$ABTF" check --base vmlinux.btf parts.ko mod.btf
says "FUNC function\\): no section has a function with that name at 0x0"
