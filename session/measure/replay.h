/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replays a recording (recording.h): the same session, from the same calls and the
 * same answers, as fast as it can. Its data set is the one of the session, byte by
 * byte.
 */
#ifndef VIGIL_SESSION_MEASURE_REPLAY_H
#define VIGIL_SESSION_MEASURE_REPLAY_H

#include "common/error.h"
#include "sampler/sampler-config.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Options other than those of the recorded session; all zero: none. */
struct replay_options {
	bool no_collectors;	  /* no data collectors are called */
	bool names;		  /* files that are on this machine as they were are named anew */
	enum privilege privilege; /* not more than this: FULL or USER */
	uint64_t rate;		  /* samples per second of CPU time of a task, not more than the session took; 0:
				   * as many */
};

struct replay_request {
	const char *from, *to; /* the recording, the data set */
	bool keep_old;	       /* an existing data set is kept as TO.old */
	struct replay_options options;
};

struct replay_result {
	uint64_t calls;	      /* of the session */
	uint64_t samples;     /* processed in its last data set */
	uint64_t differences; /* answers that were asked for in another order, or not at all */
	char *difference;     /* where the first one was; owned by the caller */
	uint64_t unanswered, asked; /* with other options: questions that the recording has no
				     * answer to, and all of them */
	uint64_t missing;     /* objects that are not on this machine as they were */
	char *missing_path;   /* of the first one; owned by the caller */
	bool damaged;	      /* the recording is damaged or cut off: what is behind that place is lost */
	bool whole;	      /* the recording has the end of the session */
};

/* Prints the calls and answers of a recording, a line each; -1 with err: it cannot be read. */
int replay_list(const char *from, FILE *to, struct error *err);
/* Frees the texts of a result. */
void replay_result_release(struct replay_result *result);
struct tape_pieces;

/* The same with pieces that were loaded. */
int replay_pieces(const struct replay_request *request, const struct tape_pieces *pieces,
		  struct replay_result *result, struct error *err);
/*
 * Replays; -1 with err: the recording cannot be used, not with these options, or the
 * data set not be written.
 */
int replay(const struct replay_request *request, struct replay_result *result, struct error *err);

#endif
