/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the reports on a session: whatever asks for them (a REPORT or READ, a
 * measured step, the end of a trace), they are printed here to their target, whole
 * or not at all. Commands that print several in sequence open their output
 * themselves (listing_add). Comparisons, history and monitor reports are separate
 * documents, on output.h.
 */
#ifndef VIGIL_SESSION_LISTING_PRINT_H
#define VIGIL_SESSION_LISTING_PRINT_H

#include "reports/report.h"
#include "session/output.h"

/*
 * Prints the reports on a profile to an open output, which may contain others and
 * stays open. The options must have their painter (painter_give). -1 with the
 * reason.
 */
int listing_add(const struct profile *profile, const struct report_options *options,
		const struct output *output, struct error *err);
/*
 * Prints the reports to a target: opens it, prints, and puts the file in place;
 * incomplete output is removed. Gives the options a painter if their device needs
 * one.
 */
int listing_print(const struct profile *profile, struct report_options *options,
		  const struct output_target *target, struct error *err);

#endif
