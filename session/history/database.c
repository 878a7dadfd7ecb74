/* SPDX-License-Identifier: Apache-2.0 */
/* Opens an SQLite database that other users cannot have changed, and executes statements. */
#include "common/compat.h"
#include "session/history/database.h"
#include "common/clock.h"
#include "common/trust.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONGEST_PAUSE (8 * NSEC_PER_MSEC)

int database_fail(struct database *database, struct error *err)
{
	const int code = sqlite3_errcode(database->handle) & 0xff;

	database->locked = code == SQLITE_BUSY || code == SQLITE_LOCKED;
	if (database->locked)
		return error_set(err, "%s remains locked by other processes", database->path);
	if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
		return error_set(err, "%s is damaged or not %s: %s", database->path,
				 database->kind->what, sqlite3_errmsg(database->handle));
	if (code == SQLITE_FULL)
		return error_set(err, "%s cannot grow: no space is left", database->path);
	return error_set(err, "%s: %s", database->path, sqlite3_errmsg(database->handle));
}

/* Binds the arguments; returns whether all succeeded. */
static bool bind_all(sqlite3_stmt *query, const char *arguments, va_list ap)
{
	int code = SQLITE_OK;

	for (int i = 0; arguments[i] && code == SQLITE_OK; i++)
		switch (arguments[i]) {
		case 'i':
			code = sqlite3_bind_int64(query, i + 1, va_arg(ap, int64_t));
			break;
		case 'r':
			code = sqlite3_bind_double(query, i + 1, va_arg(ap, double));
			break;
		default:
			code = sqlite3_bind_text(query, i + 1, va_arg(ap, const char *), -1,
						 SQLITE_TRANSIENT);
		}
	return code == SQLITE_OK;
}

static sqlite3_stmt *prepare(struct database *database, struct error *err, const char *sql,
			     const char *arguments, va_list ap)
{
	sqlite3_stmt *query = NULL;

	if (sqlite3_prepare_v2(database->handle, sql, -1, &query, NULL) == SQLITE_OK &&
	    bind_all(query, arguments, ap))
		return query;
	database_fail(database, err);
	sqlite3_finalize(query);
	return NULL;
}

sqlite3_stmt *database_query(struct database *database, struct error *err, const char *sql,
			     const char *arguments, ...)
{
	sqlite3_stmt *query;
	va_list ap;

	va_start(ap, arguments);
	query = prepare(database, err, sql, arguments, ap);
	va_end(ap);
	return query;
}

int database_row(struct database *database, sqlite3_stmt *query, struct error *err)
{
	int code;

	RETURN_IF(!query, -1);
	code = sqlite3_step(query);
	RETURN_IF(code == SQLITE_ROW, 1);
	if (code != SQLITE_DONE)
		database_fail(database, err);
	sqlite3_finalize(query);
	return code == SQLITE_DONE ? 0 : -1;
}

int database_execute(struct database *database, struct error *err, const char *sql,
		const char *arguments, ...)
{
	sqlite3_stmt *query;
	va_list ap;
	int result = 1;

	va_start(ap, arguments);
	query = prepare(database, err, sql, arguments, ap);
	va_end(ap);
	while (result > 0)
		result = database_row(database, query, err);
	return result;
}

int database_number(struct database *database, int64_t *number, struct error *err, const char *sql,
		    const char *arguments, ...)
{
	sqlite3_stmt *query;
	va_list ap;
	int result;

	*number = 0;
	va_start(ap, arguments);
	query = prepare(database, err, sql, arguments, ap);
	va_end(ap);
	result = database_row(database, query, err);
	if (result > 0) {
		*number = sqlite3_column_int64(query, 0);
		sqlite3_finalize(query);
	}
	return result < 0 ? -1 : 0;
}

char *database_text(sqlite3_stmt *query, int column)
{
	const unsigned char *text = sqlite3_column_text(query, column);

	return xstrdup(text ? (const char *)text : "");
}

int database_begin(struct database *database, struct error *err)
{
	return database_execute(database, err, "BEGIN IMMEDIATE", "");
}

int database_end(struct database *database, int result, struct error *err)
{
	if (result >= 0 && database_execute(database, err, "COMMIT", "") < 0)
		result = -1;
	if (result < 0 && !sqlite3_get_autocommit(database->handle))
		sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
	return result;
}

/* Refuses a path that other users could have changed. */
static int check_trust(const char *path, struct error *err)
{
	char *why = trust_refuse(path);

	if (why)
		error_set(err, "%s is not used: %s", path, why);
	free(why);
	return why ? -1 : 0;
}

/* Creates the file if missing, so that no other user can ever read it. */
static int make_missing(const char *path, struct error *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return errno == EEXIST ? 0 : error_errno(err, "cannot make %s", path);
	close(fd);
	return 0;
}

/*
 * Returns the folder without links, after checking that no other user can write to
 * it; "": it does not exist.
 */
static char *find_folder(const char *folder, struct error *err)
{
	char *real = realpath(folder, NULL);

	if (!real && errno == ENOENT)
		return xstrdup("");
	if (!real) {
		error_errno(err, "cannot open the folder %s", folder);
		return NULL;
	}
	if (check_trust(real, err) == 0)
		return real;
	free(real);
	return NULL;
}

/*
 * Finds the file, directly in the folder and not through links; 1: exists, 0: does
 * not exist, -1.
 */
static int find_file(struct database *database, const char *folder, bool make, struct error *err)
{
	struct strbuf path = STRBUF_INIT;
	struct stat facts;
	char *real;

	if (make && mkdir(folder, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "cannot create the folder %s", folder);
	real = find_folder(folder, err);
	RETURN_IF(!real, -1);
	if (!*real) {
		free(real);
		return 0;
	}
	strbuf_addf(&path, "%s/%s", real, database->kind->file);
	free(real);
	database->path = strbuf_detach(&path, NULL);
	RETURN_IF(make && make_missing(database->path, err) < 0, -1);
	if (lstat(database->path, &facts) < 0)
		return errno == ENOENT ? 0 : error_errno(err, "cannot open %s", database->path);
	if (!S_ISREG(facts.st_mode))
		return error_set(err, "%s is not a file", database->path);
	return check_trust(database->path, err) < 0 ? -1 : 1;
}

/* Returns whether it is empty; -1 with the reason. */
static int is_empty(struct database *database, struct error *err)
{
	int64_t tables;

	RETURN_IF(database_number(database, &tables, err, "SELECT count(*) FROM sqlite_schema",
				  "") < 0,
		  -1);
	return tables == 0;
}

/* Creates the tables, unless another process has created them meanwhile. */
static int make_tables(struct database *database, struct error *err)
{
	int result;

	RETURN_IF(database_execute(database, err, "PRAGMA auto_vacuum = INCREMENTAL", "") < 0, -1);
	RETURN_IF(database_begin(database, err) < 0, -1);
	result = is_empty(database, err);
	if (result > 0)
		for (const char *const *sql = database->kind->schema; *sql && result >= 0; sql++)
			if (sqlite3_exec(database->handle, *sql, NULL, NULL, NULL) != SQLITE_OK)
				result = database_fail(database, err);
	return database_end(database, result < 0 ? -1 : 0, err);
}

/* Refuses a file of another program or version. */
static int check_format(struct database *database, struct error *err)
{
	int64_t application, format;

	RETURN_IF(database_number(database, &application, err, "PRAGMA application_id", "") < 0,
		  -1);
	RETURN_IF(database_number(database, &format, err, "PRAGMA user_version", "") < 0, -1);
	if (application != database->kind->application)
		return error_set(err, "%s is a database of another program", database->path);
	if (format != database->kind->format)
		return error_set(err,
				 "%s has format %" PRId64 "; this vigil supports format %" PRId64
				 ", so use the vigil that made it, or another folder",
				 database->path, format, database->kind->format);
	return 0;
}

/* Busy handler: retries after a short random time, so that no process starves. */
static int busy_handler(void *argument, int count)
{
	struct database *database = argument;
	const uint64_t now = clock_monotonic_ns();
	const struct timespec moment = { 0, (long)(NSEC_PER_MSEC + now % LONGEST_PAUSE) };

	if (count == 0)
		database->waiting = now;
	RETURN_IF(now - database->waiting >= database->patience, 0);
	nanosleep(&moment, NULL);
	return 1;
}

/* Opens the file and checks what it is. */
static int open_file(struct database *database, bool make, struct error *err)
{
	int empty;

	if (sqlite3_open_v2(database->path, &database->handle,
			    SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX,
			    NULL) != SQLITE_OK)
		return database_fail(database, err);
	sqlite3_busy_handler(database->handle, busy_handler, database);
	sqlite3_db_config(database->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(database->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	empty = is_empty(database, err);
	RETURN_IF(empty < 0, -1);
	if (empty && !make)
		return 0;
	if (empty)
		RETURN_IF(make_tables(database, err) < 0, -1);
	RETURN_IF(check_format(database, err) < 0, -1);
	return 1;
}

int database_open(struct database *database, const struct database_kind *kind, const char *folder,
		  bool make, int patience, struct error *err)
{
	int found;

	*database = (struct database){ .kind = kind,
				       .patience = (uint64_t)patience * NSEC_PER_MSEC };
	found = find_file(database, folder, make, err);
	RETURN_IF(found <= 0, found);
	return open_file(database, make, err);
}

void database_close(struct database *database)
{
	sqlite3_close(database->handle);
	free(database->path);
	*database = (struct database){ 0 };
}
