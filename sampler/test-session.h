/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: runs a program under the sampler and keeps every row it made. */
#ifndef VIGIL_SAMPLER_TEST_SESSION_H
#define VIGIL_SAMPLER_TEST_SESSION_H

#include "engine/engine.h"
#include "records/record-types.h"
#include "sampler/sampler.h"

#include <stdio.h>
#include <sys/resource.h>

struct session {
	struct sampler_config config; /* fill before session_run; zero is the default */
	bool attach;		      /* let the program run a little, then attach */
	uint64_t attach_from;	      /* when it used so many ns of CPU time */
	FILE *output;		      /* where its standard output goes; NULL: where ours goes */
	uint64_t pause_from, pause_until; /* ns after the start; 0: no pause */
	/* After each snapshot it is asked whether the program has been seen long enough; then the
	   file is made that the program waits for. NULL: the program knows itself when to end. */
	bool (*enough)(struct session *session);
	const char *enough_file;

	struct recordset rows[RECORD_ID_COUNT]; /* of all snapshots, in order */
	struct engine *engine;
	struct sampler *sampler;
	struct sampler_counts counts;
	bool pausing;
	uint64_t paused;		    /* ns that the pause took in truth */
	uint64_t paused_from, paused_until; /* monotonic; it was paused in between */
	uint64_t used_before;		    /* ns of CPU time, when it was attached to */
	uint64_t used_forked;		    /* the same before its exec, which rusage alone has */
	struct rusage usage;		    /* of the program */
	bool tell_used;			    /* the sampler is told of it at the end */
	/* ns that a hypervisor gave to others meanwhile, of all processors: it is in the kernel's
	   records of who has a processor, and in no rusage. */
	uint64_t stolen;
	int status; /* as waitpid gave it */
	uint64_t snapshots;
};

/* Run a program to its end; false with a message on standard error when it cannot be measured. */
bool session_run(struct session *session, char *const *command);
void session_release(struct session *session);
/* ns of CPU time that the system counted for the program. */
uint64_t session_rusage(const struct session *session);

/* The text of a string number in the rows. */
const char *session_text(const struct session *session, uint64_t string);
/* The last value of an attribute; "" when it was never told. */
const char *session_attribute(const struct session *session, const char *key);
/* The innermost procedure of a frame, "" when it has none. */
const char *session_procedure(const struct session *session, uint64_t frame);
/* Whether a procedure is on a stack, inlined ones included. */
bool session_on_stack(const struct session *session, uint64_t stack, const char *procedure);
/* Samples whose stack holds a procedure. */
uint64_t session_samples_in(const struct session *session, const char *procedure);
/* Sum up the waits of a reason (0 all) with a procedure on their stack (NULL: any). */
struct record_wait session_waits(const struct session *session, enum wait_reason reason,
				 const char *procedure);
/* The sum of all STEP rows. */
struct record_step session_step(const struct session *session);

#endif
