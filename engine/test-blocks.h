/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns bytes into a sample data set, for fuzz targets, in one of two ways: the
 * bytes are a whole file, or (first byte odd) the rest are contents of blocks,
 * each with a type, a length of two bytes and this many bytes, so that checksums
 * do not shield the code behind them.
 */
#ifndef VIGIL_ENGINE_TEST_BLOCKS_H
#define VIGIL_ENGINE_TEST_BLOCKS_H

#include "common/strbuf.h"

/* Appends the file made of the bytes. */
void test_blocks_put(struct strbuf *file, const uint8_t *data, size_t size);

#endif
