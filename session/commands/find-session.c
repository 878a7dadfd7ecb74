/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the session that a command means. */
#include "common/compat.h"
#include "session/commands/find-session.h"
#include "agent/transaction-area.h"
#include "common/procfs.h"
#include "common/strmap.h"
#include "common/xalloc.h"

#include <ctype.h>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#define VARIABLE "VIGIL_TRANSACTIONS"
/* How the system names an area. */
#define AREA_NAME "/memfd:vigil-transactions"

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

/* Whether a link in a folder is that of an area; one that is being made has no changes yet. */
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

/* The area that a process has made itself: vigil attach gives it to nobody. */
static void look_into(struct search *search)
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

/* The process number of an operand, 0 when it is none. */
static pid_t read_pid(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits && digits < 10 && !text[digits] ? (pid_t)strtol(text, NULL, 10) : 0;
}

int find_session(const char *operand, char **area)
{
	struct search search = { .operand = operand, .pid = read_pid(operand) };
	int status = EXIT_OK;

	strmap_init(&search.areas);
	look_around(&search);
	/* Number 0 is the empty text. */
	if (search.areas.count <= 1)
		status = command_message(SEVERITY_ERROR, 43,
					 search.pid ? "process %s is not measured, or not yours"
						    : "no job %s of yours is being measured",
					 operand);
	else if (search.areas.count > 2 && !search.pid)
		status = command_message(SEVERITY_ERROR, 44,
					 "several jobs %s are being measured; expected the number "
					 "of one, such as JOB00001",
					 operand);
	else
		*area = xstrdup(strmap_text(&search.areas, 1));
	strmap_release(&search.areas);
	return status;
}

const char *find_session_own(void)
{
	const char *path = getenv(VARIABLE);

	return path && *path ? path : NULL;
}

/*
 * The process that measures closes the area before it ends, and the number of the descriptor
 * may then be another file's. What is left of a process that has ended is root's.
 */
bool find_session_ended(const char *area)
{
	char link[PATH_MAX], letter = 'R';
	ssize_t length = readlink(area, link, sizeof(link) - 1);
	int error = errno, pid = 0;

	link[length > 0 ? length : 0] = '\0';
	if (length > 0)
		return strncmp(link, AREA_NAME, strlen(AREA_NAME)) != 0;
	if (error == EACCES && sscanf(area, "/proc/%d/", &pid) == 1)
		letter = procfs_state(pid, pid);
	return error == ENOENT || !letter || letter == 'Z' || letter == 'X';
}
