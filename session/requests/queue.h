/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queue of requests from steps with PGM=VIGIL: the file REQUESTS in the job's
 * spool folder. They wait there for the later steps, in the order in which they
 * were given, each CHANGE after what it changes. The file contains only control
 * statements (control_parse_queue): END after those of one step, PDPSIZE=n for the
 * size of the data pool. A storage for requests thus only needs to keep statements
 * in order, and to return them as one deck.
 */
#ifndef VIGIL_SESSION_REQUESTS_QUEUE_H
#define VIGIL_SESSION_REQUESTS_QUEUE_H

#include "parser/control.h"

struct request_queue {
	struct source *source;
	struct control_deck *deck; /* NULL: nothing is queued */
	uint64_t pool_kb;	   /* PDPSIZE of the last step that gave one; 0: none */
};

/* Reads the queue of a job. -1 with the reason; a missing file is no error. */
int request_queue_read(struct request_queue *queue, const char *spool, struct error *err);
void request_queue_release(struct request_queue *queue);
/* Appends a statement to the queue. -1 with the reason. */
int request_queue_add(const char *spool, const struct control_statement *statement,
		      struct error *err);
/* Appends a PDPSIZE statement, which only occurs in queues. */
int request_queue_add_pool(const char *spool, uint64_t kb, struct error *err);
/* Appends END: the step has given all its statements. */
int request_queue_end(const char *spool, struct error *err);

#endif
