/* SPDX-License-Identifier: Apache-2.0 */
/* Marks indexed files that are open for update, and finds marks that were left. */
#include "common/compat.h"
#include "datasets/update-mark.h"
#include "agent/step-area.h"
#include "common/clock.h"
#include "common/path.h"
#include "common/procfs.h"
#include "datasets/folders.h"

#include <inttypes.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define TEXT_LENGTH 256
#define PROCESS_EXITING 0x4U /* PF_EXITING of the kernel */

/* Sets folder to that of the mark next to a file; returns the name in it. */
static const char *mark_folder(const char *path, struct strbuf *folder)
{
	const char *name = path_base(path);

	if (name > path)
		strbuf_add(folder, path, (size_t)(name - path));
	strbuf_addstr(folder, ".vigil" STEP_UPDATE_FOLDER);
	return name;
}

/*
 * Returns ns since boot, including the time that the machine was suspended, like
 * process start times.
 */
static uint64_t since_boot(void)
{
	return clock_read_ns(CLOCK_BOOTTIME);
}

/* Appends the path of the mark next to a file. */
static void mark_path(const char *path, struct strbuf *mark)
{
	const char *name = mark_folder(path, mark);

	strbuf_addf(mark, "/%s", name);
}

void update_mark_clear(const char *path)
{
	struct strbuf mark = STRBUF_INIT;

	removexattr(path, STEP_UPDATE_ATTRIBUTE);
	mark_path(path, &mark);
	unlink(mark.text);
	strbuf_release(&mark);
}

void update_mark_moved(const char *from, const char *to)
{
	struct strbuf old = STRBUF_INIT, folder = STRBUF_INIT, text = STRBUF_INIT;
	const char *name = mark_folder(to, &folder);

	mark_path(from, &old);
	if (strbuf_read_file(&text, old.text) == 0) {
		if (folders_write_file(folder.text, name, &text) == 0)
			unlink(old.text);
	} else {
		strbuf_addf(&folder, "/%s", name);
		unlink(folder.text); /* from the file that was replaced */
	}
	strbuf_release(&old);
	strbuf_release(&folder);
	strbuf_release(&text);
}

/* Reads a file's mark; returns whether it has one. */
static bool read_mark(const char *path, struct strbuf *text)
{
	char value[TEXT_LENGTH];
	ssize_t length = getxattr(path, STEP_UPDATE_ATTRIBUTE, value, sizeof(value));
	struct strbuf mark = STRBUF_INIT;
	bool found = length >= 0;

	if (found) {
		strbuf_add(text, value, (size_t)length);
		return true;
	}
	mark_path(path, &mark);
	found = access(path, F_OK) == 0 && strbuf_read_file(text, mark.text) == 0;
	strbuf_release(&mark);
	return found;
}

void update_mark_restore(const char *path, const struct strbuf *text)
{
	struct strbuf folder = STRBUF_INIT;

	if (setxattr(path, STEP_UPDATE_ATTRIBUTE, text->text, text->length, 0) < 0) {
		const char *name = mark_folder(path, &folder);

		if (folders_write_file(folder.text, name, text) < 0)
			errno = 0; /* the file has no mark then */
	}
	strbuf_release(&folder);
}

void update_mark_copy(const char *from, const char *to)
{
	struct strbuf text = STRBUF_INIT;

	if (read_mark(from, &text))
		update_mark_restore(to, &text);
	strbuf_release(&text);
}

void update_mark_take_over(const char *path, struct strbuf *text)
{
	read_mark(path, text);
	update_mark_set(path);
}

void update_mark_set(const char *path)
{
	struct strbuf text = STRBUF_INIT;
	const char *job = getenv("VIGIL_JOB"), *step = getenv("VIGIL_STEP");

	strbuf_addf(&text, "%d %" PRIu64 " ", (int)getpid(), since_boot());
	if (job && step)
		strbuf_addf(&text, "job %s, step %s", job, step);
	else
		strbuf_addf(&text, "process %d", (int)getpid());
	update_mark_restore(path, &text);
	strbuf_release(&text);
}

/*
 * Returns whether a process is running that had started by a moment, ns since
 * boot. A zombie does not close files any more.
 */
static bool is_running(pid_t pid, uint64_t moment)
{
	struct strbuf text = STRBUF_INIT;
	char path[PROCFS_PATH_SIZE], state = 0;
	const char *at = NULL;
	uint64_t ticks = 0, rate = (uint64_t)sysconf(_SC_CLK_TCK);
	unsigned flags = 0;
	bool running = false;

	if (pid > 0 && strbuf_read_file(&text, procfs_process(path, pid, "stat")) == 0)
		at = strrchr(text.text, ')'); /* the end of field 2 */
	/* state, flags (field 9) and the start (field 22), in clock ticks since boot */
	if (at &&
	    sscanf(at + 1,
		   " %c %*d %*d %*d %*d %*d %u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d"
		   " %" SCNu64,
		   &state, &flags, &ticks) == 3)
		running = state != 'Z' && state != 'X' && !(flags & PROCESS_EXITING) &&
			  ticks * (NSEC_PER_SEC / rate) <= moment;
	strbuf_release(&text);
	return running;
}

/*
 * Returns whether a mark belongs to a running process; its owner's name begins at
 * offset used, unless that is 0.
 */
static bool is_held(const struct strbuf *mark, int *used)
{
	uint64_t moment = 0;
	int pid = 0;

	*used = 0;
	return sscanf(mark->text, "%d %" SCNu64 " %n", &pid, &moment, used) == 2 && *used > 0 &&
	       is_running(pid, moment);
}

bool update_mark_stale(const char *path, struct strbuf *who)
{
	struct strbuf text = STRBUF_INIT;
	int used = 0;
	bool left = read_mark(path, &text) && !is_held(&text, &used);

	if (left)
		strbuf_addstr(who, used && text.text[used] ? text.text + used : "a program");
	strbuf_release(&text);
	return left;
}

bool update_mark_active(const char *path)
{
	struct strbuf text = STRBUF_INIT;
	int used;
	bool held = read_mark(path, &text) && is_held(&text, &used);

	strbuf_release(&text);
	return held;
}
