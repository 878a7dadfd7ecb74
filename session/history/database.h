/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A database of SQLite in a folder of its own, which many processes use at
 * once: the file, whose it is and which format it has, statements with their
 * arguments, transactions.
 *
 * Folder and file belong to one user (or root) and nobody else may write to
 * them or to what is above them (common/trust.h): others are refused. The
 * journal stands beside the file and is no write-ahead log, so a shared folder
 * whose locks hold will do. Who finds the file locked waits, at most as long
 * as its patience. A process that is killed loses what it had not committed.
 */
#ifndef VIGIL_SESSION_HISTORY_DATABASE_H
#define VIGIL_SESSION_HISTORY_DATABASE_H

#include "common/error.h"

#include <sqlite3.h>

/* What a kind of database is; all static. */
struct database_kind {
	const char *file;	 /* its name in the folder */
	const char *what;	 /* for messages: "a history" */
	int64_t application;	 /* application_id */
	int64_t format;		 /* user_version: another one is left alone */
	const char *const *schema; /* the statements that make it, NULL at the end */
};

struct database {
	sqlite3 *handle;
	const struct database_kind *kind;
	char *path;		    /* of the file, absolute */
	uint64_t patience, waiting; /* ns; since when it waits for a lock, monotonic */
	bool locked;		    /* what failed last failed because others had it */
};

/*
 * Open the database of a folder. make: folder and file are made when they are
 * missing. patience: ms. 1 it is open; 0 there is none; -1 with the reason.
 * Closed with database_close in every case.
 */
int database_open(struct database *database, const struct database_kind *kind, const char *folder,
		  bool make, int patience, struct error *err);
void database_close(struct database *database);

/* What happened last, as an error; -1. */
int database_fail(struct database *database, struct error *err);
/*
 * A statement with its arguments, a letter each: "i" an int64_t, "r" a double, "t" a text or NULL.
 * NULL with the reason.
 */
sqlite3_stmt *database_query(struct database *database, struct error *err, const char *sql,
			     const char *arguments, ...);
/* The next row: 1; 0 no more; -1 with the reason. The last two end the statement. */
int database_row(struct database *database, sqlite3_stmt *query, struct error *err);
/* Carry out a statement that gives no rows. */
int database_do(struct database *database, struct error *err, const char *sql,
		const char *arguments, ...);
/* The only number that a statement gives, 0 when it gives none. -1 with the reason. */
int database_number(struct database *database, int64_t *number, struct error *err, const char *sql,
		    const char *arguments, ...);
/* A text column as a copy, "" where it is NULL. */
char *database_text(sqlite3_stmt *query, int column);
/* Begin a change; nobody else changes anything meanwhile. */
int database_begin(struct database *database, struct error *err);
/* End it: keep it when result is 0 or above, otherwise forget it. The result, or -1. */
int database_end(struct database *database, int result, struct error *err);

#endif
