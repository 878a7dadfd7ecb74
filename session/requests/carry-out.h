/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Carries out control statements that stand alone: where no step starts that
 * could be measured. What "vigil control" does, and the program VIGIL in a
 * deck, whose requests wait for the later steps of its job.
 */
#ifndef VIGIL_SESSION_REQUESTS_CARRY_OUT_H
#define VIGIL_SESSION_REQUESTS_CARRY_OUT_H

#include "parser/control.h"
#include "session/library/resource.h"

struct carry_out_options {
	bool cards;	   /* the input is cards of a deck: columns 1 to 72 count */
	const char *spool; /* folder of the job: its sample data sets (resource_is_file), and its queue of
			      requests (queue.h); NULL none */
	const char *parm;  /* PARM of the step, NULL none: PDPSIZE=n for the steps after it */
	const char *store; /* folder of the request store; NULL: the usual one */
	bool json;	   /* LIST of requests is JSON */
	FILE *messages;	   /* where messages go: standard error, SYSPRINT */
	FILE *listing;	   /* where a REPORT without DSNAME goes */
};

/*
 * Parses and checks the statements; when there is no error carry them out in
 * order. A REPORT finds its sample data set by INPUT (a path in apostrophes, or
 * the name of a DD), or by job and step in the spool. Returns the exit status: the
 * worst severity of all messages.
 */
int carry_out(const struct source *source, const struct carry_out_options *options);
/* Carries out a function on resources; its list goes to listing. Messages are queued. */
void carry_out_function(const struct control_statement *statement,
			const struct resource_place *where, FILE *listing,
			struct diag_list *diags);
/* Carries out one REPORT on a sample data set that is known. Messages are queued. */
void carry_out_report(const struct control_statement *statement, const char *input,
		      const struct carry_out_options *options, struct diag_list *diags);

#endif
