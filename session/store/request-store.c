/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the request store: checks the owner of its folder, and its format. */
#include "common/compat.h"
#include "session/store/request-store-data.h"
#include "common/clock.h"
#include "common/trust.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPLICATION 0x56494752 /* "VIGR" */
#define FILE_NAME "requests.db"
#define VARIABLE "VIGIL_REQUESTS"

/* Keys are what precedes the first wildcard, in upper case: see request-claim.c. */
static const char schema[] =
	"CREATE TABLE request(number INTEGER PRIMARY KEY AUTOINCREMENT, statement TEXT NOT NULL,"
	" state TEXT NOT NULL, job TEXT NOT NULL, step TEXT, procstep TEXT, program TEXT,"
	" job_key TEXT NOT NULL, step_key TEXT NOT NULL, program_key TEXT NOT NULL, grp TEXT,"
	" uid INTEGER NOT NULL, user TEXT NOT NULL, added INTEGER NOT NULL, zone TEXT NOT NULL,"
	" given INTEGER NOT NULL, start INTEGER, expires INTEGER, within INTEGER NOT NULL,"
	" wanted INTEGER NOT NULL, measured INTEGER NOT NULL DEFAULT 0,"
	" tries INTEGER NOT NULL DEFAULT 0, since INTEGER,"
	" owner_host TEXT, owner_boot TEXT, owner_namespace INTEGER, owner_pid INTEGER,"
	" owner_started INTEGER, owner_job TEXT, lease INTEGER, area TEXT);"
	"CREATE INDEX waiting ON request(job_key, step_key, program_key)"
	" WHERE state IN ('Queued', 'Deferred');"
	"CREATE INDEX starts ON request(start) WHERE state = 'Deferred';"
	"CREATE INDEX ends ON request(expires) WHERE state = 'Queued' AND expires IS NOT NULL;"
	"CREATE INDEX owned ON request(owner_pid) WHERE owner_pid IS NOT NULL;"
	"CREATE INDEX jobs ON request(job);"
	"CREATE INDEX groups ON request(grp) WHERE grp IS NOT NULL;"
	"CREATE TABLE request_group(name TEXT PRIMARY KEY, uid INTEGER NOT NULL,"
	" user TEXT NOT NULL, added INTEGER NOT NULL);"
	"CREATE TABLE history(request INTEGER NOT NULL, at INTEGER NOT NULL, uid INTEGER NOT NULL,"
	" user TEXT NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL, state TEXT NOT NULL,"
	" why TEXT NOT NULL);"
	"CREATE INDEX histories ON history(request);"
	"CREATE TABLE session(request INTEGER NOT NULL, at INTEGER NOT NULL, job TEXT NOT NULL,"
	" step TEXT NOT NULL, host TEXT NOT NULL, data_set TEXT, outcome TEXT NOT NULL);"
	"CREATE INDEX sessions ON session(request);"
	"PRAGMA application_id = 1447642962;" /* APPLICATION */
	"PRAGMA user_version = 1;";

char *request_store_folder(const char *named, const char *root)
{
	const char *variable = getenv(VARIABLE);
	struct strbuf path = STRBUF_INIT;
	size_t length;

	if (!named)
		named = variable && *variable ? variable : NULL;
	if (!named) {
		strbuf_addstr(&path, root);
		for (length = path.length; length > 1 && path.text[length - 1] == '/';)
			length--;
		strbuf_setlen(&path, length);
		strbuf_addstr(&path, ".requests");
	} else {
		strbuf_addstr(&path, named);
	}
	return strbuf_detach(&path, NULL);
}

/* Creates the folder for this user only; folders above it must exist. */
static int make_folder(const char *folder, struct error *err)
{
	if (mkdir(folder, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "cannot create the folder %s", folder);
	return 0;
}

/* Creates the file if missing, with a mode such that other users can never read it. */
static int make_file(const char *path, struct error *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0 && errno != EEXIST)
		return error_errno(err, "cannot make %s", path);
	if (fd >= 0)
		close(fd);
	return 0;
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

/* Finds the file: 1: it exists; 0: it does not; -1 with the reason. */
static int find_file(const char *folder, bool make, struct strbuf *path, struct error *err)
{
	struct stat facts;
	char *real;

	RETURN_IF(make && make_folder(folder, err) < 0, -1);
	real = realpath(folder, NULL);
	if (!real)
		return errno == ENOENT ? 0 : error_errno(err, "cannot open the folder %s", folder);
	strbuf_addstr(path, real);
	free(real);
	RETURN_IF(check_trust(path->text, err) < 0, -1);
	strbuf_addstr(path, "/" FILE_NAME);
	RETURN_IF(make && make_file(path->text, err) < 0, -1);
	if (lstat(path->text, &facts) < 0)
		return errno == ENOENT ? 0 : error_errno(err, "cannot open %s", path->text);
	if (!S_ISREG(facts.st_mode))
		return error_set(err, "%s is not a file", path->text);
	return check_trust(path->text, err) < 0 ? -1 : 1;
}

/* Returns whether the file has no tables yet; -1 with the reason. */
static int is_empty(struct request_store *store, struct error *err)
{
	const int64_t tables =
		store_number(store, -1, err, "SELECT count(*) FROM sqlite_schema", "");

	return tables < 0 ? -1 : tables == 0;
}

/* Creates the tables, unless another process has created them meanwhile. */
static int make_tables(struct request_store *store, struct error *err)
{
	int result;

	RETURN_IF(store_begin(store, err) < 0, -1);
	result = is_empty(store, err);
	if (result > 0 && sqlite3_exec(store->database, schema, NULL, NULL, NULL) != SQLITE_OK)
		result = store_fail(store, err);
	return store_end(store, result, err);
}

/* Refuses a database of another program or version. */
static int check_format(struct request_store *store, struct error *err)
{
	const int64_t application = store_number(store, -1, err, "PRAGMA application_id", "");
	const int64_t format = store_number(store, -1, err, "PRAGMA user_version", "");

	RETURN_IF(application < 0 || format < 0, -1);
	if (application != APPLICATION)
		return error_set(err, "%s is a database of another program", store->path);
	if (format != STORE_FORMAT)
		return error_set(err,
				 "%s has format %" PRId64 "; this vigil supports format %d, so use "
				 "the vigil that made it, or another store",
				 store->path, format, STORE_FORMAT);
	return 0;
}

/*
 * Waits for the lock: retries soon, after a random time, so that of many waiting
 * processes none always loses. SQLite's own handler waits longer each time, so the
 * latest arrival is served first.
 */
static int retry_lock(void *argument, int count)
{
	struct request_store *store = argument;
	const uint64_t now = clock_monotonic_ns();
	const struct timespec moment = { 0, (long)(NSEC_PER_MSEC + now % (6 * NSEC_PER_MSEC)) };

	if (count == 0)
		store->waiting = now;
	RETURN_IF(now - store->waiting >= store->patience, 0);
	nanosleep(&moment, NULL);
	return 1;
}

/* Opens the database and checks it. */
static int open_database(struct request_store *store, bool make, int patience, struct error *err)
{
	int empty;

	if (sqlite3_open_v2(store->path, &store->database,
			    SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX,
			    NULL) != SQLITE_OK)
		return store_fail(store, err);
	sqlite3_extended_result_codes(store->database, 1);
	store->patience = (uint64_t)patience * NSEC_PER_MSEC;
	sqlite3_busy_handler(store->database, retry_lock, store);
	sqlite3_db_config(store->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(store->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	empty = is_empty(store, err);
	if (empty > 0 && make)
		empty = make_tables(store, err);
	RETURN_IF(empty < 0, -1);
	if (empty > 0 && !make) {
		store->empty = true;
		return 0;
	}
	RETURN_IF(check_format(store, err) < 0, -1);
	/* A journal file that stays saves each transaction two changes of the folder. */
	return store_do(store, err, "PRAGMA journal_mode = TRUNCATE", "");
}

struct request_store *request_store_open(const char *folder, bool make, int patience,
					 struct error *err)
{
	struct request_store *store;
	struct strbuf path = STRBUF_INIT;

	if (find_file(folder, make, &path, err) <= 0) {
		strbuf_release(&path);
		return NULL;
	}
	store = xcalloc(1, sizeof(*store));
	store->path = strbuf_detach(&path, NULL);
	if (open_database(store, make, patience, err) < 0 || store->empty) {
		request_store_close(store);
		return NULL;
	}
	return store;
}

void request_store_close(struct request_store *store)
{
	if (!store)
		return;
	sqlite3_close(store->database);
	free(store->path);
	free(store);
}
