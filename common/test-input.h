/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as files, for fuzz targets of what reads files by their path. */
#ifndef VIGIL_COMMON_TEST_INPUT_H
#define VIGIL_COMMON_TEST_INPUT_H

#include "common/compat.h"

#define TEST_INPUTS 2

/*
 * The path of a file in memory that holds the bytes. There is one file for each number below
 * TEST_INPUTS, made at the first call: a later call with its number replaces what it holds.
 */
const char *test_input(unsigned number, const void *data, size_t size);

#endif
