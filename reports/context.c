/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by all reports: the context of a print, and columns that many reports have. */
#include "common/compat.h"
#include "records/record-types.h"
#include "reports/report-class.h"
#include "profile/session-facts.h"
#include "profile/share.h"

/* Registers a string of the profile with the tokens, once. */
static void register_name(struct context *context, struct idmap *registered, uint64_t name)
{
	uint64_t unused;

	if (idmap_get(registered, name, &unused))
		return;
	idmap_put(registered, name, 1);
	tokens_register(&context->tokens, profile_text(context->profile, name));
}

/* Registers all procedures with the tokens, so that no token looks like another one's name. */
static void register_names(struct context *context)
{
	const struct profile *profile = context->profile;
	struct idmap registered;

	idmap_init(&registered);
	for (size_t i = 0; i < profile->names.index.count; i++)
		register_name(context, &registered, profile->names.rows[i].procedure);
	for (size_t i = 0; i < profile->event_sites.count; i++) {
		const struct record_event_site *site = id_table_at(&profile->event_sites, i);

		register_name(context, &registered, site->program);
		register_name(context, &registered, site->procedure);
	}
	idmap_release(&registered);
}

void context_init(struct context *context, const struct profile *profile,
		  const struct report_options *options)
{
	memset(context, 0, sizeof(*context));
	context->profile = profile;
	context->options = options;
	tokens_init(&context->tokens);
	register_names(context);
	event_files_init(&context->event_files, profile);
	source_texts_init(&context->sources);
	strbuf_init(&context->text);
}

void context_release(struct context *context)
{
	tokens_release(&context->tokens);
	event_files_release(&context->event_files);
	source_texts_release(&context->sources);
	strbuf_release(&context->text);
}

bool context_shows(const struct context *context, double percent)
{
	return context->options->all || percent * 10 >= context->options->baseline;
}

bool context_details(const struct context *context, double percent)
{
	return context->options->all || percent >= context->options->baseline;
}

void context_put_string(const struct context *context, struct table *table, struct row *row,
			uint64_t string)
{
	row_text(table, row, profile_text(context->profile, string));
}

void context_put_margin(const struct context *context, struct table *table, struct row *row,
			uint64_t samples, uint64_t placed)
{
	/* That a total has all samples is exact. */
	bool is_all = row->kind == ROW_TOTAL && samples >= context->profile->samples;

	row_real(table, row, is_all ? 0 : profile_row_margin(context->profile, samples, placed));
}

void context_put_solo(const struct context *context, struct table *table, struct row *row,
		      double percent)
{
	if (session_facts_has_waits(context->profile))
		row_real(table, row, percent);
	else
		row_unknown(table, row);
}

/* If is_without, adds a note that something is not in the recording; returns is_without. */
static bool without(struct document *document, bool is_without, const char *text)
{
	if (is_without)
		document_text(document, "%s", text);
	return is_without;
}

bool context_without_waits(const struct context *context, struct document *document)
{
	return without(document, !session_facts_has_waits(context->profile),
		       "The recording does not show when its tasks executed and when they waited.");
}

bool context_without_memory(const struct context *context, struct document *document)
{
	return without(document, !session_facts_has_memory(context->profile),
		       "The recording does not show how much memory was used.");
}

bool context_without_files(const struct context *context, struct document *document)
{
	return without(document, session_facts_is_imported(context->profile),
		       "The recording does not show which files were used.");
}

void context_put_cpu(const struct context *context, struct table *table, struct row *row,
		     uint64_t solo, uint64_t total, uint64_t placed)
{
	context_put_solo(context, table, row, profile_cpu_percent(context->profile, solo));
	row_real(table, row, profile_cpu_percent(context->profile, total));
	context_put_margin(context, table, row, total, placed);
}

void context_cpu_histogram(const struct context *context, struct table *table)
{
	table->bar_title = "CPU TIME HISTOGRAM";
	table->bar_margin = profile_margin(context->profile);
}
