/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes as a sample data set, for fuzz targets. Two ways lead in: the bytes are a whole file, or
 * (first byte odd) the rest are contents of blocks, each a type, a length of two bytes and
 * so many bytes, so that no checksum stands before the code behind it.
 */
#ifndef VIGIL_ENGINE_TEST_BLOCKS_H
#define VIGIL_ENGINE_TEST_BLOCKS_H

#include "common/strbuf.h"

/* Appends the file that the bytes are. */
void test_blocks_put(struct strbuf *file, const uint8_t *data, size_t size);

#endif
