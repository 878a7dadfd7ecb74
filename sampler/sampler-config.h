/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a sampler is asked to do. The parts use this header and not sampler.h,
 * which is for users of the whole sampler.
 */
#ifndef VIGIL_SAMPLER_SAMPLER_CONFIG_H
#define VIGIL_SAMPLER_SAMPLER_CONFIG_H

#include "common/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum privilege {
	PRIVILEGE_AUTO = 0, /* the highest that works */
	PRIVILEGE_FULL,
	PRIVILEGE_USER,
	PRIVILEGE_PROC,
};

/* A file that has a name in the job: samples and waits on it are shown under its DD. */
struct sampler_file {
	const char *ddname;
	const char *dsn;  /* "": none */
	const char *path; /* absolute */
	const char *organization;
	const char *recfm;
	uint64_t lrecl;
};

enum collector_origin {
	COLLECTOR_FEATURE = 1, /* comes with vigil */
	COLLECTOR_FOUND = 2,   /* the user's, found by its name */
	COLLECTOR_NAMED = 3,   /* named by the request: its list of programs is ignored */
};

/* A data collector that may be called for a program. */
struct sampler_collector {
	const char *name; /* STRBxxxx */
	const char *path; /* "": not found */
	const char *parameter;
	const char *missing; /* reason why it was not found; "": it was */
	enum collector_origin origin;
};

struct step;

struct sampler_config {
	enum privilege privilege; /* the highest that is tried */
	uint64_t rate;	 /* samples per second of CPU time of a task; 0: 1000 */
	bool fixed_rate; /* never thin (SESSION= was given) */
	uint64_t target; /* SAMPLES; thinning keeps between target and twice it; 0: 10000 */
	double cost; /* percent of the step's CPU time that the session may cost; 0: 3, 100: no
		      * limit */
	const struct sampler_file *files; /* borrowed while the sampler lives */
	size_t file_count;
	const char *counts;	    /* path of the area in which programs count by file; NULL:
				     * none */
	const char *names_cache;    /* folder in which names are kept for later sessions
				     * (names-cache.h); NULL: none */
	bool other_options;	    /* a recording is replayed with other options than it was made
				     * with: samples have their own period, and places where
				     * tasks leave the processor are known without PRIVILEGE_FULL */
	bool names_anew;	    /* files that are there are named anew, whatever the source
				     * knows */
	struct step *step;	    /* the session's data on its step, borrowed while the sampler
				     * lives; NULL: no other part uses it, and the step has no
				     * area */
	const char *collector_host; /* path of the program in which data collectors run; NULL:
				     * none are called */
	unsigned collector_names;   /* MB of names kept for one collector; 0: 128 */
	const char *const *map_programs; /* MAPPROGRAM: further names for their lists of programs */
	size_t map_program_count;
	const char *
		subject; /* the step's program as it was named, for its first process; NULL: none */
	/*
	 * Returns the number of collectors to consider for a program (file name) and sets
	 * *list to them, in the order in which they are called, those that come with vigil
	 * first. first: it is the step's first process. The list and its texts stay valid
	 * while the sampler lives. NULL: no collectors for any program.
	 */
	size_t (*choose)(void *argument, const char *program, bool first,
			 const struct sampler_collector **list);
	void *choose_argument;
	uint64_t
		stop_after_samples; /* LIMIT with QUIT/STOP: end once this many samples were
				     * taken; 0: never */
	/*
	 * Called when stored samples (rows: struct record_sample) must be thinned by two;
	 * connected to dataset_thin.
	 */
	int (*thin)(void *argument, bool (*keep)(void *keep_argument, const void *row),
		    void *keep_argument, struct error *err);
	void *thin_argument;
};

#endif
