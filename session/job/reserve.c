/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the locks on a job's data sets. */
#include "common/compat.h"
#include "session/job/reserve.h"
#include "datasets/entries.h"
#include "session/job/data-sets.h"
#include "session/job/groups.h"
#include "session/job/job-history.h"
#include "session/job/supervise.h"
#include "session/requests/requests.h"

#define LOCK_POLL_MS 50

/*
 * Adds the name that a step uses, the name that it resolves to, and the name by
 * which its file is shared.
 */
static int add_name(struct runner *runner, const char *dsn, bool exclusive, size_t index,
		    struct error *err)
{
	struct strbuf target = STRBUF_INIT, shared = STRBUF_INIT;
	unsigned key;

	RETURN_IF(!catalog_name_valid(dsn), 0);
	RETURN_IF(!data_set_catalog(runner, err), -1);
	catalog_resolve(&runner->catalog, dsn, &target, &key);
	if (strcmp(target.text, dsn) != 0)
		lock_list_add(&runner->locks, dsn, false, index);
	lock_list_add(&runner->locks, target.text, exclusive, index);
	if (catalog_shared_name(&runner->catalog, target.text, &shared))
		lock_list_add(&runner->locks, shared.text, exclusive, index);
	strbuf_release(&shared);
	strbuf_release(&target);
	return 0;
}

/* Returns whether a DD may create a generation, which enters its group at the end of the job. */
static bool makes_generation(const struct plan_dd *dd)
{
	size_t length;
	unsigned number;

	if (dd->status != DISP_NEW && dd->status != DISP_MOD)
		return false;
	return dd->generation_given || generation_parse(dd->dsn, &length, &number);
}

/* Adds the data sets of a DD. */
static int add_dd(struct runner *runner, const struct plan_dd *dd, size_t index, struct error *err)
{
	for (; dd; dd = dd->next_concat) {
		if (dd->kind != DD_DATASET || !dd->dsn || !*dd->dsn || dd->dsn[0] == '&')
			continue;
		RETURN_IF(add_name(runner, dd->dsn, dd->status != DISP_SHR,
				   makes_generation(dd) ? LOCK_JOB : index, err) < 0,
			  -1);
	}
	return 0;
}

/* Adds the data sets that the REPORT statements of a deck write after a step. */
static int add_reports(struct runner *runner, const struct control_deck *deck,
		       const struct request_subject *subject, size_t index, struct error *err)
{
	for (const struct control_statement *one = deck ? deck->statements : NULL; one;
	     one = one->next)
		if (request_reports_on(one, subject) && one->report.dsname &&
		    !one->report.dsname_quoted)
			RETURN_IF(add_name(runner, one->report.dsname, true, index, err) < 0, -1);
	return 0;
}

/*
 * Adds all data sets of the job. The target of a REPORT is reserved even if no
 * measurement is requested yet: an earlier step may queue an ADD, and the store
 * may have a request by then.
 */
static int add_all(struct runner *runner, const struct own_cards *cards, struct error *err)
{
	const struct control_deck *control = runner->options->control;
	const struct plan_job *job = runner->plan;
	size_t index = 0;

	for (const struct plan_step *step = job->steps; step; step = step->next, index++) {
		const struct request_subject subject = request_subject_of(job, step);
		const struct control_deck *own = own_cards_of(cards, step);

		for (const struct plan_dd *dd = step->dds; dd; dd = dd->next)
			RETURN_IF(add_dd(runner, dd, index, err) < 0, -1);
		RETURN_IF(add_dd(runner, job->joblib, index, err) < 0, -1);
		RETURN_IF(add_reports(runner, own, &subject, index, err) < 0, -1);
		RETURN_IF(add_reports(runner, control, &subject, index, err) < 0, -1);
	}
	return 0;
}

/* Called while another job uses a data set: logs that once, then waits before the next attempt. */
static bool wait_for_lock(void *argument, const char *dsn, unsigned round)
{
	struct runner *runner = argument;

	if (round == 0) {
		job_log_message(&runner->log, SEVERITY_INFO, 5050,
				"job %s waits for data set %s, which another job is using",
				runner->plan->name, dsn);
		spool_set_state(&runner->spool, "WAITING", "", 0);
		job_history_waits(runner, dsn);
	}
	return !supervise_cancelled(runner, LOCK_POLL_MS);
}

/* Takes the locks in the list; if the root has no usable lock file, the job runs without locks. */
static int take(struct runner *runner, struct error *err)
{
	RETURN_IF(runner->locks.count == 0, 0);
	if (lock_list_open(&runner->locks, runner->catalog.root, err) < 0) {
		job_log_message(&runner->log, SEVERITY_WARNING, 5052,
				"data sets are not protected from other jobs: %s", error_text(err));
		return 0;
	}
	return lock_list_take(&runner->locks, wait_for_lock, runner, err);
}

int reserve_data_sets(struct runner *runner, const struct own_cards *cards)
{
	struct error err = ERROR_INIT;
	int result = 0;

	if (add_all(runner, cards, &err) < 0 || take(runner, &err) < 0 ||
	    groups_read(runner, &err) < 0)
		result = -1;
	job_history_reserved(runner);
	if (result < 0 && !runner->cancelled) {
		job_log_message(&runner->log, SEVERITY_ERROR, 5051, "%s", error_text(&err));
		runner->failed = true;
	}
	error_release(&err);
	return result;
}
