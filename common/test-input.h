/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as files, for fuzz targets of code that reads files by path. */
#ifndef VIGIL_COMMON_TEST_INPUT_H
#define VIGIL_COMMON_TEST_INPUT_H

#include "common/compat.h"

#define TEST_INPUTS 2

/*
 * Returns the path of a file in memory that holds the bytes. There is one file per
 * number below TEST_INPUTS, created at the first call; a later call with the same
 * number replaces its contents.
 */
const char *test_input(unsigned number, const void *data, size_t size);

#endif
