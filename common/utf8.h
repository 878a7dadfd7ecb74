/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes characters of untrusted text, which may contain any bytes. */
#ifndef VIGIL_COMMON_UTF8_H
#define VIGIL_COMMON_UTF8_H

#include "common/compat.h"

/*
 * Decodes the character at text[0..]; *length is set to its bytes (at least 1
 * unless text is at its end). Returns the code point, or UINT32_MAX for a byte
 * that is not valid UTF-8.
 */
uint32_t utf8_decode(const char *text, size_t *length);

#endif
