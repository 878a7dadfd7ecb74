/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of one procedure's samples and waits, by caller, callee, statement or reason. */
#ifndef VIGIL_REPORTS_PROCEDURE_SUMS_H
#define VIGIL_REPORTS_PROCEDURE_SUMS_H

#include "profile/butterfly.h"
#include "reports/wait-columns.h"

/* The report under construction; the procedure is chosen in butterfly. */
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

/*
 * Amounts of a row, after those of enum wait_amount. All include what the
 * procedure called, except OWN.
 */
enum procedure_amount {
	PROCEDURE_SAMPLES = WAIT_AMOUNTS,
	PROCEDURE_OWN_SAMPLES,
	PROCEDURE_PLACED, /* the part of SAMPLES of profile_cpu_placed */
	PROCEDURE_AMOUNTS
};

struct procedure_sums {
	struct sums sums;
	struct wait_rows waits;
};

/* Sums up the rows, sorted by falling CPU time and waits. */
void procedure_sums_init(struct procedure_sums *rows, const struct procedure *procedure,
			 enum procedure_view view);
void procedure_sums_release(struct procedure_sums *rows);

/* Writes the source of the procedure with the figures of its lines. */
void procedure_source_put(struct procedure *procedure, struct document *document);

#endif
