/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a comparison: the same document on each device. */
#ifndef VIGIL_REPORTS_REPORT_COMPARE_H
#define VIGIL_REPORTS_REPORT_COMPARE_H

#include "profile/comparison.h"
#include "reports/report.h"

/*
 * Writes a comparison by these options: device, lines, ansi_control, all, baseline
 * (rows below a tenth of it without a claim are left out), title. request is what
 * it was made from. Returns -1 on a write error.
 */
int report_compare_print(const struct comparison *comparison,
			 const struct comparison_request *request,
			 const struct report_options *options, FILE *stream, struct error *err);

#endif
