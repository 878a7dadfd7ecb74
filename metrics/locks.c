/* SPDX-License-Identifier: Apache-2.0 */
/* DLM: locks on files, and the processes that wait for them. */
#include "common/compat.h"
#include "metrics/kinds.h"
#include "common/keymap.h"

static const struct metric_file files[] = {
	{ "/proc/locks", METRIC_OTHER },
};

enum {
	POSIX,
	FLOCK,
	OPEN_FILE,
	LEASES,
	DELEGATIONS,
	LAYOUTS,
	MANDATORY,
	READING,
	WRITING,
	BREAKING,
	WAITING,
	WAITING_READ,
	WAITING_WRITE,
	HOLDERS,
	WAITERS,
	FILES,
	MAX_WAITING,
	COUNT
};

static const struct metric_item items[] = {
	LEVEL("posix", "count", MADE, "Locks on parts of files (POSIX)."),
	LEVEL("flock", "count", MADE, "Locks on whole files (flock)."),
	LEVEL("open_file", "count", MADE, "Locks on parts of files that belong to an open file."),
	LEVEL("leases", "count", MADE,
	      "Leases: a task that opens the file waits until they are released."),
	LEVEL("delegations", "count", MADE,
	      "Delegations: leases that a file server has granted to its clients."),
	LEVEL("layouts", "count", MADE,
	      "File layouts that a file server has granted to its clients."),
	LEVEL("mandatory", "count", MADE, "Mandatory locks: reads and writes respect them too."),
	LEVEL("reading", "count", MADE, "Shared locks (read locks)."),
	LEVEL("writing", "count", MADE, "Exclusive locks (write locks)."),
	LEVEL("breaking", "count", MADE, "Leases that are being recalled."),
	LEVEL("waiting", "count", MADE, "Requests waiting for a lock."),
	LEVEL("waiting_read", "count", MADE, "Such requests for a shared lock."),
	LEVEL("waiting_write", "count", MADE, "Such requests for an exclusive lock."),
	LEVEL("holders", "count", MADE, "Processes that hold at least one lock."),
	LEVEL("waiters", "count", MADE, "Processes that wait for at least one lock."),
	LEVEL("files", "count", MADE, "Files with at least one lock."),
	LEVEL("most_waiting", "count", MADE, "Maximum number of requests waiting for one lock."),
};

_Static_assert(ARRAY_SIZE(items) == COUNT, "the items are where they are said to be");

/* A parsed line of /proc/locks: "1: -> POSIX ADVISORY WRITE 3841 fe:00:10969198 0 EOF". */
struct lock {
	bool waiting;
	char kind[16], mode[16], access[16];
	long pid;
	uint64_t device, inode;
};

/* The distinct processes and files of one snapshot. */
struct seen {
	struct keymap holders, waiters, files;
};

static bool parse(const char *line, struct lock *lock)
{
	unsigned major, minor;
	int at = 0;

	*lock = (struct lock){ 0 };
	if (sscanf(line, "%*[^:]: %n", &at) < 0 || !at)
		return false;
	lock->waiting = strncmp(line + at, "->", 2) == 0;
	if (lock->waiting)
		at += 2;
	if (sscanf(line + at, "%15s %15s %15s %ld %x:%x:%" SCNu64, lock->kind, lock->mode,
		   lock->access, &lock->pid, &major, &minor, &lock->inode) != 7)
		return false;
	lock->device = (uint64_t)major << 32 | minor;
	return true;
}

/* Returns the item that counts a kind of lock; COUNT: unknown kind. */
static size_t item_of(const char *kind)
{
	static const struct {
		const char *kind;
		size_t item;
	} kinds[] = {
		{ "POSIX", POSIX },  { "FLOCK", FLOCK },       { "OFDLCK", OPEN_FILE },
		{ "LEASE", LEASES }, { "DELEG", DELEGATIONS }, { "LAYOUT", LAYOUTS },
		{ "ACCESS", POSIX },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strcmp(kinds[i].kind, kind) == 0)
			return kinds[i].item;
	return COUNT;
}

/* Counts one lock that is held. */
static void count_held(uint64_t *values, struct seen *seen, const struct lock *lock)
{
	size_t item = item_of(lock->kind);
	const uint64_t pid = (uint64_t)lock->pid, file[2] = { lock->device, lock->inode };

	if (item < COUNT)
		values[item]++;
	values[MANDATORY] += strcmp(lock->mode, "MANDATORY") == 0;
	values[BREAKING] +=
		strcmp(lock->mode, "BREAKING") == 0 || strcmp(lock->mode, "BREAKER") == 0;
	values[READING] += strcmp(lock->access, "READ") == 0;
	values[WRITING] += strcmp(lock->access, "WRITE") == 0;
	/* A lock of an open file description has no process: its number is -1. */
	if (lock->pid > 0)
		keymap_put(&seen->holders, &pid);
	keymap_put(&seen->files, file);
}

/* Counts one waiting request. */
static void count_waiting(uint64_t *values, struct seen *seen, const struct lock *lock)
{
	const uint64_t pid = (uint64_t)lock->pid;

	values[WAITING]++;
	values[WAITING_READ] += strcmp(lock->access, "READ") == 0;
	values[WAITING_WRITE] += strcmp(lock->access, "WRITE") == 0;
	if (lock->pid > 0)
		keymap_put(&seen->waiters, &pid);
}

/* Counts all lines; requests follow the lock for which they wait. */
static void count_lines(uint64_t *values, struct seen *seen, const char *line)
{
	uint64_t behind = 0;

	while (line && *line) {
		struct lock lock;

		if (parse(line, &lock)) {
			if (lock.waiting)
				count_waiting(values, seen, &lock);
			else
				count_held(values, seen, &lock);
			behind = lock.waiting ? behind + 1 : 0;
			if (behind > values[MAX_WAITING])
				values[MAX_WAITING] = behind;
		}
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
}

/* Makes the record: 0 if there is no lock, none if the file cannot be read. */
static void read_all(struct metric_source *source)
{
	const char *text = metric_text(source, 1);
	struct seen seen;

	if (!text)
		return;
	keymap_init(&seen.holders, 1);
	keymap_init(&seen.waiters, 1);
	keymap_init(&seen.files, 2);
	memset(source->values, 0, COUNT * sizeof(*source->values));
	count_lines(source->values, &seen, text);
	source->values[HOLDERS] = seen.holders.count;
	source->values[WAITERS] = seen.waiters.count;
	source->values[FILES] = seen.files.count;
	keymap_release(&seen.holders);
	keymap_release(&seen.waiters);
	keymap_release(&seen.files);
	metric_add(source);
}

const struct metric_kind locks_kind = {
	.name = "DLM",
	.record = "dlm",
	.summary = "locks on files: types, holders, waiters",
	.meaning = "The locks on files.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.read = read_all,
};
