/* SPDX-License-Identifier: Apache-2.0 */
/* Printing a comparison: the same document on each device. */
#ifndef VIGIL_REPORTS_REPORT_COMPARE_H
#define VIGIL_REPORTS_REPORT_COMPARE_H

#include "profile/comparison.h"
#include "reports/report.h"

/*
 * Write a comparison as options say: device, lines, ansi_control, all,
 * baseline (rows below a tenth of it that claim nothing are left out), title.
 * request is what it was made of. -1 on a write error.
 */
int report_compare_print(const struct comparison *comparison,
			 const struct comparison_request *request,
			 const struct report_options *options, FILE *stream, struct error *err);

#endif
