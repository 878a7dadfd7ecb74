/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unpacks what perf record -z packed: one stream of zstd in pieces, each in a record of its own.
 * Records may be spread over two pieces.
 */
#ifndef VIGIL_SESSION_IMPORT_PERF_DATA_PERF_UNPACK_H
#define VIGIL_SESSION_IMPORT_PERF_DATA_PERF_UNPACK_H

#include "common/compat.h"

struct perf_unpack;

/* Takes bytes that were unpacked; false: no more are wanted. */
typedef bool perf_take_unpacked(void *argument, const unsigned char *bytes, size_t size);

/* NULL when vigil was built without libzstd. */
struct perf_unpack *perf_unpack_new(void);
void perf_unpack_free(struct perf_unpack *unpack);
/* Unpack a piece. False when it is damaged. */
bool perf_unpack_piece(struct perf_unpack *unpack, const unsigned char *piece, size_t size,
		       perf_take_unpacked *take, void *argument);

#endif
