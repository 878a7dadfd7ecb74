/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks whether the reports on a profile are consistent in themselves and with
 * each other; for tests.
 */
#ifndef VIGIL_REPORTS_REPORT_CHECK_H
#define VIGIL_REPORTS_REPORT_CHECK_H

#include "reports/report-class.h"

/* Appends a line for each total that does not match; returns how many. */
size_t report_check(const struct profile *profile, const struct report_options *options,
		    struct strbuf *sb);

#endif
