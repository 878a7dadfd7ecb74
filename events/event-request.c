/* SPDX-License-Identifier: Apache-2.0 */
/* Formats what a session collects as the statements that request it. */
#include "common/compat.h"
#include "events/event-request.h"
#include "common/clock.h"
#include "records/event-codes.h"

/* Appends " KEYWORD=text", in apostrophes if needed. */
static void add_text(struct strbuf *sb, const char *keyword, const char *text)
{
	if (!text)
		return;
	strbuf_addf(sb, " %s=", keyword);
	if (*text && !strpbrk(text, " ',()=")) {
		strbuf_addstr(sb, text);
		return;
	}
	strbuf_addch(sb, '\'');
	for (; *text; text++)
		strbuf_addf(sb, *text == '\'' ? "''" : "%c", *text);
	strbuf_addch(sb, '\'');
}

/* Returns the types to show: events of the session are included without being requested. */
static uint64_t asked_types(const struct event_request *request)
{
	uint64_t asked = request->types & ~event_code_types("S", 1);

	return asked ? asked : request->types;
}

static void add_types(const struct event_request *request, struct strbuf *sb)
{
	static const char *const statements[] = {
		[EVENT_STATEMENTS_COUNT] = "COUNT", [EVENT_STATEMENTS_ON] = "ON"
	};
	struct strbuf codes = STRBUF_INIT;

	if (!request->types && !request->statements && !request->run_time)
		return;
	strbuf_addstr(sb, " FILTER=EVENT");
	if (request->types) {
		event_codes_format(&codes, asked_types(request));
		strbuf_addf(sb, strchr(codes.text, ',') ? " EVENT=(%s)" : " EVENT=%s", codes.text);
	}
	if (request->statements)
		strbuf_addf(sb, " STATEMENT=%s", statements[request->statements]);
	if (request->run_time)
		strbuf_addstr(sb, " FNAT=ON");
	strbuf_release(&codes);
}

static void add_programs(const struct event_request *request, struct strbuf *sb)
{
	for (size_t i = 0; i < request->program_count; i++) {
		const struct event_program_filter *one = &request->programs[i];

		strbuf_addstr(sb, " FILTER=PROGRAM");
		add_text(sb, "LIBRARY", one->library);
		add_text(sb, "PROGRAM", one->program);
		if (one->line_from || one->line_to)
			strbuf_addf(sb, " LINE=(%" PRIu64 ",%" PRIu64 ")", one->line_from,
				    one->line_to);
	}
}

static void add_time(struct strbuf *sb, const char *keyword, uint64_t time)
{
	uint64_t seconds = time / NSEC_PER_SEC;

	if (time)
		strbuf_addf(sb, " %s=%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64, keyword,
			    seconds / 3600, seconds / 60 % 60, seconds % 60);
}

static void add_bounds(const struct event_request *request, struct strbuf *sb)
{
	if (request->count_from || request->count_to)
		strbuf_addstr(sb, " FILTER=COUNT");
	if (request->count_from)
		strbuf_addf(sb, " FROM=%" PRIu64, request->count_from);
	if (request->count_to)
		strbuf_addf(sb, " TO=%" PRIu64, request->count_to);
	if (request->time_from || request->time_to)
		strbuf_addstr(sb, " FILTER=TIME");
	add_time(sb, "FROM", request->time_from);
	add_time(sb, "TO", request->time_to);
}

/* Appends CALLS and SQL. */
static void add_calls(const struct event_request *request, struct strbuf *sb)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < request->call_count; i++) {
		const struct event_call_pattern *one = &request->calls[i];

		strbuf_addf(&text, ",%s%s%s", one->library, *one->library ? "!" : "",
			    one->function);
	}
	if (request->call_count)
		strbuf_addf(sb, " CALLS=(%s)", text.text + 1);
	if (request->shapes)
		strbuf_addstr(sb, " SQL=SHAPE");
	strbuf_release(&text);
}

void event_request_format(const struct event_request *request, struct strbuf *sb)
{
	struct strbuf text = STRBUF_INIT;

	add_calls(request, &text);
	add_types(request, &text);
	add_programs(request, &text);
	add_bounds(request, &text);
	if (text.length)
		strbuf_addstr(sb, text.text + 1);
	strbuf_release(&text);
}
