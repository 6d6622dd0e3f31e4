// SPDX-License-Identifier: GPL-2.0-only
/*
 * btf-dedup IN... OUT: run the distribution's own btf__dedup() over plain BTF; several IN
 * are first concatenated by its btf__add_btf().
 *
 * Tests compare the output with the input, to find types that the encoder failed to merge.
 */
#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	struct btf *btf = NULL;
	const void *bytes;
	__u32 size;
	FILE *f;
	int err;

	if (argc < 3) {
		fprintf(stderr, "Usage: btf-dedup IN... OUT\n");
		return 2;
	}
	for (int i = 1; i < argc - 1; i++) {
		struct btf *in = btf__parse(argv[i], NULL);

		err = in ? 0 : -errno;
		if (in && btf) {
			err = btf__add_btf(btf, in);
			btf__free(in);
		} else {
			btf = in;
		}
		if (err < 0) {
			fprintf(stderr, "%s: %s\n", argv[i], strerror(-err));
			return 1;
		}
	}
	err = btf__dedup(btf, NULL);
	bytes = err ? NULL : btf__raw_data(btf, &size);
	if (!bytes) {
		fprintf(stderr, "%s: btf__dedup: %s\n", argv[1], strerror(err ? -err : errno));
		return 1;
	}
	f = fopen(argv[argc - 1], "w");
	err = !f || fwrite(bytes, 1, size, f) != size;
	if (f && fclose(f))
		err = 1;
	if (err)
		fprintf(stderr, "%s: %s\n", argv[argc - 1], strerror(errno));
	btf__free(btf);
	return err;
}
