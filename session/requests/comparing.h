/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares sample data sets, for a command or a statement: loads both sides,
 * compares, writes. Decides whether it continues with damaged data.
 */
#ifndef VIGIL_SESSION_REQUESTS_COMPARING_H
#define VIGIL_SESSION_REQUESTS_COMPARING_H

#include "parser/control.h"
#include "profile/comparison.h"
#include "reports/report.h"
#include "session/collection/messages.h"
#include "session/output.h"

struct comparing {
	const char *const *paths[COMPARISON_SIDES]; /* borrowed */
	size_t counts[COMPARISON_SIDES];	    /* at least 1 */
	bool folded; /* write stacks with two columns instead of the document */
	bool native; /* ignore the names given by data collectors */
	bool any_program;
	const char *work; /* comparison_request.work */
	struct report_options options;
	const struct message_sink *sink; /* receives the messages; each returns its severity */
};

/*
 * Compares and writes to output, which is open and stays open; errors and warnings
 * go to the sink. Returns their worst severity; from SEVERITY_ERROR on nothing
 * useful was written.
 */
int comparing_carry_out(const struct comparing *comparing, struct output *output);
/* Carries out a COMPARE; without DSNAME the result goes to listing. Messages are queued. */
void carry_out_comparison(const struct control_statement *statement, FILE *listing,
			  struct diag_list *diags);
/* Returns whether a path is one of the inputs. */
bool comparing_reads(const struct comparing *comparing, const char *path);

#endif
