// SPDX-License-Identifier: GPL-2.0-only

// count_calls OBJECT TABLE NAME@FILE... -- COMMAND does what count_calls.c does, with cilium/ebpf:
// how often are these functions, and no others of their names, called while a shell command runs?
// OBJECT is count_calls.bpf.o, TABLE is from "abtf list --running --table".
package main

import (
	"abtfprobe"
	"fmt"
	"os"
	"os/exec"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
)

// count returns how often the named functions are called while a shell command runs.
func count(object, tablePath string, names []string, command string) (uint64, error) {
	spec, err := ebpf.LoadCollectionSpec(object)
	if err != nil {
		return 0, err
	}
	// It would need a kernel with kprobe.multi.
	delete(spec.Programs, "count_multi")
	coll, err := ebpf.NewCollection(spec)
	if err != nil {
		return 0, err
	}
	defer coll.Close()

	table, err := abtfprobe.Load(tablePath)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", tablePath, err)
	}
	for _, name := range names {
		fn, err := table.Lookup(name)
		if err != nil {
			return 0, err
		}
		probe, err := link.Kprobe(fn.Symbol, coll.Programs["count"], &link.KprobeOptions{Offset: fn.Offset})
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		defer probe.Close()
	}
	if err := exec.Command("sh", "-c", command).Run(); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", command, err)
	}
	var calls uint64
	err = coll.Maps[".bss"].Lookup(uint32(0), &calls)
	return calls, err
}

func main() {
	args := os.Args[1:]
	if len(args) < 5 || args[len(args)-2] != "--" {
		fmt.Fprintln(os.Stderr, "usage: count_calls OBJECT TABLE NAME@FILE... -- COMMAND")
		os.Exit(2)
	}
	calls, err := count(args[0], args[1], args[2:len(args)-2], args[len(args)-1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(calls)
}
