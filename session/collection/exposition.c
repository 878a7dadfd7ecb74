/* SPDX-License-Identifier: Apache-2.0 */
/* Publishes the newest snapshot as OpenMetrics text. */
#include "common/compat.h"
#include "session/collection/exposition.h"
#include "metrics/openmetrics.h"
#include "session/output.h"

/* Replaces the file. */
static int write_file(const char *path, const struct strbuf *text, struct error *err)
{
	struct output output;

	RETURN_IF(output_open(&output, path, err) < 0, -1);
	fwrite(text->text, 1, text->length, output.stream);
	return output_commit(&output, err);
}

/* Replaces the file; reports when that begins to fail, and when it works again. */
static void try_file(struct exposition *exposition, const struct strbuf *text)
{
	struct error err = ERROR_INIT;
	bool failed = write_file(exposition->path, text, &err) < 0;

	if (failed && !exposition->failed)
		message_sink_emit(exposition->sink, SEVERITY_WARNING, 3694, "%s", error_text(&err));
	else if (!failed && exposition->failed)
		message_sink_emit(exposition->sink, SEVERITY_INFO, 3695, "%s is written again",
				 exposition->path);
	exposition->failed = failed;
	error_release(&err);
}

static enum module_status exposition_call(struct module *module, enum sync_point point UNUSED,
					  struct snapshot *snapshot, struct error *err UNUSED)
{
	struct exposition *exposition = module->context;
	struct strbuf text = STRBUF_INIT;

	if (snapshot->last)
		return MODULE_OK;
	present_take(&exposition->present, snapshot);
	openmetrics_add(&text, snapshot, &exposition->present, engine_strings(module->engine));
	if (exposition->path)
		try_file(exposition, &text);
	if (exposition->scrape)
		scrape_publish(exposition->scrape, &text);
	strbuf_release(&text);
	return MODULE_OK;
}

static void exposition_end(struct module *module)
{
	struct exposition *exposition = module->context;

	present_release(&exposition->present);
}

const struct module_class exposition_class = {
	.name = "OPENMETRICS",
	.summary = "publishes the newest snapshot as OpenMetrics text",
	.capabilities = MODULE_CONSUMER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.call = exposition_call,
	.end = exposition_end,
};
