/* SPDX-License-Identifier: Apache-2.0 */
/* Reads /proc and /sys: paths, texts, lists, and their contents. */
#include "common/compat.h"
#include "common/procfs.h"
#include "common/outside.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

/* A status file is at most a page, except for the groups of its user, which can be hundreds. */
#define STATUS_SIZE 16384

static _Atomic(const char *) current_root;

void procfs_set_root(const char *root)
{
	assert(!root || strlen(root) <= PROCFS_ROOT_MAX);
	current_root = root;
}

/* --- Paths ------------------------------------------------------------------------------- */

/* A path under construction; built without snprintf, which takes longer than reading some files. */
struct builder {
	char *at, *end; /* end: last position of the NUL */
};

static void add_text(struct builder *path, const char *text)
{
	while (*text && path->at < path->end)
		*path->at++ = *text++;
	*path->at = '\0';
	assert(!*text);
}

static void add_number(struct builder *path, int number)
{
	unsigned left = number < 0 ? 0 : (unsigned)number;
	char digits[16], *at = digits + sizeof(digits);

	*--at = '\0';
	do
		*--at = (char)('0' + left % 10);
	while (left /= 10);
	add_text(path, at);
}

/* Starts a path with the root. */
static struct builder begin(char *path)
{
	struct builder builder = { path, path + PROCFS_PATH_SIZE - 1 };
	const char *root = current_root;

	add_text(&builder, root ? root : "");
	return builder;
}

/* Starts a path with the folder of a process. */
static struct builder begin_process(char *path, pid_t pid)
{
	struct builder builder = begin(path);

	add_text(&builder, "/proc/");
	if (pid == PROCFS_SELF)
		add_text(&builder, "self");
	else
		add_number(&builder, pid);
	add_text(&builder, "/");
	return builder;
}

const char *procfs_path(char path[PROCFS_PATH_SIZE], const char *format, ...)
{
	struct builder builder = begin(path);
	va_list ap;

	va_start(ap, format);
	vsnprintf(builder.at, (size_t)(builder.end - builder.at) + 1, format, ap);
	va_end(ap);
	return path;
}

const char *procfs_process(char path[PROCFS_PATH_SIZE], pid_t pid, const char *name)
{
	struct builder builder = begin_process(path, pid);

	add_text(&builder, name);
	return path;
}

const char *procfs_task(char path[PROCFS_PATH_SIZE], pid_t pid, pid_t tid, const char *name)
{
	struct builder builder = begin_process(path, pid);

	add_text(&builder, "task/");
	add_number(&builder, tid);
	add_text(&builder, "/");
	add_text(&builder, name);
	return path;
}

const char *procfs_living_process(char path[PROCFS_PATH_SIZE], pid_t pid, const char *name)
{
	const pid_t living = procfs_living(pid);

	return procfs_process(path, living ? living : pid, name);
}

const char *procfs_descriptor(char path[PROCFS_PATH_SIZE], pid_t pid, const char *folder, int fd)
{
	struct builder builder = begin_process(path, pid);

	add_text(&builder, folder);
	add_text(&builder, "/");
	add_number(&builder, fd);
	return path;
}

/* --- Texts ------------------------------------------------------------------------------- */

ssize_t procfs_read(const char *path, char *text, size_t size)
{
	int fd = outside_open(path, O_RDONLY | O_CLOEXEC), reason;
	ssize_t length;

	RETURN_IF(fd < 0, -1);
	length = outside_read(fd, text, size - 1);
	reason = errno;
	outside_close(fd);
	errno = reason;
	if (length >= 0)
		text[length] = '\0';
	return length;
}

ssize_t procfs_reread(int fd, char *text, size_t size)
{
	ssize_t length = outside_read_at(fd, text, size - 1, 0);

	if (length >= 0)
		text[length] = '\0';
	return length;
}

ssize_t procfs_link(const char *path, char *target, size_t size)
{
	ssize_t length = outside_link(path, target, size - 1);

	if (length >= 0)
		target[length] = '\0';
	return length;
}

bool procfs_strip_deleted(char *name)
{
	static const char deleted[] = " (deleted)";
	size_t length = strlen(name), end = sizeof(deleted) - 1;

	if (length <= end || strcmp(name + length - end, deleted) != 0)
		return false;
	name[length - end] = '\0';
	return true;
}

const char *procfs_value(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	while (at && at > text && at[-1] != '\n')
		at = strstr(at + 1, name);
	RETURN_IF(!at, NULL);
	at += strlen(name);
	return at + strspn(at, " \t");
}

/* Reads a decimal number after blanks and advances past it; returns false if there is none. */
static bool next_number(const char **text, uint64_t *number)
{
	const char *at = *text + strspn(*text, " \t");

	RETURN_IF(*at < '0' || *at > '9', false);
	for (*number = 0; *at >= '0' && *at <= '9'; at++)
		*number = *number * 10 + (uint64_t)(*at - '0');
	*text = at;
	return true;
}

/* Reads count numbers; returns false with errno EIO if there are fewer. */
static bool next_numbers(const char **text, uint64_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!next_number(text, &numbers[i])) {
			errno = EIO;
			return false;
		}
	return true;
}

/* --- Lists ------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

void procfs_numbers(struct procfs_numbers *walk, const char *path)
{
	walk->fd = outside_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	walk->at = walk->end = 0;
}

void procfs_numbers_close(struct procfs_numbers *walk)
{
	if (walk->fd >= 0)
		outside_close(walk->fd);
	walk->fd = -1;
}

/*
 * Returns the next of the entries that were read, NULL: there are no more, or, in a
 * damaged recording, none that makes sense.
 */
static const struct dirent64 *next_entry(struct procfs_numbers *walk)
{
	const struct dirent64 *entry = (const void *)(walk->entries + walk->at);
	size_t head = offsetof(struct dirent64, d_name), rest = walk->end - walk->at;

	if (walk->at < walk->end && rest > head && entry->d_reclen > head && entry->d_reclen <= rest &&
	    memchr(entry->d_name, '\0', entry->d_reclen - head)) {
		walk->at += entry->d_reclen;
		return entry;
	}
	walk->at = walk->end;
	return NULL;
}

long procfs_next_number(struct procfs_numbers *walk)
{
	while (walk->fd >= 0) {
		const struct dirent64 *entry = next_entry(walk);
		ssize_t length;

		if (entry) {
			if (is_digit(entry->d_name[0]))
				return strtol(entry->d_name, NULL, 10);
			continue;
		}
		length = outside_entries(walk->fd, walk->entries, sizeof(walk->entries));
		walk->at = 0;
		walk->end = length > 0 ? (size_t)length : 0;
		if (length <= 0)
			procfs_numbers_close(walk);
	}
	return -1;
}

void procfs_processes(struct procfs_numbers *walk)
{
	char path[PROCFS_PATH_SIZE];

	procfs_numbers(walk, procfs_path(path, "/proc"));
}

void procfs_threads(struct procfs_numbers *walk, pid_t pid)
{
	char path[PROCFS_PATH_SIZE];

	procfs_numbers(walk, procfs_process(path, pid, "task"));
}

void procfs_children(struct procfs_children *walk, pid_t pid)
{
	walk->pid = pid;
	walk->fd = -1;
	walk->at = walk->end = 0;
	procfs_threads(&walk->threads, pid);
}

void procfs_children_close(struct procfs_children *walk)
{
	if (walk->fd >= 0)
		outside_close(walk->fd);
	walk->fd = -1;
	procfs_numbers_close(&walk->threads);
}

/* Returns the next byte of the current thread's list; -1 at its end, which closes it. */
static int next_byte(struct procfs_children *walk)
{
	ssize_t length = 0;

	if (walk->at == walk->end) {
		if (walk->fd >= 0)
			length = outside_read(walk->fd, walk->text, sizeof(walk->text));
		walk->at = 0;
		walk->end = length > 0 ? (size_t)length : 0;
	}
	if (walk->at < walk->end)
		return (unsigned char)walk->text[walk->at++];
	if (walk->fd >= 0)
		outside_close(walk->fd);
	walk->fd = -1;
	return -1;
}

/*
 * Returns the next child in the current thread's list; -1 at its end. An
 * impossible number becomes INT_MAX.
 */
static pid_t next_of_thread(struct procfs_children *walk)
{
	int64_t child = -1;
	int byte;

	/* A number may continue in the next part that is read. */
	while ((byte = next_byte(walk)) >= 0) {
		if (is_digit((char)byte))
			child = (child < 0 ? 0 : child * 10) + (byte - '0');
		else if (child >= 0)
			break;
		if (child > INT_MAX)
			child = INT_MAX;
	}
	return (pid_t)child;
}

pid_t procfs_next_child(struct procfs_children *walk)
{
	char path[PROCFS_PATH_SIZE];

	for (;;) {
		pid_t child = walk->fd >= 0 ? next_of_thread(walk) : -1;
		long tid;

		RETURN_IF(child >= 0, child);
		tid = procfs_next_number(&walk->threads);
		RETURN_IF(tid < 0, -1);
		walk->fd = outside_open(procfs_task(path, walk->pid, (pid_t)tid, "children"),
					O_RDONLY | O_CLOEXEC);
	}
}

/* --- Contents ---------------------------------------------------------------------------- */

/* Returns the state in the text of a stat file; NULL if it has none. The name may contain ")". */
static const char *state_of(const char *text)
{
	const char *at = strrchr(text, ')');

	return at && at[1] == ' ' && at[2] ? at + 2 : NULL;
}

static void skip_words(const char **at, int count)
{
	while (count-- > 0) {
		*at += strspn(*at, " ");
		*at += strcspn(*at, " ");
	}
}

/* Flag of a task that is exiting (PF_EXITING of the kernel). */
#define TASK_EXITS 4

/* Parses the text of a stat file; returns false if it is not one, or is truncated too early. */
static bool procfs_parse_stat(const char *text, struct procfs_stat *stat)
{
	/* state ppid pgrp session tty tpgid flags minflt cminflt majflt cmajflt utime ... */
	const char *name = strchr(text, '('), *state = state_of(text), *at;
	uint64_t numbers[8], parent, flags;

	errno = EIO;
	RETURN_IF(!name || !state || state - 2 < name, false);
	at = state + 1;
	RETURN_IF(!next_numbers(&at, &parent, 1), false);
	skip_words(&at, 4); /* tpgid may be -1 */
	RETURN_IF(!next_numbers(&at, &flags, 1), false);
	RETURN_IF(!next_numbers(&at, numbers, ARRAY_SIZE(numbers)), false);
	*stat = (struct procfs_stat){
		.state = *state,
		.parent = (pid_t)parent,
		.minor_faults = numbers[0],
		.children_minor_faults = numbers[1],
		.major_faults = numbers[2],
		.children_major_faults = numbers[3],
		.user = numbers[4],
		.system = numbers[5],
		.children_user = numbers[6],
		.children_system = numbers[7],
		.ending = (flags & TASK_EXITS) || *state == 'Z' || *state == 'X',
	};
	skip_words(&at, 4); /* priority and niceness may be negative */
	if (!next_numbers(&at, &stat->start, 1))
		stat->start = 0;
	snprintf(stat->name, sizeof(stat->name), "%.*s", (int)(state - 2 - (name + 1)), name + 1);
	return true;
}

bool procfs_stat(pid_t pid, struct procfs_stat *stat)
{
	char path[PROCFS_PATH_SIZE], text[1024];

	RETURN_IF(procfs_read(procfs_process(path, pid, "stat"), text, sizeof(text)) < 0, false);
	return procfs_parse_stat(text, stat);
}

bool procfs_has_ended(pid_t pid)
{
	struct procfs_stat stat;

	return !procfs_stat(pid, &stat) || stat.ending;
}

char procfs_state(pid_t pid, pid_t tid)
{
	char path[PROCFS_PATH_SIZE], text[512];
	const char *state;

	RETURN_IF(procfs_read(procfs_task(path, pid, tid, "stat"), text, sizeof(text)) < 0, 0);
	state = state_of(text);
	return state ? *state : 0;
}

pid_t procfs_living(pid_t pid)
{
	struct procfs_numbers threads;
	bool lives = false;
	long tid;

	procfs_threads(&threads, pid);
	while (!lives && (tid = procfs_next_number(&threads)) >= 0) {
		const char state = procfs_state(pid, (pid_t)tid);

		lives = state && state != 'Z' && state != 'X';
	}
	procfs_numbers_close(&threads);
	return lives ? (pid_t)tid : 0;
}

pid_t procfs_heir(pid_t pid)
{
	const pid_t living = pid > 0 ? procfs_living(pid) : 0;

	return living != pid ? living : 0;
}

bool procfs_is_in_exec(pid_t pid)
{
	char path[PROCFS_PATH_SIZE], text[1024];
	uint64_t size, code;
	const char *at;

	RETURN_IF(procfs_read(procfs_process(path, pid, "stat"), text, sizeof(text)) < 0, false);
	RETURN_IF(!(at = state_of(text)), false);
	at++;
	skip_words(&at, 19); /* from ppid to starttime */
	RETURN_IF(!next_numbers(&at, &size, 1), false);
	skip_words(&at, 2); /* rss and its limit */
	/* Where the program's code begins is set at the end of exec; 1: this may not be known. */
	return next_numbers(&at, &code, 1) && size && code == 0;
}

bool procfs_thread(pid_t pid, pid_t tid, struct procfs_thread *thread)
{
	char path[PROCFS_PATH_SIZE], text[1024];
	uint64_t processor;
	const char *at;

	RETURN_IF(procfs_read(procfs_task(path, pid, tid, "stat"), text, sizeof(text)) < 0, false);
	RETURN_IF(!(at = state_of(text)), false);
	at++;
	skip_words(&at, 6); /* from ppid to flags */
	RETURN_IF(!next_numbers(&at, &thread->minor_faults, 1), false);
	skip_words(&at, 28); /* from cminflt to exit_signal */
	RETURN_IF(!next_numbers(&at, &processor, 1), false);
	thread->processor = (int)processor;
	return true;
}

void procfs_name(pid_t pid, pid_t tid, char *name, size_t size)
{
	char path[PROCFS_PATH_SIZE];

	if (procfs_read(procfs_task(path, pid, tid, "comm"), name, size) < 0)
		name[0] = '\0';
	name[strcspn(name, "\n")] = '\0';
}

long procfs_number(pid_t pid, const char *name)
{
	char path[PROCFS_PATH_SIZE], text[STATUS_SIZE];
	const char *at;

	RETURN_IF(procfs_read(procfs_process(path, pid, "status"), text, sizeof(text)) < 0, -1);
	at = procfs_value(text, name);
	return at ? strtol(at, NULL, 10) : -1;
}

pid_t procfs_inner_pid(pid_t pid)
{
	char path[PROCFS_PATH_SIZE], text[STATUS_SIZE];
	uint64_t number = (uint64_t)pid;
	const char *at;

	RETURN_IF(procfs_read(procfs_process(path, pid, "status"), text, sizeof(text)) < 0, pid);
	at = procfs_value(text, "NSpid:");
	/* From the outermost namespace to the innermost. */
	while (at && next_number(&at, &number))
		;
	return (pid_t)number;
}

bool procfs_program(pid_t pid, char *path, size_t size)
{
	char link[PROCFS_PATH_SIZE];
	pid_t heir;

	if (procfs_link(procfs_process(link, pid, "exe"), path, size) > 0)
		return true;
	heir = procfs_heir(pid);
	return heir && procfs_link(procfs_process(link, heir, "exe"), path, size) > 0;
}

/* Returns the number on the line that begins with name, 0 if there is none. */
static uint64_t number_or_0(const char *text, const char *name, int base)
{
	const char *at = procfs_value(text, name);

	return at ? strtoull(at, NULL, base) : 0;
}

/* Parses the text of /proc/PID/io. */
static void parse_io(const char *text, struct procfs_io *io)
{
	*io = (struct procfs_io){
		.read_calls = number_or_0(text, "syscr:", 10),
		.write_calls = number_or_0(text, "syscw:", 10),
		.read_bytes = number_or_0(text, "read_bytes:", 10),
		.write_bytes = number_or_0(text, "write_bytes:", 10),
		.moved = number_or_0(text, "rchar:", 10) + number_or_0(text, "wchar:", 10),
	};
}

bool procfs_io(pid_t pid, struct procfs_io *io)
{
	char path[PROCFS_PATH_SIZE], text[512];

	RETURN_IF(procfs_read(procfs_process(path, pid, "io"), text, sizeof(text)) <= 0, false);
	parse_io(text, io);
	return true;
}

bool procfs_io_reread(int fd, struct procfs_io *io)
{
	char text[512];

	RETURN_IF(procfs_reread(fd, text, sizeof(text)) <= 0, false);
	parse_io(text, io);
	return true;
}

bool procfs_life(pid_t pid, struct procfs_life *life)
{
	char path[PROCFS_PATH_SIZE], text[STATUS_SIZE];
	const char *state;
	pid_t heir;

	RETURN_IF(procfs_read(procfs_process(path, pid, "status"), text, sizeof(text)) < 0, false);
	state = procfs_value(text, "State:");
	if (state && *state == 'Z' && (heir = procfs_heir(pid)))
		RETURN_IF(procfs_read(procfs_process(path, heir, "status"), text, sizeof(text)) < 0, false);
	*life = (struct procfs_life){
		.peak = number_or_0(text, "VmHWM:", 10) * 1024,
		.ignored = number_or_0(text, "SigIgn:", 16),
	};
	return true;
}

bool procfs_memory(pid_t pid, struct procfs_memory *memory)
{
	char path[PROCFS_PATH_SIZE], text[256];
	const char *at = text;
	uint64_t pages[2], page = (uint64_t)sysconf(_SC_PAGESIZE);

	RETURN_IF(procfs_read(procfs_process(path, pid, "statm"), text, sizeof(text)) < 0, false);
	RETURN_IF(!next_numbers(&at, pages, ARRAY_SIZE(pages)), false);
	*memory = (struct procfs_memory){ pages[0] * page, pages[1] * page };
	return true;
}

bool procfs_times(struct procfs_times *times)
{
	/* user, nice, system, idle, iowait, irq, softirq, steal */
	const uint64_t tick = UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK);
	char path[PROCFS_PATH_SIZE], text[512];
	const char *at = text + strlen("cpu ");
	uint64_t numbers[8];

	RETURN_IF(procfs_read(procfs_path(path, "/proc/stat"), text, sizeof(text)) < 0, false);
	RETURN_IF(strncmp(text, "cpu ", strlen("cpu ")) != 0, false);
	RETURN_IF(!next_numbers(&at, numbers, ARRAY_SIZE(numbers)), false);
	times->busy = tick * (numbers[0] + numbers[1] + numbers[2] + numbers[5] + numbers[6]);
	times->stolen = tick * numbers[7];
	return true;
}

bool procfs_schedule(pid_t pid, pid_t tid, struct procfs_schedule *schedule)
{
	char path[PROCFS_PATH_SIZE], text[128];
	const char *at = text;
	uint64_t numbers[3];

	RETURN_IF(procfs_read(procfs_task(path, pid, tid, "schedstat"), text, sizeof(text)) < 0,
		  false);
	RETURN_IF(!next_numbers(&at, numbers, ARRAY_SIZE(numbers)), false);
	*schedule = (struct procfs_schedule){ numbers[0], numbers[1], numbers[2] };
	return true;
}

/* State of a search through the list of locks. */
struct lock_search {
	pid_t waiter, holder; /* holder -1: more than one */
	unsigned long number; /* of the last lock read, */
	pid_t pid;	      /* and its holder */
};

/*
 * Parses a line of the list: "1: FLOCK ADVISORY WRITE 77 fd:01:9 0 EOF"; a
 * waiter's has "->" before the type.
 */
static void parse_lock_line(struct lock_search *search, const char *line)
{
	const char *wait = strstr(line, "->"), *at = strchr(line, ':');
	unsigned long number = strtoul(line, NULL, 10);
	pid_t pid;

	if (!at)
		return;
	at = wait ? wait + 2 : at + 1;
	skip_words(&at, 3);
	pid = (pid_t)strtol(at, NULL, 10);
	if (!wait) {
		search->number = number;
		search->pid = pid;
	} else if (pid == search->waiter && number == search->number) {
		if (search->holder && search->holder != search->pid)
			search->holder = -1;
		else
			search->holder = search->pid;
	}
}

pid_t procfs_lock_holder(pid_t waiter)
{
	struct lock_search search = { .waiter = waiter };
	char path[PROCFS_PATH_SIZE], text[8192], *line, *end;
	int fd = open(procfs_path(path, "/proc/locks"), O_RDONLY | O_CLOEXEC);
	size_t kept = 0;
	ssize_t length;

	RETURN_IF(fd < 0, 0);
	while ((length = read(fd, text + kept, sizeof(text) - 1 - kept)) > 0) {
		text[kept + (size_t)length] = '\0';
		for (line = text; (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			parse_lock_line(&search, line);
		}
		kept = strlen(line);
		memmove(text, line, kept);
		if (kept == sizeof(text) - 1)
			break; /* not a list of locks */
	}
	close(fd);
	return search.holder > 0 ? search.holder : 0;
}

int procfs_call(pid_t pid, pid_t tid, struct procfs_call *call)
{
	char path[PROCFS_PATH_SIZE], text[256], *end;

	RETURN_IF(procfs_read(procfs_task(path, pid, tid, "syscall"), text, sizeof(text)) < 0, -1);
	*call = (struct procfs_call){ .number = strtol(text, &end, 10) };
	RETURN_IF(end == text, 0);
	for (int i = 0; i < 6 && call->number >= 0; i++)
		call->arguments[i] = strtoull(end, &end, 16);
	call->stack = strtoull(end, &end, 16);
	call->instruction = strtoull(end, &end, 16);
	return 1;
}

bool procfs_position(pid_t pid, int fd, struct procfs_position *position)
{
	char path[PROCFS_PATH_SIZE], text[512];
	const char *at, *flags;

	RETURN_IF(procfs_read(procfs_descriptor(path, pid, "fdinfo", fd), text, sizeof(text)) < 0,
		  false);
	at = procfs_value(text, "pos:");
	flags = procfs_value(text, "flags:");
	errno = EIO;
	RETURN_IF(!at || !flags, false);
	*position = (struct procfs_position){ strtoull(at, NULL, 10), strtoull(flags, NULL, 8) };
	return true;
}
