// SPDX-License-Identifier: GPL-2.0-only
/*
 * insn-sizes MACHINE SWAP BASE FILE LIST: reads lines of ADDRESS, SIZE and other text from
 * LIST, and prints those where the encoder's decoder finds another size, then the number of
 * lines. FILE has the bytes starting at address BASE.
 */
#include <stdio.h>
#include <stdlib.h>

#include "image/machine.h"

int main(int argc, char **argv)
{
	static uint8_t bytes[1 << 26];
	const struct machine *m;
	unsigned long base, address;
	unsigned int size, nr = 0;
	struct cursor c;
	struct insn insn;
	char line[512];
	size_t len;
	FILE *f;

	if (argc != 6)
		return 2;
	m = machine__find(atoi(argv[1]));
	base = strtoul(argv[3], NULL, 16);
	f = fopen(argv[4], "rb");
	if (!f || !m->decode)
		return 2;
	len = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	f = fopen(argv[5], "r");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx %u", &address, &size) != 2 || address - base >= len)
			return 2;
		nr++;
		c = cursor__new(bytes, len, atoi(argv[2]));
		cursor__skip(&c, address - base);
		insn = m->decode(c);
		if (insn.size != size)
			printf("%u: %s", insn.size, line);
	}
	printf("%u\n", nr);
	return 0;
}
