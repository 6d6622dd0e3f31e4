# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034 # variables are for the scripts that source this
# real-image.sh NAME: sourced by checks of a real image. Sets $image, $top and $abtf, makes build/NAME,
# and changes to it.
#   VMLINUX=FILE    an image with DWARF (default: build/debian/vmlinux, which
#                   "make run KERNEL=debian" fetches)
set -eu
set -o pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."
top=$PWD abtf=$PWD/encoder/abtf
image=${VMLINUX:-$top/build/debian/vmlinux}
[ -r "$image" ] || { echo "no $image: make run KERNEL=debian fetches one" >&2; exit 1; }
image=$(realpath "$image")
mkdir -p "build/$1"
cd "build/$1"
