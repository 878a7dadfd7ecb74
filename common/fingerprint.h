/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fingerprint of an SQL statement: its text with one form for all
 * statements that differ only in their values.
 *
 *   - Literals, numbers (with their sign) and parameters become "?".
 *   - A list of values after IN or in ARRAY[] becomes "...", whatever its
 *     length; equal rows of VALUES count as one.
 *   - Comments go, blanks are set in one way, a semicolon at the end goes.
 *   - Words are lower case, as for the server; quoted names stay.
 */
#ifndef VIGIL_COMMON_FINGERPRINT_H
#define VIGIL_COMMON_FINGERPRINT_H

/* Bytes of a statement that count. */
#define FINGERPRINT_TEXT_MAX 16384
/* Longest fingerprint, and room for one: as for the names that collectors give. */
#define FINGERPRINT_MAX 255
#define FINGERPRINT_SIZE 256

/* Write it as a name; a longer one is cut and ends in "~" and eight digits that stand for all of
   it. "" when the statement is empty. */
void fingerprint(const char *statement, char name[FINGERPRINT_SIZE]);

#endif
