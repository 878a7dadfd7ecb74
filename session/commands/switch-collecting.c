/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the session that vigil start and vigil pause mean, and switches it. */
#include "common/compat.h"
#include "session/commands/switch-collecting.h"
#include "agent/transaction-write.h"
#include "common/procfs.h"
#include "common/strmap.h"

#include <ctype.h>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#define VARIABLE "VIGIL_TRANSACTIONS"

/* The value of a variable in a process's environment, borrowed from it; NULL. */
static const char *value_of(const struct strbuf *environment, const char *name)
{
	size_t length = strlen(name);

	for (size_t at = 0; at < environment->length; at += strlen(environment->text + at) + 1) {
		const char *item = environment->text + at;

		if (strncmp(item, name, length) == 0 && item[length] == '=')
			return item + length + 1;
	}
	return NULL;
}

/* What is looked for, and the areas found so far. */
struct search {
	const char *operand;
	pid_t pid; /* 0: the operand names a job */
	struct strmap areas;
};

/* Whether a process belongs to the job: by its name, or by its number JOBnnnnn. */
static bool is_of_job(const struct strbuf *environment, const char *operand)
{
	const char *job = value_of(environment, "VIGIL_JOB");
	const char *spool = value_of(environment, "VIGIL_JOB_SPOOL");
	const char *folder = spool ? strrchr(spool, '/') : NULL;
	size_t length = strlen(operand);

	if (job && strcasecmp(job, operand) == 0)
		return true;
	return folder && strncasecmp(folder + 1, operand, length) == 0 && folder[1 + length] == '.';
}

/* Take the area of a process when it is looked for. */
static void look_at(struct search *search, pid_t pid)
{
	struct strbuf environment = STRBUF_INIT, measurer = STRBUF_INIT;
	char path[PROCFS_PATH_SIZE];
	const char *area = NULL;

	strbuf_addf(&measurer, "/proc/%d/fd/", search->pid);
	if (strbuf_read_file(&environment, procfs_process(path, pid, "environ")) == 0)
		area = value_of(&environment, VARIABLE);
	if (area && *area &&
	    (search->pid ? pid == search->pid || strncmp(area, measurer.text, measurer.length) == 0
			 : is_of_job(&environment, search->operand)))
		strmap_put(&search->areas, area);
	strbuf_release(&environment);
	strbuf_release(&measurer);
}

/* The area that a process has made itself: vigil attach gives it to nobody. */
static void look_into(struct search *search)
{
	char path[PROCFS_PATH_SIZE], link[PATH_MAX];
	DIR *folder = opendir(procfs_process(path, search->pid, "fd"));
	struct dirent *entry;

	if (!folder)
		return;
	while ((entry = readdir(folder))) {
		ssize_t length = readlinkat(dirfd(folder), entry->d_name, link, sizeof(link) - 1);
		struct strbuf area = STRBUF_INIT;

		if (length <= 0)
			continue;
		link[length] = '\0';
		strbuf_addf(&area, "%s/%s", path, entry->d_name);
		if (strncmp(link, "/memfd:vigil-transactions", 25) == 0)
			strmap_put(&search->areas, area.text);
		strbuf_release(&area);
	}
	closedir(folder);
}

/* Look at all processes. */
static void look_around(struct search *search)
{
	char path[PROCFS_PATH_SIZE];
	DIR *folder = opendir(procfs_path(path, "/proc"));
	struct dirent *entry;

	if (!folder)
		return;
	while ((entry = readdir(folder)))
		if (isdigit((unsigned char)entry->d_name[0]))
			look_at(search, (pid_t)strtol(entry->d_name, NULL, 10));
	closedir(folder);
	if (search->areas.count <= 1 && search->pid)
		look_into(search);
}

/* Switch the session behind an area; the exit status. */
static int switch_area(const char *path, bool start, const char *subject)
{
	struct transaction_area *area = transaction_map(path);

	if (!area)
		return command_message(SEVERITY_ERROR, 41, "cannot %s the session of %s: %s",
				       start ? "start" : "pause", subject,
				       access(path, R_OK | W_OK) < 0
					       ? strerror(errno)
					       : "it is not one that can be switched");
	if (!transaction_switch(area, start, (uint32_t)getpid(), (uint32_t)getpid()))
		return command_message(SEVERITY_INFO, 42, "the session of %s is %s already",
				       subject, start ? "started" : "paused");
	return EXIT_OK;
}

/* Without an operand: the step that this process is part of. */
static int switch_own(bool start)
{
	const char *path = getenv(VARIABLE);

	if (path && *path)
		return switch_area(path, start, "this step");
	return command_message(SEVERITY_INFO, 40, "nothing is measured here, so nothing is %s",
			       start ? "started" : "paused");
}

/* The process number of an operand, 0 when it is none. */
static pid_t read_pid(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits && digits < 10 && !text[digits] ? (pid_t)strtol(text, NULL, 10) : 0;
}

int switch_collecting(bool start, int argc, char **argv)
{
	struct search search = { 0 };
	int status;

	if (argc > 1)
		return command_fail(EXIT_USAGE, "%s takes one job or process, not also %s",
				    start ? "start" : "pause", argv[1]);
	if (!argc)
		return switch_own(start);
	search.operand = argv[0];
	search.pid = read_pid(argv[0]);
	strmap_init(&search.areas);
	look_around(&search);
	/* Number 0 is the empty text. */
	if (search.areas.count <= 1)
		status = command_message(SEVERITY_ERROR, 43,
					 search.pid ? "process %s is not measured, or not yours"
						    : "no job %s of yours is being measured",
					 argv[0]);
	else if (search.areas.count > 2 && !search.pid)
		status = command_message(SEVERITY_ERROR, 44,
					 "several jobs %s are being measured; expected the number "
					 "of one, such as JOB00001",
					 argv[0]);
	else
		status = switch_area(strmap_text(&search.areas, 1), start, argv[0]);
	strmap_release(&search.areas);
	return status;
}
