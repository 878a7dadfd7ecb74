/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Indexed and relative files through GnuCOBOL's library, so that they are
 * exactly what COBOL programs read and write. The part that calls libcob is
 * a module of its own (indexed.so, beside vigil-step.so), loaded at the
 * first use: vigil works without GnuCOBOL, and a utility that meets no such
 * file does not pay for it.
 */
#ifndef VIGIL_DATASETS_INDEXED_H
#define VIGIL_DATASETS_INDEXED_H

#include "datasets/attributes.h"

struct indexed_file;

enum indexed_mode { INDEXED_INPUT, INDEXED_OUTPUT, INDEXED_UPDATE, INDEXED_EXTEND };

/*
 * attributes give organization (IS or RR), longest and shortest record, and
 * all keys in the order the alternate ones were defined. OUTPUT makes the
 * file anew, empty. -1 with the reason, with the file status in it. An indexed file whose update
 * never came to its end (update-mark.h) is opened for OUTPUT alone. INPUT refuses one that lacks
 * pages, too (btree.h), unless a process that is there updates it.
 */
int indexed_open(struct indexed_file **file, const char *path, const struct attributes *attributes,
		 enum indexed_mode mode, struct error *err);
/*
 * data points into the file's record area until the next call. 1, 0 at the end, -1; an indexed
 * file whose keys do not ascend, or whose pages lead back to themselves, is an error.
 */
int indexed_read_next(struct indexed_file *file, const char **data, size_t *length,
		      uint64_t *number, struct error *err);
/* As record_reader_start. */
int indexed_start(struct indexed_file *file, unsigned key, const void *bytes, size_t length,
		  uint64_t number, struct error *err);
/* 0, 1: refused (status 21, 22), -1. replace: rewrite the record that is there. */
int indexed_write(struct indexed_file *file, const char *data, size_t length, uint64_t number,
		  bool replace, struct error *err);
int indexed_close(struct indexed_file *file, struct error *err);

#endif
