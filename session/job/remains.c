/* SPDX-License-Identifier: Apache-2.0 */
/* Ends and clears what a job left when its vigil was killed. */
#include "common/compat.h"
#include "session/job/remains.h"
#include "common/xalloc.h"
#include "events/coverage-merge.h"
#include "events/event-data-set.h"
#include "datasets/folders.h"
#include "session/job/process-tree.h"
#include "session/job/settled.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A living submit writes a STATE into its job's folder within this time. */
#define ROUNDS 20
#define ROUND_MS 25
/*
 * Number of rounds that must find nothing one after the other: while the first one read the
 * list of processes, one of them may have started another and ended.
 */
#define QUIET_ROUNDS 2
#define PATIENCE_MS 2000 /* for all guards still at work together */
#define PATIENCE_STEP_MS 10
#define PROCESS_EXITING 0x4U /* PF_EXITING of the kernel */
#define STATE_LENGTH 8 /* length of the first word of STATE, padded */

/*
 * Returns whether a seen process has ended; false if it is not held, because then
 * this is unknown.
 */
static bool has_ended(const struct seen_process *seen)
{
	struct pollfd wanted = { .fd = seen->fd, .events = POLLIN };

	return poll(&wanted, 1, 0) > 0;
}

static bool is_seen(const struct remains *remains, pid_t pid)
{
	for (size_t i = 0; i < remains->count; i++)
		if (remains->items[i].pid == pid && !has_ended(&remains->items[i]))
			return true;
	return false;
}

static void add_number(struct remains *remains, pid_t pid, int fd)
{
	GROW(remains->items, remains->count + 1, remains->alloc);
	remains->items[remains->count++] = (struct seen_process){ pid, fd };
}

static void add_seen(struct remains *remains, pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (fd >= 0)
		add_number(remains, pid, fd);
}

/* Notes the children by reading all processes, if the kernel has no list of them. */
static void note_among_all(struct remains *remains)
{
	struct processes processes;

	processes_read(&processes);
	for (size_t i = 0; i < processes.count; i++)
		if (processes.items[i].parent == getpid())
			add_number(remains, processes.items[i].pid, -1);
	processes_release(&processes);
}

void remains_note_children(struct remains *remains)
{
	struct procfs_children walk;
	char path[PROCFS_PATH_SIZE];
	pid_t pid;

	if (access(procfs_task(path, getpid(), getpid(), "children"), R_OK) != 0) {
		note_among_all(remains);
		return;
	}
	procfs_children(&walk, getpid());
	while ((pid = procfs_next_child(&walk)) >= 0)
		add_number(remains, pid, -1);
}

void remains_hold(struct remains *remains)
{
	size_t kept = 0;

	for (size_t i = 0; i < remains->count; i++) {
		struct seen_process seen = remains->items[i];

		if (seen.fd < 0)
			seen.fd = (int)syscall(SYS_pidfd_open, seen.pid, 0);
		if (seen.fd >= 0)
			remains->items[kept++] = seen;
	}
	remains->count = kept;
}

void remains_note_descendants(struct remains *remains, pid_t parent, const struct remains *except)
{
	struct processes processes;
	size_t kept = 0;

	for (size_t i = 0; i < remains->count; i++) {
		if (has_ended(&remains->items[i]))
			close(remains->items[i].fd);
		else
			remains->items[kept++] = remains->items[i];
	}
	remains->count = kept;
	processes_read(&processes);
	for (size_t i = 0; i < processes.count; i++) {
		pid_t pid = processes.items[i].pid;
		pid_t branch = processes_branch(&processes, pid, parent);

		/*
		 * Those in the branch's session are found through it, or through their own
		 * children later.
		 */
		if (branch <= 0 || (pid != branch && getsid(pid) == getsid(branch)))
			continue;
		if (pid != getpid() && !is_seen(remains, pid) &&
		    (!except || (!is_seen(except, pid) && !is_seen(except, branch))))
			add_seen(remains, pid);
	}
	processes_release(&processes);
}

void remains_release(struct remains *remains)
{
	for (size_t i = 0; i < remains->count; i++)
		if (remains->items[i].fd >= 0)
			close(remains->items[i].fd);
	free(remains->items);
	*remains = (struct remains){ 0 };
}

/* Returns whether a process has an item in its environment. */
static bool has_environment_item(pid_t pid, const char *item)
{
	struct strbuf text = STRBUF_INIT;
	char path[PROCFS_PATH_SIZE];
	bool found = false;

	if (strbuf_read_file(&text, procfs_living_process(path, pid, "environ")) == 0)
		for (size_t at = 0; at < text.length && !found; at += strlen(text.text + at) + 1)
			found = strcmp(text.text + at, item) == 0;
	strbuf_release(&text);
	return found;
}

/*
 * Returns whether a process itself belongs to the job, regardless of its parent. *unsure is
 * set if its environment cannot tell yet.
 */
static bool belongs_to_job(const struct remains *remains, pid_t pid, const char *item, pid_t step, bool *unsure)
{
	if (step > 0 && (getpgid(pid) == step || getsid(pid) == step))
		return true;
	if (is_seen(remains, pid) || has_environment_item(pid, item))
		return true;
	*unsure |= procfs_is_in_exec(pid);
	return false;
}

/* Marks the job's processes, then all their descendants; returns their number. *unsure: there may be more. */
static size_t mark(const struct remains *remains, const struct processes *processes,
		   const char *item, pid_t step, bool *marked, bool *unsure)
{
	size_t count = 0, before;

	*unsure = false;
	for (size_t i = 0; i < processes->count; i++) {
		pid_t pid = processes->items[i].pid;

		marked[i] = pid != getpid() && procfs_living(pid) &&
			    belongs_to_job(remains, pid, item, step, unsure);
		count += marked[i];
	}
	do {
		before = count;
		for (size_t i = 0; i < processes->count; i++)
			for (size_t j = 0; j < processes->count && !marked[i]; j++) {
				marked[i] = marked[j] && processes->items[i].pid != getpid() &&
					    processes->items[i].parent == processes->items[j].pid;
				count += marked[i];
			}
	} while (count > before);
	return count;
}

unsigned remains_end(struct remains *remains, const char *folder, pid_t step, struct strbuf *alive)
{
	struct strbuf item = STRBUF_INIT;
	unsigned ended = 0, quiet = 0;
	size_t count = 0;

	strbuf_addf(&item, "VIGIL_JOB_SPOOL=%s", folder);
	for (int round = 0; round < ROUNDS && quiet < QUIET_ROUNDS; round++) {
		struct processes processes;
		bool *marked, unsure;

		processes_read(&processes);
		marked = xcalloc(processes.count + 1, sizeof(*marked));
		count = mark(remains, &processes, item.text, step, marked, &unsure);
		strbuf_reset(alive);
		for (size_t i = 0; i < processes.count; i++) {
			if (!marked[i])
				continue;
			/* The next round looks again, in case a killed process forked meanwhile. */
			kill(processes.items[i].pid, SIGKILL);
			strbuf_addf(alive, "%s%d", alive->length ? " " : "",
				    (int)processes.items[i].pid);
		}
		if (count > ended)
			ended = (unsigned)count;
		free(marked);
		processes_release(&processes);
		quiet = count || unsure ? 0 : quiet + 1;
		if (quiet < QUIET_ROUNDS)
			poll(NULL, 0, ROUND_MS);
	}
	if (count == 0)
		strbuf_reset(alive);
	strbuf_release(&item);
	return ended;
}

/*
 * Returns what follows the suffix of a sample data set and a period in a name;
 * NULL: no such suffix.
 */
static const char *behind_suffix(const char *name)
{
	static const char *const suffixes[] = { EVENT_DATA_SET_SUFFIX, EVENT_CONSOLIDATED_SUFFIX,
						COVERAGE_DATA_SET_SUFFIX };

	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		const char *at = strstr(name, suffixes[i]);

		if (at && at[strlen(suffixes[i])] == '.')
			return at + strlen(suffixes[i]) + 1;
	}
	return NULL;
}

/*
 * Returns whether a name is that of a sample data set before its first whole
 * snapshot: NAME.vprf.PID-N.
 */
static bool is_draft(const char *name)
{
	const char *at = behind_suffix(name);

	RETURN_IF(!at || !isdigit((unsigned char)*at), false);
	at += strspn(at, "0123456789");
	return *at == '-' && at[1] && at[1 + strspn(at + 1, "0123456789")] == '\0';
}

/* Removes sample data sets that contain nothing whole yet. */
static void remove_drafts(int job)
{
	int fd = openat(job, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!folder) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(folder)))
		if (is_draft(entry->d_name))
			unlinkat(job, entry->d_name, 0);
	closedir(folder);
}

/* Writes to the job's log what was cleaned up. */
static void log_cleanup(int job, unsigned ended, const struct strbuf *alive)
{
	struct strbuf text = STRBUF_INIT;
	int fd = openat(job, "JESMSGLG", O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0)
		return;
	strbuf_addstr(
		&text,
		"VIG5046S vigil was killed while the job was running; a later job cleaned up");
	if (ended)
		strbuf_addf(&text, ": it found processes of the step (%u)", ended);
	if (alive->length)
		strbuf_addf(&text, "; these cannot be ended and continue: %s", alive->text);
	strbuf_addch(&text, '\n');
	if (write(fd, text.text, text.length) < 0)
		errno = 0; /* a full disk: STATE still says it */
	close(fd);
	strbuf_release(&text);
}

/*
 * Returns whether STATE says that the job is in progress; it is empty if vigil was
 * killed before the first write.
 */
static bool in_progress(const char *state)
{
	return *state == '\0' || strncmp(state, "READ ", 5) == 0 ||
	       strncmp(state, "RUNNING ", 8) == 0 || strncmp(state, "WAITING ", 8) == 0;
}

/* Cleans up one job, whose STATE this process has locked. */
static void clean_job(int job, int state, const char *folder)
{
	char word[STATE_LENGTH + 1] = "";
	struct remains none = { 0 };
	struct strbuf alive = STRBUF_INIT;

	if (pread(state, word, STATE_LENGTH, 0) >= 0 && in_progress(word)) {
		unsigned ended = remains_end(&none, folder, 0, &alive);

		if (pwrite(state, "KILLED  ", STATE_LENGTH, 0) == STATE_LENGTH)
			log_cleanup(job, ended, &alive);
	}
	remove_drafts(job);
	folders_remove_at(job, "work");
	strbuf_release(&alive);
}

/*
 * Returns whether nothing can be done about a folder now or later: it is no job,
 * or another user's.
 */
static bool is_out_of_reach(int failure)
{
	return failure == EACCES || failure == EPERM || failure == ENOTDIR || failure == ELOOP;
}

/*
 * Returns whether a process has ended, or was killed and only needs to be
 * scheduled once more to end.
 */
static bool is_dying(pid_t pid)
{
	char path[PROCFS_PATH_SIZE], text[4096];
	const uint64_t killed = UINT64_C(1) << (SIGKILL - 1);
	const char *at;
	unsigned flags = 0;
	char state = 0;

	if (procfs_read(procfs_process(path, pid, "stat"), text, sizeof(text)) <= 0)
		return errno == ENOENT || errno == ESRCH;
	/* state ppid pgrp session tty tpgid flags */
	at = strrchr(text, ')');
	if (at && sscanf(at + 1, " %c %*d %*d %*d %*d %*d %u", &state, &flags) == 2 &&
	    (state == 'Z' || state == 'X' || (flags & PROCESS_EXITING)))
		return true;
	if (procfs_read(procfs_process(path, pid, "status"), text, sizeof(text)) <= 0)
		return errno == ENOENT || errno == ESRCH;
	at = strstr(text, "\nShdPnd:\t");
	return at && (strtoull(at + 9, NULL, 16) & killed);
}

/* Returns whether the vigil that wrote STATE ("... VIGIL 4711") has ended. */
static bool is_writer_gone(int state)
{
	char text[256] = "";
	const char *at;
	long pid = 0;

	if (pread(state, text, sizeof(text) - 1, 0) <= 0)
		return false;
	at = strstr(text, " VIGIL ");
	if (at)
		pid = strtol(at + 7, NULL, 10);
	return pid > 0 && is_dying((pid_t)pid);
}

/*
 * Locks STATE if the job is over. A guard holds the lock of its killed vigil until
 * it has ended the step: waits for that while patience (ms) is left.
 */
static bool lock_when_over(int state, int *patience)
{
	while (flock(state, LOCK_EX | LOCK_NB) < 0) {
		if (*patience <= 0 || !is_writer_gone(state))
			return false;
		poll(NULL, 0, PATIENCE_STEP_MS);
		*patience -= PATIENCE_STEP_MS;
	}
	return true;
}

/* Checks one folder of the spool; false: it must be checked again another time. */
static bool check_folder(int spool, const char *path, const char *name, bool over, int *patience)
{
	int job = folders_open_beneath(spool, name), state;
	char word[STATE_LENGTH + 1] = "";
	bool settled = false;

	if (job < 0)
		return is_out_of_reach(errno);
	state = openat(job, "STATE", O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (state < 0) {
		settled = is_out_of_reach(errno) || (errno == ENOENT && over);
		/*
		 * From a vigil that was killed before it created more; a folder that is not empty
		 * is no job.
		 */
		if (errno == ENOENT && over)
			unlinkat(spool, name, AT_REMOVEDIR);
	} else if (pread(state, word, STATE_LENGTH, 0) >= 0 && !in_progress(word) &&
		   faccessat(job, "work", F_OK, AT_SYMLINK_NOFOLLOW) != 0) {
		settled = errno == ENOENT;
	} else if (lock_when_over(state, patience)) {
		struct strbuf folder = STRBUF_INIT;

		strbuf_addf(&folder, "%s/%s", path, name);
		clean_job(job, state, folder.text);
		strbuf_release(&folder);
	}
	if (state >= 0)
		close(state);
	close(job);
	return settled;
}

void remains_clean(int spool, const char *path)
{
	int fd = openat(spool, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct settled settled;
	int patience = PATIENCE_MS;
	struct dirent *entry;

	if (!folder) {
		if (fd >= 0)
			close(fd);
		return;
	}
	settled_begin(&settled, spool);
	while ((entry = readdir(folder)))
		if (strncmp(entry->d_name, "JOB", 3) == 0 &&
		    !settled_has(&settled, entry->d_name) &&
		    !check_folder(spool, path, entry->d_name,
			     settled_is_made(&settled, entry->d_name), &patience))
			settled_keep_open(&settled, entry->d_name);
	closedir(folder);
	settled_end(&settled, spool);
}
