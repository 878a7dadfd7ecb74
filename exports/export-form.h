/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An export form: which data it needs, and a function that walks the data and
 * appends text to out, which is written to the stream as it grows.
 */
#ifndef VIGIL_EXPORTS_EXPORT_FORM_H
#define VIGIL_EXPORTS_EXPORT_FORM_H

#include "exports/export.h"
#include "exports/stack-view.h"
#include "profile/source-text.h"

/* State of an export. */
struct exporting {
	const struct export_request *request;
	struct coverage_view view;   /* by file; for coverage forms */
	struct source_texts sources; /* for coverage forms */
	struct stack_view stacks;    /* for stack forms */
	struct strbuf out;
	FILE *stream;
	int failed; /* errno of the failed write; 0: none */
	struct error
		form_error; /* why the form could not be made, other than write errors; "": it could */
};

struct export_form {
	const char *name, *summary;
	enum export_needs needs;
	void (*write)(struct exporting *exporting);
};

extern const struct export_form lcov_form, cobertura_form, folded_form, folded_waits_form,
	pprof_form, speedscope_form, callgrind_form, chrome_form, firefox_form, perf_script_form,
	otlp_form;

/* Writes out to the stream when it is large enough. */
void export_flush_if_large(struct exporting *exporting);
/* Returns the path of a unit as the export names it. Valid until the sources are released. */
const char *export_path(struct exporting *exporting, const struct coverage_unit *unit);
/*
 * Appends a name for a procedure that is unique in its unit, with program and line
 * where needed. names holds the names of the unit used so far.
 */
void export_procedure_name(const struct exporting *exporting,
			   const struct coverage_procedure *procedure, struct strmap *names,
			   struct strbuf *sb);
/*
 * Returns how many blocks of a line count as branches in other tools: all of a
 * line that has several, else 0.
 */
uint64_t export_branches(const struct coverage_line *line);
/* Appends text as valid UTF-8 without control characters; what is invalid becomes U+FFFD. */
void export_text(struct strbuf *sb, const char *text);

#endif
