/* SPDX-License-Identifier: Apache-2.0 */
/* Traces temporary data sets from the steps that use them to those that create them. */
#include "common/compat.h"
#include "session/job/restart.h"
#include "common/strmap.h"
#include "common/xalloc.h"

/* For each name of the job, the step that created it last. */
struct makers {
	struct strmap names;
	size_t *steps; /* indexed by the name's number */
	size_t alloc;
};

/*
 * Returns the earliest step that created a temporary data set of this one; number,
 * the step itself, if none did.
 */
static size_t earliest_maker(struct makers *makers, const struct plan_step *step, size_t number)
{
	size_t earliest = number;

	for (const struct plan_dd *dd = step->dds; dd; dd = dd->next)
		for (const struct plan_dd *one = dd; one; one = one->next_concat) {
			uint32_t known;

			/* No other step can refer to an unnamed data set. */
			if (!one->temporary || !one->dsn || !*one->dsn)
				continue;
			known = strmap_find(&makers->names, one->dsn);
			if (known == UINT32_MAX || one->status == DISP_NEW) {
				known = strmap_put(&makers->names, one->dsn);
				GROW(makers->steps, (size_t)known + 1, makers->alloc);
				makers->steps[known] = number;
			} else if (makers->steps[known] < earliest) {
				earliest = makers->steps[known];
			}
		}
	return earliest;
}

const struct plan_step *restart_step(const struct plan_job *job, const struct plan_step *failed)
{
	size_t *needs = xcalloc(job->step_count + 1, sizeof(*needs)), begin = 0, count = 0;
	struct makers makers = { .steps = NULL };
	const struct plan_step *step;

	strmap_init(&makers.names);
	for (step = job->steps; step && count < job->step_count; step = step->next, count++) {
		if (step == failed)
			begin = count;
		needs[count] = earliest_maker(&makers, step, count);
	}
	for (size_t i = count; i-- > begin;)
		if (needs[i] < begin)
			begin = needs[i];
	for (step = job->steps; step && begin > 0; step = step->next)
		begin--;
	strmap_release(&makers.names);
	free(makers.steps);
	free(needs);
	return step;
}
