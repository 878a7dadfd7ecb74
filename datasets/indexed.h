/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access to indexed and relative files through GnuCOBOL's library, so that they
 * are exactly what COBOL programs read and write. The part that calls libcob is a
 * separate module (indexed.so, next to vigil-step.so), loaded at the first use:
 * vigil works without GnuCOBOL, and a utility that uses no such file does not pay
 * for it.
 */
#ifndef VIGIL_DATASETS_INDEXED_H
#define VIGIL_DATASETS_INDEXED_H

#include "datasets/attributes.h"

struct indexed_file;

enum indexed_mode { INDEXED_INPUT, INDEXED_OUTPUT, INDEXED_UPDATE, INDEXED_EXTEND };

/*
 * Opens a file. attributes give the organization (IS or RR), the longest and
 * shortest record, and all keys, the alternate ones in the order of their
 * definition. OUTPUT creates the file empty. -1 with the reason, which includes
 * the file status. An indexed file whose last update was incomplete
 * (update-mark.h) can only be opened for OUTPUT. INPUT also refuses one with
 * missing pages (btree.h), unless a running process is updating it.
 */
int indexed_open(struct indexed_file **file, const char *path, const struct attributes *attributes,
		 enum indexed_mode mode, struct error *err);
/*
 * Reads the next record; data points into the file's record area until the next
 * call. Returns 1; 0 at the end; -1 on an error, also if the keys of an indexed
 * file do not ascend, or its pages form a loop.
 */
int indexed_read_next(struct indexed_file *file, const char **data, size_t *length,
		      uint64_t *number, struct error *err);
/* Positions the file like record_reader_start. */
int indexed_start(struct indexed_file *file, unsigned key, const void *bytes, size_t length,
		  uint64_t number, struct error *err);
/*
 * Writes a record. Returns 0; 1: refused, see err (e.g. status 21, 22); -1.
 * replace: rewrite an existing record.
 */
int indexed_write(struct indexed_file *file, const char *data, size_t length, uint64_t number,
		  bool replace, struct error *err);
int indexed_close(struct indexed_file *file, struct error *err);

#endif
