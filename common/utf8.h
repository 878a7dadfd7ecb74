/* SPDX-License-Identifier: Apache-2.0 */
/* Characters of texts that come from outside and may hold anything. */
#ifndef VIGIL_COMMON_UTF8_H
#define VIGIL_COMMON_UTF8_H

#include "common/compat.h"

/*
 * Decode one character at text[0..]; *length becomes the bytes it takes (at
 * least 1 unless text is at its end). Returns the code point, or UINT32_MAX
 * for a byte that is not valid UTF-8.
 */
uint32_t utf8_decode(const char *text, size_t *length);

#endif
