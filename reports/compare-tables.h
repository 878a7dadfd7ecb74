/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a comparison: one a kind of rows, and one of all differences. */
#ifndef VIGIL_REPORTS_COMPARE_TABLES_H
#define VIGIL_REPORTS_COMPARE_TABLES_H

#include "profile/comparison.h"
#include "reports/document.h"
#include "reports/report.h"

/* Add the table of a kind of rows, where there are any to show. */
void compare_tables_put(struct document *document, const struct comparison *comparison,
			enum comparison_kind kind, const struct report_options *options);
/* Add the table of differences, and rows to it; what says of what the row is. */
struct table *compare_tables_claims(struct document *document,
				    const struct comparison *comparison);
void compare_tables_put_claim(struct table *table, const struct comparison *comparison,
			      const struct comparison_row *row, const char *what);

#endif
