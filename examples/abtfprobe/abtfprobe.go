// SPDX-License-Identifier: (LGPL-2.1 OR BSD-2-Clause)

// Package abtfprobe finds one of several kernel functions with the same name in a table that
// "abtf list --running --table" prints. It needs only the standard library. With cilium/ebpf:
//
//	table, err := abtfprobe.Load("table")
//	fn, err := table.Lookup("type_show@net/core/net-sysfs.c")
//	l, err := link.Kprobe(fn.Symbol, prog, &link.KprobeOptions{Offset: fn.Offset})
//
// It gives the same answers as abtf_probe.h, whose comment explains how functions are selected.
// To use it, copy it into your module, and run
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

// Func is a place for a kprobe: Offset bytes after Symbol. Flags are separated by commas: reasons
// why the kernel rejects probes there, "clone" if the arguments may differ from the source,
// and "unknown" if the image does not show whether a probe is accepted, but the kernel will check.
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

// add adds the function of a line "NAME OFFSET" or "NAME OFFSET FLAG,FLAG"; a path in NAME may
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

// Lookup finds a function. The comment of abtf_probe.h explains what selects it.
func (t *Table) Lookup(wanted string) (Func, error) {
	var found []Func
	best, rejected := 0, ""
	for _, fn := range t.Funcs {
		fit := fits(fn.Name, wanted)
		if fit == 0 || fit < best {
			continue
		}
		if fit > best {
			best, found, rejected = fit, nil, ""
		}
		// symbols at one place are one function
		if len(found) == 0 || found[0].Offset != fn.Offset {
			found = append(found, fn)
		}
		if !accepts(fn.Flags) {
			rejected = fn.Flags
		}
	}
	switch {
	case len(found) == 0:
		return Func{}, fmt.Errorf("%s: %w", wanted, ErrNotFound)
	case len(found) > 1:
		return Func{}, fmt.Errorf("%s: %w: %s, %s", wanted, ErrAmbiguous, found[0].Name, found[1].Name)
	case rejected != "":
		return Func{}, fmt.Errorf("%s: %w (%s)", wanted, ErrNoProbe, rejected)
	}
	return found[0], nil
}

// accepts tests whether the kernel accepts a probe. A flag of a later abtf, whose meaning is not
// known here, is a reason to reject it.
func accepts(flags string) bool {
	for _, flag := range strings.Split(flags, ",") {
		if flags != "" && flag != "clone" && flag != "unknown" {
			return false
		}
	}
	return true
}

// sourceName returns the name of the source function: foo of foo.isra.0.
func sourceName(symbol string) string {
	if symbol == "" {
		return ""
	}
	first, _, _ := strings.Cut(symbol[1:], ".")
	return symbol[:1+len(first)]
}

// fits returns 0 (it does not), 1 (NAME, or the end of FILE), 2 (all of FILE without its #NUMBER)
// or 3 (equal).
func fits(name, wanted string) int {
	if name == wanted {
		return 3
	}
	name, path, _ := strings.Cut(name, "@")
	wantedName, end, hasFile := strings.Cut(wanted, "@")
	path, number, _ := strings.Cut(path, "#")
	end, wantedNumber, hasNumber := strings.Cut(end, "#")
	// a number selects one symbol
	if !hasNumber && sourceName(wantedName) == wantedName {
		source := sourceName(name)
		if isPart(name[len(source):]) {
			return 0
		}
		name = source
	}
	if name != wantedName || (hasNumber && (number == "" || number != wantedNumber)) {
		return 0
	}
	if !hasFile {
		return 1
	}
	end = strings.TrimLeft(end, "/")
	switch {
	case end == "":
		return 0
	case path == end:
		return 2
	case strings.HasSuffix(path, "/"+end):
		return 1
	}
	return 0
}

// isPart tests for the suffix of code that the compiler split off a function.
func isPart(suffix string) bool {
	return strings.Contains(suffix, ".part") || strings.Contains(suffix, ".cold")
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
