/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparing sample data sets, as a command or a statement asks for it: load
 * both sides, compare, write. It decides what goes on after damage and what
 * does not.
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
	size_t counts[COMPARISON_SIDES];	    /* 1 and more */
	bool folded; /* stacks with two columns instead of the document */
	bool native; /* without what data collectors named */
	bool any_program;
	const char *work; /* comparison_request.work */
	struct report_options options;
	const struct message_sink *sink; /* gets what is to be said; each message is a severity */
};

/*
 * Compares and write to output, which is open and stays so; errors and warnings go
 * to the sink. Returns the worst severity of them; from SEVERITY_ERROR on nothing
 * that is worth keeping was written.
 */
int comparing_carry_out(const struct comparing *comparing, struct output *output);
/* Carries out a COMPARE; without DSNAME it goes to listing. Messages are queued. */
void carry_out_comparison(const struct control_statement *statement, FILE *listing,
			  struct diag_list *diags);
/* Returns whether a path is one that is read. */
bool comparing_reads(const struct comparing *comparing, const char *path);

#endif
