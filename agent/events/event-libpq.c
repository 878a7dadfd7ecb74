/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Database events of PostgreSQL's clients: interposes on the functions of libpq in
 * which a program waits for the server. Their return code is the status of the
 * result (ExecStatusType); the event of a failure has the SQLSTATE.
 */
#include "agent/events/event-database.h"

/* libpq's own types are opaque here. */
typedef void *connection;
typedef void *result;
typedef const char *const *texts;
typedef const int *numbers;

typedef connection connect_function(const char *);
typedef connection params_function(texts, texts, int);
typedef connection login_function(const char *, const char *, const char *, const char *,
				  const char *, const char *, const char *);
typedef result exec_function(connection, const char *);
typedef result exec_params_function(connection, const char *, int, const unsigned *, texts, numbers,
				    numbers, int);
typedef result prepare_function(connection, const char *, const char *, int, const unsigned *);
typedef result prepared_function(connection, const char *, int, texts, numbers, numbers, int);
typedef int send_function(connection, const char *);
typedef int send_params_function(connection, const char *, int, const unsigned *, texts, numbers,
				 numbers, int);
typedef int send_prepare_function(connection, const char *, const char *, int, const unsigned *);
typedef int send_prepared_function(connection, const char *, int, texts, numbers, numbers, int);
typedef result get_function(connection);
typedef int end_copy_function(connection, const char *);

#define FUNCTIONS \
	FUNCTION(connectdb, CONNECT) \
	FUNCTION(connectdbParams, PARAMS) \
	FUNCTION(setdbLogin, LOGIN) FUNCTION(exec, EXEC) FUNCTION(execParams, EXEC_PARAMS) \
		FUNCTION(prepare, PREPARE) FUNCTION(execPrepared, PREPARED) \
			FUNCTION(sendQuery, SEND) FUNCTION(sendQueryParams, SEND_PARAMS) \
				FUNCTION(sendPrepare, SEND_PREPARE) \
					FUNCTION(sendQueryPrepared, SEND_PREPARED) \
						FUNCTION(getResult, GET) \
							FUNCTION(putCopyEnd, END_COPY)
#define FUNCTION(name, NUMBER) NUMBER,
enum { FUNCTIONS FUNCTION_COUNT };
#undef FUNCTION

static connect_function hooked_connectdb;
static params_function hooked_connectdbParams;
static login_function hooked_setdbLogin;
static exec_function hooked_exec;
static exec_params_function hooked_execParams;
static prepare_function hooked_prepare;
static prepared_function hooked_execPrepared;
static send_function hooked_sendQuery;
static send_params_function hooked_sendQueryParams;
static send_prepare_function hooked_sendPrepare;
static send_prepared_function hooked_sendQueryPrepared;
static get_function hooked_getResult;
static end_copy_function hooked_putCopyEnd;

#define FUNCTION(name, NUMBER) [NUMBER] = { "PQ" #name, (void *)(uint64_t)hooked_##name, NULL },
static struct event_hook hooks[] = { FUNCTIONS };
#undef FUNCTION

const struct event_hooks event_libpq_hooks = { hooks, FUNCTION_COUNT, event_database_wanted };

/* Functions that give details, in the same library as those that are hooked. */
static struct {
	const char *(*database)(connection);
	int (*status)(connection);
	int (*result_status)(result);
	const char *(*error)(result, int);
	uint32_t found; /* 1 + the number of unloads at that time */
} more;

/* Field code of the SQLSTATE for PQresultErrorField. */
#define SQLSTATE 'C'
/* Status of a missing result, as from PQresultStatus(NULL). */
#define PGRES_FATAL_ERROR 7

/* Finds the functions that give details. */
static void find_more(int function)
{
	static const struct database_function functions[] = {
		{ "PQdb", &more.database },
		{ "PQstatus", &more.status },
		{ "PQresultStatus", &more.result_status },
		{ "PQresultErrorField", &more.error },
	};

	event_database_find(functions, ARRAY_SIZE(functions), &more.found, hooks[function].real);
}

/* Returns a key for a prepared statement of a connection. */
static const void *key_of(connection to, const char *name)
{
	return (const void *)(((uint64_t)to ^ event_name_hash(name ? name : "", name ? strlen(name) : 0)) << 4);
}

/* The statement last sent on each connection, at an index given by the connection's address. */
#define SENT 256
static struct {
	const void *to, *key;
} sent[SENT];

static uint64_t place_of(connection to)
{
	return ((uint64_t)to >> 4 ^ (uint64_t)to >> 12) % SENT;
}

/* Records the statement sent on a connection: its result is waited for next. */
static const void *sends(connection to, const void *key)
{
	sent[place_of(to)].to = to;
	sent[place_of(to)].key = key;
	return key;
}

static const void *sent_last(connection to)
{
	return sent[place_of(to)].to == to ? sent[place_of(to)].key : NULL;
}

/* Reports that a call begins; text NULL: that of an earlier call with the key. */
static bool begins(int function, connection to, const void *key, const char *text)
{
	if (!event_active())
		return false;
	find_more(function);
	return event_database_begins(hooks[function].name, key, text,
				     to && more.database ? more.database(to) : NULL);
}

/* Reports the end of a call that returns a result. */
static result ends(bool reported, int function, result with)
{
	const char *state = with && reported && more.error ? more.error(with, SQLSTATE) : NULL;

	if (reported)
		event_database_ends(hooks[function].name,
				    with && more.result_status ? more.result_status(with)
							       : PGRES_FATAL_ERROR,
				    state && *state ? state : NULL);
	return with;
}

/* Reports the end of a call that returns a number. */
static int ends_number(bool reported, int function, int code)
{
	if (reported)
		event_database_ends(hooks[function].name, code, NULL);
	return code;
}

/* Reports the end of a call that connects: its code is that of PQstatus. */
static connection ends_connecting(bool reported, int function, connection to)
{
	if (reported)
		event_database_ends(hooks[function].name, to && more.status ? more.status(to) : 1,
				    NULL);
	return to;
}

#define REAL(type, function) ((type *)hooks[function].real)

/* A conninfo may contain a password: it is not written. */
static connection hooked_connectdb(const char *how)
{
	bool reported = begins(CONNECT, NULL, NULL, "");

	return ends_connecting(reported, CONNECT, REAL(connect_function, CONNECT)(how));
}

static connection hooked_connectdbParams(texts keywords, texts values, int expand)
{
	bool reported = begins(PARAMS, NULL, NULL, "");

	return ends_connecting(reported, PARAMS,
			       REAL(params_function, PARAMS)(keywords, values, expand));
}

static connection hooked_setdbLogin(const char *host, const char *port, const char *options,
				    const char *tty, const char *name, const char *user,
				    const char *password)
{
	bool reported = begins(LOGIN, NULL, NULL, "");

	return ends_connecting(
		reported, LOGIN,
		REAL(login_function, LOGIN)(host, port, options, tty, name, user, password));
}

static result hooked_exec(connection to, const char *text)
{
	bool reported = begins(EXEC, to, to, text ? text : "");

	return ends(reported, EXEC, REAL(exec_function, EXEC)(to, text));
}

static result hooked_execParams(connection to, const char *text, int count, const unsigned *types,
				texts values, numbers lengths, numbers formats, int format)
{
	bool reported = begins(EXEC_PARAMS, to, to, text ? text : "");

	return ends(reported, EXEC_PARAMS,
		    REAL(exec_params_function, EXEC_PARAMS)(to, text, count, types, values, lengths,
							    formats, format));
}

static result hooked_prepare(connection to, const char *name, const char *text, int count,
			     const unsigned *types)
{
	bool reported = begins(PREPARE, to, key_of(to, name), text ? text : "");

	return ends(reported, PREPARE, REAL(prepare_function, PREPARE)(to, name, text, count, types));
}

static result hooked_execPrepared(connection to, const char *name, int count, texts values,
				  numbers lengths, numbers formats, int format)
{
	bool reported = begins(PREPARED, to, key_of(to, name), NULL);

	return ends(reported, PREPARED,
		    REAL(prepared_function, PREPARED)(to, name, count, values, lengths, formats,
						      format));
}

static int hooked_sendQuery(connection to, const char *text)
{
	bool reported = begins(SEND, to, sends(to, to), text ? text : "");

	return ends_number(reported, SEND, REAL(send_function, SEND)(to, text));
}

static int hooked_sendQueryParams(connection to, const char *text, int count, const unsigned *types,
				  texts values, numbers lengths, numbers formats, int format)
{
	bool reported = begins(SEND_PARAMS, to, sends(to, to), text ? text : "");

	return ends_number(reported, SEND_PARAMS,
			   REAL(send_params_function, SEND_PARAMS)(to, text, count, types, values,
								   lengths, formats, format));
}

static int hooked_sendPrepare(connection to, const char *name, const char *text, int count,
			      const unsigned *types)
{
	bool reported = begins(SEND_PREPARE, to, sends(to, key_of(to, name)), text ? text : "");

	return ends_number(reported, SEND_PREPARE,
			   REAL(send_prepare_function, SEND_PREPARE)(to, name, text, count, types));
}

static int hooked_sendQueryPrepared(connection to, const char *name, int count, texts values,
				    numbers lengths, numbers formats, int format)
{
	bool reported = begins(SEND_PREPARED, to, sends(to, key_of(to, name)), NULL);

	return ends_number(reported, SEND_PREPARED,
			   REAL(send_prepared_function, SEND_PREPARED)(to, name, count, values,
								       lengths, formats, format));
}

static result hooked_getResult(connection to)
{
	bool reported = begins(GET, to, sent_last(to), NULL);
	result with = REAL(get_function, GET)(to);

	/* The absence of a further result is no failure. */
	if (!with)
		return ends_number(reported, GET, 0), NULL;
	return ends(reported, GET, with);
}

static int hooked_putCopyEnd(connection to, const char *error)
{
	bool reported = begins(END_COPY, to, sent_last(to), NULL);

	return ends_number(reported, END_COPY, REAL(end_copy_function, END_COPY)(to, error));
}
