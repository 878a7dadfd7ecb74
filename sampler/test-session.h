/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: runs a program under the sampler and keeps every row that it makes. */
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
	uint64_t attach_from;	      /* when it has used this many ns of CPU time */
	FILE *output;		      /* destination of its standard output; NULL: that of the
				       * test */
	uint64_t pause_from, pause_until; /* ns after the start; 0: no pause */
	/*
	 * Called after each snapshot: returns whether enough of the program was seen; then
	 * the file is made for which the program waits. NULL: the program itself decides
	 * when to end.
	 */
	bool (*enough)(struct session *session);
	const char *enough_file;

	struct recordset rows[RECORD_ID_COUNT]; /* of all snapshots, in order */
	struct engine *engine;
	struct sampler *sampler;
	struct sampler_counts counts;
	bool pausing;
	uint64_t paused;		    /* actual ns of the pause */
	uint64_t paused_from, paused_until; /* monotonic begin and end of the pause */
	uint64_t used_before;		    /* ns of CPU time when it was attached to */
	uint64_t used_forked;		    /* ns of CPU time before its exec, which only rusage
					     * includes */
	struct rusage usage;		    /* of the program */
	bool set_used;			    /* report it to the sampler at the end */
	/*
	 * ns that a hypervisor gave to others meanwhile, sum of all processors: included
	 * in the kernel's records of switches, but not in rusage.
	 */
	uint64_t stolen;
	int status; /* from waitpid */
	uint64_t snapshots;
};

/*
 * Runs a program to its end; returns false with a message on standard error if it
 * cannot be measured.
 */
bool session_run(struct session *session, char *const *command);
void session_release(struct session *session);
/* Returns the ns of CPU time that the system counted for the program. */
uint64_t session_rusage(const struct session *session);

/* Returns the text of a string number in the rows. */
const char *session_text(const struct session *session, uint64_t string);
/* Returns the last value of an attribute; "": it was never written. */
const char *session_attribute(const struct session *session, const char *key);
/* Returns the innermost procedure of a frame; "": none. */
const char *session_procedure(const struct session *session, uint64_t frame);
/* Returns whether a procedure is on a stack, including inlined ones. */
bool session_on_stack(const struct session *session, uint64_t stack, const char *procedure);
/* Returns the number of samples whose stack contains a procedure. */
uint64_t session_samples_in(const struct session *session, const char *procedure);
/* Sums up the waits with a reason (0: all) and a procedure on their stack (NULL: any). */
struct record_wait session_waits(const struct session *session, enum wait_reason reason,
				 const char *procedure);
/* Returns the sum of all STEP rows. */
struct record_step session_step(const struct session *session);

#endif
