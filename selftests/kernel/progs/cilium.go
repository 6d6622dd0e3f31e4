// SPDX-License-Identifier: GPL-2.0-only

// Attaches programs by name with cilium/ebpf, of any version from 0.11 to 0.22.
// tests/cilium.host and clients/sid-cilium.host build it.
//
// cilium TYPE NAME... -- FILE...: for each NAME, attaches a program of TYPE, reads each
// FILE three times, and prints the FILEs that led to calls of the program, with their
// number, or why it could not be attached.  NAME may be several, separated by commas,
// for types that attach to several functions.
//
//	fentry, fexit		AttachTo is NAME
//	kprobe			at the function's offset from _text
//	kprobe.multi		at the function's address
//	kprobe@symbol, kprobe.multi@symbol
//				NAME is passed as a symbol
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/btf"
	"github.com/cilium/ebpf/link"
)

var types = map[string]func(*ebpf.Map, string) (link.Link, error){
	"fentry": func(calls *ebpf.Map, name string) (link.Link, error) {
		return tracing(calls, ebpf.AttachTraceFEntry, name)
	},
	"fexit": func(calls *ebpf.Map, name string) (link.Link, error) {
		return tracing(calls, ebpf.AttachTraceFExit, name)
	},
	"kprobe": func(calls *ebpf.Map, name string) (link.Link, error) {
		offset, err := offsetOf(name)
		if err != nil {
			return nil, err
		}
		return kprobe(calls, "_text", &link.KprobeOptions{Offset: offset})
	},
	"kprobe@symbol": func(calls *ebpf.Map, name string) (link.Link, error) {
		return kprobe(calls, name, nil)
	},
	"kprobe.multi": func(calls *ebpf.Map, names string) (link.Link, error) {
		text, err := addressOf("_text")
		if err != nil {
			return nil, err
		}
		var addresses []uintptr
		for _, name := range strings.Split(names, ",") {
			offset, err := offsetOf(name)
			if err != nil {
				return nil, err
			}
			addresses = append(addresses, uintptr(text+offset))
		}
		return multi(calls, link.KprobeMultiOptions{Addresses: addresses})
	},
	"kprobe.multi@symbol": func(calls *ebpf.Map, names string) (link.Link, error) {
		return multi(calls, link.KprobeMultiOptions{Symbols: strings.Split(names, ",")})
	},
}

// Reasons that are results.  cilium/ebpf reports a function that is not in BTF as
// "not supported".
var reasons = []struct {
	err  error
	text string
}{
	{ebpf.ErrNotSupported, "not supported"},
	{btf.ErrNotFound, "not in BTF"},
	{os.ErrNotExist, "no such symbol"},
	{syscall.EADDRNOTAVAIL, "ambiguous symbol"},
}

var kernel *btf.Spec

func die(err error) {
	fmt.Fprintln(os.Stderr, "cilium:", err)
	os.Exit(2)
}

// The program counts its calls in the only element of a map.
func load(calls *ebpf.Map, spec ebpf.ProgramSpec) (*ebpf.Program, error) {
	spec.License = "GPL"
	spec.Instructions = asm.Instructions{
		asm.LoadMapValue(asm.R1, calls.FD(), 0),
		asm.Mov.Imm(asm.R2, 1),
		asm.StoreXAdd(asm.R1, asm.R2, asm.DWord),
		asm.Mov.Imm(asm.R0, 0),
		asm.Return(),
	}
	return ebpf.NewProgram(&spec)
}

func tracing(calls *ebpf.Map, attach ebpf.AttachType, name string) (link.Link, error) {
	prog, err := load(calls, ebpf.ProgramSpec{Type: ebpf.Tracing, AttachType: attach, AttachTo: name})
	if err != nil {
		return nil, err
	}
	defer prog.Close()
	return link.AttachTracing(link.TracingOptions{Program: prog})
}

func kprobe(calls *ebpf.Map, symbol string, opts *link.KprobeOptions) (link.Link, error) {
	prog, err := load(calls, ebpf.ProgramSpec{Type: ebpf.Kprobe})
	if err != nil {
		return nil, err
	}
	defer prog.Close()
	return link.Kprobe(symbol, prog, opts)
}

func multi(calls *ebpf.Map, opts link.KprobeMultiOptions) (link.Link, error) {
	prog, err := load(calls, ebpf.ProgramSpec{
		Type: ebpf.Kprobe, AttachType: ebpf.AttachTraceKprobeMulti,
	})
	if err != nil {
		return nil, err
	}
	defer prog.Close()
	return link.KprobeMulti(prog, opts)
}

// Offset of a vmlinux function from _text, by its id in BTF.
func offsetOf(name string) (uint64, error) {
	if kernel == nil {
		var err error
		if kernel, err = btf.LoadKernelSpec(); err != nil {
			return 0, err
		}
	}
	var function *btf.Func
	if err := kernel.TypeByName(name, &function); err != nil {
		return 0, err
	}
	id, err := kernel.TypeID(function)
	if err != nil {
		return 0, err
	}
	table, err := os.ReadFile("/sys/kernel/btf_addr/vmlinux")
	if err != nil {
		return 0, err
	}
	// struct btf_func_addr[], in the byte order of the machine
	records := unsafe.Slice((*struct{ id, offset uint32 })(unsafe.Pointer(&table[0])), len(table)/8)
	for _, record := range records {
		if record.id == uint32(id) {
			return uint64(record.offset), nil
		}
	}
	return 0, fmt.Errorf("%s has no address", name)
}

func addressOf(symbol string) (uint64, error) {
	symbols, err := os.ReadFile("/proc/kallsyms")
	if err != nil {
		return 0, err
	}
	line := regexp.MustCompile(`(?m)^([0-9a-f]+) . ` + symbol + `$`).FindSubmatch(symbols)
	if line == nil {
		return 0, fmt.Errorf("%s is not in /proc/kallsyms", symbol)
	}
	return strconv.ParseUint(string(line[1]), 16, 64)
}

func callsOf(calls *ebpf.Map, file string) (nr uint64, err error) {
	if err := calls.Put(uint32(0), uint64(0)); err != nil {
		return 0, err
	}
	for i := 0; i < 3; i++ {
		if _, err := os.ReadFile(file); err != nil {
			return 0, err
		}
	}
	err = calls.Lookup(uint32(0), &nr)
	return nr, err
}

func count(calls *ebpf.Map, kind, name string, files []string) error {
	attached, err := types[kind](calls, name)
	for _, reason := range reasons {
		if errors.Is(err, reason.err) {
			fmt.Print(" ", reason.text)
			return nil
		}
	}
	if err != nil {
		fmt.Print(" ", err)
		return nil
	}
	defer attached.Close()
	for _, file := range files {
		nr, err := callsOf(calls, file)
		if err != nil {
			return err
		}
		if nr > 0 {
			fmt.Printf(" %s=%d", filepath.Base(file), nr)
		}
	}
	return nil
}

func main() {
	split := 2
	for split < len(os.Args) && os.Args[split] != "--" {
		split++
	}
	if split >= len(os.Args) || types[os.Args[1]] == nil {
		die(errors.New("usage: cilium TYPE NAME... -- FILE..."))
	}
	calls, err := ebpf.NewMap(&ebpf.MapSpec{
		Type: ebpf.Array, KeySize: 4, ValueSize: 8, MaxEntries: 1,
	})
	if err != nil {
		die(err)
	}
	for _, name := range os.Args[2:split] {
		fmt.Printf("%s:", name)
		if err := count(calls, os.Args[1], name, os.Args[split+1:]); err != nil {
			die(err)
		}
		fmt.Println()
	}
}
