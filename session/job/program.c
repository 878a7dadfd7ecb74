/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the program of a step in its libraries, on the program path, among the utilities. */
#include "common/compat.h"
#include "session/job/program.h"
#include "common/xalloc.h"
#include "session/job/data-sets.h"

#include <ctype.h>
#include <sys/stat.h>
#include <unistd.h>

/* Which file of the utilities' folder a program name stands for. */
static const struct utility {
	const char *name, *file;
} utilities[] = {
	{ "IEFBR14", "iefbr14" }, { "IEBGENER", "iebgener" }, { "ICEGENER", "iebgener" },
	{ "SORT", "sort" },	  { "ICEMAN", "sort" },	      { "DFSORT", "sort" },
	{ "IDCAMS", "idcams" },	  { "BPXBATCH", "bpxbatch" }, { "VIGIL", "vigil" },
};

/* Look at one file; whether the search is over. */
static bool consider(struct program *program, const char *path)
{
	struct stat info;
	size_t length = strlen(path);
	bool module = length > 3 && strcmp(path + length - 3, ".so") == 0;

	if (stat(path, &info) < 0 || !S_ISREG(info.st_mode))
		return false;
	if (access(path, module ? R_OK : X_OK) == 0)
		program->kind = module ? PROGRAM_MODULE : PROGRAM_FILE;
	else if (program->kind == PROGRAM_MISSING)
		program->kind = PROGRAM_NOT_EXECUTABLE;
	else
		return false;
	free(program->path);
	program->path = xstrdup(path);
	return program->kind != PROGRAM_NOT_EXECUTABLE;
}

/* Try all spellings of name in a folder. */
static bool search_folder(struct program *program, const char *folder, const char *name)
{
	static const char *const suffixes[] = { "", ".so" };
	struct strbuf path = STRBUF_INIT;
	bool found = false;

	for (size_t form = 0; form < 4 && !found; form++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/", folder);
		for (const char *at = name; *at; at++)
			strbuf_addch(&path, form & 1 ? (char)tolower((unsigned char)*at) : *at);
		strbuf_addstr(&path, suffixes[form / 2]);
		found = consider(program, path.text);
	}
	strbuf_release(&path);
	return found;
}

/* The allocation of STEPLIB or, without one, JOBLIB. */
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

/* The file that PGM=*.STEP.DD points at. */
static void search_dd(struct runner *runner, const struct plan_dd *dd, struct program *program)
{
	struct strbuf path = STRBUF_INIT;

	if (dd->kind == DD_PATH)
		strbuf_addstr(&path, dd->path);
	else if (dd->kind == DD_DATASET)
		data_set_path(runner, dd->dsn, &path, NULL);
	if (dd->member)
		strbuf_addf(&path, "/%s", dd->member);
	consider(program, path.text);
	strbuf_release(&path);
}

static bool search_utilities(const struct runner *runner, const char *name, struct program *program)
{
	struct strbuf path = STRBUF_INIT;
	bool found = false;

	for (size_t i = 0; i < ARRAY_SIZE(utilities) && !found; i++) {
		if (strcmp(utilities[i].name, name) != 0 || !runner->utilities)
			continue;
		strbuf_addf(&path, "%s/%s", runner->utilities, utilities[i].file);
		found = consider(program, path.text);
		if (found)
			program->kind = PROGRAM_UTILITY;
	}
	strbuf_release(&path);
	return found;
}

/* Search everywhere a plain program name is searched. */
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
	search_utilities(runner, name, program);
}

void program_find(struct runner *runner, const struct plan_step *step,
		  const struct allocation *allocations, struct program *program)
{
	struct strbuf driver = STRBUF_INIT;

	*program = (struct program){ .kind = PROGRAM_MISSING };
	if (step->program_dd)
		search_dd(runner, step->program_dd, program);
	else if (step->program && !strchr(step->program, '/'))
		search(runner, step->program, allocations, program);
	if (program->kind != PROGRAM_MODULE)
		return;
	if (runner->utilities) {
		strbuf_addf(&driver, "%s/cobol-step", runner->utilities);
		if (access(driver.text, X_OK) == 0)
			program->driver = strbuf_detach(&driver, NULL);
	}
	if (!program->driver)
		program->kind = PROGRAM_NOT_EXECUTABLE;
	strbuf_release(&driver);
}

void program_release(struct program *program)
{
	free(program->path);
	free(program->driver);
	*program = (struct program){ .kind = PROGRAM_MISSING };
}
