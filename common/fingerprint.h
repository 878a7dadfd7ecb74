/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fingerprint of an SQL statement: its text, normalized so that all statements
 * that differ only in their values have the same one.
 *
 *   - Literals, numbers (with their sign) and parameters become "?".
 *   - A list of values after IN or in ARRAY[] becomes "...", whatever its
 *     length; equal rows of VALUES count as one.
 *   - Comments and a semicolon at the end are dropped, blanks are normalized.
 *   - Words are lower case, as for the server; quoted names are kept.
 */
#ifndef VIGIL_COMMON_FINGERPRINT_H
#define VIGIL_COMMON_FINGERPRINT_H

/* Bytes of a statement that are read; the rest is ignored. */
#define FINGERPRINT_TEXT_MAX 16384
/*
 * Maximum length of a fingerprint, and the size of a buffer for one; the same
 * limit as for names given by collectors.
 */
#define FINGERPRINT_MAX 255
#define FINGERPRINT_SIZE 256

/*
 * Writes the fingerprint as a name; a longer one is shortened and ends in "~" and
 * eight digits, a hash of all of it. "" if the statement is empty.
 */
void fingerprint(const char *statement, char name[FINGERPRINT_SIZE]);

#endif
