/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STRBPOST: the data collector for a PostgreSQL server. The transaction is the
 * fingerprint of the query that the client sent and that runs now; what functions
 * and triggers execute within it counts for it. A process without a query is named
 * by its kind (.IDLE, .CHECKPOINTER, ...).
 *
 * Everything is read from the server's exported variables. The process's status
 * entry in shared memory (the one behind pg_stat_activity) has a count that
 * changes with every query, and the times of the changes: these show whether a
 * text changed while it was read, or is younger than the sample.
 */
#include "common/compat.h"
#include "common/fingerprint.h"
#include "collectors/image.h"
#include "collectors/postgres-statements.h"

#include <ctype.h>

enum fact {
	QUERY, /* debug_query_string */
	UNDER_POSTMASTER,
	BACKEND_TYPE,
	STATUS, /* MyBEEntry */
	WORKER, /* MyBgworkerEntry */
	ACTIVITY_SIZE,
	COMMIT,
	PORTAL,
	VERSION_FUNCTION,
	POSTMASTER, /* PostmasterPid */
	FOLDER,	    /* DataDir */
	SYMBOLS,
	COMMIT_END = SYMBOLS,
	PORTAL_END,
	MAJOR,
	MINOR,
};

static const char *const symbols[SYMBOLS] = {
	"debug_query_string",
	"IsUnderPostmaster",
	"MyBackendType",
	"MyBEEntry",
	"MyBgworkerEntry",
	"pgstat_track_activity_query_size",
	"CommitTransactionCommand",
	"PortalRun",
	"pgsql_version",
	"PostmasterPid",
	"DataDir",
};

/* Kinds of processes; those with "" execute queries. */
#define CLIENT ""
#define UNKNOWN NULL
#define WORKER_PROCESS "."

/* Versions whose processes and states are known. */
#define FIRST_VERSION 13
#define LAST_VERSION 18
#define VERSIONS (LAST_VERSION - FIRST_VERSION + 1)
#define NONE 0 /* no version uses 0 for a process type */

/* Kinds of processes, with their numbers in MyBackendType of each version. */
static const struct {
	const char *name;
	unsigned char number[VERSIONS];
} types[] = {
	/* 13, 14, 15, 16, 17, 18 */
	{ CLIENT, { 3, 3, 3, 4, 1, 1 } },
	{ ".AUTOVACUUM LAUNCHER", { 1, 1, 1, 2, 2, 3 } },
	{ ".AUTOVACUUM", { 2, 2, 2, 3, 3, 4 } },
	{ WORKER_PROCESS, { 4, 4, 4, 5, 4, 5 } },
	{ ".WALSENDER", { 9, 9, 9, 12, 5, 6 } },
	{ ".SLOTSYNC", { NONE, NONE, NONE, NONE, 6, 7 } },
	{ CLIENT, { NONE, NONE, NONE, 9, 7, 8 } },
	{ ".ARCHIVER", { 11, 11, 11, 1, 8, 9 } },
	{ ".BACKGROUND WRITER", { 5, 5, 5, 6, 9, 10 } },
	{ ".CHECKPOINTER", { 6, 6, 6, 7, 10, 11 } },
	{ ".IO WORKER", { NONE, NONE, NONE, NONE, NONE, 12 } },
	{ ".STARTUP", { 7, 7, 7, 10, 11, 13 } },
	{ ".WALRECEIVER", { 8, 8, 8, 11, 12, 14 } },
	{ ".WALSUMMARIZER", { NONE, NONE, NONE, NONE, 13, 15 } },
	{ ".WALWRITER", { 10, 10, 10, 13, 14, 16 } },
	{ ".LOGGER", { 13, 13, 12, 8, 15, 17 } },
	{ ".STATS COLLECTOR", { 12, 12, NONE, NONE, NONE, NONE } },
};

/* The status entry of versions 13 to 18; times are microseconds since 2000. */
struct status {
	int32_t changes; /* odd: being changed */
	int32_t pid;
	uint32_t type;
	uint32_t pad;
	int64_t started, transaction_since, activity_since, state_since;
	unsigned char client[184];
	uint32_t state;
	uint32_t pad2;
	uint64_t application, activity; /* addresses of texts */
};

/* The numbers of versions 13 to 17; 18 has STARTING after UNDEFINED. */
enum state { UNDEFINED, IDLE, RUNNING, IDLE_IN_TRANSACTION, FASTPATH, IDLE_ABORTED, DISABLED };
#define STARTING_SINCE 18

/* How often a status is read again that is being changed. */
#define TRIES 3
#define MICROSECONDS_TO_2000 INT64_C(946684800000000)

struct collector {
	struct images *images;
	struct statements *statements;
	char id[32];
	char name[VIGIL_NAME_MAX + 1];
	char query[FINGERPRINT_TEXT_MAX];
};

/* One look at a process. */
struct look {
	const struct vigil_communication *area;
	const struct image *image;
	bool known; /* the server's version is one of those above */
	struct collector *collector;
	struct status status;
	bool has_status;
	uint64_t query; /* address of the text, 0: none */
};

/* Finds the version: "PostgreSQL 15.18 ..." is what the function version() loads first. */
static void find_version(const struct vigil_communication *area, uint64_t base, uint64_t *facts)
{
	unsigned char code[32];
	char text[64];
	unsigned major = 0, minor = 0;
	int32_t distance;
	uint64_t start = base + facts[VERSION_FUNCTION];

	if (!facts[VERSION_FUNCTION] || vigil_read(area, start, code, sizeof(code)) < sizeof(code))
		return;
	for (size_t i = 0; i + 7 <= sizeof(code); i++) {
		if (memcmp(code + i, "\x48\x8d\x3d", 3) != 0) /* lea distance(%rip), %rdi */
			continue;
		memcpy(&distance, code + i + 3, sizeof(distance));
		if (vigil_text(area, start + i + 7 + (uint64_t)(int64_t)distance, text,
			       sizeof(text)) > 0 &&
		    sscanf(text, "PostgreSQL %u.%u", &major, &minor) >= 1) {
			facts[MAJOR] = major;
			facts[MINOR] = minor;
		}
		return;
	}
}

/* Returns the kind of a process by its number; UNKNOWN if the version does not have it. */
static const char *find_type(uint64_t major, uint64_t number)
{
	for (size_t i = 0; i < ARRAY_SIZE(types) && number != NONE; i++)
		if (types[i].number[major - FIRST_VERSION] == number)
			return types[i].name;
	return UNKNOWN;
}

static void report_unknown_version(const struct vigil_communication *area, uint64_t major)
{
	char version[32] = "of an unknown version", text[160];

	if (major)
		snprintf(version, sizeof(version), "%u", (unsigned)major);
	snprintf(text, sizeof(text),
		 "PostgreSQL %s is not one of 13 to 18: processes without a query are .IDLE",
		 version);
	vigil_message(area, text);
}

/* Returns the end of a function, 0 if it is unknown. */
static uint64_t end_of(const struct vigil_communication *area, uint64_t base, uint64_t function)
{
	struct vigil_symbol symbol;

	RETURN_IF(!function || vigil_symbol_at(area, base + function, &symbol) != 0, 0);
	return function + symbol.size;
}

static bool examine(const struct vigil_communication *area, uint64_t base,
		    uint64_t facts[IMAGE_FACTS])
{
	image_symbols(area, base, symbols, SYMBOLS, facts);
	RETURN_IF(!facts[QUERY] || !facts[UNDER_POSTMASTER] || !facts[STATUS], false);
	facts[COMMIT_END] = end_of(area, base, facts[COMMIT]);
	facts[PORTAL_END] = end_of(area, base, facts[PORTAL]);
	find_version(area, base, facts);
	return true;
}

/* Returns a variable of at most 8 bytes, 0 if it is not readable. */
static uint64_t variable(const struct look *look, enum fact fact, size_t size)
{
	uint64_t value = 0, address = image_address(look->image, fact);

	if (!address || vigil_read(look->area, address, &value, size) != size)
		return 0;
	return value;
}

/* Reads the status entry, for known versions; returns false if it is being changed. */
static bool read_status(struct look *look)
{
	uint64_t address = look->known ? variable(look, STATUS, 8) : 0;

	look->has_status = address &&
			   vigil_read(look->area, address, &look->status, sizeof(look->status)) ==
				   sizeof(look->status) &&
			   look->status.pid == look->area->task->pid;
	if (look->image->facts[MAJOR] >= STARTING_SINCE && look->status.state > UNDEFINED)
		look->status.state--;
	look->has_status = look->has_status && look->status.state <= DISABLED;
	return !look->has_status || look->status.changes % 2 == 0;
}

/* Returns whether nothing has changed since the status was read. */
static bool still_holds(const struct look *look)
{
	int32_t changes;

	RETURN_IF(variable(look, QUERY, 8) != look->query, false);
	RETURN_IF(!look->has_status, true);
	return vigil_read(look->area, variable(look, STATUS, 8), &changes, sizeof(changes)) ==
		       sizeof(changes) &&
	       changes == look->status.changes;
}

/* Returns when the sample was taken, in the server's time format. */
static int64_t sample_time(const struct vigil_task *task)
{
	struct timespec monotonic, real;
	int64_t ago;

	clock_gettime(CLOCK_MONOTONIC, &monotonic);
	clock_gettime(CLOCK_REALTIME, &real);
	ago = (int64_t)monotonic.tv_sec * 1000000000 + monotonic.tv_nsec - (int64_t)task->time;
	return (int64_t)real.tv_sec * 1000000 + (real.tv_nsec - ago) / 1000 - MICROSECONDS_TO_2000;
}

static void set_name(struct collector *collector, const char *name)
{
	snprintf(collector->name, sizeof(collector->name), "%s", name);
}

/* Names the transaction by the statement at an address. */
static enum vigil_outcome name_query(struct look *look, uint64_t address, size_t size)
{
	struct collector *collector = look->collector;
	int length = vigil_text(look->area, address, collector->query, size);

	RETURN_IF(length < 0 || !still_holds(look), VIGIL_TORN);
	fingerprint(collector->query, collector->name);
	if (!collector->name[0])
		set_name(collector, ".EMPTY QUERY");
	return VIGIL_DONE;
}

/*
 * Names the query that has ended: it is still in the status entry, complete unless
 * it fills that, or all that is read.
 */
static enum vigil_outcome name_last(struct look *look, int64_t time)
{
	const struct status *status = &look->status;
	uint64_t size = variable(look, ACTIVITY_SIZE, 4);
	enum vigil_outcome outcome;

	RETURN_IF(time < status->activity_since || size < 2, VIGIL_TORN);
	if (size > sizeof(look->collector->query))
		size = sizeof(look->collector->query);
	outcome = name_query(look, status->activity, size);
	RETURN_IF(strlen(look->collector->query) + 1 >= size, VIGIL_TORN);
	return outcome;
}

/*
 * The current activity began after the sample. If the process is idle now, the
 * query before it is known.
 */
static enum vigil_outcome name_ended(struct look *look, int64_t time)
{
	const struct status *status = &look->status;

	if (status->activity_since == 0) { /* no activity yet */
		set_name(look->collector, ".CONNECT");
		return VIGIL_DONE;
	}
	RETURN_IF(status->state != IDLE && status->state != IDLE_IN_TRANSACTION &&
			  status->state != IDLE_ABORTED,
		  VIGIL_TORN);
	return name_last(look, time);
}

/* Returns whether the task was in a function, or in one called by it, when it was sampled. */
static bool is_in(const struct look *look, enum fact function, enum fact end)
{
	const struct vigil_task *task = look->area->task;
	const uint64_t *facts = look->image->facts;

	for (size_t i = 0; i < task->frame_count; i++) {
		uint64_t place = task->frames[i] - look->image->base;

		if (place >= facts[function] && place < facts[end])
			return true;
	}
	return false;
}

/* Names a background worker by its type, the second text of its entry. */
static void name_worker(struct look *look)
{
	char *name = look->collector->name;
	uint64_t entry = variable(look, WORKER, 8);

	if (!entry || vigil_text(look->area, entry + 96, name + 1, 96) <= 0)
		set_name(look->collector, ".WORKER");
	name[0] = '.';
	for (name++; *name; name++)
		*name = (char)toupper((unsigned char)*name);
}

/* Returns the name of a client's process without a query. */
static const char *idle_name(const struct look *look)
{
	RETURN_IF(is_in(look, COMMIT, COMMIT_END), ".COMMIT");
	RETURN_IF(!look->known, ".IDLE");
	RETURN_IF(!look->has_status || look->status.state == UNDEFINED, ".CONNECT");
	RETURN_IF(look->status.state == IDLE_IN_TRANSACTION || look->status.state == IDLE_ABORTED,
		  ".IDLE IN TRANSACTION");
	return look->status.state == RUNNING ? ".PROTOCOL" : ".IDLE";
}

/* Returns the kind of the process; CLIENT also if the version is unknown. */
static const char *process_type(const struct look *look)
{
	uint64_t type = variable(look, BACKEND_TYPE, 4);

	RETURN_IF(!variable(look, UNDER_POSTMASTER, 1), look->has_status ? CLIENT : ".POSTMASTER");
	RETURN_IF(!look->known, CLIENT);
	return find_type(look->image->facts[MAJOR], type);
}

/* Names a process that executes queries, or may do so. */
static enum vigil_outcome name_by_query(struct look *look, bool worker)
{
	bool executing = look->area->task->state == VIGIL_EXECUTING && look->has_status &&
			 look->status.state != DISABLED;
	int64_t time = executing ? sample_time(look->area->task) : INT64_MAX;

	if (time < look->status.state_since)
		return look->query ? VIGIL_TORN : name_ended(look, time);
	if (look->query)
		return name_query(look, look->query, sizeof(look->collector->query));
	/* It executed a query that has ended since; the status still says that it runs. */
	if (executing && look->status.state == RUNNING && is_in(look, PORTAL, PORTAL_END))
		return name_last(look, time);
	if (worker)
		name_worker(look);
	else
		set_name(look->collector, idle_name(look));
	return still_holds(look) ? VIGIL_DONE : VIGIL_TORN;
}

static enum vigil_outcome name_process(struct look *look)
{
	const char *type;

	RETURN_IF(!read_status(look), VIGIL_TORN);
	look->query = variable(look, QUERY, 8);
	type = process_type(look);
	if (type == UNKNOWN)
		set_name(look->collector, ".CONNECT");
	else if (strcmp(type, CLIENT) == 0 || strcmp(type, WORKER_PROCESS) == 0)
		return name_by_query(look, *type == '.');
	else
		set_name(look->collector, type);
	return VIGIL_DONE;
}

/*
 * Names what a process executed when it was sampled, as far as it can be
 * determined. The previous transaction would be as wrong as the next one: if it is
 * unknown it gets a name that says so. A waiting process is looked at again.
 */
static enum vigil_outcome name_sampled(struct look *look)
{
	enum vigil_outcome outcome = VIGIL_TORN;

	/* Data that changes while it is read is usually stable the next time. */
	for (int i = 0; i < TRIES && outcome == VIGIL_TORN; i++)
		outcome = name_process(look);
	if (outcome == VIGIL_TORN && look->area->task->state == VIGIL_EXECUTING) {
		set_name(look->collector, ".UNKNOWN QUERY");
		outcome = VIGIL_DONE;
	}
	return outcome;
}

static void set_id(struct collector *collector, const uint64_t *facts)
{
	if (facts[MAJOR])
		snprintf(collector->id, sizeof(collector->id), "POSTGRESQL %u.%u",
			 (unsigned)facts[MAJOR], (unsigned)facts[MINOR]);
	else
		snprintf(collector->id, sizeof(collector->id), "POSTGRESQL");
}

/* Returns the collector's memory, allocated at its first call. */
static struct collector *collector_of(struct vigil_communication *area)
{
	struct collector *collector = area->anchor;

	RETURN_IF(collector, collector);
	collector = calloc(1, sizeof(*collector));
	RETURN_IF(!collector, NULL);
	collector->images = images_new();
	collector->statements = statements_new();
	if (!collector->images || !collector->statements) {
		free(collector->images);
		free(collector->statements);
		free(collector);
		return NULL;
	}
	return area->anchor = collector;
}

/* A server with pg_stat_statements counts its statements itself. */
static void look_at_statements(struct look *look)
{
	pid_t postmaster = (pid_t)variable(look, POSTMASTER, 4);
	uint64_t folder;
	char path[1024];

	if (postmaster <= 0 || !statements_needs_table(look->collector->statements, postmaster))
		return;
	folder = variable(look, FOLDER, 8);
	if (folder && vigil_text(look->area, folder, path, sizeof(path)) > 0)
		statements_find_table(look->collector->statements, look->area, postmaster, path,
				(unsigned)look->image->facts[MAJOR]);
}

/* Reports at the end of the session what was executed in it. */
static enum vigil_outcome end(struct look *look)
{
	if (look->image)
		statements_end(look->collector->statements, look->area,
			       (pid_t)variable(look, POSTMASTER, 4));
	statements_report(look->collector->statements, look->area);
	return VIGIL_DONE;
}

static enum vigil_outcome entry(struct vigil_communication *area)
{
	struct look look = { .area = area, .collector = collector_of(area) };
	enum vigil_outcome outcome;

	RETURN_IF(!look.collector, VIGIL_NOT_MINE);
	look.image = images_find(look.collector->images, area, examine);
	RETURN_IF(area->task->flags & VIGIL_ENDING, end(&look));
	RETURN_IF(!look.image, VIGIL_NOT_MINE);
	look.known = look.image->facts[MAJOR] >= FIRST_VERSION &&
		     look.image->facts[MAJOR] <= LAST_VERSION;
	set_id(look.collector, look.image->facts);
	outcome = name_sampled(&look);
	RETURN_IF(!image_is_alive(area, look.image), VIGIL_TORN);
	if (!look.known)
		report_unknown_version(area, look.image->facts[MAJOR]);
	look_at_statements(&look);
	RETURN_IF(outcome != VIGIL_DONE, outcome);
	area->id = look.collector->id;
	area->transaction = look.collector->name;
	return VIGIL_DONE;
}

static const char *const programs[] = { "postgres", "postmaster", NULL };

VIGIL_COLLECTOR("STRBPOST", "G-01", VIGIL_PROMPT | VIGIL_LAST, NULL, programs, entry);
