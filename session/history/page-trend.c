/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a trend for the script of a page. */
#include "common/compat.h"
#include "session/history/page-trend.h"
#include "common/clock.h"
#include "reports/page/page-text.h"
#include "session/history/nights.h"

#include <ctype.h>
#include <math.h>
#include <unistd.h>

/* Appends a path as a URL: "file:///spool/JOB00012.PAY/CALC.VIGPROF.html". */
static void add_link(struct strbuf *sb, const char *path)
{
	strbuf_addstr(sb, "file://");
	for (const unsigned char *at = (const unsigned char *)path; *at; at++)
		if (isalnum(*at) || strchr("/-._~", *at))
			strbuf_addch(sb, (char)*at);
		else
			strbuf_addf(sb, "%%%02X", *at);
}

/* Appends the URL of a step's profile; nothing if it no longer exists. */
static void link_of(const struct history_step *step, struct strbuf *sb)
{
	const char *const paths[] = { step->page, step->data_set };

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (*paths[i] == '/' && access(paths[i], R_OK) == 0) {
			add_link(sb, paths[i]);
			return;
		}
}

static void add_night(const struct trend_point *point, struct strbuf *out)
{
	const struct history_step *last = point->last;
	struct strbuf sb = STRBUF_INIT;

	strbuf_addstr(out, "{\"night\":");
	night_format(&sb, last->started);
	page_text_json(out, sb.text);
	strbuf_addf(out, ",\"runs\":%zu,\"code\":", point->run_count);
	strbuf_reset(&sb);
	if (*last->abend)
		strbuf_addstr(&sb, last->abend);
	else
		strbuf_addf(&sb, "%04u", last->code);
	page_text_json(out, sb.text);
	strbuf_addf(out, ",\"differs\":%d,\"difference\":", last->differs);
	page_text_json(out, last->difference);
	strbuf_addstr(out, ",\"link\":");
	strbuf_reset(&sb);
	link_of(last, &sb);
	page_text_json(out, sb.text);
	strbuf_addch(out, '}');
	strbuf_release(&sb);
}

/* Name and unit of an amount, and the factor of the unit. */
static const struct {
	const char *id, *name, *unit;
	double one;
} amounts[] = {
	[HISTORY_ELAPSED] = { "elapsed", "Elapsed time", "s", (double)NSEC_PER_SEC },
	[HISTORY_CPU] = { "cpu", "CPU time", "s", (double)NSEC_PER_SEC },
	[HISTORY_WAIT] = { "wait", "Time waited", "s", (double)NSEC_PER_SEC },
	[HISTORY_CALLS] = { "calls", "Reads and writes", "", 1 },
	[HISTORY_BYTES] = { "bytes", "Bytes read and written", "B", 1 },
	[HISTORY_PEAK] = { "peak", "Peak storage", "B", 1 },
	[TREND_PROCEDURE_CPU] = { "procedure", "CPU time of the procedure", "s",
				  (double)NSEC_PER_SEC },
};

static void add_figure(const struct step_trend *trend, unsigned amount, struct strbuf *out)
{
	const double one = amounts[amount].one;

	strbuf_addf(out, "{\"id\":\"%s\",\"name\":\"%s\",\"unit\":\"%s\",\"median\":%.9g,\"values\":[",
		    amounts[amount].id, amounts[amount].name, amounts[amount].unit,
		    step_trend_scatter(trend, amount, false).median / one);
	for (size_t i = 0; i < trend->count; i++) {
		const double value = trend->points[i].amounts[amount];

		if (isnan(value))
			strbuf_addf(out, "%snull", i ? "," : "");
		else
			strbuf_addf(out, "%s%.9g", i ? "," : "", value / one);
	}
	strbuf_addstr(out, "]}");
}

void page_trend_json(const struct step_trend *trend, struct strbuf *out)
{
	static const unsigned order[] = { TREND_PROCEDURE_CPU, HISTORY_ELAPSED,
						   HISTORY_CPU,		HISTORY_WAIT,
						   HISTORY_CALLS,	HISTORY_BYTES,
						   HISTORY_PEAK };
	bool first = true;

	strbuf_addstr(out, "{\"nights\":[");
	for (size_t i = 0; i < trend->count; i++) {
		strbuf_addstr(out, i ? ",\n" : "");
		add_night(&trend->points[i], out);
	}
	strbuf_addstr(out, "],\n\"figures\":[");
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		if (step_trend_scatter(trend, order[i], false).count == 0)
			continue;
		strbuf_addstr(out, first ? "" : ",\n");
		add_figure(trend, order[i], out);
		first = false;
	}
	strbuf_addstr(out, "]}\n");
}
