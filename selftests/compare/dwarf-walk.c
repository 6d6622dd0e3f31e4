// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walk all DIEs of an image by libdw and read the attributes from which BTF is generated,
 * to compare the time with abtf's. The walk reads everything that a type or function needs,
 * and keeps nothing.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned long nr_dies, nr_values;

static int read_attribute(Dwarf_Attribute *attr, void *arg __attribute__((unused)))
{
	Dwarf_Word number;
	Dwarf_Die target;

	switch (dwarf_whatattr(attr)) {
	case DW_AT_name:
		nr_values += dwarf_formstring(attr) != NULL;
		break;
	case DW_AT_type:
	case DW_AT_abstract_origin:
	case DW_AT_specification:
		nr_values += dwarf_formref_die(attr, &target) != NULL;
		break;
	case DW_AT_byte_size:
	case DW_AT_bit_size:
	case DW_AT_encoding:
	case DW_AT_data_member_location:
	case DW_AT_data_bit_offset:
	case DW_AT_const_value:
	case DW_AT_upper_bound:
	case DW_AT_count:
		nr_values += !dwarf_formudata(attr, &number);
		break;
	case DW_AT_low_pc:
		nr_values += !dwarf_formaddr(attr, &number);
		break;
	}
	return DWARF_CB_OK;
}

static void walk(Dwarf_Die *die)
{
	Dwarf_Die child;

	do {
		nr_dies++;
		dwarf_getattrs(die, read_attribute, NULL, 0);
		if (!dwarf_child(die, &child))
			walk(&child);
	} while (!dwarf_siblingof(die, die));
}

int main(int argc, char **argv)
{
	Dwarf_Off offset = 0, next;
	int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	Dwarf *dw = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	size_t header;
	Dwarf_Die die;

	if (!dw) {
		fprintf(stderr, "usage: dwarf-walk IMAGE\n");
		return 2;
	}
	while (!dwarf_nextcu(dw, offset, &next, &header, NULL, NULL, NULL)) {
		if (dwarf_offdie(dw, offset + header, &die))
			walk(&die);
		offset = next;
	}
	printf("%lu DIEs, %lu values\n", nr_dies, nr_values);
	dwarf_end(dw);
	return 0;
}
