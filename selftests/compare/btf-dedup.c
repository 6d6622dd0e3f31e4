// SPDX-License-Identifier: GPL-2.0-only
/*
 * btf-dedup IN OUT: run the distribution's own btf__dedup() over plain BTF.
 *
 * What comes out is compared with what went in: an encoder that left something
 * to merge would be found out.
 */
#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	const void *bytes;
	struct btf *btf;
	__u32 size;
	FILE *f;
	int err;

	if (argc != 3) {
		fprintf(stderr, "Usage: btf-dedup IN OUT\n");
		return 2;
	}
	btf = btf__parse(argv[1], NULL);
	if (!btf) {
		fprintf(stderr, "%s: %s\n", argv[1], strerror(errno));
		return 1;
	}
	err = btf__dedup(btf, NULL);
	bytes = err ? NULL : btf__raw_data(btf, &size);
	if (!bytes) {
		fprintf(stderr, "%s: btf__dedup: %s\n", argv[1], strerror(err ? -err : errno));
		return 1;
	}
	f = fopen(argv[2], "w");
	err = !f || fwrite(bytes, 1, size, f) != size;
	if (f && fclose(f))
		err = 1;
	if (err)
		fprintf(stderr, "%s: %s\n", argv[2], strerror(errno));
	btf__free(btf);
	return err;
}
