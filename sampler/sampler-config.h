/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a sampler is asked to do: the ground on which its parts stand. They know this and not
 * sampler.h, which is for those who use the whole.
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
	const char *dsn;  /* "" when it has none */
	const char *path; /* absolute */
	const char *organization;
	const char *recfm;
	uint64_t lrecl;
};

enum collector_origin {
	COLLECTOR_FEATURE = 1, /* comes with vigil */
	COLLECTOR_FOUND = 2,   /* the user's, found by its name */
	COLLECTOR_NAMED = 3,   /* named by the request: its list of programs is not looked at */
};

/* A data collector that may be called for a program. */
struct sampler_collector {
	const char *name; /* STRBxxxx */
	const char *path; /* "" when it was not found */
	const char *parameter;
	const char *missing; /* why it was not found, "" when it was */
	enum collector_origin origin;
};

struct step;

struct sampler_config {
	enum privilege privilege; /* the highest that is tried */
	uint64_t rate;	 /* samples a second of CPU time and a task; 0 means 1000 */
	bool fixed_rate; /* never thin (SESSION= was given) */
	uint64_t target; /* SAMPLES; thinning keeps between target and twice it; 0: 10000 */
	double cost; /* percent of the step's CPU time that the session may cost; 0: 3, 100: any */
	const struct sampler_file *files; /* borrowed while the sampler lives */
	size_t file_count;
	const char *counts;	    /* path of the area in which programs count by file, or NULL */
	const char *names_cache;    /* folder in which names are kept for later sessions
				       (names-cache.h);    NULL: they are not */
	struct step *step;	    /* what the session knows of its step, borrowed while the sampler
				       lives; NULL: nobody else looks at it, and it has no area */
	const char *collector_host; /* path of the program data collectors run in; NULL: none are
				       called */
	unsigned collector_names;   /* MB of names kept for one collector; 0: 128 */
	const char *const *map_programs; /* MAPPROGRAM: further names for their lists of programs */
	size_t map_program_count;
	const char *
		subject; /* the step's program as it was named, for its first process; NULL: none */
	/*
	 * The collectors to be considered for a program (file name), in the order in which they are
	 * called, those that come with vigil first. first: it is the step's first process. The list
	 * and its texts stay valid while the sampler lives; NULL: there are none for any program.
	 */
	size_t (*choose)(void *argument, const char *program, bool first,
			 const struct sampler_collector **list);
	void *choose_argument;
	uint64_t
		stop_after_samples; /* LIMIT with QUIT/STOP: end once so many were taken; 0 never */
	/* Called when stored samples (rows: struct record_sample) must be thinned by two; wired to
	   dataset_thin. */
	int (*thin)(void *argument, bool (*keep)(void *keep_argument, const void *row),
		    void *keep_argument, struct error *err);
	void *thin_argument;
};

#endif
