#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The same with a module whose BTF is by Debian's pahole, made on the plain form of
# this kernel's BTF: as for a module that is built outside of the tree.
insmod /files/target.ko || exit 1
exec old module
