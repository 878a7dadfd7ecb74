/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the program of a step in its libraries, on the program path, or among the utilities. */
#include "common/compat.h"
#include "session/job/program.h"
#include "session/job/data-sets.h"

/* Returns the allocation of STEPLIB or, without one, JOBLIB. */
static const struct allocation *libraries(const struct allocation *allocations)
{
	const struct allocation *steplib = allocation_find(allocations, "STEPLIB");

	return steplib ? steplib : allocation_find(allocations, "JOBLIB");
}

void program_libraries(const struct allocation *allocations, struct strbuf *sb)
{
	for (const struct allocation *one = libraries(allocations); one; one = one->next_concat)
		strbuf_addf(sb, "%s:", one->path);
}

/* Searches the file that PGM=*.STEP.DD refers to. */
static void search_dd(struct runner *runner, const struct plan_dd *dd, struct program *program)
{
	struct strbuf path = STRBUF_INIT;

	if (dd->kind == DD_PATH)
		strbuf_addstr(&path, dd->path);
	else if (dd->kind == DD_DATASET)
		data_set_path(runner, dd->dsn, &path, NULL);
	if (dd->member)
		strbuf_addf(&path, "/%s", dd->member);
	search_file(program, path.text);
	strbuf_release(&path);
}

/* Searches everywhere a plain program name can be found. */
static void search(const struct runner *runner, const char *name,
		   const struct allocation *allocations, struct program *program)
{
	const struct job_options *options = runner->options;

	for (const struct allocation *one = libraries(allocations); one; one = one->next_concat)
		if (search_folder(program, one->path, name))
			return;
	for (size_t i = 0; i < options->program_path_count; i++)
		if (search_folder(program, runner->program_path[i], name))
			return;
	search_utilities(program, runner->utilities, name);
}

void program_find(struct runner *runner, const struct plan_step *step,
		  const struct allocation *allocations, struct program *program)
{
	*program = (struct program){ .kind = PROGRAM_MISSING };
	if (step->program_dd)
		search_dd(runner, step->program_dd, program);
	else if (step->program && !strchr(step->program, '/'))
		search(runner, step->program, allocations, program);
	search_end(program, runner->utilities);
}
