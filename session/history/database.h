/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An SQLite database in a separate folder, which many processes use at once: the
 * file, its ownership and format, statements with arguments, transactions.
 *
 * Folder and file belong to one user (or root), and no other user may have write
 * access to them or to folders above them (common/trust.h): else they are refused.
 * The journal is in the same folder and is no write-ahead log, so a shared folder
 * works if its locks do. A process that finds the file locked waits at most as
 * long as its patience. A killed process loses what it had not committed.
 */
#ifndef VIGIL_SESSION_HISTORY_DATABASE_H
#define VIGIL_SESSION_HISTORY_DATABASE_H

#include "common/error.h"

#include <sqlite3.h>

/* Description of a kind of database; all static. */
struct database_kind {
	const char *file;	 /* its name in the folder */
	const char *what;	 /* for messages: "a history" */
	int64_t application;	 /* application_id */
	int64_t format;		 /* user_version: files with another one are not touched */
	const char *const *schema; /* statements that create it; NULL-terminated */
};

struct database {
	sqlite3 *handle;
	const struct database_kind *kind;
	char *path;		    /* of the file, absolute */
	uint64_t patience, waiting; /* ns; start of the current wait for a lock, monotonic */
	bool locked;		    /* the last failure was due to a lock held by others */
};

/*
 * Opens the database of a folder. make: creates folder and file if missing.
 * patience: ms. Returns 1: open; 0: no such database; -1 with the reason. Call
 * database_close in every case.
 */
int database_open(struct database *database, const struct database_kind *kind, const char *folder,
		  bool make, int patience, struct error *err);
void database_close(struct database *database);

/* Converts the last failure to an error; returns -1. */
int database_fail(struct database *database, struct error *err);
/*
 * Prepares a statement with its arguments, one letter each: "i": int64_t, "r":
 * double, "t": text or NULL. NULL with the reason.
 */
sqlite3_stmt *database_query(struct database *database, struct error *err, const char *sql,
			     const char *arguments, ...);
/* Reads the next row: 1; 0: no more; -1 with the reason. Returning 0 or -1 ends the statement. */
int database_row(struct database *database, sqlite3_stmt *query, struct error *err);
/* Executes a statement without rows. */
int database_execute(struct database *database, struct error *err, const char *sql,
		const char *arguments, ...);
/* Reads the single number that a statement returns, 0 if it returns none. -1 with the reason. */
int database_number(struct database *database, int64_t *number, struct error *err, const char *sql,
		    const char *arguments, ...);
/* Returns a copy of a text column, "" if it is NULL. */
char *database_text(sqlite3_stmt *query, int column);
/* Begins a write transaction; other processes cannot write until it ends. */
int database_begin(struct database *database, struct error *err);
/* Ends it: commits if result is 0 or above, else rolls back. Returns the result, or -1. */
int database_end(struct database *database, int result, struct error *err);

#endif
