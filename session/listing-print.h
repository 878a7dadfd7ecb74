/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one way out of reports on a session: whatever asks for them - a REPORT or READ, a step that
 * was measured, the end of a trace -, here they are printed to their target, whole or not at all.
 * Commands that print several behind each other open their output themselves (listing_add).
 * Comparisons, history and monitor reports are documents of their own, on output.h.
 */
#ifndef VIGIL_SESSION_LISTING_PRINT_H
#define VIGIL_SESSION_LISTING_PRINT_H

#include "reports/report.h"
#include "session/output.h"

/*
 * Prints the reports on a profile to an output that is open, where others stand or
 * follow; it stays open. The options have their painter (painter_give). -1 with
 * the reason.
 */
int listing_add(const struct profile *profile, const struct report_options *options,
		const struct output *output, struct error *err);
/*
 * Prints them to a target: open it, print, puts it in place; what is not whole is
 * taken back. Gives the options a painter where their device needs one.
 */
int listing_print(const struct profile *profile, struct report_options *options,
		  const struct output_target *target, struct error *err);

#endif
