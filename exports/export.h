/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exports: what sessions brought in the forms of other tools, for their viewers.
 *
 *	exports/export.h	what may be asked for, and the writing
 *	exports/export-form.h	what a form is made of
 *	exports/stack-view.h	stacks and their amounts, as forms want them
 *	exports/NAME.c		one form each
 *
 * Sources stand in an export as the compiler has named them; relative names as
 * paths where the source is found below the folder of the program's object.
 */
#ifndef VIGIL_EXPORTS_EXPORT_H
#define VIGIL_EXPORTS_EXPORT_H

#include "common/error.h"
#include "exports/stack-view.h"
#include "profile/coverage.h"

/* What a form is made of. */
enum export_needs {
	EXPORT_COVERAGE, /* statements executed, of any number of data sets */
	EXPORT_STACKS,	 /* a profile's samples and waits by stack */
};

/* What is exported; all borrowed. */
struct export_request {
	const struct coverage_sums *coverage; /* EXPORT_COVERAGE */
	struct coverage_selection selection;
	const struct profile *profile; /* all others */
	struct stack_selection stacks;
	const char *name; /* of what was measured */
	uint64_t start;	  /* of the session, ns since 1970; 0 unknown */
};

/* What was written. */
struct export_result {
	size_t files; /* of coverage */
	struct coverage_counts counts;
	uint64_t samples, cpu_time, waits, charged; /* of stacks; times in ns */
};

/* Returns whether there is a form of that name. */
bool export_known(const char *form);
/* What a form needs; the form is a known one. */
enum export_needs export_needs(const char *form);
/* Appends "lcov  tracefile of lcov and genhtml\n" for every form. */
void export_list(struct strbuf *sb);
/* Writes the export to stream; -1 on a write error. The form is a known one. */
int export_write(const char *form, const struct export_request *request, FILE *stream,
		 struct export_result *result, struct error *err);

#endif
