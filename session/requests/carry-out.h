/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Carries out control statements where no step starts that could be measured: for
 * "vigil control", and for the program VIGIL in a deck, whose requests wait for
 * the later steps of its job.
 */
#ifndef VIGIL_SESSION_REQUESTS_CARRY_OUT_H
#define VIGIL_SESSION_REQUESTS_CARRY_OUT_H

#include "parser/control.h"
#include "session/library/resource.h"

struct carry_out_options {
	bool cards;	   /* the input is cards of a deck: columns 1 to 72 count */
	const char *spool; /* folder of the job, with its sample data sets (resource_is_file) and
			    * its request queue (queue.h); NULL: none */
	const char *parm;  /* PARM of the step, PDPSIZE=n for the steps after it; NULL: none */
	const char *store; /* folder of the request store; NULL: the default one */
	bool json;	   /* LIST of requests writes JSON */
	FILE *messages;	   /* destination of messages: standard error, SYSPRINT */
	FILE *listing;	   /* destination of a REPORT without DSNAME */
};

/*
 * Parses and checks the statements; if there is no error, carries them out in
 * order. A REPORT finds its sample data set by INPUT (a path in apostrophes, or
 * the name of a DD), or by job and step in the spool. Returns the exit status: the
 * worst severity of all messages.
 */
int carry_out(const struct source *source, const struct carry_out_options *options);
/* Carries out a function on resources and writes its list to listing. Messages are queued. */
void carry_out_function(const struct control_statement *statement,
			const struct resource_place *where, FILE *listing,
			struct diag_list *diags);
/* Carries out one REPORT on a given sample data set. Messages are queued. */
void carry_out_report(const struct control_statement *statement, const char *input,
		      const struct carry_out_options *options, struct diag_list *diags);

#endif
