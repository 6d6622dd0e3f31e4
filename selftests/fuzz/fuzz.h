/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that the fuzz targets share. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* That must hold, whatever the input. */
#define MUST(x)	do { if (!(x)) __builtin_trap(); } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* A file without a name that is opened by path, once for each slot below 4. */
const char *memory_file(unsigned int slot, const void *bytes, size_t size, int *fd);

/* Count the BTF objects that the encoder's reader accepts: the first @len bytes, and the rest. */
unsigned int good_objects(const uint8_t *data, size_t len, size_t size);

/* A pseudo-random number, from a seed that it changes. */
uint32_t next_random(uint32_t *seed);

/* Change some of a part's bytes, as one of the numbers, references and lists that it has. */
void mutate_part(uint8_t *part, size_t size, uint32_t *seed);

#endif /* FUZZ_H */
