/* SPDX-License-Identifier: Apache-2.0 */
/* Looks once at a blocked task: what it waits for, and from where. */
#include "common/compat.h"
#include "sampler/probe.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "program/unwind/arch.h"
#include "sampler/syscalls.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE 4096
/* The part of the stack that is read ahead of the walk; more is read when it is asked for. */
#define STACK_AHEAD (4 * PAGE)

struct prober {
	struct files *files;
	bool refused;
	unsigned char stack[STACK_AHEAD];
};

struct prober *prober_new(struct files *files)
{
	struct prober *prober = xcalloc(1, sizeof(*prober));

	prober->files = files;
	return prober;
}

void prober_free(struct prober *prober)
{
	free(prober);
}

bool prober_refused(const struct prober *prober)
{
	return prober->refused;
}

/*
 * Copy memory of the task, as far as it can be read from the start; returns bytes copied. By
 * task, as a process whose first thread has ended has neither memory nor files by its own number.
 */
size_t probe_memory(pid_t tid, uint64_t address, void *buffer, size_t size)
{
	struct iovec local = { buffer, size }, pages[STACK_AHEAD / PAGE + 1];
	uint64_t at = address;
	size_t left = size;
	unsigned long count = 0;
	ssize_t copied;

	/* One element a page: a transfer ends at the first element that cannot be read whole. */
	while (left && count < ARRAY_SIZE(pages)) {
		size_t part = PAGE - (size_t)(at % PAGE);

		if (part > left)
			part = left;
		pages[count++] = (struct iovec){ (void *)(uintptr_t)at, part };
		at += part;
		left -= part;
	}
	copied = process_vm_readv(tid, &local, 1, pages, count, 0);
	return copied > 0 ? (size_t)copied : 0;
}

/* unwind_input.read: memory beyond what was read ahead. */
static bool read_beyond(void *argument, uint64_t address, void *buffer, size_t size)
{
	pid_t tid = *(pid_t *)argument;

	return probe_memory(tid, address, buffer, size) == size;
}

/* Whether a state letter means that the task does not want a processor. */
static bool is_blocked(char state)
{
	return state == 'S' || state == 'D' || state == 'T' || state == 't' || state == 'I' ||
	       state == 'P';
}

/* The reason of a wait on a file of a kind; regular is what it is on a regular file. */
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

/* A wait on a descriptor. */
static void site_of_descriptor(struct prober *prober, pid_t pid, pid_t tid, uint64_t fd,
			       enum wait_reason regular, struct probe_site *site)
{
	site->file = files_of_descriptor(prober->files, pid, tid, (int)fd);
	site->reason = reason_by_kind(files_kind(prober->files, site->file), regular);
}

/* A wait on a file by its path in the process's memory. */
static void site_of_path(struct prober *prober, pid_t tid, int dirfd, uint64_t address,
			 struct probe_site *site)
{
	char path[PATH_MAX];
	size_t length = probe_memory(tid, address, path, sizeof(path) - 1);

	path[length] = '\0';
	site->reason = WAIT_FILE_OTHER;
	site->file = files_of_path(prober->files, tid, dirfd, path);
}

/* poll for one descriptor is a wait on that one; poll for none is a sleep. */
static void site_of_poll(struct prober *prober, pid_t pid, pid_t tid,
			 const struct procfs_call *call, struct probe_site *site)
{
	struct pollfd one;

	site->reason = call->arguments[1] ? WAIT_POLL : WAIT_SLEEP;
	if (call->arguments[1] == 1 &&
	    probe_memory(tid, call->arguments[0], &one, sizeof(one)) == sizeof(one) && one.fd >= 0)
		site_of_descriptor(prober, pid, tid, (uint64_t)one.fd, WAIT_POLL, site);
}

/* The reason by the kernel's function, for a call that was begun anew after a signal. */
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

/* Whether an argument may point to memory. */
static bool may_point(uint64_t argument)
{
	return argument >= 4096 && argument < UINT64_C(1) << 63;
}

/*
 * Which call goes on after a signal, such as a stop: the kernel does so with
 * nanosleep, clock_nanosleep, poll and futex only, and the arguments are still there. The first of
 * clock_nanosleep is a clock, the second of nanosleep NULL or an address, of futex a private
 * FUTEX_WAIT or FUTEX_WAIT_BITSET, of poll a number of descriptors.
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
 * What a call that goes on after a stop waits for: true when the kernel names its function, false
 * with the call's class when its arguments must tell.
 */
static bool classify_restarted(const uint64_t *arguments, pid_t pid, pid_t tid,
			       struct probe_site *site, enum syscall_class *class)
{
	/* Newer kernels name no function of their own there. */
	site->reason = reason_by_channel(pid, tid);
	if (site->reason != WAIT_OTHER && site->reason != WAIT_POLL)
		return true;
	*class = site->reason == WAIT_POLL ? CALL_POLL : restarted_class(arguments);
	return false;
}

/* What a call waits for. */
static void classify(struct prober *prober, pid_t pid, pid_t tid, const struct procfs_call *call,
		     struct probe_site *site)
{
	const uint64_t *arguments = call->arguments;
	enum syscall_class class = syscall_class(call->number);

	if (class == CALL_RESTART && classify_restarted(arguments, pid, tid, site, &class))
		return;
	switch (class) {
	case CALL_READ:
		site_of_descriptor(prober, pid, tid, arguments[0], WAIT_FILE_READ, site);
		break;
	case CALL_READ_SECOND:
		site_of_descriptor(prober, pid, tid, arguments[1], WAIT_FILE_READ, site);
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
	case CALL_RESTART:
	case CALL_OTHER:
		site->reason = WAIT_OTHER;
		break;
	}
}

/* The user stack of the blocked task. */
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

/* The best that can be told where the syscall file may not be read. */
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
	if (space)
		walk(prober, space, pid, tid, &call, site, frames);
	return PROBE_BLOCKED;
}
