/* SPDX-License-Identifier: Apache-2.0 */
/* Executes SQL statements with arguments, and transactions. */
#include "common/compat.h"
#include "session/store/request-store-data.h"
#include "common/xalloc.h"

int store_fail(struct request_store *store, struct error *err)
{
	const int code = sqlite3_errcode(store->database) & 0xff;

	switch (code) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return error_set(err, "%s remains locked by other processes", store->path);
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return error_set(err,
				 "%s is damaged or not a request store: %s; move it away, and put "
				 "a copy in its place if there is one",
				 store->path, sqlite3_errmsg(store->database));
	case SQLITE_FULL:
		return error_set(err, "%s cannot grow: no space is left", store->path);
	default:
		return error_set(err, "%s: %s", store->path, sqlite3_errmsg(store->database));
	}
}

/* Binds the arguments; false on an error. */
static bool bind(sqlite3_stmt *query, const char *arguments, va_list ap)
{
	int code = SQLITE_OK;

	for (int i = 0; arguments[i] && code == SQLITE_OK; i++) {
		if (arguments[i] == 'i')
			code = sqlite3_bind_int64(query, i + 1, va_arg(ap, int64_t));
		else
			code = sqlite3_bind_text(query, i + 1, va_arg(ap, const char *), -1,
						 SQLITE_TRANSIENT);
	}
	return code == SQLITE_OK;
}

static sqlite3_stmt *prepare(struct request_store *store, struct error *err, const char *sql,
			     const char *arguments, va_list ap)
{
	sqlite3_stmt *query = NULL;

	if (sqlite3_prepare_v2(store->database, sql, -1, &query, NULL) == SQLITE_OK &&
	    bind(query, arguments, ap))
		return query;
	store_fail(store, err);
	sqlite3_finalize(query);
	return NULL;
}

sqlite3_stmt *store_query(struct request_store *store, struct error *err, const char *sql,
			  const char *arguments, ...)
{
	sqlite3_stmt *query;
	va_list ap;

	va_start(ap, arguments);
	query = prepare(store, err, sql, arguments, ap);
	va_end(ap);
	return query;
}

int store_row(struct request_store *store, sqlite3_stmt *query, struct error *err)
{
	int code;

	RETURN_IF(!query, -1);
	code = sqlite3_step(query);
	RETURN_IF(code == SQLITE_ROW, 1);
	if (code != SQLITE_DONE)
		store_fail(store, err);
	sqlite3_finalize(query);
	return code == SQLITE_DONE ? 0 : -1;
}

int store_do(struct request_store *store, struct error *err, const char *sql, const char *arguments,
	     ...)
{
	sqlite3_stmt *query;
	va_list ap;
	int result = 1;

	va_start(ap, arguments);
	query = prepare(store, err, sql, arguments, ap);
	va_end(ap);
	while (result > 0)
		result = store_row(store, query, err);
	return result;
}

int64_t store_number(struct request_store *store, int64_t otherwise, struct error *err,
		     const char *sql, const char *arguments, ...)
{
	sqlite3_stmt *query;
	int64_t number = otherwise;
	va_list ap;

	va_start(ap, arguments);
	query = prepare(store, err, sql, arguments, ap);
	va_end(ap);
	if (store_row(store, query, err) > 0) {
		number = sqlite3_column_int64(query, 0);
		sqlite3_finalize(query);
	}
	return number;
}

char *store_text(sqlite3_stmt *query, int column)
{
	const unsigned char *text = sqlite3_column_text(query, column);

	return text ? xstrdup((const char *)text) : NULL;
}

int store_begin(struct request_store *store, struct error *err)
{
	return store_do(store, err, "BEGIN IMMEDIATE", "");
}

int store_end(struct request_store *store, int result, struct error *err)
{
	if (result >= 0 && store_do(store, err, "COMMIT", "") < 0)
		result = -1;
	if (result < 0 && !sqlite3_get_autocommit(store->database))
		sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
	return result;
}
