/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report of a night: one line per step, then the steps that matter, then waits
 * between jobs, then the critical path.
 *
 * A step matters if it abended, differs from its last nights, is five percent or
 * more of the critical path, used a fifth or more of the night's CPU time, or has
 * a finding and is on the critical path.
 */
#ifndef VIGIL_SESSION_HISTORY_NIGHT_REPORT_H
#define VIGIL_SESSION_HISTORY_NIGHT_REPORT_H

#include "reports/report.h"
#include "session/history/critical-path.h"

#define NIGHT_PATH_PERCENT 5.0
#define NIGHT_CPU_PERCENT 20.0

/* The jobs and steps of a night. */
struct night {
	uint64_t moment; /* any moment in it */
	struct history_jobs jobs;
	struct history_steps steps;
};

/* Reads the night that contains a moment. */
int night_init(struct night *night, struct history *history, uint64_t moment, struct error *err);
void night_release(struct night *night);
/* Prints its report. */
int night_report(const struct night *night, const struct report_options *options, FILE *stream,
		 struct error *err);

#endif
