// SPDX-License-Identifier: (LGPL-2.1 OR BSD-2-Clause)

// Package abtfprobe finds one of several kernel functions with the same name in a table that
// "abtf list --running --table" prints, or in a directory of tables for several kernels and modules
// ("abtf list --table --output=DIR"). It needs only the standard library. With cilium/ebpf:
//
//	table, err := abtfprobe.Load("table")
//	fn, err := table.Lookup("type_show@net/core/net-sysfs.c")
//	l, err := link.Kprobe(fn.Symbol, prog, &link.KprobeOptions{Offset: fn.Offset})
//
// link.Kprobe cannot name a module. In a module, or for several functions at once, use addresses:
//
//	table, err := abtfprobe.LoadModule("tables", "nf_tables")
//	fn, err := table.Lookup("nf_tables_newrule")
//	addr, err := fn.Address()
//	l, err := link.KprobeMulti(prog, link.KprobeMultiOptions{Addresses: []uintptr{addr}})
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
	"path/filepath"
	"strconv"
	"strings"
	"unsafe"
)

var (
	// ErrStale means that the table is from another build of the kernel.
	ErrStale = errors.New("the table is from another kernel")
	// ErrNoTable means that the directory has no table for the running kernel or the module.
	ErrNoTable = errors.New("no table for this kernel or module")
	// ErrNotLoaded means that the module is not loaded.
	ErrNotLoaded = errors.New("the module is not loaded")
	// ErrNoBuildID means that the build id of the running kernel, or of the module, cannot be read.
	ErrNoBuildID = errors.New("the build id of the kernel or module cannot be read")
	// ErrVersion means that another version of abtf has written the table.
	ErrVersion = errors.New("the table is from another version of abtf")
	// ErrHidden means that the kernel does not show an address to this process.
	ErrHidden = errors.New("the kernel hides addresses")
	// ErrNotFound means that no function in the table matches.
	ErrNotFound = errors.New("not in the table")
	// ErrAmbiguous means that several functions match.
	ErrAmbiguous = errors.New("several functions match")
	// ErrNoProbe means that the kernel rejects probes on the function.
	ErrNoProbe = errors.New("the kernel rejects probes on it")
	// ErrDamaged means that a line is not as abtf prints it, so that functions may be missing.
	ErrDamaged = errors.New("the table is damaged")
)

// Func is a place for a kprobe: Offset bytes after Symbol. In a module, Symbol may be the start of a
// section, "[.text]", which only Address accepts. Flags are separated by commas: reasons
// why the kernel rejects probes there, "clone" if the arguments may differ from the source,
// and "unknown" if the image does not show whether a probe is accepted, but the kernel will check.
type Func struct {
	Name   string
	Module string
	Symbol string
	Offset uint64
	Flags  string
}

// Table is the functions of one build of a kernel, or of a module.
type Table struct {
	BuildID string
	Module  string
	Funcs   []Func
	// the number of functions in the first line, which older tables do not have
	nr uint64
}

// root precedes the paths of files of the kernel, for tests.
var root = ""

// Load reads a table, and checks that it is from the running kernel, or from a module that is loaded.
// Path may be a directory, from which the table of the running kernel is read.
func Load(path string) (*Table, error) {
	return LoadModule(path, "")
}

// LoadModule is like Load, for a module, which must be loaded, or for "vmlinux".
func LoadModule(path, module string) (*Table, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		id, err := runningID(module)
		if err != nil {
			return nil, err
		}
		path = filepath.Join(path, id[:2], id[2:]+".table")
		// opening a FIFO would wait for a writer
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: %w: not a regular file", path, ErrDamaged)
		}
	}
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", path, ErrNoTable)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	name := t.Module
	if name == "" {
		name = "vmlinux"
	}
	if module != "" && module != name {
		return nil, fmt.Errorf("%s: module %s: %w", path, module, ErrNotFound)
	}
	id, err := runningID(t.Module)
	if err == nil && id != t.BuildID {
		err = ErrStale
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// runningID returns the build id of the running kernel or of a module.
func runningID(module string) (string, error) {
	path := root + "/sys/kernel/notes"
	if module == "vmlinux" {
		module = ""
	}
	if module != "" {
		if strings.Contains(module, "/") || module[0] == '.' {
			return "", fmt.Errorf("%s: %w", module, ErrNotLoaded)
		}
		path = root + "/sys/module/" + module + "/notes/.note.gnu.build-id"
	}
	notes, err := os.ReadFile(path)
	if err != nil && module != "" {
		return "", fmt.Errorf("%s: %w", module, ErrNotLoaded)
	}
	if err != nil {
		return "", fmt.Errorf("%w: %v", ErrNoBuildID, err)
	}
	id := BuildID(notes)
	if id == "" {
		return "", fmt.Errorf("%w: there is no build id in %s", ErrNoBuildID, path)
	}
	return id, nil
}

// Address returns the address of a function in the running kernel, usually only to root.
func (fn Func) Address() (uintptr, error) {
	if strings.HasPrefix(fn.Symbol, "[") {
		section := strings.Trim(fn.Symbol, "[]")
		text, err := os.ReadFile(root + "/sys/module/" + fn.Module + "/sections/" + section)
		if err != nil {
			return 0, fmt.Errorf("%w: %v", ErrHidden, err)
		}
		return fn.add(strings.TrimPrefix(strings.TrimSpace(string(text)), "0x"))
	}
	f, err := os.Open(root + "/proc/kallsyms")
	if err != nil {
		return 0, fmt.Errorf("%w: %v", ErrHidden, err)
	}
	defer f.Close()
	want := []string{fn.Symbol}
	if fn.Module != "" {
		want = append(want, "["+fn.Module+"]")
	}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) > 2 && strings.Join(words[2:], " ") == strings.Join(want, " ") {
			return fn.add(words[0])
		}
	}
	return 0, fmt.Errorf("/proc/kallsyms: %s: %w", fn.Symbol, ErrNotFound)
}

// add adds the offset to the address of the symbol.
func (fn Func) add(hexStart string) (uintptr, error) {
	start, err := strconv.ParseUint(hexStart, 16, 64)
	if err == nil && start == 0 {
		err = ErrHidden
	}
	if err != nil {
		return 0, err
	}
	return uintptr(start + fn.Offset), nil
}

// The sizes that no line, with its end, symbol, or name of a module exceeds.
const maxLine, maxSymbol, maxModule = 8191, 511, 63

// Read reads a table without checking which kernel it is from.
func Read(r io.Reader) (*Table, error) {
	t := &Table{}
	lines := bufio.NewReaderSize(r, maxLine)
	for nr := 1; ; nr++ {
		line, err := readLine(lines)
		switch {
		case err != io.EOF:
		case nr == 1:
			err = fmt.Errorf("%w: it is empty", ErrDamaged)
		case uint64(len(t.Funcs)) < t.nr:
			err = fmt.Errorf("%w: it has %d of %d functions", ErrDamaged, len(t.Funcs), t.nr)
		default:
			return t, nil
		}
		if err == nil && nr == 1 {
			err = t.start(line)
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

// start takes the first line, "abtf-table 1 BUILD-ID vmlinux|MODULE FUNCTIONS NUMBER", or, as of
// earlier releases, "BUILD-ID" of vmlinux.
func (t *Table) start(line string) error {
	if line != "" && strings.Trim(line, "0123456789abcdef") == "" {
		t.BuildID = line
		return nil
	}
	words := strings.Split(line, " ")
	if len(words) < 3 || words[0] != "abtf-table" || words[1] != "1" {
		return ErrVersion
	}
	if len(words) < 4 || words[3] == "" || len(words[3]) > maxModule {
		return fmt.Errorf("%w: no build id or module", ErrDamaged)
	}
	t.BuildID = words[2]
	if words[3] != "vmlinux" {
		t.Module = words[3]
	}
	if len(words) > 5 {
		t.nr, _ = strconv.ParseUint(words[5], 10, 64)
	}
	return nil
}

// add adds the function of a line "NAME PLACE" or "NAME PLACE FLAG,FLAG"; a path in NAME may
// have blanks, and PLACE is 0x10, symbol+0x10 or [.text]+0x10.
func (t *Table) add(line string) error {
	name, place, found := cutLast(line, " ")
	flags := ""
	if found && !strings.HasPrefix(place, "0x") && !strings.Contains(place, "+0x") {
		flags = place
		name, place, found = cutLast(name, " ")
		found = found && flags != ""
	}
	symbol, digits, hasSymbol := cutLast(place, "+")
	if !hasSymbol {
		symbol, digits = "_text", place
	}
	offset, err := strconv.ParseUint(strings.TrimPrefix(digits, "0x"), 16, 64)
	if !found || name == "" || symbol == "" || len(symbol) > maxSymbol ||
		strings.Contains(symbol, "/") || err != nil || !strings.HasPrefix(digits, "0x") {
		return fmt.Errorf("%w: '%s'", ErrDamaged, line)
	}
	t.Funcs = append(t.Funcs, Func{Name: name, Module: t.Module, Symbol: symbol, Offset: offset,
		Flags: flags})
	return nil
}

// cutLast is like strings.Cut, for the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	if at := strings.LastIndex(s, sep); at >= 0 {
		return s[:at], s[at+len(sep):], true
	}
	return s, "", false
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
		if len(found) == 0 || found[0].Offset != fn.Offset || found[0].Symbol != fn.Symbol {
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
	whole := strings.HasPrefix(end, "/")
	end = strings.TrimPrefix(end, "/")
	switch {
	case end == "":
		return 0
	case path == end:
		return 2
	case !whole && strings.HasSuffix(path, "/"+end):
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
