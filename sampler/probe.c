/* SPDX-License-Identifier: Apache-2.0 */
/* Looks once at a blocked task: what it waits for, and from where. */
#include "common/compat.h"
#include "sampler/probe.h"
#include "agent/wait-area.h"
#include "common/clock.h"
#include "common/idmap.h"
#include "common/outside.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "program/unwind/arch.h"
#include "records/record-types.h"
#include "sampler/syscalls.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/syscall.h>

#define PAGE 4096
/* Bytes of the stack that are read before the walk, which reads more when it needs it. */
#define STACK_AHEAD (4 * PAGE)

/* A descriptor counts as steady if it was the same file this many times, at this interval. */
#define STEADY_TIMES 3
#define STEADY_PAUSE (5 * NSEC_PER_MSEC)

/* The largest kind of a mutex in glibc, with all its flags. */
#define MUTEX_KIND_MAX 0x3ff
#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2 13
#endif

/* History of a process's descriptor. */
struct descriptor {
	uint64_t file; /* 0: at some time it was none, or another one */
	uint64_t next; /* time from which on the next check counts */
	unsigned times;
};

struct prober {
	struct files *files;
	struct idmap by_number; /* process and descriptor -> index in descriptors */
	struct descriptor *descriptors;
	size_t descriptor_count, descriptor_alloc;
	bool refused;
	unsigned char stack[STACK_AHEAD];
};

struct prober *prober_new(struct files *files)
{
	struct prober *prober = xcalloc(1, sizeof(*prober));

	prober->files = files;
	idmap_init(&prober->by_number);
	return prober;
}

void prober_free(struct prober *prober)
{
	if (!prober)
		return;
	idmap_release(&prober->by_number);
	free(prober->descriptors);
	free(prober);
}

bool prober_refused(const struct prober *prober)
{
	return prober->refused;
}

/*
 * Copies memory of the task, as far as it can be read from the start; returns the
 * number of bytes copied. Uses the tid: once its first thread has ended, a process
 * has neither memory nor files under its pid.
 */
size_t probe_memory(pid_t tid, uint64_t address, void *buffer, size_t size)
{
	ssize_t copied = outside_memory(tid, address, buffer, size);

	return copied > 0 ? (size_t)copied : 0;
}

/* unwind_input.read: reads memory beyond what was read ahead. */
static bool read_beyond(void *argument, uint64_t address, void *buffer, size_t size)
{
	pid_t tid = *(pid_t *)argument;

	return probe_memory(tid, address, buffer, size) == size;
}

/* Returns whether a state letter means that the task does not want a processor. */
static bool is_blocked(char state)
{
	return state == 'S' || state == 'D' || state == 'T' || state == 't' || state == 'I' ||
	       state == 'P';
}

/* Returns the reason of a wait on a file of a kind; regular is the reason for a regular file. */
static enum wait_reason reason_by_kind(unsigned kind, enum wait_reason regular)
{
	switch (kind) {
	case FILE_REGULAR:
	case FILE_DIRECTORY:
	case FILE_BLOCK:
		return regular;
	case FILE_SOCKET:
		return WAIT_SOCKET;
	case FILE_PIPE:
		return WAIT_PIPE;
	case FILE_CHARACTER:
		return WAIT_TERMINAL;
	default:
		return regular == WAIT_FILE_OTHER ? WAIT_FILE_OTHER : WAIT_OTHER;
	}
}

/* Fills the site of a wait on a descriptor. */
static void site_of_descriptor(struct prober *prober, pid_t pid, pid_t tid, uint64_t fd,
			       enum wait_reason regular, struct probe_site *site)
{
	site->file = files_of_descriptor(prober->files, pid, tid, (int)fd);
	site->reason = reason_by_kind(files_kind(prober->files, site->file), regular);
}

/* Fills the site of a wait on a file whose path is in the process's memory. */
static void site_of_path(struct prober *prober, pid_t tid, int dirfd, uint64_t address,
			 struct probe_site *site)
{
	char path[PATH_MAX];
	size_t length = probe_memory(tid, address, path, sizeof(path) - 1);

	path[length] = '\0';
	site->reason = WAIT_FILE_OTHER;
	site->file = files_of_path(prober->files, tid, dirfd, path);
}

/* Fills the site of poll: with one descriptor it is a wait on that one, with none a sleep. */
static void site_of_poll(struct prober *prober, pid_t pid, pid_t tid,
			 const struct procfs_call *call, struct probe_site *site)
{
	struct pollfd one;

	site->reason = call->arguments[1] ? WAIT_POLL : WAIT_SLEEP;
	if (call->arguments[1] == 1 &&
	    probe_memory(tid, call->arguments[0], &one, sizeof(one)) == sizeof(one) && one.fd >= 0)
		site_of_descriptor(prober, pid, tid, (uint64_t)one.fd, WAIT_POLL, site);
}

/*
 * Returns the reason by the name of the kernel's function, for a call that was
 * restarted after a signal.
 */
static enum wait_reason reason_by_channel(pid_t pid, pid_t tid)
{
	static const struct {
		const char *part;
		enum wait_reason reason;
	} channels[] = {
		{ "nanosleep", WAIT_SLEEP },	 { "futex", WAIT_LOCK },  { "poll", WAIT_POLL },
		{ "select", WAIT_POLL },	 { "pipe", WAIT_PIPE },	  { "wait4", WAIT_CHILD },
		{ "do_wait", WAIT_CHILD },	 { "sock", WAIT_SOCKET }, { "skb", WAIT_SOCKET },
		{ "signal_stop", WAIT_STOPPED },
	};
	char path[PROCFS_PATH_SIZE], text[128];

	RETURN_IF(procfs_read(procfs_task(path, pid, tid, "wchan"), text, sizeof(text)) < 0,
		  WAIT_OTHER);
	for (size_t i = 0; i < ARRAY_SIZE(channels); i++)
		if (strstr(text, channels[i].part))
			return channels[i].reason;
	return WAIT_OTHER;
}

/* Returns whether an argument may be a pointer. */
static bool may_point(uint64_t argument)
{
	return argument >= 4096 && argument < UINT64_C(1) << 63;
}

/*
 * Returns which call was restarted after a signal, such as a stop: the kernel
 * restarts only nanosleep, clock_nanosleep, poll and futex, and their arguments
 * are still there. The first argument of clock_nanosleep is a clock; the second
 * one of nanosleep is NULL or an address, of futex a private FUTEX_WAIT or
 * FUTEX_WAIT_BITSET, of poll a number of descriptors.
 */
static enum syscall_class restarted_class(const uint64_t *arguments)
{
	uint64_t operation = arguments[1] & 0x7f;

	if (!may_point(arguments[0]) || arguments[1] == 0 || may_point(arguments[1]))
		return CALL_SLEEP;
	if (arguments[1] & 0x80 && (operation == 0 || operation == 9) && may_point(arguments[3]))
		return CALL_LOCK;
	return CALL_POLL;
}

/*
 * Classifies a call that was restarted after a stop: returns true if the kernel's
 * function gives the reason, false with the call's class if its arguments must be
 * examined.
 */
static bool classify_restarted(const uint64_t *arguments, pid_t pid, pid_t tid,
			       struct probe_site *site, enum syscall_class *class)
{
	/* Newer kernels show no specific function there. */
	site->reason = reason_by_channel(pid, tid);
	if (site->reason != WAIT_OTHER && site->reason != WAIT_POLL)
		return true;
	*class = site->reason == WAIT_POLL ? CALL_POLL : restarted_class(arguments);
	return false;
}

/*
 * Returns the thread that a lock has in its first word, as priority-inheriting,
 * robust and musl locks do.
 */
static pid_t owner_in_word(uint32_t word)
{
	return word & FUTEX_WAITERS ? (pid_t)(word & FUTEX_TID_MASK) : 0;
}

/*
 * Returns the thread that holds the lock at an address, if it is a lock: a program
 * may use a futex for anything. expected is the value that it waits with. A mutex
 * of glibc is 2 while there are waiters, and its owner follows the count.
 */
static pid_t lock_owner(pid_t tid, uint64_t address, int operation, uint32_t expected)
{
	struct {
		uint32_t lock, count, owner, users, kind;
	} mutex;

	RETURN_IF(probe_memory(tid, address, &mutex, sizeof(mutex)) != sizeof(mutex), 0);
	if (operation == FUTEX_LOCK_PI || operation == FUTEX_LOCK_PI2 || expected > 2)
		return owner_in_word(mutex.lock);
	if (expected != 2 || mutex.lock != 2 || !mutex.users || mutex.kind > MUTEX_KIND_MAX)
		return 0;
	return (pid_t)mutex.owner;
}

/* Finds the holder of the lock that a task waits for. */
static void find_holder(pid_t pid, pid_t tid, const struct procfs_call *call,
			struct probe_site *site)
{
	int operation = (int)call->arguments[1] & FUTEX_CMD_MASK;

	if (call->number == SYS_flock || call->number == SYS_fcntl)
		site->lock_process = procfs_lock_holder(pid);
	else if (call->number == SYS_futex &&
		 (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET ||
		  operation == FUTEX_LOCK_PI || operation == FUTEX_LOCK_PI2))
		site->lock_thread = lock_owner(tid, call->arguments[0], operation,
					       (uint32_t)call->arguments[2]);
}

/* Returns whether a call, also a restarted one, is a wait of vigil's agent in the program. */
static bool is_agent_wait(const struct procfs_call *call)
{
	return call->arguments[1] == FUTEX_WAIT && call->arguments[5] == AGENT_WAIT_MARK;
}

/* Determines what a call of the program waits for. */
static void classify_program(struct prober *prober, pid_t pid, pid_t tid, const struct procfs_call *call,
		     struct probe_site *site)
{
	const uint64_t *arguments = call->arguments;
	enum syscall_class class = syscall_class(call->number);

	if (class == CALL_RESTART && classify_restarted(arguments, pid, tid, site, &class))
		return;
	switch (class) {
	case CALL_READ:
	case CALL_READ_SECOND:
		site_of_descriptor(prober, pid, tid, arguments[class == CALL_READ_SECOND],
				   WAIT_FILE_READ, site);
		break;
	case CALL_WRITE:
		site_of_descriptor(prober, pid, tid, arguments[0], WAIT_FILE_WRITE, site);
		break;
	case CALL_SYNC:
		site_of_descriptor(prober, pid, tid, arguments[0], WAIT_FILE_SYNC, site);
		break;
	case CALL_FILE:
		site_of_descriptor(prober, pid, tid, arguments[0], WAIT_FILE_OTHER, site);
		break;
	case CALL_PATH:
		site_of_path(prober, tid, AT_FDCWD, arguments[0], site);
		break;
	case CALL_PATH_AT:
		site_of_path(prober, tid, (int)arguments[0], arguments[1], site);
		break;
	case CALL_SOCKET:
		site_of_descriptor(prober, pid, tid, arguments[0], WAIT_SOCKET, site);
		break;
	case CALL_POLL:
		site_of_poll(prober, pid, tid, call, site);
		break;
	case CALL_SELECT:
		site->reason = arguments[0] ? WAIT_POLL : WAIT_SLEEP;
		break;
	case CALL_EPOLL:
		site->reason = WAIT_POLL;
		break;
	case CALL_FILE_LOCK:
		site->file = files_of_descriptor(prober->files, pid, tid, (int)arguments[0]);
		__attribute__((fallthrough));
	case CALL_LOCK:
		site->reason = WAIT_LOCK;
		break;
	case CALL_QUEUE:
		site->reason = WAIT_PIPE;
		break;
	case CALL_SLEEP:
		site->reason = WAIT_SLEEP;
		break;
	case CALL_CHILD:
		site->reason = WAIT_CHILD;
		break;
	case CALL_SIGNAL:
		site->reason = WAIT_SIGNAL;
		break;
	default:
		site->reason = WAIT_OTHER;
		break;
	}
}

/* Determines what a call waits for. */
static void classify(struct prober *prober, pid_t pid, pid_t tid, const struct procfs_call *call,
		     struct probe_site *site)
{
	enum syscall_class class = syscall_class(call->number);

	if ((class == CALL_LOCK || class == CALL_RESTART) && is_agent_wait(call))
		site->reason = WAIT_VIGIL;
	else
		classify_program(prober, pid, tid, call, site);
}

/* Returns the history of a descriptor; makes it if it is new. */
static struct descriptor *descriptor_of(struct prober *prober, pid_t pid, uint64_t fd)
{
	uint64_t key = (uint64_t)pid << 32 | (fd & UINT32_MAX), index;
	struct descriptor *descriptor;

	if (idmap_get(&prober->by_number, key, &index))
		return &prober->descriptors[index];
	GROW(prober->descriptors, prober->descriptor_count + 1, prober->descriptor_alloc);
	idmap_put(&prober->by_number, key, prober->descriptor_count);
	descriptor = &prober->descriptors[prober->descriptor_count++];
	*descriptor = (struct descriptor){ 0 };
	return descriptor;
}

/* Returns whether a descriptor, which is this file now, also was some time ago. */
static bool is_steady(struct prober *prober, pid_t pid, uint64_t fd, uint64_t file)
{
	struct descriptor *descriptor = descriptor_of(prober, pid, fd);
	uint64_t now = clock_monotonic_ns();

	if (descriptor->times == 0)
		descriptor->file = file;
	if (descriptor->file != file)
		descriptor->file = 0;
	if (now >= descriptor->next) {
		descriptor->times++;
		descriptor->next = now + STEADY_PAUSE;
	}
	return descriptor->file && descriptor->times > STEADY_TIMES;
}

/* Returns whether a call waits for the descriptor in its arguments. */
static bool is_by_descriptor(enum syscall_class class)
{
	switch (class) {
	case CALL_READ:
	case CALL_READ_SECOND:
	case CALL_WRITE:
	case CALL_SYNC:
	case CALL_FILE:
	case CALL_FILE_LOCK:
	case CALL_SOCKET:
		return true;
	default:
		return false;
	}
}

bool prober_classify(struct prober *prober, pid_t pid, pid_t tid, const struct procfs_call *call,
		 struct probe_site *site)
{
	enum syscall_class class = syscall_class(call->number);

	memset(site, 0, sizeof(*site));
	if (class == CALL_RESTART || class == CALL_PATH || class == CALL_PATH_AT ||
	    (class == CALL_POLL && call->arguments[1] == 1))
		return false;
	site->syscall = (uint64_t)call->number + 1;
	classify(prober, pid, tid, call, site);
	return !is_by_descriptor(class) ||
	       is_steady(prober, pid, call->arguments[class == CALL_READ_SECOND], site->file);
}

/* Walks the user stack of the blocked task. */
static void walk(struct prober *prober, struct space *space, pid_t pid, pid_t tid,
		 const struct procfs_call *call, struct probe_site *site,
		 struct unwind_frame *frames)
{
	struct unwind_input input = {
		.space = space,
		.pid = pid,
		.known = 1U << ARCH_STACK_POINTER | 1U << ARCH_INSTRUCTION,
		.stack_start = call->stack,
		.stack = prober->stack,
		.read = read_beyond,
		.read_argument = &tid,
	};

	input.registers[ARCH_STACK_POINTER] = call->stack;
	input.registers[ARCH_INSTRUCTION] = call->instruction;
	input.stack_size = probe_memory(tid, call->stack, prober->stack, sizeof(prober->stack));
	site->stack_pointer = call->stack;
	site->instruction = call->instruction;
	site->stack = input.stack;
	site->stack_size = input.stack_size;
	site->depth = unwind_walk(&input, frames, &site->end);
}

/* Fills the site from the task's state, where the syscall file may not be read. */
static enum probe_result refuse(struct prober *prober, pid_t pid, pid_t tid,
				struct probe_site *site)
{
	char state = procfs_state(pid, tid);

	RETURN_IF(!state, PROBE_GONE);
	RETURN_IF(!is_blocked(state), PROBE_RUNNING);
	prober->refused = true;
	site->reason = state == 'T' || state == 't' ? WAIT_STOPPED : WAIT_OTHER;
	return PROBE_REFUSED;
}

enum probe_result prober_look(struct prober *prober, struct space *space, pid_t pid, pid_t tid,
			      struct probe_site *site, struct unwind_frame *frames)
{
	struct procfs_call call;
	int blocked;
	char state;

	memset(site, 0, sizeof(*site));
	site->reason = WAIT_UNKNOWN;
	blocked = procfs_call(pid, tid, &call);
	if (blocked < 0) {
		RETURN_IF(errno == ENOENT || errno == ESRCH, PROBE_GONE);
		return refuse(prober, pid, tid, site);
	}
	RETURN_IF(!blocked, PROBE_RUNNING);
	/* The kernel shows a preempted task as if it were blocked outside a call. */
	state = procfs_state(pid, tid);
	RETURN_IF(!state || state == 'Z' || state == 'X', PROBE_GONE);
	RETURN_IF(!is_blocked(state), PROBE_RUNNING);
	site->syscall = call.number >= 0 ? (uint64_t)call.number + 1 : 0;
	if (state == 'T' || state == 't')
		site->reason = WAIT_STOPPED;
	else if (call.number < 0)
		site->reason = WAIT_PAGE;
	else
		classify(prober, pid, tid, &call, site);
	if (site->reason == WAIT_LOCK)
		find_holder(pid, tid, &call, site);
	if (space)
		walk(prober, space, pid, tid, &call, site, frames);
	return PROBE_BLOCKED;
}
