/* SPDX-License-Identifier: Apache-2.0 */
/* Runs one data collector in a process of its own and asks it. */
#include "common/compat.h"
#include "sampler/host/client.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOAD_TIME (2 * NSEC_PER_SEC)
/* One call: CPU time that a hanging collector is allowed, and time where it uses none. */
#define CALL_CPU (1 * NSEC_PER_SEC)
#define CALL_TIME (10 * NSEC_PER_SEC)
/* The mean of so many calls must not be above this. */
#define MEAN_CALLS 200
#define MEAN_CPU (1 * NSEC_PER_MSEC)
#define MEAN_WAIT (1 * NSEC_PER_MSEC)
#define LOOK_EVERY (1 * NSEC_PER_SEC)
#define GROWTH_MAX (UINT64_C(64) << 20)
/* Descriptors of the host. */
#define HOST_AREA 3
#define HOST_CONTROL 4

extern char **environ;

/* The system call, for which the C library has no function. */
static long futex(uint32_t *word, int operation, uint32_t value, const struct timespec *timeout)
{
	return syscall(SYS_futex, word, operation, value, timeout, NULL, 0);
}

/* Note what the host has used; of one that was waited for it cannot be told any more. */
static void note_used(struct caller *caller)
{
	uint64_t used = caller_cpu(caller);

	if (used > caller->used)
		caller->used = used;
}

/* End the host without asking it. */
static void end_host(struct caller *caller)
{
	siginfo_t info;

	if (caller->pid) {
		note_used(caller);
		syscall(SYS_pidfd_send_signal, caller->pidfd, SIGKILL, NULL, 0);
		/* Whoever waits for all children may have been faster. */
		waitid(P_PIDFD, (id_t)caller->pidfd, &info, WEXITED);
		close(caller->pidfd);
		close(caller->control);
	}
	caller->pid = 0;
}

void caller_end(struct caller *caller, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	strbuf_vaddf(&caller->problem, format, arguments);
	va_end(arguments);
	end_host(caller);
	caller->state = CALLER_OFF;
	caller->changed = true;
}

/* What the host is at. */
static const char *phase_name(const struct caller *caller)
{
	switch (__atomic_load_n(&caller->area->phase, __ATOMIC_RELAXED)) {
	case CALL_LOADING:
		return "while it was loaded";
	case CALL_COLLECTOR:
		return "in its entry point";
	default:
		return "between two calls";
	}
}

/* Whether the host is gone; then the caller is off, with the reason. */
static bool is_gone(struct caller *caller)
{
	struct pollfd wanted = { .fd = caller->pidfd, .events = POLLIN };
	siginfo_t info = { 0 };

	if (poll(&wanted, 1, 0) <= 0)
		return false;
	note_used(caller);
	if (waitid(P_PIDFD, (id_t)caller->pidfd, &info, WEXITED | WNOHANG) < 0 || !info.si_pid)
		caller_end(caller, "its process ended %s", phase_name(caller));
	else if (info.si_code == CLD_EXITED)
		caller_end(caller, "its process ended with status %d %s", info.si_status,
			   phase_name(caller));
	else
		caller_end(caller, "its process was ended by signal %d (SIG%s) %s", info.si_status,
			   sigabbrev_np(info.si_status) ? sigabbrev_np(info.si_status) : "?",
			   phase_name(caller));
	return true;
}

/* Whether the last request was answered. */
static bool is_answered(const struct caller *caller)
{
	return __atomic_load_n(&caller->area->answered, __ATOMIC_ACQUIRE) == caller->called;
}

/* Wait for the answer until a time; whether it is there. */
static bool await_answer(struct caller *caller, uint64_t until)
{
	while (!is_answered(caller)) {
		uint32_t seen = __atomic_load_n(&caller->area->answered, __ATOMIC_ACQUIRE);
		uint64_t now = clock_monotonic_ns(), left = until - now;
		struct timespec timeout = { (time_t)(left / NSEC_PER_SEC),
					    (long)(left % NSEC_PER_SEC) };

		if (now >= until)
			return false;
		if (seen != caller->called)
			futex(&caller->area->answered, FUTEX_WAIT, seen, &timeout);
	}
	return true;
}

uint64_t caller_cpu(const struct caller *caller)
{
	struct timespec used = { 0 };
	clockid_t clock;

	RETURN_IF(!caller->pid, caller->used);
	if (clock_getcpuclockid(caller->pid, &clock) != 0 || clock_gettime(clock, &used) < 0)
		return caller->used;
	return (uint64_t)used.tv_sec * NSEC_PER_SEC + (uint64_t)used.tv_nsec;
}

/* Send what stands in the request. */
static void send_request(struct caller *caller)
{
	caller->area->request.memory_sent = caller->sent;
	caller->asked_at = clock_monotonic_ns();
	__atomic_store_n(&caller->area->called, ++caller->called, __ATOMIC_RELEASE);
	futex(&caller->area->called, FUTEX_WAKE, 1, NULL);
}

/* End a text that the host may have left without an end. */
#define END_TEXT(text) ((text)[sizeof(text) - 1] = '\0')

/* Make what the host wrote safe to be read. */
static void check_answer(struct call_answer *answer)
{
	END_TEXT(answer->error);
	END_TEXT(answer->name);
	END_TEXT(answer->generation);
	END_TEXT(answer->module);
	END_TEXT(answer->transaction);
	END_TEXT(answer->id);
	END_TEXT(answer->texts);
	END_TEXT(answer->message);
	END_TEXT(answer->programs);
	answer->programs[sizeof(answer->programs) - 2] = '\0';
	if (answer->pseudo_section_count > VIGIL_PSEUDO_SECTIONS_MAX)
		answer->pseudo_section_count = VIGIL_PSEUDO_SECTIONS_MAX;
	for (size_t i = 0; i < VIGIL_PSEUDO_SECTIONS_MAX; i++) {
		END_TEXT(answer->pseudo_sections[i].section);
		END_TEXT(answer->pseudo_sections[i].prefix);
	}
	if (answer->place_count > VIGIL_PLACES_MAX)
		answer->place_count = VIGIL_PLACES_MAX;
	answer->texts[0] = '\0';
	for (size_t i = 0; i < answer->place_count; i++) {
		struct call_place *place = &answer->places[i];

		place->module %= CALL_TEXTS;
		place->section %= CALL_TEXTS;
		place->procedure %= CALL_TEXTS;
		place->file %= CALL_TEXTS;
	}
}

/* Bytes of memory the host has in use, 0 unknown. */
static uint64_t resident_now(const struct caller *caller)
{
	struct procfs_memory memory;

	return procfs_memory(caller->pid, &memory) ? memory.resident : 0;
}

/* How often the host has slept because it had nothing to do or wanted to wait. */
static uint64_t sleeps_now(const struct caller *caller)
{
	long sleeps = procfs_number(caller->pid, "voluntary_ctxt_switches:");

	return sleeps < 0 ? 0 : (uint64_t)sleeps;
}

/* The calls from now on are averaged. */
static void begin_mean(struct caller *caller)
{
	caller->mean_calls = caller->calls;
	caller->mean_cpu = caller_cpu(caller);
	caller->mean_waited = caller->waited;
	caller->mean_sleeps = sleeps_now(caller);
}

/* The answer to the request to load has come. */
static void on_loaded(struct caller *caller)
{
	caller->loaded = caller->area->answer;
	check_answer(&caller->loaded);
	if (caller->loaded.error[0]) {
		caller_end(caller, "%s", caller->loaded.error);
		return;
	}
	caller->state = CALLER_READY;
	caller->loaded_once = true;
	caller->changed = true;
	caller->resident = resident_now(caller);
	caller->look_at = clock_monotonic_ns() + LOOK_EVERY;
	begin_mean(caller);
}

/* What the host is given: the area, the control socket, and nothing else. */
static int spawn(struct caller *caller, const char *host, int area, int control)
{
	char *arguments[] = { (char *)(uintptr_t)host, "3", "4", NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	int error;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
						      POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawn_file_actions_init(&actions);
	for (int fd = 0; fd < HOST_AREA; fd++)
		posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
	posix_spawn_file_actions_adddup2(&actions, area, HOST_AREA);
	posix_spawn_file_actions_adddup2(&actions, control, HOST_CONTROL);
	posix_spawn_file_actions_addclosefrom_np(&actions, HOST_CONTROL + 1);
	error = posix_spawn(&caller->pid, host, &actions, &attributes, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	errno = error;
	return error ? -1 : 0;
}

/* Duplicate a descriptor to a number that is none of the host's; the old one is closed. */
static int move_up(int fd)
{
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, HOST_CONTROL + 1);

	close(fd);
	return moved;
}

/* Make the area that is shared with the host; its descriptor or -1. */
static int make_area(struct caller *caller)
{
	int fd = memfd_create("vigil-collector", MFD_CLOEXEC);
	void *mapping;

	RETURN_IF(fd < 0, -1);
	fd = move_up(fd);
	if (fd < 0 || ftruncate(fd, sizeof(struct call_area)) < 0)
		return fd;
	mapping = mmap(NULL, sizeof(struct call_area), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (mapping != MAP_FAILED)
		caller->area = mapping;
	return fd;
}

/* Start the host's process; false with errno set. */
static bool start_host(struct caller *caller, const char *host)
{
	int area = make_area(caller), ends[2] = { -1, -1 };
	bool done = false;

	if (caller->area && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0) {
		ends[1] = move_up(ends[1]);
		done = spawn(caller, host, area, ends[1]) == 0;
	}
	if (done)
		caller->pidfd = (int)syscall(SYS_pidfd_open, caller->pid, 0);
	if (!done && ends[0] >= 0)
		close(ends[0]);
	caller->control = ends[0];
	if (area >= 0)
		close(area);
	if (ends[1] >= 0)
		close(ends[1]);
	return done;
}

void caller_init(struct caller *caller)
{
	memset(caller, 0, sizeof(*caller));
	strbuf_init(&caller->problem);
	idmap_init(&caller->memory);
	caller->state = CALLER_OFF;
}

void caller_refuse(struct caller *caller, const char *problem)
{
	strbuf_addstr(&caller->problem, problem);
}

void caller_start(struct caller *caller, const char *host,
		  const struct sampler_collector *collector)
{
	struct call_request *request;

	if (!start_host(caller, host)) {
		strbuf_addf(&caller->problem, "its process %s cannot be started: %s", host,
			    strerror(errno));
		return;
	}
	request = &caller->area->request;
	request->kind = CALL_LOAD;
	snprintf(request->path, sizeof(request->path), "%s", collector->path);
	snprintf(request->parameter, sizeof(request->parameter), "%s", collector->parameter);
	caller->state = CALLER_LOADING;
	send_request(caller);
}

void caller_release(struct caller *caller)
{
	end_host(caller);
	if (caller->area)
		munmap(caller->area, sizeof(*caller->area));
	strbuf_release(&caller->problem);
	idmap_release(&caller->memory);
	free(caller->forget);
	caller_init(caller);
}

/* Cut it off when the request it works at has taken too long. */
static void look_at_call(struct caller *caller, uint64_t now)
{
	uint64_t cpu = caller_cpu(caller) - caller->asked_cpu, passed = now - caller->asked_at;

	if (caller->state == CALLER_LOADING) {
		if (passed > LOAD_TIME)
			caller_end(caller, "it was not loaded within %u seconds",
				   (unsigned)(LOAD_TIME / NSEC_PER_SEC));
	} else if (cpu > CALL_CPU) {
		caller_end(caller, "it did not return: %.2f seconds of CPU time in one call",
			   (double)cpu / (double)NSEC_PER_SEC);
	} else if (passed > CALL_TIME) {
		caller_end(caller, "it did not return within %.1f seconds",
			   (double)passed / (double)NSEC_PER_SEC);
	}
}

/* Cut it off when a mean call takes long: of the processors, or asleep, which other work on them
   does not do to it. */
static void look_at_mean(struct caller *caller)
{
	uint64_t calls = caller->calls - caller->mean_calls;
	uint64_t cpu = caller_cpu(caller) - caller->mean_cpu;
	uint64_t waited = caller->waited - caller->mean_waited;

	if (calls < MEAN_CALLS)
		return;
	if (cpu > calls * MEAN_CPU)
		caller_end(caller,
			   "it takes long: %.2f ms of CPU time a call, the last %" PRIu64
			   " of them",
			   (double)cpu / (double)calls / (double)NSEC_PER_MSEC, calls);
	else if (waited > calls * MEAN_WAIT &&
		 sleeps_now(caller) - caller->mean_sleeps > calls + calls / 2)
		caller_end(caller,
			   "it takes long: it sleeps, %.2f ms a call, the last %" PRIu64 " of them",
			   (double)waited / (double)calls / (double)NSEC_PER_MSEC, calls);
	else
		begin_mean(caller);
}

/* Cut it off when it leaks memory. */
static void look_at_memory(struct caller *caller, uint64_t now)
{
	uint64_t resident;

	if (now < caller->look_at)
		return;
	caller->look_at = now + LOOK_EVERY;
	resident = resident_now(caller);
	if (resident > caller->resident + GROWTH_MAX)
		caller_end(caller, "it leaks memory: %" PRIu64 " MB more than when it was loaded",
			   (resident - caller->resident) >> 20);
}

/* Send on what is to be forgotten, one at a time. */
static void pass_forget(struct caller *caller)
{
	while (caller->state == CALLER_READY && caller->forget_count) {
		caller->area->request.kind = CALL_FORGET;
		caller->area->request.pid = caller->forget[--caller->forget_count];
		caller->asked_cpu = caller_cpu(caller);
		send_request(caller);
		if (!await_answer(caller, caller->asked_at + CALLER_PATIENCE))
			caller->state = CALLER_BUSY;
	}
}

/* Copy what a call answers; its longest part only when it is used. */
static void copy_answer(struct caller *caller)
{
	const struct call_answer *from = &caller->area->answer;
	struct call_answer *to = &caller->answer;
	const size_t first = offsetof(struct call_answer, outcome);
	const size_t texts = offsetof(struct call_answer, texts);
	const size_t behind = offsetof(struct call_answer, cost);

	memcpy((char *)to + first, (const char *)from + first, texts - first);
	memcpy((char *)to + behind, (const char *)from + behind, sizeof(*to) - behind);
	if (to->place_count)
		memcpy(to->texts, from->texts, sizeof(to->texts));
}

/* An answer that comes too late for its sample: what it tells beside is still worth having. */
static void take_late(struct caller *caller)
{
	copy_answer(caller);
	check_answer(&caller->answer);
	caller->state = CALLER_READY;
}

void caller_look(struct caller *caller, uint64_t now)
{
	if (caller->state == CALLER_OFF || is_gone(caller))
		return;
	if (caller->state != CALLER_READY) {
		if (!is_answered(caller))
			look_at_call(caller, now);
		else if (caller->state == CALLER_LOADING)
			on_loaded(caller);
		else
			take_late(caller);
	}
	if (caller->state == CALLER_READY)
		look_at_mean(caller);
	if (caller->state == CALLER_READY)
		look_at_memory(caller, now);
	pass_forget(caller);
}

void caller_await(struct caller *caller, uint64_t until)
{
	while (caller->state == CALLER_LOADING) {
		uint64_t now = clock_monotonic_ns();

		if (now >= until)
			return;
		/* In short parts, as its end wakes nobody. */
		await_answer(caller, now + CALLER_PATIENCE);
		caller_look(caller, clock_monotonic_ns());
	}
}

struct call_request *caller_request(struct caller *caller)
{
	return &caller->area->request;
}

/* Send a descriptor with what it is. */
static bool send_memory(struct caller *caller, int fd, const struct call_memory *memory)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr alignment;
	} control = { 0 };
	struct iovec data = { (void *)(uintptr_t)memory, sizeof(*memory) };
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	return sendmsg(caller->control, &message, MSG_DONTWAIT | MSG_NOSIGNAL) ==
	       (ssize_t)sizeof(*memory);
}

void caller_share_memory(struct caller *caller, pid_t pid, pid_t tid, uint64_t generation)
{
	struct call_memory memory;
	char path[PROCFS_PATH_SIZE];
	uint64_t shared;
	int fd;

	if (idmap_get(&caller->memory, (uint64_t)pid, &shared) && shared == generation)
		return;
	/* Tried once, whether it works or not. */
	idmap_put(&caller->memory, (uint64_t)pid, generation);
	/* By thread: a process whose first one has ended has no memory by its own number. */
	fd = open(procfs_process(path, tid, "mem"), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	memset(&memory, 0, sizeof(memory));
	memory.pid = pid;
	memory.generation = generation;
	if (send_memory(caller, fd, &memory))
		caller->sent++;
	close(fd);
}

bool caller_ask(struct caller *caller)
{
	bool answered;

	caller->calls++;
	send_request(caller);
	answered = await_answer(caller, caller->asked_at + CALLER_PATIENCE);
	caller->waited += clock_monotonic_ns() - caller->asked_at;
	if (!answered) {
		caller->state = CALLER_BUSY;
		caller->asked_cpu = caller_cpu(caller);
		is_gone(caller);
		return false;
	}
	copy_answer(caller);
	check_answer(&caller->answer);
	return true;
}

void caller_forget(struct caller *caller, pid_t pid)
{
	uint64_t generation;

	if (caller->state == CALLER_OFF || !idmap_get(&caller->memory, (uint64_t)pid, &generation))
		return;
	idmap_remove(&caller->memory, (uint64_t)pid);
	GROW(caller->forget, caller->forget_count + 1, caller->forget_alloc);
	caller->forget[caller->forget_count++] = pid;
}
