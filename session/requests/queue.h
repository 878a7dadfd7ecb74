/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The requests that steps with PGM=VIGIL make: they wait in the file REQUESTS
 * of the job's spool folder for the steps after them, one after the other as
 * they were given, each CHANGE behind what it changes. The file is control
 * statements and nothing else (control_parse_queue): END behind what one step
 * gave, PDPSIZE=n for the size of the data pool. So who keeps requests needs
 * to keep statements in order, and to give them back as one deck.
 */
#ifndef VIGIL_SESSION_REQUESTS_QUEUE_H
#define VIGIL_SESSION_REQUESTS_QUEUE_H

#include "parser/control.h"

struct request_queue {
	struct source *source;
	struct control_deck *deck; /* NULL when nothing is queued */
	uint64_t pool_kb;	   /* PDPSIZE of the last step that named one; 0 none */
};

/* Reads the queue of a job. -1 with the reason; no file is no error. */
int request_queue_read(struct request_queue *queue, const char *spool, struct error *err);
void request_queue_release(struct request_queue *queue);
/* Puts a statement at the queue's end. -1 with the reason. */
int request_queue_add(const char *spool, const struct control_statement *statement,
		      struct error *err);
/* The same with a statement of the queue's own: PDPSIZE. */
int request_queue_add_pool(const char *spool, uint64_t kb, struct error *err);
/* And END: the step has given all its statements. */
int request_queue_end(const char *spool, struct error *err);

#endif
