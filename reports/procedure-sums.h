/* SPDX-License-Identifier: Apache-2.0 */
/* What one procedure's samples and waits add up to, by caller, callee, statement or reason. */
#ifndef VIGIL_REPORTS_PROCEDURE_SUMS_H
#define VIGIL_REPORTS_PROCEDURE_SUMS_H

#include "profile/butterfly.h"
#include "reports/wait-columns.h"

/* The report while it is made; one is chosen in butterfly. */
struct procedure {
	struct context *context;
	struct butterfly butterfly;
};

enum procedure_view {
	PROCEDURE_CALLERS,    /* key: number of the other procedure, or BUTTERFLY_OUTERMOST */
	PROCEDURE_CALLEES,    /* the same, or BUTTERFLY_SELF */
	PROCEDURE_STATEMENTS, /* key: number of its place, with its line */
	PROCEDURE_WAITS,      /* key: reason, file */
};

/* Amounts of a row; before them stand enum wait_amount. All with what the procedure called, but
 * OWN. */
enum procedure_amount {
	PROCEDURE_SAMPLES = WAIT_AMOUNTS,
	PROCEDURE_OWN_SAMPLES,
	PROCEDURE_AMOUNTS
};

struct procedure_sums {
	struct sums sums;
	struct wait_rows waits;
};

/* In falling order of CPU time and waits. */
void procedure_sums_init(struct procedure_sums *rows, const struct procedure *procedure,
			 enum procedure_view view);
void procedure_sums_release(struct procedure_sums *rows);

/* Write the source of the procedure with what its lines have beside them. */
void procedure_source_put(struct procedure *procedure, struct document *document);

#endif
