/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chatty database client: a program queries the database at one place again and
 * again, where one statement could fetch everything. Its waits for answers count
 * the queries.
 *
 * SQLite runs inside the program, so there are no waits: what can be saved there
 * is preparing the same statement for each row, with other values.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "profile/advice/advice-search.h"
#include "profile/label.h"
#include "profile/session-facts.h"
#include "profile/wait-variance.h"
#include "records/record-types.h"

#include <math.h>

/* Waiting for this many answers indicates a loop. */
#define MANY_ANSWERS 200
/* An answer that takes longer is real work of the server. */
#define LONG_ANSWER (20 * NSEC_PER_MSEC)
/* ns: preparing a few statements takes less, however large they are. */
#define MIN_PREPARING (50.0 * NSEC_PER_MSEC)

#define CHANGE                                                                                     \
	"Request many rows at once: a join, a list of keys (IN, ANY), an INSERT of many rows, COPY; or " \
	"send many statements before the answers are read (pipeline mode, batch)."

/* Statements of the program that query a database. */
enum { ASK_MODULE, ASK_SECTION, ASK_PROCEDURE, ASK_LINE, ASK_OTHER_FILE, ASK_KEYS };
enum { ASK_COUNT, ASK_TOTAL, ASK_CHARGED, ASK_SAMPLES, ASK_AMOUNTS };

struct asks {
	struct sums places;
	size_t *rows; /* by wait of the profile */
};

/* Returns whether an object is the client library of a database server. */
static bool is_client(const char *object)
{
	static const char *const names[] = { "libpq.so",      "libmysqlclient", "libmariadb", "libodbc.so",
					     "libclntsh.so",  "libdb2.so",	"libsybdb.so", "libtdsodbc.so" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(object, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Returns the statement that called such a library; NULL: the stack does something else. */
static const struct place *asking(const struct profile *profile, size_t stack)
{
	const struct place *via = attribution_via(&profile->attribution, stack);

	return via && is_client(profile_text(profile, via->real_module))
		       ? attribution_caller(&profile->attribution, stack)
		       : NULL;
}

static uint64_t *asks_at(struct asks *asks, const struct place *place)
{
	return sums_at(&asks->places, (const uint64_t[]){ place->module, place->section,
							  place->procedure, place->line,
							  place->other_file });
}

static void asks_init(struct asks *asks, const struct profile *profile)
{
	asks->rows = xcalloc(profile->wait_count + 1, sizeof(*asks->rows));
	sums_init(&asks->places, ASK_KEYS, ASK_AMOUNTS);
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		const struct place *place = wait->reason == WAIT_SOCKET || wait->reason == WAIT_POLL
						    ? asking(profile, wait->stack)
						    : NULL;
		uint64_t *amounts;

		asks->rows[i] = SIZE_MAX;
		if (!place)
			continue;
		amounts = asks_at(asks, place);
		amounts[ASK_COUNT] += wait->count;
		amounts[ASK_TOTAL] += wait->total;
		amounts[ASK_CHARGED] += wait->charged;
		asks->rows[i] = (size_t)(amounts - asks->places.values) / asks->places.width;
	}
	for (size_t i = 0; i < profile->cpu_count && asks->places.keys.count; i++) {
		const struct place *place = asking(profile, profile->cpu[i].stack);

		if (place)
			asks_at(asks, place)[ASK_SAMPLES] += profile->cpu[i].count;
	}
}

static void asks_release(struct asks *asks)
{
	free(asks->rows);
	sums_release(&asks->places);
}

/* Returns the ns that this many samples stand for, and their margin. */
static double used(const struct profile *profile, uint64_t samples, double *margin)
{
	double all = (double)session_facts_sampled(profile, profile->samples);

	*margin = all / 100 * profile_share_margin(profile, profile_cpu_percent(profile, samples));
	return (double)session_facts_sampled(profile, samples);
}

/* Adds advice on one statement of the program. */
static void add_asking(struct advice_search *search, const uint64_t *key, const uint64_t *amounts,
		       uint64_t variance)
{
	const uint64_t waits[ADVICE_WAIT_AMOUNTS] = { [ADVICE_COUNT] = amounts[ASK_COUNT],
						      [ADVICE_TOTAL] = amounts[ASK_TOTAL],
						      [ADVICE_CHARGED] = amounts[ASK_CHARGED],
						      [ADVICE_VARIANCE] = variance };
	const uint64_t place[ADVICE_WAIT_KEYS] = {
		[ADVICE_MODULE] = key[ASK_MODULE],	 [ADVICE_SECTION] = key[ASK_SECTION],
		[ADVICE_PROCEDURE] = key[ASK_PROCEDURE], [ADVICE_LINE] = key[ASK_LINE],
		[ADVICE_OTHER_FILE] = key[ASK_OTHER_FILE]
	};
	double cpu_margin, cpu = used(search->profile, amounts[ASK_SAMPLES], &cpu_margin);
	struct strbuf text = STRBUF_INIT;
	struct advice *advice =
		advice_add(search, "CHATTY-DATABASE", (double)amounts[ASK_CHARGED] + cpu,
			   hypot(cpu_margin, advice_wait_margin(search, waits)), CHANGE);

	if (advice) {
		clock_format_duration(&text, amounts[ASK_TOTAL] / amounts[ASK_COUNT]);
		advice_what(advice, "a database is queried again and again: %" PRIu64 " answers, %s each",
			    amounts[ASK_COUNT], text.text);
		advice_where_wait(search, advice, place);
		strbuf_reset(&text);
		advice_wait_row(&text, waits);
		advice_evidence(advice, "ACW", "%s", text.text);
		advice_evidence(advice, "ACE", "%" PRIu64 " CPU samples of these calls",
				amounts[ASK_SAMPLES]);
	}
	strbuf_release(&text);
}

static void search_client(struct advice_search *search)
{
	struct asks asks;
	uint64_t *variances;
	size_t waited;

	asks_init(&asks, search->profile);
	waited = asks.places.keys.count;
	variances = xcalloc(waited + 1, sizeof(*variances));
	if (waited)
		wait_variances(search->profile, asks.rows, waited, variances);
	for (size_t i = 0; i < waited; i++) {
		const uint64_t *amounts = sums_values(&asks.places, i);

		if (amounts[ASK_COUNT] >= MANY_ANSWERS &&
		    amounts[ASK_TOTAL] / amounts[ASK_COUNT] <= LONG_ANSWER)
			add_asking(search, sums_key(&asks.places, i), amounts, variances[i]);
	}
	free(variances);
	asks_release(&asks);
}

/* Returns by frame: whether it prepares an SQLite statement from text, or finalizes it. */
static bool *preparing_frames(const struct profile *profile)
{
	const struct attribution *attribution = &profile->attribution;
	bool *frames = xcalloc(attribution->place_count + 1, sizeof(*frames));

	for (size_t i = 0; i < attribution->place_count; i++) {
		const struct place *place = &attribution->places[i];
		const char *name = profile_text(profile, place->procedure);

		frames[i] = place->system && (!strncmp(name, "sqlite3_prepare", 15) ||
					      !strcmp(name, "sqlite3_finalize"));
	}
	return frames;
}

/* Returns the statement of the program for which a stack prepares; NULL: it does not. */
static const struct place *preparing(const struct attribution *attribution, const bool *frames,
				     size_t stack)
{
	size_t caller = stack == ATTRIBUTION_NONE ? ATTRIBUTION_NONE : attribution->callers[stack];

	for (; caller != ATTRIBUTION_NONE && stack != caller; stack = attribution->parents[stack])
		if (frames[attribution->frames[stack]])
			return attribution_caller(attribution, caller);
	return NULL;
}

/* Adds advice on one statement of the program that prepares. */
static void add_preparing(struct advice_search *search, const uint64_t *key, uint64_t samples)
{
	const struct profile_step *step = &search->profile->step;
	double cpu_margin, cpu = used(search->profile, samples, &cpu_margin);
	double most = (double)(step->exec ? step->exec : search->run);
	const uint64_t place[ADVICE_WAIT_KEYS] = {
		[ADVICE_MODULE] = key[ASK_MODULE],	 [ADVICE_SECTION] = key[ASK_SECTION],
		[ADVICE_PROCEDURE] = key[ASK_PROCEDURE], [ADVICE_LINE] = key[ASK_LINE],
		[ADVICE_OTHER_FILE] = key[ASK_OTHER_FILE]
	};
	struct strbuf time = STRBUF_INIT;
	struct advice *advice;

	if (cpu < MIN_PREPARING)
		return;
	advice = advice_add(search, "PREPARED-AGAIN", cpu > most ? most : cpu, cpu_margin,
			    "Prepare a statement once, with parameters in place of values, before "
			    "the loop; bind the values of each row to it.");
	clock_format_duration(&time, (uint64_t)cpu);
	if (advice) {
		advice_what(advice, "SQLite prepares statements again and again: %s", time.text);
		advice_where_wait(search, advice, place);
		advice_evidence(advice, "CTR", "%" PRIu64 " CPU samples of preparing there", samples);
	}
	strbuf_release(&time);
}

static void search_preparing(struct advice_search *search)
{
	const struct profile *profile = search->profile;
	bool *frames = preparing_frames(profile);
	struct sums places;

	sums_init(&places, ASK_KEYS, 1);
	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct place *place =
			preparing(&profile->attribution, frames, profile->cpu[i].stack);

		if (place)
			*sums_at(&places, (const uint64_t[]){ place->module, place->section,
							      place->procedure, place->line,
							      place->other_file }) +=
				profile->cpu[i].count;
	}
	for (size_t i = 0; i < places.keys.count; i++)
		add_preparing(search, sums_key(&places, i), *sums_values(&places, i));
	sums_release(&places);
	free(frames);
}

void advice_database(struct advice_search *search)
{
	search_client(search);
	search_preparing(search);
}
