/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where to look first: the few statements and waits that take most of the run
 * time, sorted by their share.
 */
#ifndef VIGIL_PROFILE_FINDINGS_H
#define VIGIL_PROFILE_FINDINGS_H

#include "profile/profile.h"

struct finding {
	enum { FINDING_CPU, FINDING_WAIT } kind;
	double cpu_percent; /* of the CPU samples; CPU findings only */
	double run_percent; /* of the run time; CPU time as if used on one processor */
	char *what;	    /* "COMPUTE-PENSION line 214" or "waiting for DD MASTER, file read" */
	const char *module; /* of the statement, borrowed from the profile; NULL: none */
	char *where; /* source file and text, data set name, or waiting statement; may be "".
		      * Preceded by the module if another finding looks the same */
};

struct findings {
	struct finding *items;
	size_t count, alloc;
};

/* Finds at most limit findings of at least one percent each. */
void findings_init(struct findings *findings, const struct profile *profile, size_t limit);
void findings_release(struct findings *findings);

#endif
