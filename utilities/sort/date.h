/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The date and time of the run, which SORT's statements name DATE1, DATE2(c),
 * DATE=(MDY/), TIME1 and so on.
 */
#ifndef VIGIL_UTILITIES_SORT_DATE_H
#define VIGIL_UTILITIES_SORT_DATE_H

#include "utilities/sort/sort-scan.h"

/*
 * If one of these is next, skips it, appends its text for now, and returns true:
 *
 *	DATE1 yyyymmdd   DATE2 yyyymm   DATE3 yyyyddd   each with (c), +days (DATE2: months), -days
 *	DATE4 yyyy-mm-dd-hh.mm.ss   DATE5 with .nnnnnn
 *	TIME1 hhmmss   TIME2 hhmm   each with (c)   TIME3 hhmmssxx
 *	DATE, DATE=(abcd), DATENS=(abc), TIME, TIME=(abc)
 *
 * A P after the digit requests a number. Each may follow a '&'.
 */
bool date_scan(struct scan *scan, struct strbuf *text);

#endif
