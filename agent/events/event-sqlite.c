/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Database events of SQLite: interposes on the functions of libsqlite3 that take
 * time. A statement is reported by the call that executes it: the first
 * sqlite3_step has its text, those for further rows are called "sqlite3_step row".
 * sqlite3_reset and sqlite3_finalize are reported if they end a statement that has
 * not ended by itself, since they write what it changed.
 */
#include "agent/events/event-database.h"

typedef int open_function(const char *, void **);
typedef int open_v2_function(const char *, void **, int, const char *);
typedef int handle_function(void *);
typedef int prepare_function(void *, const char *, int, void **, const char **);
typedef int prepare_v3_function(void *, const char *, int, unsigned, void **, const char **);
typedef int exec_function(void *, const char *, int (*)(void *, int, char **, char **), void *,
			  char **);
typedef int table_function(void *, const char *, char ***, int *, int *, char **);
typedef const char *text_function(void *);

#define FUNCTIONS \
	FUNCTION(open, OPEN) \
	FUNCTION(open_v2, OPEN_V2) \
	FUNCTION(close, CLOSE) FUNCTION(close_v2, CLOSE_V2) FUNCTION(prepare, PREPARE) \
		FUNCTION(prepare_v2, PREPARE_V2) FUNCTION(prepare_v3, PREPARE_V3) \
			FUNCTION(step, STEP) FUNCTION(reset, RESET) FUNCTION(finalize, FINALIZE) \
				FUNCTION(exec, EXEC) FUNCTION(get_table, GET_TABLE)
#define FUNCTION(name, NUMBER) NUMBER,
enum { FUNCTIONS FUNCTION_COUNT };
#undef FUNCTION

static open_function hooked_open;
static open_v2_function hooked_open_v2;
static handle_function hooked_close, hooked_close_v2, hooked_step, hooked_reset, hooked_finalize;
static prepare_function hooked_prepare, hooked_prepare_v2;
static prepare_v3_function hooked_prepare_v3;
static exec_function hooked_exec;
static table_function hooked_get_table;

#define FUNCTION(name, NUMBER) \
	[NUMBER] = { "sqlite3_" #name, (void *)(uint64_t)hooked_##name, NULL },
static struct event_hook hooks[] = { FUNCTIONS };
#undef FUNCTION

const struct event_hooks event_sqlite_hooks = { hooks, FUNCTION_COUNT, event_database_wanted };

/* Functions that give details, in the same library as those that are hooked. */
static struct {
	text_function *text;
	void *(*database)(void *);
	const char *(*file)(void *, const char *);
	handle_function *is_busy;
	uint32_t found; /* 1 + the number of unloads at that time */
} more;

/* Finds the functions that give details. */
static void find_more(int function)
{
	static const struct database_function functions[] = {
		{ "sqlite3_sql", &more.text },
		{ "sqlite3_db_handle", &more.database },
		{ "sqlite3_db_filename", &more.file },
		{ "sqlite3_stmt_busy", &more.is_busy },
	};

	event_database_find(functions, ARRAY_SIZE(functions), &more.found, hooks[function].real);
}

/* Statements whose text was written, at an index given by their address. */
#define WRITTEN_TEXTS 1024
static const void *written_texts[WRITTEN_TEXTS];

static const void **place_of(const void *statement)
{
	return &written_texts[((uint64_t)statement >> 4 ^ (uint64_t)statement >> 14) % WRITTEN_TEXTS];
}

/* Returns whether the text of a statement was written. */
static bool was_written(const void *statement)
{
	return __atomic_load_n(place_of(statement), __ATOMIC_RELAXED) == statement;
}

static void set_written(const void *statement)
{
	__atomic_store_n(place_of(statement), statement, __ATOMIC_RELAXED);
}

/* Forgets a statement that no longer exists, or is another one. */
static void forget(const void *statement)
{
	if (was_written(statement))
		__atomic_store_n(place_of(statement), NULL, __ATOMIC_RELAXED);
}

/* Returns the file of a database. */
static const char *file_of(void *database)
{
	const char *file = database && more.file ? more.file(database, "main") : NULL;

	return file && *file ? file : ":memory:";
}

/* Reports that a call with a text begins. */
static bool begins(int function, void *database, const void *key, const char *text)
{
	if (!event_active())
		return false;
	find_more(function);
	return event_database_begins(hooks[function].name, key, text ? text : "",
				     file_of(database));
}

/* Reports that a statement was prepared, perhaps at the address of one that ended unseen. */
static int ends_prepare(bool reported, int function, int code, void *const *statement)
{
	if (statement && *statement)
		forget(*statement);
	if (reported)
		event_database_ends(hooks[function].name, code, NULL);
	return code;
}

static int ends(bool reported, int function, int code)
{
	if (reported)
		event_database_ends(hooks[function].name, code, NULL);
	return code;
}

#define REAL(type, function) ((type *)hooks[function].real)

static int hooked_open(const char *path, void **database)
{
	bool reported = event_active() &&
		    event_database_begins(hooks[OPEN].name, NULL, path ? path : "", path);

	return ends(reported, OPEN, REAL(open_function, OPEN)(path, database));
}

static int hooked_open_v2(const char *path, void **database, int flags, const char *vfs)
{
	bool reported = event_active() &&
		    event_database_begins(hooks[OPEN_V2].name, NULL, path ? path : "", path);

	return ends(reported, OPEN_V2, REAL(open_v2_function, OPEN_V2)(path, database, flags, vfs));
}

static int hooked_close(void *database)
{
	bool reported = database && begins(CLOSE, database, NULL, "");

	return ends(reported, CLOSE, REAL(handle_function, CLOSE)(database));
}

static int hooked_close_v2(void *database)
{
	bool reported = database && begins(CLOSE_V2, database, NULL, "");

	return ends(reported, CLOSE_V2, REAL(handle_function, CLOSE_V2)(database));
}

/* Reports that a prepare begins; length: bytes of the text, negative: up to its NUL. */
static bool begins_prepare(int function, void *database, const char *text, int length)
{
	char copy[EVENT_TEXT_MAX];
	size_t space = length >= 0 && length < (int)sizeof(copy) ? (size_t)length : sizeof(copy) - 1;

	if (!event_active() || !text)
		return false;
	space = strnlen(text, space);
	memcpy(copy, text, space);
	copy[space] = '\0';
	return begins(function, database, NULL, copy);
}

static int hooked_prepare(void *database, const char *text, int length, void **statement,
			  const char **tail)
{
	bool reported = begins_prepare(PREPARE, database, text, length);

	int code = REAL(prepare_function, PREPARE)(database, text, length, statement, tail);

	return ends_prepare(reported, PREPARE, code, statement);
}

static int hooked_prepare_v2(void *database, const char *text, int length, void **statement,
			     const char **tail)
{
	bool reported = begins_prepare(PREPARE_V2, database, text, length);

	int code = REAL(prepare_function, PREPARE_V2)(database, text, length, statement, tail);

	return ends_prepare(reported, PREPARE_V2, code, statement);
}

static int hooked_prepare_v3(void *database, const char *text, int length, unsigned flags,
			     void **statement, const char **tail)
{
	bool reported = begins_prepare(PREPARE_V3, database, text, length);

	int code = REAL(prepare_v3_function, PREPARE_V3)(database, text, length, flags, statement,
							 tail);

	return ends_prepare(reported, PREPARE_V3, code, statement);
}

static const char another_row[] = "sqlite3_step row";

static int hooked_step(void *statement)
{
	const char *name = hooks[STEP].name;
	bool reported = false;
	int code;

	if (event_active() && statement) {
		find_more(STEP);
		if (more.is_busy && more.is_busy(statement)) {
			name = another_row;
			reported = event_database_begins(name, statement, NULL, NULL);
		} else if (was_written(statement)) {
			reported = event_database_begins(name, statement, NULL, NULL);
		} else {
			reported = begins(STEP, more.database ? more.database(statement) : NULL,
				      statement, more.text ? more.text(statement) : NULL);
			if (reported)
				set_written(statement);
		}
	}
	code = REAL(handle_function, STEP)(statement);
	if (reported)
		event_database_ends(name, code, NULL);
	return code;
}

/* Handles a function that ends a statement. */
static int end_statement(int function, void *statement)
{
	bool reported = false;

	if (event_active() && statement) {
		find_more(function);
		reported = more.is_busy && more.is_busy(statement) &&
		       event_database_begins(hooks[function].name, statement, NULL, NULL);
	}
	if (function == FINALIZE)
		forget(statement);
	return ends(reported, function, REAL(handle_function, function)(statement));
}

static int hooked_reset(void *statement)
{
	return end_statement(RESET, statement);
}

static int hooked_finalize(void *statement)
{
	return end_statement(FINALIZE, statement);
}

static int hooked_exec(void *database, const char *text, int (*each)(void *, int, char **, char **),
		       void *argument, char **error)
{
	bool reported = begins(EXEC, database, NULL, text);

	return ends(reported, EXEC, REAL(exec_function, EXEC)(database, text, each, argument, error));
}

static int hooked_get_table(void *database, const char *text, char ***result, int *rows,
			    int *columns, char **error)
{
	bool reported = begins(GET_TABLE, database, NULL, text);

	return ends(reported, GET_TABLE,
		    REAL(table_function, GET_TABLE)(database, text, result, rows, columns, error));
}
