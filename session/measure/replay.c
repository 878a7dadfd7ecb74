/* SPDX-License-Identifier: Apache-2.0 */
/* Replays a session. */
#include "common/compat.h"
#include "session/measure/replay.h"
#include "common/xalloc.h"
#include "sampler/recording/player.h"
#include "sampler/recording/tape-view.h"
#include "session/measure/recording.h"
#include "session/measure/request-settings.h"

/* A replay in progress. */
struct replaying {
	const struct replay_request *request;
	struct replay_result *result;
	struct made_request made;
	struct measure *measure;
	struct player *player;
	struct tape_view *view;	   /* NULL: no other options */
	struct strbuf description; /* of other options */
};

/* Appends the other options as they are given to vigil replay; nothing if there are none. */
static void describe_options(const struct replay_options *options, struct strbuf *sb)
{
	if (options->no_collectors)
		strbuf_addstr(sb, " --no-collectors");
	if (options->names)
		strbuf_addstr(sb, " --names");
	if (options->privilege == PRIVILEGE_USER)
		strbuf_addstr(sb, " --privilege user");
	if (options->rate)
		strbuf_addf(sb, " --rate %" PRIu64, options->rate);
}

/* Applies the other options to the request that the recording's settings make. */
static int apply_options(struct replaying *replaying, struct error *err)
{
	const struct replay_options *options = &replaying->request->options;
	struct measure_request *request = &replaying->made.request;

	if (options->rate > measure_rate(request))
		return error_set(err, "%s has %" PRIu64 " samples per second, not %" PRIu64,
				 replaying->request->from, measure_rate(request), options->rate);
	if (options->rate) {
		request->rate = options->rate;
		request->session_minutes = 0;
	}
	if (options->privilege > request->privilege)
		request->privilege = options->privilege;
	request->no_collectors = options->no_collectors;
	request->names_anew = options->names;
	request->replayed = replaying->view ? replaying->description.text + 1 : NULL;
	return 0;
}

/* Creates the session that the recording's settings describe. */
static int create(struct replaying *replaying, struct error *err)
{
	struct measure_request *request = &replaying->made.request;
	struct diag_list diags = DIAG_LIST_INIT;

	if (replaying->measure)
		return 0;
	RETURN_IF(apply_options(replaying, err) < 0, -1);
	request->named = request->output;
	request->output = replaying->request->to;
	request->keep_old = replaying->request->keep_old;
	replaying->measure = measure_new(request, &diags);
	diag_list_release(&diags);
	return 0;
}

static void set_result(struct replaying *replaying, const struct tape_entry *call)
{
	struct session_result result = { 0 };

	if (call->size == sizeof(result))
		memcpy(&result, call->data, sizeof(result));
	measure_set_result(replaying->measure, (int)result.return_code, call->text, result.cpu_user,
			   result.cpu_system, result.peak_resident);
}

/* Ends the session. */
static int finish(struct replaying *replaying, struct error *err)
{
	struct sampler_counts counts;
	int result = measure_finish(replaying->measure, err);

	measure_counts(replaying->measure, &counts);
	replaying->result->samples = counts.processed;
	return result;
}

/* Makes one call of the recorded session. */
static int make_call(struct replaying *replaying, const struct tape_entry *call, struct error *err)
{
	replaying->result->calls++;
	if (call->a == SESSION_SETTING)
		made_request_set(&replaying->made, call);
	if (call->a == SESSION_NEW)
		RETURN_IF(create(replaying, err) < 0, -1);
	RETURN_IF(!replaying->measure, 0);
	switch (call->a) {
	case SESSION_FOLLOW:
		return measure_follow(replaying->measure, (pid_t)call->b, err);
	case SESSION_ATTACH:
		return measure_attach(replaying->measure, (pid_t)call->b, err);
	case SESSION_STEP:
		return measure_step(replaying->measure, (int)call->b, err);
	case SESSION_RESULT:
		set_result(replaying, call);
		return 0;
	case SESSION_FINISH:
		replaying->result->whole = true;
		return finish(replaying, err);
	default:
		return 0;
	}
}

/* Makes all calls. */
static int make_calls(struct replaying *replaying, struct error *err)
{
	const char *missing;
	struct tape_entry call;
	int found, result = 0;

	while (result == 0 && (found = player_next(replaying->player, &call)) > 0)
		result = make_call(replaying, &call, err);
	if (result == 0 && found < 0)
		replaying->result->damaged = true;
	replaying->result->differences = player_differences(replaying->player);
	replaying->result->difference = xstrdup(player_difference(replaying->player));
	if (replaying->view)
		replaying->result->unanswered =
			player_unanswered(replaying->player, &replaying->result->asked);
	replaying->result->missing = player_missing(replaying->player, &missing);
	replaying->result->missing_path = xstrdup(missing);
	RETURN_IF(result < 0, -1);
	if (!replaying->measure)
		return error_set(err, "%s has no session", replaying->request->from);
	if (!replaying->result->whole)
		return finish(replaying, err);
	return 0;
}

/* Prints an entry: what was asked for, with its numbers and its text, and what was answered. */
static void print_entry(const struct tape_entry *entry, FILE *to)
{
	fprintf(to, "%s (%" PRId64 ", %" PRId64 ")%s%s: %" PRId64, tape_kind_name(entry->kind),
		(int64_t)entry->a, (int64_t)entry->b, entry->text[0] ? " " : "", entry->text, entry->result);
	if (entry->result < 0)
		fprintf(to, " %s", strerror(entry->error));
	if (entry->size)
		fprintf(to, ", %zu bytes", entry->size);
	fputc('\n', to);
}

int replay_list(const char *from, FILE *to, struct error *err)
{
	struct tape_pieces pieces;
	struct tape_reader reader;
	struct tape_entry entry;
	int result = 0;

	RETURN_IF(tape_load(from, &pieces, err) < 0, -1);
	tape_reader_init(&reader);
	for (size_t i = 0; i < pieces.count && result >= 0; i++) {
		tape_feed(&reader, pieces.items[i].text, pieces.items[i].length);
		while ((result = tape_read(&reader, &entry)) > 0)
			print_entry(&entry, to);
	}
	tape_reader_release(&reader);
	tape_pieces_release(&pieces);
	return result < 0 ? error_set(err, "%s is damaged", from) : 0;
}

void replay_result_release(struct replay_result *result)
{
	free(result->difference);
	free(result->missing_path);
	*result = (struct replay_result){ 0 };
}

int replay_pieces(const struct replay_request *request, const struct tape_pieces *pieces,
		  struct replay_result *result, struct error *err)
{
	struct replaying replaying = { .request = request, .result = result };
	struct outside *before = outside_current;
	bool whole = true;
	int done;

	*result = (struct replay_result){ 0 };
	result->damaged = pieces->lost || !pieces->status.complete || pieces->status.damaged_blocks;
	made_request_init(&replaying.made);
	replaying.player = player_new(pieces);
	strbuf_init(&replaying.description);
	describe_options(&request->options, &replaying.description);
	if (replaying.description.length) {
		replaying.view = tape_view_new(request->options.privilege == PRIVILEGE_USER);
		whole = player_set_view(replaying.player, replaying.view);
	}
	outside_current = player_source(replaying.player);
	if (whole || request->options.no_collectors)
		done = make_calls(&replaying, err);
	else
		done = error_set(err,
				 "%s was made by an earlier version, which did not record what data collectors were "
				 "asked: other options need --no-collectors",
				 request->from);
	measure_free(replaying.measure);
	outside_current = before;
	player_free(replaying.player);
	tape_view_free(replaying.view);
	strbuf_release(&replaying.description);
	made_request_release(&replaying.made);
	return done;
}

int replay(const struct replay_request *request, struct replay_result *result, struct error *err)
{
	struct tape_pieces pieces;
	int done;

	*result = (struct replay_result){ 0 };
	RETURN_IF(tape_load(request->from, &pieces, err) < 0, -1);
	done = replay_pieces(request, &pieces, result, err);
	tape_pieces_release(&pieces);
	return done;
}
