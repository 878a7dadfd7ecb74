/* SPDX-License-Identifier: Apache-2.0 */
/* Formats the contents of the request store. */
#include "common/compat.h"
#include "session/requests/store-listing.h"
#include "common/clock.h"
#include "common/diag.h"
#include "common/json.h"
#include "session/store/schedule.h"

static void add_time(struct strbuf *sb, int64_t second)
{
	clock_format_wall(sb, (uint64_t)second * NSEC_PER_SEC);
}

void stored_list_state(const struct stored_request *request, struct strbuf *sb)
{
	strbuf_addstr(sb, request->state);
	if (strcmp(request->state, "Deferred") == 0 && request->start) {
		strbuf_addstr(sb, " until ");
		schedule_format(sb, request->start, request->zone);
	} else if (strcmp(request->state, "Queued") == 0 && request->expires) {
		strbuf_addstr(sb, " until ");
		schedule_format(sb, request->expires, request->zone);
	}
}

/* Appends "STEP.PROCSTEP", "*" for any step. */
static void add_step(const struct stored_request *request, struct strbuf *sb)
{
	strbuf_addstr(sb, request->step ? request->step : request->active ? "ACTIVE" : "*");
	if (request->procstep)
		strbuf_addf(sb, ".%s", request->procstep);
}

/* Appends the number of measurements done, and the number wanted. */
static void add_measured(const struct stored_request *request, struct strbuf *sb)
{
	strbuf_addf(sb, "%" PRIu64, request->measured);
	if (request->wanted)
		strbuf_addf(sb, "/%" PRIu64, request->wanted);
}

void stored_list_table(const struct stored_requests *list, struct strbuf *sb)
{
	strbuf_addstr(
		sb, "NUMBER JOB      STEP              PROGRAM  GROUP    USER     DONE    STATE\n");
	for (size_t i = 0; i < list->count; i++) {
		const struct stored_request *one = &list->items[i];
		const size_t from = sb->length;

		strbuf_addf(sb, "%6" PRIu64 " %-8s ", one->number, one->job);
		add_step(one, sb);
		strbuf_pad_to(sb, 34);
		strbuf_addf(sb, "%-8s %-8s %-8s ", one->program ? one->program : "*",
			    one->group ? one->group : "", one->user);
		add_measured(one, sb);
		strbuf_pad_to(sb, 78 - 8);
		strbuf_addch(sb, ' ');
		stored_list_state(one, sb);
		diag_escape(sb, from);
		strbuf_addch(sb, '\n');
	}
}

/* Appends a line "name: text". */
static void add_line(struct strbuf *sb, const char *name, const char *text)
{
	const size_t from = sb->length;

	strbuf_addf(sb, "%-10s %s", name, text);
	diag_escape(sb, from);
	strbuf_addch(sb, '\n');
}

/* Appends the lines of the statement. */
static void add_statement(struct strbuf *sb, const char *statement)
{
	for (const char *at = statement; *at;) {
		const size_t length = strcspn(at, "\n"), from = sb->length;

		strbuf_addstr(sb, at == statement ? "statement  " : "           ");
		strbuf_add(sb, at, length);
		diag_escape(sb, from);
		strbuf_addch(sb, '\n');
		at += length + (at[length] == '\n');
	}
}

void stored_list_one(const struct stored_request *request, struct strbuf *sb)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(sb, "request    %" PRIu64 "\n", request->number);
	stored_list_state(request, &text);
	add_line(sb, "state", text.text);
	add_statement(sb, request->statement);
	if (request->owner)
		add_line(sb, "measured by", request->owner);
	add_line(sb, "user", request->user);
	add_line(sb, "zone", request->zone);
	strbuf_reset(&text);
	add_measured(request, &text);
	add_line(sb, "measured", text.text);
	for (size_t i = 0; i < request->session_count; i++) {
		const struct request_session *one = &request->sessions[i];

		strbuf_reset(&text);
		add_time(&text, one->at);
		strbuf_addf(&text, " %s%s of %s on %s: %s", request->active ? "" : "step ",
			    one->step, one->job, one->host, one->outcome);
		if (one->data_set)
			strbuf_addf(&text, ", %s", one->data_set);
		add_line(sb, "session", text.text);
	}
	for (size_t i = 0; i < request->event_count; i++) {
		const struct request_event *one = &request->events[i];

		strbuf_reset(&text);
		add_time(&text, one->at);
		strbuf_addf(&text, " %s by %s on %s, process %" PRId64 ": %s", one->state,
			    one->user, one->host, one->pid, one->why);
		add_line(sb, "history", text.text);
	}
	strbuf_release(&text);
}

/* Appends a key with a text, or null. */
static void add_text(struct strbuf *sb, const char *key, const char *text)
{
	json_key(sb, key, false);
	if (text)
		json_string(sb, text);
	else
		strbuf_addstr(sb, "null");
}

static void add_number(struct strbuf *sb, const char *key, int64_t number)
{
	json_key(sb, key, false);
	strbuf_addf(sb, "%" PRId64, number);
}

/* Appends a key with a time, null if it is 0. */
static void add_moment(struct strbuf *sb, const char *key, int64_t second)
{
	if (second)
		add_number(sb, key, second);
	else
		add_text(sb, key, NULL);
}

static void add_sessions(const struct stored_request *request, struct strbuf *sb)
{
	json_key(sb, "sessions", false);
	strbuf_addch(sb, '[');
	for (size_t i = 0; i < request->session_count; i++) {
		const struct request_session *one = &request->sessions[i];

		strbuf_addstr(sb, i ? ",{" : "{");
		json_key(sb, "at", true);
		strbuf_addf(sb, "%" PRId64, one->at);
		add_text(sb, "job", one->job);
		add_text(sb, "step", one->step);
		add_text(sb, "host", one->host);
		add_text(sb, "data_set", one->data_set);
		add_text(sb, "outcome", one->outcome);
		strbuf_addch(sb, '}');
	}
	strbuf_addch(sb, ']');
}

static void add_history(const struct stored_request *request, struct strbuf *sb)
{
	json_key(sb, "history", false);
	strbuf_addch(sb, '[');
	for (size_t i = 0; i < request->event_count; i++) {
		const struct request_event *one = &request->events[i];

		strbuf_addstr(sb, i ? ",{" : "{");
		json_key(sb, "at", true);
		strbuf_addf(sb, "%" PRId64, one->at);
		add_text(sb, "state", one->state);
		add_text(sb, "user", one->user);
		add_text(sb, "host", one->host);
		add_number(sb, "process", one->pid);
		add_text(sb, "why", one->why);
		strbuf_addch(sb, '}');
	}
	strbuf_addch(sb, ']');
}

void stored_list_json(const struct stored_requests *list, struct strbuf *sb)
{
	strbuf_addch(sb, '[');
	for (size_t i = 0; i < list->count; i++) {
		const struct stored_request *one = &list->items[i];

		strbuf_addstr(sb, i ? ",\n{" : "\n{");
		json_key(sb, "number", true);
		strbuf_addf(sb, "%" PRIu64, one->number);
		add_text(sb, "state", one->state);
		add_text(sb, "job", one->job);
		add_text(sb, "type", one->active ? "ACTIVE" : "QUEUED");
		add_text(sb, "step", one->active ? NULL : one->step);
		add_text(sb, "procstep", one->procstep);
		add_text(sb, "program", one->program);
		add_text(sb, "where", one->active ? one->step : NULL);
		add_text(sb, "group", one->group);
		add_text(sb, "user", one->user);
		add_text(sb, "zone", one->zone);
		add_text(sb, "statement", one->statement);
		add_moment(sb, "added", one->added);
		add_moment(sb, "start", one->start);
		add_moment(sb, "expires", one->expires);
		add_number(sb, "measured", (int64_t)one->measured);
		add_number(sb, "wanted", (int64_t)one->wanted);
		add_sessions(one, sb);
		add_history(one, sb);
		strbuf_addch(sb, '}');
	}
	strbuf_addstr(sb, "\n]\n");
}
