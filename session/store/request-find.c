/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the requests that a statement names. */
#include "common/compat.h"
#include "session/store/request-store-data.h"
#include "common/xalloc.h"

/* Appends the numbers that a query returns. */
static int collect(struct request_store *store, sqlite3_stmt *query, uint64_t **numbers,
		   size_t *count, struct error *err)
{
	size_t alloc = *count;
	int result;

	while ((result = store_row(store, query, err)) > 0) {
		GROW(*numbers, *count + 1, alloc);
		(*numbers)[(*count)++] = (uint64_t)sqlite3_column_int64(query, 0);
	}
	return result;
}

/* Returns whether a text is a number. */
static bool is_number(const char *text)
{
	return *text && text[strspn(text, "0123456789")] == '\0' && strlen(text) < 19;
}

/* Finds the requests of a job that this user may change: those that are not over, else all. */
static int find_job(struct request_store *store, const char *job, uint64_t **numbers, size_t *count,
		    struct error *err)
{
	struct store_actor actor;
	const char *over =
		"AND state NOT IN ('Completed', 'Completed exceeding thresholds', 'Failed')";
	int result = 0;

	store_actor_fill(&actor);
	for (int all = 0; all < 2 && result == 0 && *count == 0; all++) {
		struct strbuf sql = STRBUF_INIT;

		strbuf_addf(&sql,
			    "SELECT number FROM request WHERE job = ? AND (uid = ? OR ? = 0) %s "
			    "ORDER BY number",
			    all ? "" : over);
		result = collect(store,
				 store_query(store, err, sql.text, "tii", job, (int64_t)actor.user,
					     (int64_t)actor.user),
				 numbers, count, err);
		strbuf_release(&sql);
	}
	RETURN_IF(result < 0, -1);
	if (*count == 0)
		return error_set(
			err, "no request of yours is for the job %s, and no group has this name",
			job);
	if (*count > 1)
		return error_set(err, "%zu requests are for the job %s; expected the number of one",
				 *count, job);
	return 0;
}

int request_store_find(struct request_store *store, const char *named, uint64_t **numbers,
		       size_t *count, bool *group, struct error *err)
{
	int64_t groups;

	*numbers = NULL;
	*count = 0;
	*group = false;
	if (is_number(named)) {
		*numbers = xcalloc(1, sizeof(**numbers));
		(*numbers)[(*count)++] = strtoull(named, NULL, 10);
		return 0;
	}
	groups = store_number(store, -1, err, "SELECT count(*) FROM request_group WHERE name = ?",
			      "t", named);
	RETURN_IF(groups < 0, -1);
	*group = groups > 0;
	if (*group)
		return collect(
			store,
			store_query(store, err,
				    "SELECT number FROM request WHERE grp = ? ORDER BY number", "t",
				    named),
			numbers, count, err);
	return find_job(store, named, numbers, count, err);
}
