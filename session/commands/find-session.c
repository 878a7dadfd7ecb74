/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the session that a command refers to. */
#include "common/compat.h"
#include "session/commands/find-session.h"
#include "agent/transaction-area.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "session/commands/deck.h"

#include <ctype.h>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#define VARIABLE "VIGIL_TRANSACTIONS"
/* The name of an area in /proc. */
#define AREA_NAME "/memfd:vigil-transactions"

/* Returns the value of a variable in a process's environment, borrowed from it; NULL: not set. */
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

/* A session that matches. */
struct found {
	char *area;
	char *job; /* folder of its job in a spool; "" outside jobs */
};

/* The search operand, and the areas found so far, each once. */
struct search {
	const char *operand;
	pid_t pid; /* 0: the operand names a job */
	struct found *found;
	size_t count, alloc;
};

static void add_found(struct search *search, const char *area, const char *job)
{
	for (size_t i = 0; i < search->count; i++)
		if (strcmp(search->found[i].area, area) == 0)
			return;
	GROW(search->found, search->count + 1, search->alloc);
	search->found[search->count++] =
		(struct found){ .area = xstrdup(area), .job = xstrdup(job ? job : "") };
}

static void drop_found(struct search *search, size_t index)
{
	free(search->found[index].area);
	free(search->found[index].job);
	search->found[index] = search->found[--search->count];
}

/* Returns whether a process belongs to the job, given by name or by number JOBnnnnn. */
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

/* Adds the area of a process if it matches. */
static void add_area_of(struct search *search, pid_t pid)
{
	struct strbuf environment = STRBUF_INIT, measurer = STRBUF_INIT;
	char path[PROCFS_PATH_SIZE];
	const char *area = NULL;

	strbuf_addf(&measurer, "/proc/%d/fd/", search->pid);
	if (strbuf_read_file(&environment, procfs_living_process(path, pid, "environ")) == 0)
		area = value_of(&environment, VARIABLE);
	if (area && *area &&
	    (search->pid ? pid == search->pid || strncmp(area, measurer.text, measurer.length) == 0
			 : is_of_job(&environment, search->operand)))
		add_found(search, area, value_of(&environment, "VIGIL_JOB_SPOOL"));
	strbuf_release(&environment);
	strbuf_release(&measurer);
}

/*
 * Returns whether a link in a folder is a complete area; one under construction
 * does not have its full size yet.
 */
static bool is_area(int folder, const char *name)
{
	char link[PATH_MAX];
	ssize_t length = readlinkat(folder, name, link, sizeof(link) - 1);
	struct stat status;

	RETURN_IF(length <= 0, false);
	link[length] = '\0';
	return strncmp(link, AREA_NAME, strlen(AREA_NAME)) == 0 &&
	       fstatat(folder, name, &status, 0) == 0 &&
	       status.st_size > (off_t)sizeof(struct transaction_area);
}

/* Adds areas that the process itself created: vigil attach passes its area to no other process. */
static void add_own_areas(struct search *search)
{
	char path[PROCFS_PATH_SIZE];
	DIR *folder = opendir(procfs_process(path, search->pid, "fd"));
	struct dirent *entry;

	if (!folder)
		return;
	while ((entry = readdir(folder))) {
		struct strbuf area = STRBUF_INIT;

		strbuf_addf(&area, "%s/%s", path, entry->d_name);
		if (is_area(dirfd(folder), entry->d_name))
			add_found(search, area.text, NULL);
		strbuf_release(&area);
	}
	closedir(folder);
}

/* Searches all processes. */
static void search_processes(struct search *search)
{
	char path[PROCFS_PATH_SIZE];
	DIR *folder = opendir(procfs_path(path, "/proc"));
	struct dirent *entry;

	if (!folder)
		return;
	while ((entry = readdir(folder)))
		if (isdigit((unsigned char)entry->d_name[0]))
			add_area_of(search, (pid_t)strtol(entry->d_name, NULL, 10));
	closedir(folder);
	if (!search->count && search->pid)
		add_own_areas(search);
}

/* Returns the process number in an operand, 0 if it is none. */
static pid_t read_pid(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits && digits < 10 && !text[digits] ? (pid_t)strtol(text, NULL, 10) : 0;
}

/* Returns whether the job of a session is in a spool. */
static bool is_in_spool(const struct found *found, const char *spool)
{
	const char *last = strrchr(found->job, '/');
	char *folder = last ? xstrndup(found->job, (size_t)(last - found->job)) : NULL;
	struct stat one, other;
	bool same = folder && stat(folder, &one) == 0 && stat(spool, &other) == 0 &&
		    one.st_dev == other.st_dev && one.st_ino == other.st_ino;

	free(folder);
	return same;
}

/* Drops sessions outside the spool; unless always, only if the spool has some. */
static void drop_outside_spool(struct search *search, const char *spool, bool always)
{
	size_t in = 0;

	for (size_t i = 0; i < search->count; i++)
		in += is_in_spool(&search->found[i], spool);
	if (!in && !always)
		return;
	for (size_t i = search->count; i-- > 0;)
		if (!is_in_spool(&search->found[i], spool))
			drop_found(search, i);
}

/* Appends "JOB00001.PAY in /a/spool (process 123), ..." */
static void list_found(const struct search *search, struct strbuf *sb)
{
	for (size_t i = 0; i < search->count; i++) {
		const char *job = search->found[i].job, *last = strrchr(job, '/');
		int pid = 0;

		strbuf_addstr(sb, i ? ", " : "");
		if (last)
			strbuf_addf(sb, "%s in %.*s", last + 1, (int)(last - job), job);
		else
			strbuf_addstr(sb, "a step outside of jobs");
		/* The area is a descriptor of the monitoring process. */
		if (sscanf(search->found[i].area, "/proc/%d/", &pid) == 1)
			strbuf_addf(sb, " (process %d)", pid);
	}
}

/* Prints that no session, or more than one, matches; returns the exit status. */
static int report_no_unique_match(const struct search *search, const char *spool)
{
	struct strbuf list = STRBUF_INIT;
	int status;

	if (!search->count && search->pid)
		return command_message(SEVERITY_ERROR, 43,
				       "process %s is not measured, or not yours", search->operand);
	if (!search->count)
		return command_message(SEVERITY_ERROR, 43, "no job %s of yours is being measured%s%s",
				       search->operand, spool ? " in the spool " : "",
				       spool ? spool : "");
	list_found(search, &list);
	status = command_message(SEVERITY_ERROR, 44,
				 "several jobs %s are being measured: %s; expected the number of one "
				 "such as JOB00001, --spool DIR, or a process",
				 search->operand, list.text);
	strbuf_release(&list);
	return status;
}

int find_session(const char *operand, const char *spool, char **area)
{
	struct search search = { .operand = operand, .pid = read_pid(operand) };
	int status = EXIT_OK;

	search_processes(&search);
	if (!search.pid)
		drop_outside_spool(&search, deck_folder(spool, "VIGIL_SPOOL", "spool"), spool != NULL);
	if (search.count == 1 || (search.count && search.pid))
		*area = xstrdup(search.found[0].area);
	else
		status = report_no_unique_match(&search, spool);
	while (search.count)
		drop_found(&search, search.count - 1);
	free(search.found);
	return status;
}

const char *find_own_session_area(void)
{
	const char *path = getenv(VARIABLE);

	return path && *path ? path : NULL;
}

/*
 * The monitoring process closes the area before it ends, and the descriptor number
 * may then refer to another file. The remains of an ending process belong to root.
 */
bool find_session_ended(const char *area)
{
	char link[PATH_MAX];
	ssize_t length = readlink(area, link, sizeof(link) - 1);
	int error = errno, pid = 0;

	link[length > 0 ? length : 0] = '\0';
	if (length > 0)
		return strncmp(link, AREA_NAME, strlen(AREA_NAME)) != 0;
	if (error == EACCES && sscanf(area, "/proc/%d/", &pid) == 1)
		return procfs_has_ended(pid);
	return error == ENOENT || error == ESRCH;
}
