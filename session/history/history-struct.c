/* SPDX-License-Identifier: Apache-2.0 */
/* Steps and jobs of the history in memory, and the names of their figures. */
#include "common/compat.h"
#include "session/history/step-history.h"
#include "common/clock.h"
#include "common/xalloc.h"

#include <math.h>

static const struct {
	const char *id, *name;
} figures[HISTORY_FIGURES] = {
	[HISTORY_ELAPSED] = { "elapsed", "elapsed time" },
	[HISTORY_CPU] = { "cpu", "CPU time" },
	[HISTORY_WAIT] = { "wait", "time waited" },
	[HISTORY_CALLS] = { "calls", "reads and writes" },
	[HISTORY_BYTES] = { "bytes", "bytes read and written" },
	[HISTORY_PEAK] = { "peak", "peak storage" },
};

const char *history_figure_name(enum history_figure figure)
{
	return figures[figure].name;
}

const char *history_figure_id(enum history_figure figure)
{
	return figures[figure].id;
}

/* Appends bytes in the unit that gives few digits. */
static void add_bytes(struct strbuf *sb, double bytes)
{
	static const char *const units[] = { "bytes", "KB", "MB", "GB", "TB" };
	size_t unit = 0;

	for (; fabs(bytes) >= 1024 && unit + 1 < ARRAY_SIZE(units); unit++)
		bytes /= 1024;
	strbuf_addf(sb, "%.*f %s", unit ? 1 : 0, bytes, units[unit]);
}

void history_figure_add(struct strbuf *sb, enum history_figure figure, double amount)
{
	switch (figure) {
	case HISTORY_ELAPSED:
	case HISTORY_CPU:
	case HISTORY_WAIT:
		strbuf_addf(sb, "%.2f s", amount / (double)NSEC_PER_SEC);
		break;
	case HISTORY_BYTES:
	case HISTORY_PEAK:
		add_bytes(sb, amount);
		break;
	default:
		strbuf_addf(sb, "%.0f", amount);
	}
}

void history_step_release(struct history_step *step)
{
	char *const texts[] = { step->job,     step->label,   step->step,     step->procstep,
				step->program, step->abend,   step->finding,  step->data_set,
				step->page,    step->difference };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		free(texts[i]);
	for (size_t i = 0; i < step->wait_count; i++)
		free(step->waits[i].kind);
	for (size_t i = 0; i < step->procedure_count; i++) {
		free(step->procedures[i].name);
		free(step->procedures[i].section);
	}
	free(step->waits);
	free(step->procedures);
	*step = (struct history_step){ 0 };
}

void history_job_release(struct history_job *job)
{
	char *const texts[] = { job->name, job->number, job->submit,
				job->host, job->spool,	job->ending };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		free(texts[i]);
	for (size_t i = 0; i < job->delay_count; i++)
		free(job->delays[i].dsn);
	for (size_t i = 0; i < job->hold_count; i++)
		free(job->holds[i].dsn);
	free(job->delays);
	free(job->holds);
	*job = (struct history_job){ 0 };
}

void history_steps_release(struct history_steps *steps)
{
	for (size_t i = 0; i < steps->count; i++)
		history_step_release(&steps->items[i]);
	free(steps->items);
	*steps = (struct history_steps){ 0 };
}

void history_jobs_release(struct history_jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++)
		history_job_release(&jobs->items[i]);
	free(jobs->items);
	*jobs = (struct history_jobs){ 0 };
}

void history_totals_release(struct history_totals *totals)
{
	for (size_t i = 0; i < totals->count; i++) {
		free(totals->items[i].job);
		free(totals->items[i].label);
		free(totals->items[i].program);
	}
	free(totals->items);
	*totals = (struct history_totals){ 0 };
}
