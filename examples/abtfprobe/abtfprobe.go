// SPDX-License-Identifier: (LGPL-2.1 OR BSD-2-Clause)

// Package abtfprobe finds one of several kernel functions with the same name in a table that
// "abtf list --running --table" prints. It needs only the standard library. With cilium/ebpf:
//
//	table, err := abtfprobe.Load("table")
//	fn, err := table.Lookup("type_show@net/core/net-sysfs.c")
//	l, err := link.Kprobe(fn.Symbol, prog, &link.KprobeOptions{Offset: fn.Offset})
//
// It gives the same answers as abtf_probe.h. To use it, copy it into your module, and run
//
//	go mod edit -require=abtfprobe@v0.0.0 -replace=abtfprobe=./abtfprobe
package abtfprobe

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unsafe"
)

var (
	// ErrStale means that the table is from another build of the kernel.
	ErrStale = errors.New("the table is from another kernel")
	// ErrNotFound means that no function in the table matches.
	ErrNotFound = errors.New("not in the table")
	// ErrAmbiguous means that several functions match.
	ErrAmbiguous = errors.New("several functions match")
	// ErrNoProbe means that the kernel rejects probes on the function.
	ErrNoProbe = errors.New("the kernel rejects probes on it")
)

// Func is a place for a kprobe: Offset bytes after Symbol. Flags is empty, the reason why the
// kernel rejects probes there, or "unknown": the image does not record it, but the kernel will
// check.
type Func struct {
	Name   string
	Symbol string
	Offset uint64
	Flags  string
}

// Table is the functions of one build of a kernel.
type Table struct {
	BuildID string
	Funcs   []Func
}

// Load reads a table, and checks that it is from the running kernel.
func Load(path string) (*Table, error) {
	notes, err := os.ReadFile("/sys/kernel/notes")
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if id := BuildID(notes); id == "" || id != t.BuildID {
		return nil, fmt.Errorf("%s: %w", path, ErrStale)
	}
	return t, nil
}

// Read reads a table without checking which kernel it is from.
func Read(r io.Reader) (*Table, error) {
	t := &Table{}
	lines := bufio.NewScanner(r)
	if lines.Scan() {
		t.BuildID = lines.Text()
	}
	for nr := 2; lines.Scan(); nr++ {
		// NAME OFFSET, or NAME OFFSET FLAGS; a path may have blanks
		line := lines.Text()
		at := strings.LastIndex(line, " 0x")
		if at < 0 {
			return nil, fmt.Errorf("line %d: no offset", nr)
		}
		words := strings.SplitN(line[at+1:], " ", 2)
		offset, err := strconv.ParseUint(words[0][2:], 16, 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", nr, err)
		}
		fn := Func{Name: line[:at], Symbol: "_text", Offset: offset}
		if len(words) > 1 {
			fn.Flags = words[1]
		}
		t.Funcs = append(t.Funcs, fn)
	}
	return t, lines.Err()
}

// Lookup finds a function by NAME, NAME@FILE, NAME@END-OF-FILE, or any of these with a #NUMBER.
// A complete name takes precedence.
func (t *Table) Lookup(wanted string) (Func, error) {
	var found []Func
	for _, fn := range t.Funcs {
		if fn.Name == wanted {
			found = []Func{fn}
			break
		}
		if fits(fn.Name, wanted) {
			found = append(found, fn)
		}
	}
	switch {
	case len(found) == 0:
		return Func{}, fmt.Errorf("%s: %w", wanted, ErrNotFound)
	case len(found) > 1:
		return Func{}, fmt.Errorf("%s: %w: %s, %s", wanted, ErrAmbiguous, found[0].Name, found[1].Name)
	case found[0].Flags != "" && found[0].Flags != "unknown":
		return Func{}, fmt.Errorf("%s: %w (%s)", wanted, ErrNoProbe, found[0].Flags)
	}
	return found[0], nil
}

func fits(name, wanted string) bool {
	name, path, _ := strings.Cut(name, "@")
	wantedName, end, hasFile := strings.Cut(wanted, "@")
	if name != wantedName {
		return false
	}
	if !hasFile {
		return true
	}
	path, number, _ := strings.Cut(path, "#")
	end, wantedNumber, hasNumber := strings.Cut(end, "#")
	if hasNumber && number != wantedNumber {
		return false
	}
	end = strings.TrimLeft(end, "/")
	return end != "" && (path == end || strings.HasSuffix(path, "/"+end))
}

// BuildID returns the build id in ELF notes such as /sys/kernel/notes, in hex, or "".
func BuildID(notes []byte) string {
	order := binary.ByteOrder(binary.LittleEndian)
	if one := uint16(1); *(*byte)(unsafe.Pointer(&one)) == 0 {
		order = binary.BigEndian
	}
	for len(notes) >= 12 {
		nameLen, descLen := uint64(order.Uint32(notes)), uint64(order.Uint32(notes[4:]))
		kind := order.Uint32(notes[8:])
		desc := 12 + (nameLen+3)&^3
		if desc+descLen > uint64(len(notes)) {
			return ""
		}
		if kind == 3 && nameLen == 4 && bytes.Equal(notes[12:16], []byte("GNU\x00")) {
			return hex.EncodeToString(notes[desc : desc+descLen])
		}
		next := desc + (descLen+3)&^3
		if next > uint64(len(notes)) {
			return ""
		}
		notes = notes[next:]
	}
	return ""
}
