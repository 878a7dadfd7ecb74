/* SPDX-License-Identifier: Apache-2.0 */
/* Excludes jobs that need the same data set from each other. */
#include "common/compat.h"
#include "datasets/lock.h"
#include "common/hash.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "datasets/folders.h"
#include "datasets/generations.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

void lock_list_init(struct lock_list *list)
{
	*list = (struct lock_list){ .fd = -1 };
}

void lock_list_release(struct lock_list *list)
{
	if (list->fd >= 0)
		close(list->fd);
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].dsn);
	free(list->items);
	lock_list_init(list);
}

/* Returns the offset of a name's byte in the lock file; 0 is reserved for the root. */
static int64_t lock_offset(const char *dsn)
{
	return (int64_t)(hash_bytes(dsn, strlen(dsn)) & INT64_C(0x3fffffffffffffff)) + 1;
}

/* Adds one name to the list. */
static void add_name(struct lock_list *list, const char *dsn, bool exclusive, size_t index)
{
	int64_t offset = lock_offset(dsn);

	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].offset != offset)
			continue;
		list->items[i].exclusive |= exclusive;
		if (index > list->items[i].last_step)
			list->items[i].last_step = index;
		return;
	}
	GROW(list->items, list->count + 1, list->alloc);
	list->items[list->count++] = (struct lock){
		.dsn = xstrdup(dsn), .offset = offset, .exclusive = exclusive, .last_step = index
	};
}

/* Returns the base in a generation's name, NULL for another name; the caller frees it. */
static char *base_of(const char *dsn)
{
	size_t length;
	unsigned number;

	return generation_parse(dsn, &length, &number) ? xstrndup(dsn, length) : NULL;
}

void lock_list_add(struct lock_list *list, const char *dsn, bool exclusive, size_t index)
{
	char *base = base_of(dsn);

	add_name(list, dsn, exclusive, index);
	if (base)
		add_name(list, base, exclusive, index);
	free(base);
}

int lock_list_open(struct lock_list *list, const char *root, struct error *err)
{
	struct strbuf path = STRBUF_INIT;

	RETURN_IF(list->fd >= 0, 0);
	strbuf_addf(&path, "%s/.vigil", root);
	if (folders_make(path.text) == 0) {
		strbuf_addstr(&path, "/locks");
		list->fd = open(path.text, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	}
	if (list->fd < 0)
		error_errno(err, "%s cannot be created", path.text);
	strbuf_release(&path);
	return list->fd < 0 ? -1 : 0;
}

/* Returns whether a descriptor is open on the lock file of a root. */
static bool is_lock_file(int fd, const char *root)
{
	struct strbuf path = STRBUF_INIT;
	struct stat open_file, file;
	bool same;

	strbuf_addf(&path, "%s/.vigil/locks", root);
	same = fstat(fd, &open_file) == 0 && stat(path.text, &file) == 0 &&
	       open_file.st_ino == file.st_ino && open_file.st_dev == file.st_dev;
	strbuf_release(&path);
	return same;
}

int lock_list_join(struct lock_list *list, const char *root, struct error *err)
{
	const char *text = getenv(LOCK_ENVIRONMENT);
	int fd = text ? atoi(text) : -1;

	if (fd <= STDERR_FILENO || !is_lock_file(fd, root))
		return lock_list_open(list, root, err);
	list->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0); /* the same open file description, so the same
						   * owner */
	return list->fd < 0 ? error_errno(err, "the locks of the job cannot be used") : 0;
}

int lock_list_share(const struct lock_list *list, struct error *err)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", list->fd);
	if (fcntl(list->fd, F_SETFD, 0) < 0 || setenv(LOCK_ENVIRONMENT, number, 1) < 0)
		return error_errno(err, "the locks cannot be passed on");
	return 0;
}

/* Sets or clears the lock of one byte. */
static int set_lock(int fd, int command, short type, int64_t offset)
{
	struct flock range = {
		.l_type = type, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1
	};
	int result;

	do
		result = fcntl(fd, command, &range);
	while (result < 0 && errno == EINTR);
	return result;
}

static int by_offset(const void *a, const void *b)
{
	int64_t x = ((const struct lock *)a)->offset, y = ((const struct lock *)b)->offset;

	return x < y ? -1 : x > y;
}

int lock_list_take(struct lock_list *list,
		   bool (*wait)(void *argument, const char *dsn, unsigned round), void *argument,
		   struct error *err)
{
	qsort(list->items, list->count, sizeof(*list->items), by_offset);
	for (size_t i = 0; i < list->count; i++) {
		struct lock *lock = &list->items[i];
		short type = lock->exclusive ? F_WRLCK : F_RDLCK;

		for (unsigned round = 0; !lock->held; round++) {
			lock->held = set_lock(list->fd, F_OFD_SETLK, type, lock->offset) == 0;
			if (lock->held)
				break;
			if (errno != EAGAIN && errno != EACCES)
				return error_errno(err, "data set %s cannot be locked", lock->dsn);
			RETURN_IF(!wait(argument, lock->dsn, round), -1);
		}
	}
	return 0;
}

/*
 * Returns whether an open file has an exclusive lock. A process that shares its
 * job's locks does not know what the job holds, and requesting a shared lock would
 * downgrade an exclusive one of the same open file.
 */
static bool holds_exclusively(int fd, int64_t offset)
{
	struct strbuf text = STRBUF_INIT;
	char path[PROCFS_PATH_SIZE];
	bool found = false;

	if (strbuf_read_file(&text, procfs_descriptor(path, PROCFS_SELF, "fdinfo", fd)) < 0)
		strbuf_reset(&text);
	for (const char *at = text.text; !found && (at = strstr(at, " WRITE ")); at++) {
		int64_t start, end;

		found = sscanf(at, " WRITE %*s %*s %" SCNd64 " %" SCNd64, &start, &end) == 2 &&
			start <= offset && offset <= end;
	}
	strbuf_release(&text);
	return found;
}

/* Tries to take one name's lock: 1, 0, -1 as lock_list_try. */
static int try_name(const struct lock_list *list, const char *dsn, bool exclusive,
		    struct error *err)
{
	if (!exclusive && holds_exclusively(list->fd, lock_offset(dsn)))
		return 1;
	if (set_lock(list->fd, F_OFD_SETLK, exclusive ? F_WRLCK : F_RDLCK, lock_offset(dsn)) == 0)
		return 1;
	RETURN_IF(errno == EAGAIN || errno == EACCES, 0);
	return error_errno(err, "data set %s cannot be locked", dsn);
}

int lock_list_try(const struct lock_list *list, const char *dsn, bool exclusive, struct error *err)
{
	char *base = base_of(dsn);
	int result = base ? try_name(list, base, exclusive, err) : 1;

	free(base);
	return result == 1 ? try_name(list, dsn, exclusive, err) : result;
}

void lock_list_step_ended(struct lock_list *list, size_t index)
{
	for (size_t i = 0; i < list->count; i++) {
		struct lock *lock = &list->items[i];

		if (!lock->held || lock->last_step > index)
			continue;
		set_lock(list->fd, F_OFD_SETLK, F_UNLCK, lock->offset);
		lock->held = false;
	}
}
