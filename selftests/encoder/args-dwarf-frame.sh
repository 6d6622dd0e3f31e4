#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --args: arguments in a frame whose base is the canonical frame address, a register, or unknown, in
# handwritten DWARF.  frames.sh has call frame information.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/args-dwarf.sh"

# show_framed FRAME_BASE: print the locations of the parameters before and after the frame is set up
show_framed() {
	image_from_dwarf framed "$@"
	show_args framed f@w.c+0x1
	show_args framed f@w.c+0x5
}
cat >params <<'S'
	listed local int .Lfbreg_local
	param callers long 0x91, 8
	param single int 0x91, 0x70
S
set_lists <<'S'
.Lfbreg_local: .byte 7
	.quad f, .Lf_end
	.byte 2, 0x91, 0x70, 0
S

begin 'the frame is at the canonical frame address'
expect_text "$(show_framed $cfa)" <<T
local: sp 0
callers: sp 24
single: $unset_yet
local: sp 16
callers: sp 40
single: $unset_yet
T

begin 'the frame is relative to a register that the function sets'
for base in 0x57 0x77,0; do
	expect_text "$(show_framed $base)" <<-T
	local: $no_frame
	callers: $no_frame
	single: $no_frame
	local: sp -16
	callers: $unset_yet
	single: $unset_yet
	T
done

begin 'a frame base that is another register, itself, missing, or not an address is not used'
for base in 0x56 0x76,0 0x91,0 '' 0x31,0x9f 0x77 0x77,0,6 0x77,0,0x9f 0xa3,1,0x57,0x9f 0x31; do
	expect_text "$(show_framed "$base" | sed 's/.*: //' | sort -u)" <<<"$no_frame"
done

begin 'without .debug_frame, the frame is only known on entry'
image_from_dwarf framed $cfa
tool objcopy -R .debug_frame framed.o
image framed framed.o
expect_text "$(show_args framed f@w.c+0x5)" <<T
local: $no_frame
callers: $no_frame
single: $no_frame
T
