/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The requests that steps with PGM=VIGIL make: they wait in the file REQUESTS
 * of the job's spool folder for the steps after them, one after the other as
 * they were given, each CHANGE behind what it changes.
 */
#ifndef VIGIL_SESSION_REQUESTS_QUEUE_H
#define VIGIL_SESSION_REQUESTS_QUEUE_H

#include "session/requests/checked-statements.h"

struct request_queue {
	struct statements statements;
	struct control_deck *deck; /* theirs; NULL when nothing is queued */
	uint64_t pool_kb;	   /* PDPSIZE of the last step that named one; 0 none */
};

/* Read the queue of a job. -1 with the reason; no file is no error. */
int request_queue_read(struct request_queue *queue, const char *spool, struct error *err);
void request_queue_release(struct request_queue *queue);
/* Put a statement at its end. -1 with the reason. */
int request_queue_add(const char *spool, const struct control_statement *statement,
		      struct error *err);
/* Put the size of the data pool at its end. -1 with the reason. */
int request_queue_add_pool(const char *spool, uint64_t kb, struct error *err);
/* The step has given all its statements. -1 with the reason. */
int request_queue_end(const char *spool, struct error *err);

#endif
