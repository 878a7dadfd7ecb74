/* SPDX-License-Identifier: Apache-2.0 */
/* Runs one data collector in a separate process and sends it requests. */
#include "common/compat.h"
#include "sampler/host/client.h"
#include "common/clock.h"
#include "common/hash.h"
#include "common/outside.h"
#include "common/procfs.h"
#include "common/xalloc.h"

#include <assert.h>
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
/* Maximum CPU time of one call, and maximum time if it uses none. */
#define CALL_CPU (1 * NSEC_PER_SEC)
#define CALL_TIME (10 * NSEC_PER_SEC)
/* Number of calls averaged; their mean CPU time and time asleep must not exceed these. */
#define MEAN_CALLS 200
#define MEAN_CPU (1 * NSEC_PER_MSEC)
#define MEAN_SLEEP (1 * NSEC_PER_MSEC)
#define LOOK_EVERY (1 * NSEC_PER_SEC)
/* How long a host that answered is assumed to exist. */
#define BELIEVED (5 * NSEC_PER_MSEC)
#define GROWTH_MAX (UINT64_C(64) << 20)
/* Descriptors in the host. */
#define HOST_AREA 3
#define HOST_CONTROL 4
/* Notes on whether a call was answered. */
#define NOTED_ANSWERED UINT32_MAX
#define NOTED_OPEN (UINT32_MAX - 1)

/* The clock of a process's CPU time, as the kernel numbers them (clock_getcpuclockid(3)). */
#define PROCESS_CLOCK(pid) ((clockid_t)(~(unsigned)(pid) << 3 | 2))

extern char **environ;

/* Makes the system call, for which the C library has no function. */
static long futex(uint32_t *word, int operation, uint32_t value, const struct timespec *timeout)
{
	return syscall(SYS_futex, word, operation, value, timeout, NULL, 0);
}

/* Takes what the host wrote, or what the session's source knows of it. */
static void learn(enum outside_note what, uint64_t key, void *to, const void *from, size_t size)
{
	if (outside_recall_whole(what, key, to, size))
		return;
	if (to != from)
		memcpy(to, from, size);
	outside_note_of(what, key, to, size);
}

uint64_t host_client_key(const struct host_client *client, uint32_t kind, pid_t tid, uint64_t time)
{
	if (!outside_keeps_notes())
		return 0;
	return hash_pair(client->name, hash_pair((uint64_t)kind << 32 | (uint32_t)tid, time)) | 1;
}

/* Returns the key of the request in the area. */
static uint64_t key_of_request(const struct host_client *client)
{
	const struct call_request *request = &client->area->request;

	if (request->kind != CALL_TASK)
		return host_client_key(client, request->kind, 0, 0);
	return host_client_key(client, CALL_TASK, request->tid,
			       request->state == VIGIL_EXECUTING ? request->time : 0);
}

bool host_client_was_asked(uint64_t key)
{
	size_t asked;

	return !outside_recall_of(OUTSIDE_HOST_ASKED, key, &asked) || asked;
}

/* Records the CPU time of the host, which cannot be read once it was waited for. */
static void note_used(struct host_client *client)
{
	uint64_t used = host_client_cpu(client);

	if (used > client->used)
		client->used = used;
}

/* Kills the host. */
static void end_host(struct host_client *client)
{
	siginfo_t info;

	if (client->pid)
		note_used(client);
	if (client->pid && client->pidfd >= 0) {
		syscall(SYS_pidfd_send_signal, client->pidfd, SIGKILL, NULL, 0);
		/* Code that waits for all children may have been faster. */
		waitid(P_PIDFD, (id_t)client->pidfd, &info, WEXITED);
		close(client->pidfd);
		close(client->control);
	}
	client->pid = 0;
}

void host_client_end(struct host_client *client, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	strbuf_vaddf(&client->problem, format, arguments);
	va_end(arguments);
	end_host(client);
	client->state = HOST_CLIENT_OFF;
	client->changed = true;
}

/* Returns a description of what the host does now. */
static const char *phase_name(const struct host_client *client)
{
	uint32_t phase = __atomic_load_n(&client->area->phase, __ATOMIC_RELAXED);

	learn(OUTSIDE_HOST_PHASE, 0, &phase, &phase, sizeof(phase));
	switch (phase) {
	case CALL_LOADING:
		return "while it was being loaded";
	case CALL_COLLECTOR:
		return "in its entry point";
	default:
		return "between two calls";
	}
}

/* Returns whether the host has ended. */
static bool has_ended(const struct host_client *client)
{
	struct pollfd wanted = { .fd = client->pidfd, .events = POLLIN };
	uint32_t ended;

	if (!outside_recall(OUTSIDE_HOST_GONE, &ended, sizeof(ended))) {
		ended = poll(&wanted, 1, 0) > 0;
		outside_note(OUTSIDE_HOST_GONE, &ended, sizeof(ended));
	}
	return ended;
}

/* How the host ended; pid 0: other code has waited for it. */
struct ending {
	int32_t pid, code, status;
};

/* Waits for the host, which has ended. */
static struct ending wait_for(const struct host_client *client)
{
	struct ending ending = { 0 };
	siginfo_t info = { 0 };

	if (!outside_recall(OUTSIDE_HOST_ENDED, &ending, sizeof(ending))) {
		if (waitid(P_PIDFD, (id_t)client->pidfd, &info, WEXITED | WNOHANG) == 0 && info.si_pid)
			ending = (struct ending){ info.si_pid, info.si_code, info.si_status };
		outside_note(OUTSIDE_HOST_ENDED, &ending, sizeof(ending));
	}
	return ending;
}

/* Returns whether the host is gone; then the client is OFF, with the reason. */
static bool is_gone(struct host_client *client)
{
	struct ending ending;

	RETURN_IF(!has_ended(client), false);
	note_used(client);
	ending = wait_for(client);
	if (!ending.pid)
		host_client_end(client, "its process ended %s", phase_name(client));
	else if (ending.code == CLD_EXITED)
		host_client_end(client, "its process exited with status %d %s", ending.status,
				phase_name(client));
	else
		host_client_end(client, "its process was killed by signal %d (SIG%s) %s", ending.status,
				sigabbrev_np(ending.status) ? sigabbrev_np(ending.status) : "?",
				phase_name(client));
	return true;
}

/* Returns whether the last request was answered; *seen: the number of the last one that was. */
static bool is_answered(const struct host_client *client, uint32_t *seen)
{
	uint32_t noted;

	*seen = __atomic_load_n(&client->area->answered, __ATOMIC_ACQUIRE);
	noted = *seen == client->called ? NOTED_ANSWERED : NOTED_OPEN;
	learn(OUTSIDE_HOST_ANSWERED, client->key, &noted, &noted, sizeof(noted));
	/* An earlier version noted the number. */
	return noted == NOTED_ANSWERED || noted == client->called;
}

/* Waits for the answer until a time; returns whether it has come. */
static bool await_answer(struct host_client *client, uint64_t until)
{
	uint32_t seen;

	while (!is_answered(client, &seen)) {
		uint64_t now = clock_monotonic_ns(), left = until - now;
		struct timespec timeout = { (time_t)(left / NSEC_PER_SEC),
					    (long)(left % NSEC_PER_SEC) };

		if (now >= until)
			return false;
		if (client->pidfd >= 0)
			futex(&client->area->answered, FUTEX_WAIT, seen, &timeout);
	}
	return true;
}

uint64_t host_client_cpu(const struct host_client *client)
{
	uint64_t used;

	RETURN_IF(!client->pid, client->used);
	used = clock_read_ns(PROCESS_CLOCK(client->pid));
	return used ? used : client->used;
}

/* Sends the request in the area. */
static void send_request(struct host_client *client)
{
	client->area->request.memory_sent = client->sent;
	client->key = key_of_request(client);
	client->asked_at = clock_monotonic_ns();
	__atomic_store_n(&client->area->called, ++client->called, __ATOMIC_RELEASE);
	futex(&client->area->called, FUTEX_WAKE, 1, NULL);
}

/* Terminates a text that the host may have left unterminated. */
#define END_TEXT(text) ((text)[sizeof(text) - 1] = '\0')

void host_client_check(struct call_answer *answer)
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
	if (answer->between_count > VIGIL_PLACES_MAX)
		answer->between_count = VIGIL_PLACES_MAX;
	answer->texts[0] = '\0';
	if (answer->counted > CALL_COUNTS)
		answer->counted = CALL_COUNTS;
	for (size_t i = 0; i < answer->counted; i++)
		END_TEXT(answer->counts[i].name);
	for (size_t i = 0; i < answer->place_count; i++) {
		struct call_place *place = &answer->places[i];

		place->module %= CALL_TEXTS;
		place->section %= CALL_TEXTS;
		place->procedure %= CALL_TEXTS;
		place->file %= CALL_TEXTS;
	}
}

/* Returns the bytes of memory that the host uses; 0: unknown. */
static uint64_t resident_now(const struct host_client *client)
{
	struct procfs_memory memory;

	return procfs_memory(client->pid, &memory) ? memory.resident : 0;
}

/*
 * Reads the ns for which the host has been ready without a processor; returns
 * false if the kernel does not report it.
 */
static bool delay_now(const struct host_client *client, uint64_t *delay)
{
	struct procfs_schedule schedule;

	RETURN_IF(!procfs_schedule(client->pid, client->pid, &schedule), false);
	*delay = schedule.delay;
	return true;
}

/* Starts a new average with the next call. */
static void begin_mean(struct host_client *client)
{
	client->mean_calls = client->calls;
	client->mean_cpu = host_client_cpu(client);
	client->mean_inside = client->inside;
	client->mean_delay = 0;
	delay_now(client, &client->mean_delay);
}

/* Handles the answer to the request to load. */
static void on_loaded(struct host_client *client)
{
	learn(OUTSIDE_HOST_ANSWER, client->key, &client->loaded, &client->area->answer, sizeof(client->loaded));
	host_client_check(&client->loaded);
	if (client->loaded.error[0]) {
		host_client_end(client, "%s", client->loaded.error);
		return;
	}
	client->state = HOST_CLIENT_READY;
	client->loaded_once = true;
	client->changed = true;
	client->resident = resident_now(client);
	client->look_at = clock_monotonic_ns() + LOOK_EVERY;
	begin_mean(client);
}

/*
 * Starts the host with the area and the control socket as its only descriptors;
 * returns -1 with errno set on failure.
 */
static int spawn(struct host_client *client, const char *host, int area, int control)
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
	error = posix_spawn(&client->pid, host, &actions, &attributes, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	errno = error;
	return error ? -1 : 0;
}

/*
 * Duplicates a descriptor to a number that the host does not use, and closes the
 * old one; returns the new one.
 */
static int move_up(int fd)
{
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, HOST_CONTROL + 1);

	close(fd);
	return moved;
}

/* Makes the area shared with the host; returns its descriptor or -1. */
static int make_area(struct host_client *client)
{
	int fd = memfd_create("vigil-collector", MFD_CLOEXEC);
	void *mapping;

	RETURN_IF(fd < 0, -1);
	fd = move_up(fd);
	if (fd < 0 || ftruncate(fd, sizeof(struct call_area)) < 0)
		return fd;
	mapping = mmap(NULL, sizeof(struct call_area), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (mapping != MAP_FAILED)
		client->area = mapping;
	return fd;
}

/* Open the descriptor by which the host's end is seen. Where there is none the host ends. */
static bool watch_host(struct host_client *client)
{
	int error;

	client->pidfd = (int)syscall(SYS_pidfd_open, client->pid, 0);
	RETURN_IF(client->pidfd >= 0, true);
	error = errno;
	kill(client->pid, SIGKILL);
	waitpid(client->pid, NULL, 0);
	client->pid = 0;
	errno = error;
	return false;
}

/* Starts the host's process; returns false with errno set on failure. */
static bool start_process(struct host_client *client, const char *host)
{
	int area = make_area(client), ends[2] = { -1, -1 };
	bool done = false;

	if (client->area && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0) {
		ends[1] = move_up(ends[1]);
		done = spawn(client, host, area, ends[1]) == 0;
	}
	if (done)
		done = watch_host(client);
	if (!done && ends[0] >= 0)
		close(ends[0]);
	client->control = ends[0];
	if (area >= 0)
		close(area);
	if (ends[1] >= 0)
		close(ends[1]);
	return done;
}

/* Is there for a host whose answers the session's source knows: an area for requests, but no process. */
static void stand_in(struct host_client *client, int32_t pid)
{
	int area = make_area(client);

	if (area >= 0)
		close(area);
	client->pid = client->area ? pid : 0;
	client->pidfd = client->control = -1;
}

/*
 * Starts the host; returns false with errno set on failure. Where the session's source
 * knows of one that was started, it need not be on this machine (NULL).
 */
static bool start_host(struct host_client *client, const char *host)
{
	const uint64_t key = host_client_key(client, CALL_LOAD, 0, 0);
	int32_t started;

	if (outside_recall_whole(OUTSIDE_HOST_STARTED, key, &started, sizeof(started))) {
		if (started > 0)
			stand_in(client, started);
	} else {
		started = !host ? 0 : start_process(client, host) ? client->pid : -errno;
		outside_note_of(OUTSIDE_HOST_STARTED, key, &started, sizeof(started));
	}
	errno = started < 0 ? -started : started ? ENOMEM : 0;
	return started > 0 && client->pid;
}

void host_client_init(struct host_client *client)
{
	memset(client, 0, sizeof(*client));
	strbuf_init(&client->problem);
	idmap_init(&client->memory);
	client->state = HOST_CLIENT_OFF;
	client->patience = HOST_CLIENT_PATIENCE;
}

void host_client_refuse(struct host_client *client, const char *problem)
{
	strbuf_addstr(&client->problem, problem);
}

void host_client_start(struct host_client *client, const char *host,
		       const struct sampler_collector *collector)
{
	struct call_request *request;

	client->name = hash_bytes(collector->path, strlen(collector->path));
	if (!start_host(client, host)) {
		if (errno)
			strbuf_addf(&client->problem, "cannot start its process %s: %s", host ? host : "",
				    strerror(errno));
		else
			strbuf_addstr(&client->problem, "collector-host, the program it runs in, is missing");
		return;
	}
	request = &client->area->request;
	request->kind = CALL_LOAD;
	snprintf(request->path, sizeof(request->path), "%s", collector->path);
	snprintf(request->parameter, sizeof(request->parameter), "%s", collector->parameter);
	request->comes_with_vigil = collector->origin == COLLECTOR_FEATURE;
	client->state = HOST_CLIENT_LOADING;
	send_request(client);
}

void host_client_release(struct host_client *client)
{
	end_host(client);
	if (client->area)
		munmap(client->area, sizeof(*client->area));
	strbuf_release(&client->problem);
	idmap_release(&client->memory);
	free(client->forget);
	host_client_init(client);
}

/* Switches it off if its current request has taken too long. */
static void look_at_call(struct host_client *client, uint64_t now)
{
	uint64_t cpu = host_client_cpu(client) - client->asked_cpu, passed = now - client->asked_at;

	if (client->state == HOST_CLIENT_LOADING) {
		if (passed > LOAD_TIME)
			host_client_end(client, "it did not load within %u seconds",
					(unsigned)(LOAD_TIME / NSEC_PER_SEC));
	} else if (cpu > CALL_CPU) {
		host_client_end(client, "it did not return: one call used %.2f seconds of CPU time",
				(double)cpu / (double)NSEC_PER_SEC);
	} else if (passed > CALL_TIME) {
		host_client_end(client, "it did not return within %.1f seconds",
				(double)passed / (double)NSEC_PER_SEC);
	}
}

/*
 * Returns the ns that the host slept in the averaged calls: the time in the
 * collector without CPU time and without run-queue time, which other load causes.
 * 0: unknown.
 */
static uint64_t slept_in_calls(const struct host_client *client, uint64_t cpu)
{
	uint64_t inside = client->inside - client->mean_inside, awake, delay;

	RETURN_IF(!delay_now(client, &delay), 0);
	awake = cpu + delay - client->mean_delay;
	return inside > awake ? inside - awake : 0;
}

/* Switches it off if its calls are slow on average: by CPU time, or asleep. */
static void look_at_mean(struct host_client *client)
{
	uint64_t calls = client->calls - client->mean_calls, cpu, slept;

	if (calls < MEAN_CALLS)
		return;
	cpu = host_client_cpu(client) - client->mean_cpu;
	slept = slept_in_calls(client, cpu);
	if (cpu > calls * MEAN_CPU)
		host_client_end(
			client,
			"too slow: it uses %.2f ms of CPU time per call on average (last %" PRIu64
			" calls)",
			(double)cpu / (double)calls / (double)NSEC_PER_MSEC, calls);
	else if (slept > calls * MEAN_SLEEP)
		host_client_end(client,
				"too slow: it sleeps %.2f ms per call on average (last %" PRIu64
				" calls)",
				(double)slept / (double)calls / (double)NSEC_PER_MSEC, calls);
	else
		begin_mean(client);
}

/* Switches it off if it leaks memory. */
static void look_at_memory(struct host_client *client, uint64_t now)
{
	uint64_t resident;

	if (now < client->look_at)
		return;
	client->look_at = now + LOOK_EVERY;
	resident = resident_now(client);
	if (resident > client->resident + GROWTH_MAX)
		host_client_end(client,
				"it leaks memory: %" PRIu64 " MB more than when it was loaded",
				(resident - client->resident) >> 20);
}

/* Sends the processes to forget, one request for each. */
static void pass_forget(struct host_client *client)
{
	while (client->state == HOST_CLIENT_READY && client->forget_count) {
		client->area->request.kind = CALL_FORGET;
		client->area->request.pid = client->forget[--client->forget_count];
		client->asked_cpu = host_client_cpu(client);
		send_request(client);
		if (!await_answer(client, client->asked_at + client->patience))
			client->state = HOST_CLIENT_BUSY;
	}
}

/* Copies the answer to a call; its longest part only if it is used. */
static void copy_answer(struct host_client *client)
{
	const struct call_answer *from = &client->area->answer;
	struct call_answer *to = &client->answer;
	const size_t first = offsetof(struct call_answer, outcome);
	const size_t texts = offsetof(struct call_answer, texts);
	const size_t behind = offsetof(struct call_answer, cost);
	size_t counted;

	learn(OUTSIDE_HOST_ANSWER, client->key, (char *)to + first, (const char *)from + first, texts - first);
	learn(OUTSIDE_HOST_ANSWER, client->key, (char *)to + behind, (const char *)from + behind, sizeof(*to) - behind);
	if (client->area->request.kind == CALL_TASK)
		client->inside += to->cost;
	if (to->place_count)
		learn(OUTSIDE_HOST_ANSWER, client->key, to->texts, from->texts, sizeof(to->texts));
	counted = to->counted < CALL_COUNTS ? to->counted : CALL_COUNTS;
	learn(OUTSIDE_HOST_ANSWER, client->key, to->counts, from->counts, counted * sizeof(*to->counts));
}

/* Takes an answer that comes too late for its sample: its other parts are still useful. */
static void take_late(struct host_client *client)
{
	copy_answer(client);
	host_client_check(&client->answer);
	client->state = HOST_CLIENT_READY;
}

void host_client_look(struct host_client *client, uint64_t now)
{
	bool believed = client->state == HOST_CLIENT_READY && now < client->seen_at + BELIEVED;
	uint32_t seen;

	if (client->state == HOST_CLIENT_OFF || (!believed && is_gone(client)))
		return;
	if (!believed)
		client->seen_at = now;
	if (client->state != HOST_CLIENT_READY) {
		if (!is_answered(client, &seen))
			look_at_call(client, now);
		else if (client->state == HOST_CLIENT_LOADING)
			on_loaded(client);
		else
			take_late(client);
	}
	if (client->state == HOST_CLIENT_READY)
		look_at_mean(client);
	if (client->state == HOST_CLIENT_READY)
		look_at_memory(client, now);
	pass_forget(client);
}

void host_client_await(struct host_client *client, uint64_t until)
{
	while (client->state == HOST_CLIENT_LOADING || client->state == HOST_CLIENT_BUSY) {
		uint64_t now = clock_monotonic_ns();

		if (now >= until)
			return;
		/* In short intervals, as the end of the host does not wake up the futex. */
		await_answer(client, now + HOST_CLIENT_PATIENCE);
		host_client_look(client, clock_monotonic_ns());
	}
}

struct call_request *host_client_request(struct host_client *client)
{
	assert(client->state == HOST_CLIENT_READY);
	return &client->area->request;
}

/* Sends a descriptor with a description of it. */
static bool send_memory(struct host_client *client, int fd, const struct call_memory *memory)
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
	return sendmsg(client->control, &message, MSG_DONTWAIT | MSG_NOSIGNAL) ==
	       (ssize_t)sizeof(*memory);
}

/*
 * Sends the memory of a process, opened by a thread: if the first thread of a
 * process has ended, it cannot be opened by its pid. Returns whether it was sent.
 */
static bool send_memory_of(struct host_client *client, pid_t pid, pid_t tid, uint64_t generation)
{
	struct call_memory memory;
	char path[PROCFS_PATH_SIZE];
	uint32_t sent = 0;
	int fd;

	if (outside_recall(OUTSIDE_HOST_MEMORY, &sent, sizeof(sent)))
		return sent;
	fd = open(procfs_process(path, tid, "mem"), O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		memset(&memory, 0, sizeof(memory));
		memory.pid = pid;
		memory.generation = generation;
		sent = send_memory(client, fd, &memory);
		close(fd);
	}
	outside_note(OUTSIDE_HOST_MEMORY, &sent, sizeof(sent));
	return sent;
}

void host_client_share_memory(struct host_client *client, pid_t pid, pid_t tid, uint64_t generation)
{
	uint64_t shared;

	if (idmap_get(&client->memory, (uint64_t)pid, &shared) && shared == generation)
		return;
	/* Try only once, whether or not it works. */
	idmap_put(&client->memory, (uint64_t)pid, generation);
	client->sent += send_memory_of(client, pid, tid, generation);
}

bool host_client_ask_long(struct host_client *client, uint64_t until)
{
	if (host_client_ask(client))
		return true;
	host_client_await(client, until);
	return client->state == HOST_CLIENT_READY;
}

bool host_client_ask(struct host_client *client)
{
	bool answered;

	client->calls++;
	send_request(client);
	answered = await_answer(client, client->asked_at + client->patience);
	if (!answered) {
		client->state = HOST_CLIENT_BUSY;
		client->asked_cpu = host_client_cpu(client);
		is_gone(client);
		return false;
	}
	copy_answer(client);
	host_client_check(&client->answer);
	return true;
}

void host_client_forget(struct host_client *client, pid_t pid)
{
	uint64_t generation;

	if (client->state == HOST_CLIENT_OFF ||
	    !idmap_get(&client->memory, (uint64_t)pid, &generation))
		return;
	idmap_remove(&client->memory, (uint64_t)pid);
	GROW(client->forget, client->forget_count + 1, client->forget_alloc);
	client->forget[client->forget_count++] = pid;
}
