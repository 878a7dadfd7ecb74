/* SPDX-License-Identifier: Apache-2.0 */
/* The file of the history: its location, and its tables. */
#include "common/compat.h"
#include "session/history/step-history-data.h"
#include "common/xalloc.h"

#define VARIABLE "VIGIL_HISTORY"
#define OFF "OFF"

/*
 * Unknown amounts are NULL. A step's id increases with the time of its end; steps
 * are removed in this order, so their number is the difference between the first
 * and last id.
 */
static const char *const schema[] = {
	"CREATE TABLE job(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,"
	" number TEXT NOT NULL, submit TEXT NOT NULL, host TEXT NOT NULL, spool TEXT NOT NULL,"
	" ending TEXT NOT NULL, started INTEGER NOT NULL, ended INTEGER NOT NULL)",
	"CREATE INDEX jobs ON job(started)",
	"CREATE TABLE step(id INTEGER PRIMARY KEY AUTOINCREMENT, job_id INTEGER NOT NULL,"
	" job TEXT NOT NULL, label TEXT NOT NULL, step TEXT NOT NULL, procstep TEXT NOT NULL,"
	" program TEXT NOT NULL, abend TEXT NOT NULL, code INTEGER NOT NULL,"
	" started INTEGER NOT NULL, ended INTEGER NOT NULL, elapsed INTEGER, cpu INTEGER,"
	" wait INTEGER, calls INTEGER, bytes INTEGER, peak INTEGER, measured INTEGER NOT NULL,"
	" samples INTEGER NOT NULL, margin REAL, finding TEXT NOT NULL, data_set TEXT NOT NULL,"
	" page TEXT NOT NULL, differs INTEGER NOT NULL, change REAL, nights INTEGER NOT NULL,"
	" difference TEXT NOT NULL)",
	"CREATE INDEX steps ON step(job_id)",
	"CREATE INDEX runs ON step(job, label, started)",
	"CREATE TABLE wait(step INTEGER NOT NULL, place INTEGER NOT NULL, kind TEXT NOT NULL,"
	" time INTEGER NOT NULL, margin INTEGER NOT NULL, PRIMARY KEY(step, place)) WITHOUT ROWID",
	"CREATE TABLE procedure(step INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL,"
	" section TEXT NOT NULL, samples INTEGER NOT NULL, cpu INTEGER NOT NULL,"
	" margin INTEGER NOT NULL, PRIMARY KEY(step, place)) WITHOUT ROWID",
	"CREATE TABLE delay(job_id INTEGER NOT NULL, place INTEGER NOT NULL, dsn TEXT NOT NULL,"
	" began INTEGER NOT NULL, ended INTEGER NOT NULL, PRIMARY KEY(job_id, place))"
	" WITHOUT ROWID",
	"CREATE TABLE hold(job_id INTEGER NOT NULL, place INTEGER NOT NULL, dsn TEXT NOT NULL,"
	" exclusive INTEGER NOT NULL, released INTEGER NOT NULL, PRIMARY KEY(job_id, place))"
	" WITHOUT ROWID",
	/* Sums of removed runs. */
	"CREATE TABLE gone(job TEXT NOT NULL, label TEXT NOT NULL, runs INTEGER NOT NULL,"
	" abends INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,"
	" elapsed INTEGER NOT NULL, cpu INTEGER NOT NULL, program TEXT NOT NULL,"
	" PRIMARY KEY(job, label)) WITHOUT ROWID",
	"CREATE TABLE keep(days INTEGER NOT NULL, steps INTEGER NOT NULL)",
	"INSERT INTO keep VALUES(400, 100000)", /* HISTORY_DAYS, HISTORY_STEPS */
	"PRAGMA application_id = 1447642952",	/* "VIGH" */
	"PRAGMA user_version = 1",
	NULL,
};

static const struct database_kind kind = { "history.db", "a history of steps", 0x56494748, 1,
					   schema };

char *history_folder(const char *named, const char *root)
{
	const char *variable = getenv(VARIABLE);
	struct strbuf path = STRBUF_INIT;

	if (!named && variable && *variable)
		named = variable;
	strbuf_addstr(&path, named ? named : root);
	while (path.length > 1 && path.text[path.length - 1] == '/')
		strbuf_setlen(&path, path.length - 1);
	if (!named)
		strbuf_addstr(&path, ".history");
	return strbuf_detach(&path, NULL);
}

bool history_is_off(const char *folder)
{
	return strcasecmp(folder, OFF) == 0;
}

struct history *history_open(const char *folder, bool make, int patience, bool *locked,
			     struct error *err)
{
	struct history *history;
	int opened;

	if (locked)
		*locked = false;
	RETURN_IF(history_is_off(folder), NULL);
	history = xcalloc(1, sizeof(*history));
	opened = database_open(&history->database, &kind, folder, make, patience, err);
	/* A power failure may lose the history, but not the data of a job. */
	if (opened > 0 && make &&
	    (database_execute(&history->database, err, "PRAGMA journal_mode = TRUNCATE", "") < 0 ||
	     database_execute(&history->database, err, "PRAGMA synchronous = NORMAL", "") < 0))
		opened = -1;
	if (opened > 0)
		return history;
	if (locked)
		*locked = history->database.locked;
	history_close(history);
	return NULL;
}

void history_close(struct history *history)
{
	if (!history)
		return;
	database_close(&history->database);
	free(history);
}
