/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Carrying out control statements outside of a measurement: what "vigil
 * control" does, and the program VIGIL in a deck.
 */
#ifndef VIGIL_SESSION_COMMANDS_CONTROL_RUN_H
#define VIGIL_SESSION_COMMANDS_CONTROL_RUN_H

#include "parser/control.h"

struct control_run_options {
	bool cards;	   /* the input is cards of a deck: columns 1 to 72 count */
	const char *spool; /* folder of the job: its sample data sets (*.vprf), and its queue of requests
			      (queue.h); NULL none */
	FILE *messages;	   /* where messages go: standard error, SYSPRINT */
	FILE *listing;	   /* where a REPORT without DSNAME goes */
};

/*
 * Parse and check the statements; when there is no error carry them out in
 * order. A REPORT finds its sample data set by INPUT (a path in apostrophes,
 * or the name of a DD), or by job and step in the spool. Returns the exit
 * status: the worst severity of all messages.
 */
int control_run(const struct source *source, const struct control_run_options *options);
/* Carry out one REPORT on a sample data set that is known. Messages are queued. */
void control_report(const struct control_statement *statement, const char *input,
		    const struct control_run_options *options, struct diag_list *diags);
/* Queue an error for each report code that names no report. */
void control_check_codes(const struct control_deck *deck, struct diag_list *diags);

#endif
