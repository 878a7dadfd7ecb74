/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decompresses the data of perf record -z: one zstd stream in pieces, each in its
 * own record. Decompressed records may cross pieces.
 */
#ifndef VIGIL_SESSION_IMPORT_PERF_DATA_PERF_UNPACK_H
#define VIGIL_SESSION_IMPORT_PERF_DATA_PERF_UNPACK_H

#include "common/compat.h"

struct perf_unpack;

/* Receives decompressed bytes; false: no more are wanted. */
typedef bool perf_take_unpacked(void *argument, const unsigned char *bytes, size_t size);

/* Returns NULL if vigil was built without libzstd. */
struct perf_unpack *perf_unpack_new(void);
void perf_unpack_free(struct perf_unpack *unpack);
/* Decompresses a piece. False if it is damaged. */
bool perf_unpack_piece(struct perf_unpack *unpack, const unsigned char *piece, size_t size,
		       perf_take_unpacked *take, void *argument);

#endif
