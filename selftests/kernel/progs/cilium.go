// SPDX-License-Identifier: GPL-2.0-only

// What cilium/ebpf makes of names of functions; tests/cilium.host builds it.
//
// cilium TYPE NAME... -- FILE...: attaches a program of TYPE (fentry, fexit) to one
// NAME after the other, reads each FILE three times, and prints those that led to
// calls of the program, with their number.  A NAME that is not found is "not
// supported": so cilium/ebpf calls it.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"
)

var types = map[string]ebpf.AttachType{
	"fentry": ebpf.AttachTraceFEntry,
	"fexit":  ebpf.AttachTraceFExit,
}

func die(err error) {
	fmt.Fprintln(os.Stderr, "cilium:", err)
	os.Exit(2)
}

// The program counts its calls in the only element of a map.
func load(calls *ebpf.Map, attach ebpf.AttachType, name string) (*ebpf.Program, error) {
	return ebpf.NewProgram(&ebpf.ProgramSpec{
		Type:       ebpf.Tracing,
		AttachType: attach,
		AttachTo:   name,
		License:    "GPL",
		Instructions: asm.Instructions{
			asm.LoadMapValue(asm.R1, calls.FD(), 0),
			asm.Mov.Imm(asm.R2, 1),
			asm.StoreXAdd(asm.R1, asm.R2, asm.DWord),
			asm.Mov.Imm(asm.R0, 0),
			asm.Return(),
		},
	})
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

func count(calls *ebpf.Map, attach ebpf.AttachType, name string, files []string) error {
	prog, err := load(calls, attach, name)
	if errors.Is(err, ebpf.ErrNotSupported) {
		fmt.Print(" not supported")
		return nil
	}
	if err != nil {
		return err
	}
	defer prog.Close()
	attached, err := link.AttachTracing(link.TracingOptions{Program: prog})
	if err != nil {
		return err
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
	if split >= len(os.Args) || types[os.Args[1]] == 0 {
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
		if err := count(calls, types[os.Args[1]], name, os.Args[split+1:]); err != nil {
			die(err)
		}
		fmt.Println()
	}
}
