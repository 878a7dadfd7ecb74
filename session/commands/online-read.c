/* SPDX-License-Identifier: Apache-2.0 */
/* Requests the newest events of a running session, prints and saves them. */
#include "common/compat.h"
#include "session/commands/online-read.h"
#include "agent/transaction-write.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "session/commands/find-session.h"
#include "session/commands/profile-options.h"
#include "session/library/resource.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

/* Interval between polls for the answer, and the maximum wait while the session lives. */
#define POLL_MS 5
#define ANSWER_WITHIN (60 * NSEC_PER_SEC)

/* The session that is asked for its events. */
struct asked {
	struct transaction_area *area;
	char *folder; /* /proc/PID/fd of the monitoring process */
	const char *subject;
};

/* Returns "/proc/PID/fd" of the area's path: the process that created the area answers. */
static char *descriptors_of(const char *path)
{
	const char *last = strrchr(path, '/');

	return last ? xstrndup(path, (size_t)(last - path)) : xstrdup("");
}

/* Returns whether the answering process is alive. */
static bool is_alive(const struct asked *asked)
{
	return access(asked->folder, X_OK) == 0 &&
	       __atomic_load_n(&asked->area->online, __ATOMIC_ACQUIRE) == TRANSACTION_ONLINE;
}

/* Requests an answer and waits for it; returns its word, 0: none. */
static uint64_t ask(const struct asked *asked)
{
	uint64_t number = __atomic_add_fetch(&asked->area->asked, 1, __ATOMIC_ACQ_REL) & UINT32_MAX;
	uint64_t until = clock_monotonic_ns() + ANSWER_WITHIN;

	while (clock_monotonic_ns() < until && is_alive(asked)) {
		uint64_t answer = __atomic_load_n(&asked->area->answered, __ATOMIC_ACQUIRE);

		if (answer >> 32 >= number)
			return answer;
		poll(NULL, 0, POLL_MS);
	}
	return 0;
}

static int say_ended(const char *subject)
{
	return command_message(
		SEVERITY_ERROR, 3172,
		"the session of %s has ended meanwhile; its newest events are in its "
		"sample data set",
		subject);
}

/* Pauses the session and opens its newest events; -1 with a message and *status. */
static int open_answer(const struct asked *asked, int *status)
{
	struct strbuf path = STRBUF_INIT;
	uint64_t answer;
	int fd = -1;

	transaction_switch(asked->area, false, (uint32_t)getpid(), (uint32_t)getpid());
	/* A concurrent reader may request another answer, which closes this one. */
	for (int attempt = 0; attempt < 10 && fd < 0; attempt++) {
		answer = ask(asked);
		if (!(answer & UINT32_MAX))
			break;
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%" PRIu64, asked->folder, (answer & UINT32_MAX) - 1);
		fd = open(path.text, O_RDONLY | O_CLOEXEC);
	}
	/*
	 * At its end the session closes its answers, and the numbers may be reused for
	 * other files.
	 */
	if (fd >= 0 && !is_alive(asked)) {
		close(fd);
		fd = -1;
	}
	strbuf_release(&path);
	if (fd < 0 && !is_alive(asked))
		*status = say_ended(asked->subject);
	else if (fd < 0)
		*status = command_message(
			SEVERITY_ERROR, 3173,
			"the session of %s does not provide its newest events: they could not be "
			"written next to its sample data set, or vigil is stopped",
			asked->subject);
	return fd;
}

/* Creates a resource from an answer; returns the exit status. */
static int save(const struct online_read *what, const char *path)
{
	char *folder, *saved;
	struct error err = ERROR_INIT;
	int status;

	if (!resource_name_valid(what->save))
		return command_fail(EXIT_USAGE,
				    "--save takes a name of 1 to %d characters without a path",
				    RESOURCE_NAME_MAX);
	folder = resource_folder(NULL, &(struct resource_place){ .option = what->library });
	saved = resource_save(path,
			      &(struct resource_request){ .folder = folder,
							  .name = what->save,
							  .kind = RESOURCE_EVENTS,
							  .replace = what->replace,
							  .job_number = "" },
			      &err);
	status = saved ? command_message(SEVERITY_INFO, 3174, "the newest events are saved as %s",
					 saved)
		       : command_message(SEVERITY_ERROR, 49, "%s", error_text(&err));
	free(saved);
	free(folder);
	error_release(&err);
	return status;
}

/* Saves and prints the content of an answer; returns the exit status. */
static int use(const struct online_read *what, int fd)
{
	static const char *const usual[] = { "EVT" };
	char path[PROCFS_PATH_SIZE], *file = path;
	int worst = EXIT_OK;

	procfs_descriptor(path, getpid(), "fd", fd);
	if (what->save)
		worst = save(what, path);
	if (worst < EXIT_USAGE && (!what->save || what->print)) {
		int status = profile_options_print(1, &file, usual, ARRAY_SIZE(usual));

		worst = status > worst ? status : worst;
	}
	return worst;
}

/* Reads the session of an area. */
static int read_area(const struct online_read *what, const char *path)
{
	struct asked asked = { .area = transaction_map(path),
			       .subject = what->operand ? what->operand : "this step" };
	int status = EXIT_OK, fd;

	if (!asked.area && find_session_ended(path))
		return say_ended(asked.subject);
	if (!asked.area)
		return command_message(
			SEVERITY_ERROR, 3170, "cannot read the session of %s: %s", asked.subject,
			access(path, R_OK | W_OK) < 0 ? strerror(errno)
						      : "its area does not belong to this version "
							"of vigil");
	if (asked.area->online == TRANSACTION_ONLINE_NOT)
		return command_message(
			SEVERITY_ERROR, 3171,
			"the session of %s cannot be read while it is running; expected "
			"FUNCTION=INIT,ONLINE=ON",
			asked.subject);
	asked.folder = descriptors_of(path);
	fd = open_answer(&asked, &status);
	if (fd >= 0) {
		status = use(what, fd);
		close(fd);
		command_message(
			SEVERITY_INFO, 3175,
			"the session of %s is paused; vigil start clears its buffer and continues",
			asked.subject);
	}
	free(asked.folder);
	return status;
}

int online_read(const struct online_read *what)
{
	const char *own = find_own_session_area();
	char *area = NULL;
	int status;

	if (!what->operand && !own)
		return command_message(
			SEVERITY_ERROR, 3176,
			"nothing is measured here; expected a job or process to read");
	if (!what->operand)
		return read_area(what, own);
	status = find_session(what->operand, what->spool, &area);
	if (area)
		status = read_area(what, area);
	free(area);
	return status;
}
