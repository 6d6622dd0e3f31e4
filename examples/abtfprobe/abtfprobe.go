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
	// ErrDamaged means that a line is not as abtf prints it, so that functions may be missing.
	ErrDamaged = errors.New("the table is damaged")
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

// maxLine is the size of a line, with its end, that no table exceeds.
const maxLine = 8191

// Read reads a table without checking which kernel it is from.
func Read(r io.Reader) (*Table, error) {
	t := &Table{}
	lines := bufio.NewReaderSize(r, maxLine)
	for nr := 1; ; nr++ {
		line, err := readLine(lines)
		if err == io.EOF {
			return t, nil
		}
		if err == nil && nr == 1 {
			t.BuildID = line
		} else if err == nil {
			err = t.add(line)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", nr, err)
		}
	}
}

// readLine returns a line without its end.
func readLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	switch {
	case err == io.EOF && len(line) > 0:
		return "", fmt.Errorf("%w: a line without an end", ErrDamaged)
	case err == bufio.ErrBufferFull:
		return "", fmt.Errorf("%w: a long line", ErrDamaged)
	case err != nil:
		return "", err
	case bytes.IndexByte(line, 0) >= 0:
		return "", fmt.Errorf("%w: a zero byte", ErrDamaged)
	}
	return string(bytes.TrimSuffix(line[:len(line)-1], []byte("\r"))), nil
}

// add adds the function of a line "NAME OFFSET" or "NAME OFFSET FLAGS"; a path in NAME may
// have blanks.
func (t *Table) add(line string) error {
	at := strings.LastIndex(line, " 0x")
	if at < 1 {
		return fmt.Errorf("%w: no offset", ErrDamaged)
	}
	digits, flags, hasFlags := strings.Cut(line[at+3:], " ")
	offset, err := strconv.ParseUint(digits, 16, 64)
	if err != nil || (hasFlags && flags == "") {
		return fmt.Errorf("%w: offset '%s'", ErrDamaged, line[at+1:])
	}
	t.Funcs = append(t.Funcs, Func{Name: line[:at], Symbol: "_text", Offset: offset, Flags: flags})
	return nil
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
	if hasNumber && (number == "" || number != wantedNumber) {
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
