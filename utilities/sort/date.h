/* SPDX-License-Identifier: Apache-2.0 */
/* The date and time of the run as SORT's statements name them: DATE1, DATE2(c), DATE=(MDY/), TIME1
 * and so on. */
#ifndef VIGIL_UTILITIES_SORT_DATE_H
#define VIGIL_UTILITIES_SORT_DATE_H

#include "utilities/sort/sort-scan.h"

/*
 * Returns whether one of these comes next; it is passed, and its text for now is
 * appended:
 *
 * 	DATE1 yyyymmdd   DATE2 yyyymm   DATE3 yyyyddd   each with (c), +days (DATE2: months), -days
 * 	DATE4 yyyy-mm-dd-hh.mm.ss   DATE5 with .nnnnnn
 * 	TIME1 hhmmss   TIME2 hhmm   each with (c)   TIME3 hhmmssxx
 * 	DATE, DATE=(abcd), DATENS=(abc), TIME, TIME=(abc)
 *
 * A P behind the digit asks for a number, and a '&' may stand before each.
 */
bool date_scan(struct scan *scan, struct strbuf *text);

#endif
