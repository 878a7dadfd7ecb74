/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system as a session sees it: the calls by which it learns something from
 * outside, as one struct of functions, a source. The system itself is one; a
 * session can be given another, as tests do.
 *
 * A source belongs to a thread, since a session works in one: a thread that sets
 * none asks the system. The calls are those of the system, with its errno.
 *
 * This part depends on nothing else of vigil, so a data collector may link it.
 */
#ifndef VIGIL_COMMON_OUTSIDE_H
#define VIGIL_COMMON_OUTSIDE_H

#include "common/compat.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

struct perf_event_attr;

/* What a session learns in another way than by the calls below. Stable in recordings. */
enum outside_note {
	OUTSIDE_HOST_STARTED = 1, /* a data collector's process: its id, or -errno */
	OUTSIDE_HOST_GONE,	  /* whether it has ended */
	OUTSIDE_HOST_ENDED,	  /* how it has ended */
	OUTSIDE_HOST_ANSWERED,	  /* whether it has answered; key: of the call, as for the next */
	OUTSIDE_HOST_ANSWER,	  /* a part of its answer */
	OUTSIDE_HOST_PHASE,	  /* what it does */
	OUTSIDE_HOST_MEMORY,	  /* whether it was sent the memory of a process */
	OUTSIDE_NAMES_GIVEN,	  /* how many frames the naming thread was given */
	OUTSIDE_NAME,		  /* names of a frame */
	OUTSIDE_SOURCE_LINE,	  /* text of a line of a source */
	OUTSIDE_OBJECT,		  /* the file of an object */
	OUTSIDE_OBJECT_MISSING,	  /* noted to a recording: path of a file that is not there as it was */
	OUTSIDE_OBJECT_STATE,	  /* a number that changes when its content is replaced */
	OUTSIDE_COLLECTORS,	  /* data collectors that were found for a program */
	OUTSIDE_METRICS,	  /* records of system metrics */
	OUTSIDE_MACHINE,	  /* what the session's header says about the machine */
	OUTSIDE_OBJECT_PART,	  /* a part of the file of an object; may be recalled in any order */
	OUTSIDE_NAMES_CPU,	  /* CPU time of the naming thread; may be recalled at any time */
	OUTSIDE_HOST_ASKED = 100, /* never noted: whether a data collector was asked this (size) */
};

struct outside {
	bool wants_objects; /* the whole content of objects is noted */
	/* Returns a clock in ns; 0: there is none with this id. */
	uint64_t (*clock)(struct outside *self, clockid_t id);
	/* Files and folders. */
	int (*open)(struct outside *self, const char *path, int flags);
	int (*close)(struct outside *self, int fd);
	/* offset below 0: from the present position, as read(2) does. */
	ssize_t (*read)(struct outside *self, int fd, void *buffer, size_t size, off_t offset);
	ssize_t (*link)(struct outside *self, const char *path, char *target, size_t size);
	/* As getdents64(2). */
	ssize_t (*entries)(struct outside *self, int fd, void *buffer, size_t size);
	/* As statx(2), with the basic members and the time of birth. */
	int (*status)(struct outside *self, int folder, const char *path, int flags,
		      struct statx *status);
	/*
	 * Copies memory of a thread's process, as far as it can be read: the bytes copied,
	 * -1 with errno set if the first page cannot be.
	 */
	ssize_t (*memory)(struct outside *self, pid_t tid, uint64_t address, void *buffer, size_t size);
	/* The same for a file that is loaded, where no stack and no heap is. */
	ssize_t (*image)(struct outside *self, pid_t tid, uint64_t address, void *buffer, size_t size);
	/* Gets the address of the other end of a process's socket. */
	int (*peer)(struct outside *self, pid_t pid, int fd, struct sockaddr_storage *address,
		    socklen_t *size);
	/* Waits as ppoll(2), at most timeout ns. */
	int (*poll)(struct outside *self, struct pollfd *polls, size_t count, uint64_t timeout);
	/* Makes a timer to wait for and read, as timerfd_create(2); sets it to expire in ns, and every ns. */
	int (*timer)(struct outside *self);
	int (*set_timer)(struct outside *self, int fd, uint64_t first, uint64_t interval);
	/* As pidfd_open(2), and getpid(2). */
	int (*process)(struct outside *self, pid_t pid);
	pid_t (*own)(struct outside *self);
	/* Returns the number of processors that the machine may have. */
	long (*processors)(struct outside *self);
	/* Gets the limits of this process's descriptors; raise: the lower one becomes the higher one. */
	int (*descriptors)(struct outside *self, struct rlimit *limit, bool raise);
	/*
	 * Performance events: as perf_event_open(2), for one processor and without a group;
	 * as ioctl(2), with the number that goes in or comes out; the ring of an event, with
	 * size bytes of data behind its first page, MAP_FAILED: refused; how far the kernel
	 * has written into it, after which what it has written can be read.
	 */
	int (*event)(struct outside *self, struct perf_event_attr *attr, pid_t pid, int processor);
	int (*control)(struct outside *self, int fd, unsigned long request, uint64_t *number);
	void *(*ring)(struct outside *self, int fd, size_t size);
	void (*drop_ring)(struct outside *self, void *ring, size_t size);
	uint64_t (*ring_head)(struct outside *self, void *ring);
	/* Tracing: as ptrace(2), with its data; waitid(2) for a thread, without waiting. */
	int (*trace)(struct outside *self, int request, pid_t tid, uint64_t address, void *data);
	int (*wait_task)(struct outside *self, pid_t tid, siginfo_t *info, int options);
	/* Sleeps for ns; 0: lets others have the processor. */
	void (*sleep)(struct outside *self, uint64_t ns);
	/*
	 * Memory that the step's programs write: the file at path, to be read; *size: its
	 * size. NULL with errno set; ENODATA: it is empty. What they have written since can
	 * be read after refresh of that part.
	 */
	const void *(*share)(struct outside *self, const char *path, size_t *size);
	void (*refresh)(struct outside *self, const void *part, size_t size);
	void (*unshare)(struct outside *self, const void *area, size_t size);
	/*
	 * What is learned in another way: recall returns what the source knows of it,
	 * borrowed until the next call; NULL: it has to be found out, as always from the
	 * system. What was found out is noted. A key tells of what it is, where that may
	 * come in another order; what holds for the whole session then is recalled at any
	 * time after.
	 */
	const void *(*recall)(struct outside *self, enum outside_note what, uint64_t key, size_t *size);
	void (*note)(struct outside *self, enum outside_note what, uint64_t key, const void *found,
		     size_t size);
};

/* The system itself. */
extern struct outside outside_system;
/* The source of the calling thread. Never NULL. */
extern _Thread_local struct outside *outside_current;

/*
 * What a session need not learn from its source, because what comes of it is noted,
 * is done between these two: the source is the system.
 */
static inline struct outside *outside_step_aside(void)
{
	struct outside *session = outside_current;

	outside_current = &outside_system;
	return session;
}

static inline void outside_step_back(struct outside *session)
{
	outside_current = session;
}

/* The calls, at the source of the calling thread. */
static inline uint64_t outside_clock(clockid_t id)
{
	return outside_current->clock(outside_current, id);
}

static inline int outside_open(const char *path, int flags)
{
	return outside_current->open(outside_current, path, flags);
}

static inline int outside_close(int fd)
{
	return outside_current->close(outside_current, fd);
}

static inline ssize_t outside_read(int fd, void *buffer, size_t size)
{
	return outside_current->read(outside_current, fd, buffer, size, -1);
}

static inline ssize_t outside_read_at(int fd, void *buffer, size_t size, off_t offset)
{
	return outside_current->read(outside_current, fd, buffer, size, offset);
}

static inline ssize_t outside_link(const char *path, char *target, size_t size)
{
	return outside_current->link(outside_current, path, target, size);
}

static inline ssize_t outside_entries(int fd, void *buffer, size_t size)
{
	return outside_current->entries(outside_current, fd, buffer, size);
}

static inline int outside_status(int folder, const char *path, int flags, struct statx *status)
{
	return outside_current->status(outside_current, folder, path, flags, status);
}

static inline ssize_t outside_memory(pid_t tid, uint64_t address, void *buffer, size_t size)
{
	return outside_current->memory(outside_current, tid, address, buffer, size);
}

static inline ssize_t outside_image(pid_t tid, uint64_t address, void *buffer, size_t size)
{
	return outside_current->image(outside_current, tid, address, buffer, size);
}

static inline int outside_peer(pid_t pid, int fd, struct sockaddr_storage *address, socklen_t *size)
{
	return outside_current->peer(outside_current, pid, fd, address, size);
}

static inline int outside_poll(struct pollfd *polls, size_t count, uint64_t timeout)
{
	return outside_current->poll(outside_current, polls, count, timeout);
}

static inline int outside_timer(void)
{
	return outside_current->timer(outside_current);
}

static inline int outside_set_timer(int fd, uint64_t first, uint64_t interval)
{
	return outside_current->set_timer(outside_current, fd, first, interval);
}

static inline int outside_process(pid_t pid)
{
	return outside_current->process(outside_current, pid);
}

static inline pid_t outside_own(void)
{
	return outside_current->own(outside_current);
}

static inline long outside_processors(void)
{
	return outside_current->processors(outside_current);
}

static inline int outside_descriptors(struct rlimit *limit, bool raise)
{
	return outside_current->descriptors(outside_current, limit, raise);
}

static inline int outside_event(struct perf_event_attr *attr, pid_t pid, int processor)
{
	return outside_current->event(outside_current, attr, pid, processor);
}

static inline int outside_control(int fd, unsigned long request, uint64_t *number)
{
	return outside_current->control(outside_current, fd, request, number);
}

static inline void *outside_ring(int fd, size_t size)
{
	return outside_current->ring(outside_current, fd, size);
}

static inline void outside_drop_ring(void *ring, size_t size)
{
	outside_current->drop_ring(outside_current, ring, size);
}

static inline uint64_t outside_ring_head(void *ring)
{
	return outside_current->ring_head(outside_current, ring);
}

static inline int outside_trace(int request, pid_t tid, uint64_t address, void *data)
{
	return outside_current->trace(outside_current, request, tid, address, data);
}

static inline int outside_wait_task(pid_t tid, siginfo_t *info, int options)
{
	return outside_current->wait_task(outside_current, tid, info, options);
}

static inline void outside_sleep(uint64_t ns)
{
	outside_current->sleep(outside_current, ns);
}

static inline const void *outside_share(const char *path, size_t *size)
{
	return outside_current->share(outside_current, path, size);
}

static inline void outside_refresh(const void *part, size_t size)
{
	outside_current->refresh(outside_current, part, size);
}

static inline void outside_unshare(const void *area, size_t size)
{
	outside_current->unshare(outside_current, area, size);
}

static inline const void *outside_recall_of(enum outside_note what, uint64_t key, size_t *size)
{
	return outside_current->recall(outside_current, what, key, size);
}

/* The same for something of a known size; what is missing of it is 0. */
static inline bool outside_recall_whole(enum outside_note what, uint64_t key, void *found, size_t size)
{
	size_t length;
	const void *known = outside_recall_of(what, key, &length);

	RETURN_IF(!known, false);
	memset(found, 0, size);
	memcpy(found, known, length < size ? length : size);
	return true;
}

/* The same without a key. */
static inline bool outside_recall(enum outside_note what, void *found, size_t size)
{
	return outside_recall_whole(what, 0, found, size);
}

/* Returns whether it is worth while to put a note together. */
static inline bool outside_keeps_notes(void)
{
	return outside_current != &outside_system;
}

static inline void outside_note_of(enum outside_note what, uint64_t key, const void *found, size_t size)
{
	outside_current->note(outside_current, what, key, found, size);
}

static inline void outside_note(enum outside_note what, const void *found, size_t size)
{
	outside_note_of(what, 0, found, size);
}

#endif
