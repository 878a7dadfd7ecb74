/* SPDX-License-Identifier: Apache-2.0 */
/* What all reports share: what a printing is given, and the columns that many have. */
#include "common/compat.h"
#include "reports/report-class.h"
#include "profile/share.h"

void context_init(struct context *context, const struct profile *profile,
		  const struct report_options *options)
{
	memset(context, 0, sizeof(*context));
	context->profile = profile;
	context->options = options;
	tokens_init(&context->tokens);
	source_texts_init(&context->sources);
	strbuf_init(&context->text);
}

void context_release(struct context *context)
{
	tokens_release(&context->tokens);
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

void context_put_cpu(const struct context *context, struct table *table, struct row *row,
		     uint64_t solo, uint64_t total)
{
	double percent = profile_cpu_percent(context->profile, total);

	row_real(table, row, profile_cpu_percent(context->profile, solo));
	row_real(table, row, percent);
	row_real(table, row, share_margin(percent, context->profile->samples));
}

void context_cpu_histogram(const struct context *context, struct table *table)
{
	table->bar_title = "CPU TIME HISTOGRAM";
	table->bar_margin = profile_margin(context->profile);
}
