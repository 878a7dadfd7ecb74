/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a form of export is made of: what it needs of a data set, and a
 * function that walks it and puts text into out, which goes to the stream as
 * it grows.
 */
#ifndef VIGIL_EXPORTS_EXPORT_FORM_H
#define VIGIL_EXPORTS_EXPORT_FORM_H

#include "exports/export.h"
#include "exports/stack-view.h"
#include "profile/source-text.h"

/* One export on its way to the stream. */
struct exporting {
	const struct export_request *request;
	struct coverage_view view;   /* by file; of forms of coverage */
	struct source_texts sources; /* of forms of coverage */
	struct stack_view stacks;    /* of forms of stacks */
	struct strbuf out;
	FILE *stream;
	int failed; /* errno when the stream takes no more; 0 */
	struct error
		trouble; /* why it could not be made, where it is not the stream; "" it could */
};

struct export_form {
	const char *name, *summary;
	enum export_needs needs;
	void (*write)(struct exporting *exporting);
};

extern const struct export_form lcov_form, cobertura_form, folded_form, folded_waits_form,
	pprof_form, speedscope_form, callgrind_form, chrome_form, firefox_form, perf_script_form,
	otlp_form;

/* Gives the stream what there is, when it is much. */
void export_flow(struct exporting *exporting);
/* The path of a unit, as it stands in the export. Valid until the sources are released. */
const char *export_path(struct exporting *exporting, const struct coverage_unit *unit);
/*
 * Appends the name of a procedure, by which no other of its unit is called: with
 * its program and line where it must be. names has those of the unit so far.
 */
void export_procedure_name(const struct exporting *exporting,
			   const struct coverage_procedure *procedure, struct strmap *names,
			   struct strbuf *sb);
/* How many blocks of a line other tools take for branches: those of a line that has several. */
uint64_t export_branches(const struct coverage_line *line);
/* Appends valid UTF-8 without control characters: what is none becomes U+FFFD. */
void export_text(struct strbuf *sb, const char *text);

#endif
