/* SPDX-License-Identifier: Apache-2.0 */
/* The list of export forms, and the writing of one. */
#include "common/compat.h"
#include "exports/export.h"
#include "exports/export-form.h"

static const struct export_form *const forms[] = {
	&folded_form,	   &folded_waits_form,
#ifdef HAVE_PROTOBUF_C
	&pprof_form,	   &otlp_form,
#endif
	&speedscope_form,  &callgrind_form,    &chrome_form,	&firefox_form,
	&perf_script_form, &lcov_form,	       &cobertura_form,
};

static const struct export_form *find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (strcasecmp(forms[i]->name, name) == 0)
			return forms[i];
	return NULL;
}

bool export_exists(const char *form)
{
	return find(form) != NULL;
}

enum export_needs export_needs(const char *form)
{
	return find(form)->needs;
}

void export_list(struct strbuf *sb)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		strbuf_addf(sb, "%-13s %s\n", forms[i]->name, forms[i]->summary);
}

/* Writes the rest to the stream; -1 if a write failed or the form could not be made. */
static int finish(struct exporting *exporting, struct error *err)
{
	struct strbuf *out = &exporting->out;

	if (*error_text(&exporting->form_error))
		return error_set(err, "%s", error_text(&exporting->form_error));
	errno = 0;
	if (!exporting->failed &&
	    (fwrite(out->text, 1, out->length, exporting->stream) != out->length ||
	     fflush(exporting->stream) != 0))
		exporting->failed = errno;
	errno = exporting->failed;
	return exporting->failed ? error_errno(err, "cannot write the export") : 0;
}

static void write_coverage(struct exporting *exporting, const struct export_form *form,
			   struct export_result *result)
{
	const struct export_request *request = exporting->request;

	source_texts_init(&exporting->sources);
	coverage_view_init(&exporting->view, request->coverage, COVERAGE_BY_FILE,
			   &request->selection);
	form->write(exporting);
	result->files = exporting->view.unit_count;
	result->counts = exporting->view.total;
	coverage_view_release(&exporting->view);
	source_texts_release(&exporting->sources);
}

static void write_stacks(struct exporting *exporting, const struct export_form *form,
			 struct export_result *result)
{
	struct stack_view *view = &exporting->stacks;

	stack_view_init(view, exporting->request->profile, &exporting->request->stacks);
	form->write(exporting);
	result->samples = view->samples;
	result->cpu_time = view->cpu_time;
	result->waits = view->wait_events;
	result->charged = view->charged;
	stack_view_release(view);
}

int export_write(const char *form, const struct export_request *request, FILE *stream,
		 struct export_result *result, struct error *err)
{
	struct exporting exporting = { .request = request,
				       .stream = stream,
				       .form_error = ERROR_INIT };
	const struct export_form *found = find(form);
	int status;

	memset(result, 0, sizeof(*result));
	strbuf_init(&exporting.out);
	if (found->needs == EXPORT_COVERAGE)
		write_coverage(&exporting, found, result);
	else
		write_stacks(&exporting, found, result);
	status = finish(&exporting, err);
	strbuf_release(&exporting.out);
	error_release(&exporting.form_error);
	return status;
}
