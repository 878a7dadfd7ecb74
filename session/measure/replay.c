/* SPDX-License-Identifier: Apache-2.0 */
/* Replays a session. */
#include "common/compat.h"
#include "session/measure/replay.h"
#include "common/xalloc.h"
#include "sampler/recording/player.h"
#include "session/measure/recording.h"
#include "session/measure/request-settings.h"

/* A replay in progress. */
struct replaying {
	const struct replay_request *request;
	struct replay_result *result;
	struct made_request made;
	struct measure *measure;
	struct player *player;
};

/* Creates the session that the recording's settings describe. */
static void create(struct replaying *replaying)
{
	struct measure_request *request = &replaying->made.request;
	struct diag_list diags = DIAG_LIST_INIT;

	if (replaying->measure)
		return;
	request->named = request->output;
	request->output = replaying->request->to;
	request->keep_old = replaying->request->keep_old;
	replaying->measure = measure_new(request, &diags);
	diag_list_release(&diags);
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
		create(replaying);
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
	int done;

	*result = (struct replay_result){ 0 };
	result->damaged = pieces->lost || !pieces->status.complete || pieces->status.damaged_blocks;
	made_request_init(&replaying.made);
	replaying.player = player_new(pieces);
	outside_current = player_source(replaying.player);
	done = make_calls(&replaying, err);
	measure_free(replaying.measure);
	outside_current = before;
	player_free(replaying.player);
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
