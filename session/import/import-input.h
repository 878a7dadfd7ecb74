/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of a recording, by place. A file is read through a window that moves with its reader;
 * what cannot be sought (a pipe) is first copied to a file without a name in TMPDIR, as a
 * recording is read twice. Nothing is mapped: a file that shrinks meanwhile ends early.
 */
#ifndef VIGIL_SESSION_IMPORT_IMPORT_INPUT_H
#define VIGIL_SESSION_IMPORT_IMPORT_INPUT_H

#include "common/error.h"

struct import_input {
	int fd;
	uint64_t size;
	uint64_t written; /* when the file was changed last, ns since 1970; 0: it came by a pipe */
	unsigned char *window;
	uint64_t start;	 /* place of window[0] */
	size_t filled, alloc;
};

/* Open a file; "-" is standard input. -1 when it cannot be read. */
int import_input_open(struct import_input *input, const char *path, struct error *err);
void import_input_close(struct import_input *input);
/* size bytes from place on, valid until the next call; NULL when they are not all there. */
const unsigned char *import_input_at(struct import_input *input, uint64_t place, size_t size);
/* As many bytes as there are there, up to size; *got says how many. */
const unsigned char *import_input_some(struct import_input *input, uint64_t place, size_t size,
				     size_t *got);

#endif
