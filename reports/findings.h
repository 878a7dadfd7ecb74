/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where to look first: the few statements and waits that hold most of the
 * run time, in order of their share.
 */
#ifndef VIGIL_REPORTS_FINDINGS_H
#define VIGIL_REPORTS_FINDINGS_H

#include "reports/report-class.h"

struct finding {
	enum { FINDING_CPU, FINDING_WAIT } kind;
	double cpu_percent; /* of the CPU samples; CPU only */
	double run_percent; /* of the run time; of CPU an estimate for one processor */
	char *what;	    /* "COMPUTE-PENSION line 214" or "waiting for DD MASTER, file read" */
	char *where;	    /* source file and text, data set name, or who waits; may be "" */
};

struct findings {
	struct finding *items;
	size_t count, alloc;
};

/* At most limit findings of at least one percent each. */
void findings_init(struct findings *findings, const struct context *context, size_t limit);
void findings_release(struct findings *findings);

/* "waiting for DD MASTER, file read" */
void finding_describe_wait(const struct profile *profile, uint64_t reason, uint64_t file,
			   struct strbuf *sb);

#endif
