/* SPDX-License-Identifier: Apache-2.0 */
/* Compares records by their keys, and tests them (INCLUDE, OMIT). */
#ifndef VIGIL_SESSION_UTILITIES_SORT_COMPARE_H
#define VIGIL_SESSION_UTILITIES_SORT_COMPARE_H

#include "session/utilities/sort-request.h"

struct sort_record {
	const char *data;
	size_t length;
};

/*
 * Negative, 0, positive. A record that ends before a key ends counts as if
 * it were filled with blanks (characters) or zeros (numbers).
 */
int sort_compare(const struct sort_request *request, const struct sort_record *a,
		 const struct sort_record *b);
/* Whether a record is to be processed. */
bool sort_wanted(const struct sort_request *request, const struct sort_record *record);

#endif
