/* SPDX-License-Identifier: Apache-2.0 */
/* Functions shared by all parts of a running job. */
#include "common/compat.h"
#include "session/job/runner.h"

char *runner_step_name(const struct runner *runner, const struct plan_step *step)
{
	struct strbuf name = STRBUF_INIT;
	unsigned number = 1, same = 0;

	for (const struct plan_step *one = runner->plan->steps; one && one != step;
	     one = one->next, number++)
		same += strcmp(one->name, step->name) == 0 &&
			strcmp(one->procstep, step->procstep) == 0;
	if (*step->name)
		strbuf_addstr(&name, step->name);
	else
		strbuf_addf(&name, "STEP%u", number);
	if (*step->procstep)
		strbuf_addf(&name, ".%s", step->procstep);
	if (*step->name && same > 0)
		strbuf_addf(&name, "-%u", same + 1);
	return strbuf_detach(&name, NULL);
}

void runner_use_cpu(struct runner *runner, const struct step_result *result)
{
	uint64_t used = result->user + result->system;

	assert(result->end != STEP_NOT_RUN || used == 0);
	assert(UINT64_MAX - runner->cpu_used >= used);
	runner->cpu_used += used;
}
