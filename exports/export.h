/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exports: writes the results of sessions in the formats of other tools, for their
 * viewers.
 *
 *	exports/export.h	the request for an export, and writing it
 *	exports/export-form.h	what a form consists of
 *	exports/stack-view.h	stacks and their amounts, prepared for the forms
 *	exports/NAME.c		one form each
 *
 * An export names sources as the compiler does; relative names become paths if the
 * source is found below the folder of the program's object.
 */
#ifndef VIGIL_EXPORTS_EXPORT_H
#define VIGIL_EXPORTS_EXPORT_H

#include "common/error.h"
#include "exports/stack-view.h"
#include "profile/coverage.h"

/* The data from which a form is made. */
enum export_needs {
	EXPORT_COVERAGE, /* executed statements, of any number of data sets */
	EXPORT_STACKS,	 /* samples and waits of a profile by stack */
};

/* What is exported; all pointers are borrowed. */
struct export_request {
	const struct coverage_sums *coverage; /* for EXPORT_COVERAGE */
	struct coverage_selection selection;
	const struct profile *profile; /* for all others */
	struct stack_selection stacks;
	const char *name; /* of what was measured */
	uint64_t start;	  /* start of the session, ns since 1970; 0: unknown */
};

/* Amounts written, for the message. */
struct export_result {
	size_t files; /* coverage: number of sources */
	struct coverage_counts counts;
	uint64_t samples, cpu_time, waits, charged; /* stacks: totals; times in ns */
};

/* Returns whether a form with this name exists. */
bool export_exists(const char *form);
/* Returns what a form needs; the form must exist. */
enum export_needs export_needs(const char *form);
/* Appends a line like "lcov  tracefile of lcov and genhtml\n" for every form. */
void export_list(struct strbuf *sb);
/* Writes the export to stream; -1 on an error. The form must exist. */
int export_write(const char *form, const struct export_request *request, FILE *stream,
		 struct export_result *result, struct error *err);

#endif
