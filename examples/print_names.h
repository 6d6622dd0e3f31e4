/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes of a name, with the final 0; longer names are cut. */
#define NAME_SIZE 64
