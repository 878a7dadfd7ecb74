/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random access to the bytes of a recording. A file is read through a window that
 * moves with its reader; input without seek (a pipe) is first copied to an unnamed
 * file in TMPDIR, because a recording is read twice. Nothing is mapped: if a file
 * shrinks meanwhile, it ends early.
 */
#ifndef VIGIL_SESSION_IMPORT_IMPORT_INPUT_H
#define VIGIL_SESSION_IMPORT_IMPORT_INPUT_H

#include "common/error.h"

struct import_input {
	int fd;
	uint64_t size;
	uint64_t written; /* last modification of the file, ns since 1970; 0: read from a pipe */
	unsigned char *window;
	uint64_t start;	 /* offset of window[0] */
	size_t filled, alloc;
};

/* Opens a file; "-" is standard input. -1: it cannot be read. */
int import_input_open(struct import_input *input, const char *path, struct error *err);
void import_input_close(struct import_input *input);
/*
 * Returns size bytes from offset place on, valid until the next call; NULL: not
 * all of them exist.
 */
const unsigned char *import_input_at(struct import_input *input, uint64_t place, size_t size);
/* Returns the bytes from place on, at most size; sets *got to their number. */
const unsigned char *import_input_some(struct import_input *input, uint64_t place, size_t size,
				     size_t *got);

#endif
