/* SPDX-License-Identifier: Apache-2.0 */
/* Tests STRBPOST on a fake server of any version that consists of its exported variables. */
#include "common/compat.h"
#include "vigil/collector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define TEXT_SIZE 20000

extern const struct vigil_collector vigil_collector;

/* The server's status entry. */
struct entry {
	int32_t changes, pid;
	uint32_t type, pad;
	int64_t started, transaction_since, activity_since, state_since;
	unsigned char client[184];
	uint32_t state, pad2;
	uint64_t application, activity;
};

static struct server {
	char head[1024]; /* start of its file */
	uint64_t query, entry;
	int32_t type, activity_size;
	unsigned char under_postmaster;
	unsigned char code[32];	  /* of version() */
	unsigned char portal[64]; /* the function that executes queries */
	char version[32];
	struct entry status;
	char text[TEXT_SIZE];
} server;

static const struct {
	const char *name;
	void *address;
} variables[] = {
	{ "debug_query_string", &server.query },
	{ "IsUnderPostmaster", &server.under_postmaster },
	{ "MyBackendType", &server.type },
	{ "MyBEEntry", &server.entry },
	{ "pgstat_track_activity_query_size", &server.activity_size },
	{ "pgsql_version", server.code },
	{ "PortalRun", server.portal },
};

static struct vigil_communication area;
static struct vigil_task task;
static char message[200];

static size_t fake_read(const struct vigil_task *asked, uint64_t address, void *buffer, size_t size)
{
	uint64_t start = (uintptr_t)&server, end = start + sizeof(server);

	(void)asked;
	if (address < start || address >= end)
		return 0;
	if (size > end - address)
		size = end - address;
	memcpy(buffer, (const char *)&server + (address - start), size);
	return size;
}

static int fake_text(const struct vigil_task *asked, uint64_t address, char *buffer, size_t size)
{
	size_t got = fake_read(asked, address, buffer, size - 1);

	buffer[got] = '\0';
	return got ? (int)strlen(buffer) : -1;
}

static int fake_mapping(const struct vigil_task *asked, uint64_t address,
			struct vigil_mapping *mapping)
{
	(void)asked;
	(void)address;
	(void)mapping;
	return -1;
}

static int fake_mapping_named(const struct vigil_task *asked, const char *pattern,
			      struct vigil_mapping *mapping)
{
	(void)asked;
	assert_string_equal(pattern, "postgres");
	*mapping = (struct vigil_mapping){ .start = (uintptr_t)&server,
					   .end = (uintptr_t)(&server + 1),
					   .path = "/usr/bin/postgres" };
	return 0;
}

static uint64_t fake_symbol_address(const struct vigil_task *asked, const char *pattern,
				    const char *name)
{
	(void)asked;
	(void)pattern;
	for (size_t i = 0; i < ARRAY_SIZE(variables); i++)
		if (!strcmp(variables[i].name, name))
			return (uintptr_t)variables[i].address;
	return 0;
}

static int fake_symbol_at(const struct vigil_task *asked, uint64_t address,
			  struct vigil_symbol *symbol)
{
	(void)asked;
	if (address != (uintptr_t)server.portal)
		return -1;
	*symbol = (struct vigil_symbol){ .start = address, .size = sizeof(server.portal) };
	return 0;
}

static void fake_message(const struct vigil_task *asked, const char *text)
{
	(void)asked;
	snprintf(message, sizeof(message), "%s", text);
}

static const struct vigil_access fakes = {
	.version = VIGIL_COLLECTOR_VERSION,
	.read = fake_read,
	.text = fake_text,
	.mapping = fake_mapping,
	.mapping_named = fake_mapping_named,
	.symbol_address = fake_symbol_address,
	.symbol = fake_symbol_at,
	.message = fake_message,
};

/* Sets up a server of that version whose client sends nothing, with a process of that type. */
static void start_server(const char *version, int32_t type)
{
	int32_t distance = (int32_t)(server.version - (char *)server.code) - 7;

	memset(&server, 0, sizeof(server));
	snprintf(server.version, sizeof(server.version), "PostgreSQL %s (test)", version);
	memcpy(server.code, "\x48\x8d\x3d", 3);
	memcpy(server.code + 3, &distance, sizeof(distance));
	server.under_postmaster = 1;
	server.type = type;
	server.activity_size = 1024;
	server.entry = (uintptr_t)&server.status;
	server.status.pid = getpid();
	server.status.activity = (uintptr_t)server.text;
	snprintf(server.head, sizeof(server.head), "build %s", version);
	task = (struct vigil_task){ .pid = getpid(),
				    .state = VIGIL_WAITING,
				    .generation = task.generation + 1,
				    .program = "postgres" };
	area.task = &task;
	area.access = &fakes;
	message[0] = '\0';
}

/* Returns the transaction that the collector names, NULL: none. */
static const char *transaction(void)
{
	area.transaction = NULL;
	return vigil_collector.entry(&area) == VIGIL_DONE ? area.transaction : NULL;
}

static const char *in_state(uint32_t state)
{
	server.status.state = state;
	return transaction();
}

static void test_states_of_15(void **state)
{
	(void)state;
	start_server("15.18", 3);
	assert_string_equal(in_state(0), ".CONNECT");
	assert_string_equal(in_state(1), ".IDLE");
	assert_string_equal(in_state(2), ".PROTOCOL");
	assert_string_equal(in_state(3), ".IDLE IN TRANSACTION");
	assert_string_equal(in_state(5), ".IDLE IN TRANSACTION");
	assert_string_equal(in_state(6), ".IDLE");
	assert_string_equal(area.id, "POSTGRESQL 15.18");
	assert_string_equal(message, "");
}

/* Version 18 has one more state, of a starting process. */
static void test_states_of_18(void **state)
{
	(void)state;
	start_server("18.4", 1);
	assert_string_equal(in_state(0), ".CONNECT");
	assert_string_equal(in_state(1), ".CONNECT");
	assert_string_equal(in_state(2), ".IDLE");
	assert_string_equal(in_state(3), ".PROTOCOL");
	assert_string_equal(in_state(4), ".IDLE IN TRANSACTION");
	assert_string_equal(in_state(6), ".IDLE IN TRANSACTION");
	assert_string_equal(in_state(7), ".IDLE");
	assert_string_equal(message, "");
}

static void test_types_of_18(void **state)
{
	(void)state;
	start_server("18.4", 12);
	assert_string_equal(transaction(), ".IO WORKER");
	server.type = 11;
	assert_string_equal(transaction(), ".CHECKPOINTER");
	server.type = 17;
	assert_string_equal(transaction(), ".LOGGER");
}

/* Each version numbers process types differently; an unknown number has no name. */
static void test_types_of_earlier_versions(void **state)
{
	static const struct {
		const char *version;
		int32_t type;
		const char *transaction;
	} cases[] = {
		{ "13.2", 12, ".STATS COLLECTOR" }, { "14.9", 13, ".LOGGER" },
		{ "14.9", 14, ".CONNECT" },	    { "15.18", 12, ".LOGGER" },
		{ "15.18", 13, ".CONNECT" },	    { "16.1", 1, ".ARCHIVER" },
		{ "16.1", 13, ".WALWRITER" },	    { "16.1", 0, ".CONNECT" },
		{ "17.2", 13, ".WALSUMMARIZER" },   { "17.2", 16, ".CONNECT" },
		{ "18.4", 2, ".CONNECT" },	    { "18.4", 300, ".CONNECT" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		start_server(cases[i].version, cases[i].type);
		assert_string_equal(transaction(), cases[i].transaction);
	}
}

/* Another mount namespace, or an upgrade; path and addresses are those of the one before. */
static void test_another_file_of_the_path(void **state)
{
	(void)state;
	start_server("15.18", 3);
	assert_string_equal(in_state(2), ".PROTOCOL");
	assert_string_equal(area.id, "POSTGRESQL 15.18");
	start_server("17.2", 1);
	assert_string_equal(in_state(2), ".PROTOCOL");
	assert_string_equal(area.id, "POSTGRESQL 17.2");
}

/* An entry of another version is not interpreted, and that is reported. */
static void test_other_versions(void **state)
{
	(void)state;
	start_server("19.0", 3);
	for (uint32_t i = 0; i < 9; i++)
		assert_string_equal(in_state(i), ".IDLE");
	assert_string_equal(message,
			    "PostgreSQL 19 is not one of 13 to 18: processes without a query are "
			    ".IDLE");
	memcpy(server.text, "select 17", 10);
	server.query = (uintptr_t)server.text;
	assert_string_equal(transaction(), "select ?");
	start_server("12.9", 3);
	assert_string_equal(in_state(3), ".IDLE");
	start_server("unknown", 3);
	assert_string_equal(in_state(3), ".IDLE");
	assert_memory_equal(message, "PostgreSQL of an unknown version", 32);
}

/* The sample was taken while a query with this text ran; now the process is idle. */
static void end_query(const char *text, int32_t activity_size)
{
	struct timespec now;

	start_server("15.18", 3);
	clock_gettime(CLOCK_MONOTONIC, &now);
	task.state = VIGIL_EXECUTING;
	task.time = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	snprintf(server.text, sizeof(server.text), "%s", text);
	server.activity_size = activity_size;
	server.status.state = 1;
	server.status.activity_since = 1;
	server.status.state_since = INT64_MAX;
}

static void test_query_that_ended(void **state)
{
	static char text[TEXT_SIZE];

	(void)state;
	end_query("select 17", 1024);
	assert_string_equal(transaction(), "select ?");
	/* As long as the maximum of the entry's text: it may be truncated. */
	end_query("select 17", 10);
	assert_string_equal(transaction(), ".UNKNOWN QUERY");
	/* Servers with a larger limit than is read. */
	end_query("select 17", 65536);
	assert_string_equal(transaction(), "select ?");
	memset(text, 'x', sizeof(text) - 1);
	end_query(text, 65536);
	assert_string_equal(transaction(), ".UNKNOWN QUERY");
}

/*
 * The status does not show at once that a query has ended, and not at all between
 * messages of the extended protocol.
 */
static void test_query_that_has_just_ended(void **state)
{
	uint64_t frames[] = { (uintptr_t)server.head, (uintptr_t)server.portal + 5 };

	(void)state;
	end_query("select 17", 1024);
	server.status.state = 2;
	server.status.state_since = 1;
	task.frames = frames;
	task.frame_count = 2;
	assert_string_equal(transaction(), "select ?");
	task.frame_count = 1;
	assert_string_equal(transaction(), ".PROTOCOL");
	/* A waiting process is asked for its current state. */
	task.frame_count = 2;
	task.state = VIGIL_WAITING;
	assert_string_equal(transaction(), ".PROTOCOL");
}

/* Neither the next query nor the previous one was certainly the sampled one. */
static void test_query_that_another_followed(void **state)
{
	(void)state;
	end_query("select 17", 1024);
	server.status.state = 2;
	server.query = (uintptr_t)server.text;
	assert_string_equal(transaction(), ".UNKNOWN QUERY");
	/* It was idle in between, and others may have run before that. */
	server.query = 0;
	server.status.state = 1;
	server.status.activity_since = INT64_MAX;
	assert_string_equal(transaction(), ".UNKNOWN QUERY");
	/* The entry is being changed. */
	end_query("select 17", 1024);
	server.status.changes = 1;
	assert_string_equal(transaction(), ".UNKNOWN QUERY");
	/* A waiting process is looked at again. */
	task.state = VIGIL_WAITING;
	assert_null(transaction());
	/* The state is younger than the query, so it is that one. */
	end_query("select 17", 1024);
	server.status.state = 2;
	server.status.state_since = 1;
	server.query = (uintptr_t)server.text;
	assert_string_equal(transaction(), "select ?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_states_of_15),
		cmocka_unit_test(test_states_of_18),
		cmocka_unit_test(test_types_of_18),
		cmocka_unit_test(test_types_of_earlier_versions),
		cmocka_unit_test(test_another_file_of_the_path),
		cmocka_unit_test(test_other_versions),
		cmocka_unit_test(test_query_that_ended),
		cmocka_unit_test(test_query_that_has_just_ended),
		cmocka_unit_test(test_query_that_another_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
