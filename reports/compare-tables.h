/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a comparison: one per kind of rows, and one of all differences. */
#ifndef VIGIL_REPORTS_COMPARE_TABLES_H
#define VIGIL_REPORTS_COMPARE_TABLES_H

#include "profile/comparison.h"
#include "reports/document.h"
#include "reports/report.h"

/* Adds the table of a kind of rows if there are any to show. */
void compare_tables_put(struct document *document, const struct comparison *comparison,
			enum comparison_kind kind, const struct report_options *options);
/* Adds the table of differences with its rows; what says what a row is about. */
struct table *compare_tables_claims(struct document *document,
				    const struct comparison *comparison);
void compare_tables_put_claim(struct table *table, const struct comparison *comparison,
			      const struct comparison_row *row, const char *what);

#endif
