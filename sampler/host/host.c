/* SPDX-License-Identifier: Apache-2.0 */
/* collector-host: the process in which a data collector runs (see protocol.h). */
#include "common/compat.h"
#include "common/clock.h"
#include "sampler/host/access.h"
#include "sampler/host/answer.h"
#include "sampler/host/guarded-read.h"
#include "sampler/host/load.h"
#include "sampler/sched-slice.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Maximum data of a collector and of what is kept for it; maximum address space. */
#define DATA_MAX (256UL << 20)
#define MAPPED_MAX (1UL << 30)
/* Descriptors: of the memory of a thousand processes, and of files. */
#define FILES_MAX 2048
/* Interval of checks that the sampler still exists. */
#define LOOK_AROUND_S 1

/* The shadow memory of a sanitizer exceeds any limit. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED false
#endif

struct host {
	struct call_area *area;
	int control;
	uint32_t memory_received;
	struct vigil_collector collector;
	bool loaded;
	struct sched_served before;
	char parameter[CALL_PARAMETER];
	void *anchor;
	struct call_given given;
};

/*
 * Sets limits: a leak ends in a failed allocation, a fault ends the process
 * without a core, and no process or thread can be started.
 */
static void set_limits(void)
{
	struct rlimit files;

	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	setrlimit(RLIMIT_NPROC, &(struct rlimit){ 0, 0 });
	if (!SANITIZED) {
		setrlimit(RLIMIT_DATA, &(struct rlimit){ DATA_MAX, DATA_MAX });
		setrlimit(RLIMIT_AS, &(struct rlimit){ MAPPED_MAX, MAPPED_MAX });
	}
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		if (files.rlim_max > FILES_MAX)
			files.rlim_max = FILES_MAX;
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

/*
 * Resets signals as for a new process, but ignores those that a terminal sends to
 * all its processes: the sampler decides when to end.
 */
static void set_signals(void)
{
	static const int ignored[] = { SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGTSTP };
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	for (size_t i = 0; i < ARRAY_SIZE(ignored); i++)
		signal(ignored[i], SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	guard_start();
}

/*
 * Keeps only the control socket; standard input and output are /dev/null. Returns
 * false on failure.
 */
static bool close_others(int control)
{
	int null = open("/dev/null", O_RDWR);

	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
		return false;
	if (control > 3)
		close_range(3, (unsigned)control - 1, 0);
	close_range((unsigned)control + 1, ~0U, 0);
	return fcntl(control, F_SETFD, FD_CLOEXEC) == 0;
}

/* Maps the area; not inherited by a process that the collector makes. Returns NULL on failure. */
static struct call_area *map_area(int descriptor)
{
	struct stat st;
	void *area;

	if (fstat(descriptor, &st) < 0 || (size_t)st.st_size < sizeof(struct call_area))
		return NULL;
	area = mmap(NULL, sizeof(struct call_area), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor,
		    0);
	if (area == MAP_FAILED || madvise(area, sizeof(struct call_area), MADV_DONTFORK) < 0)
		return NULL;
	return area;
}

/* Returns a descriptor number of the command line, or -1. */
static int descriptor_of(const char *text)
{
	char *end;
	long number = strtol(text, &end, 10);

	return *end || end == text || number < 3 || number > INT_MAX ? -1 : (int)number;
}

/* Returns whether the sampler's end of the socket was closed. */
static bool sampler_gone(const struct host *host)
{
	struct pollfd control = { .fd = host->control, .events = 0 };

	return poll(&control, 1, 0) < 0 ? errno != EINTR : control.revents != 0;
}

/* Waits until there is another request than answered; returns false if there will be none. */
static bool wait_for_call(const struct host *host, uint32_t answered)
{
	static const struct timespec pause = { .tv_sec = LOOK_AROUND_S };

	while (__atomic_load_n(&host->area->called, __ATOMIC_ACQUIRE) == answered) {
		long result = syscall(SYS_futex, &host->area->called, FUTEX_WAIT, answered, &pause,
				      NULL, 0);

		if (result < 0 && errno == ETIMEDOUT && sampler_gone(host))
			return false;
	}
	return true;
}

/* Receives one descriptor of a process's memory from the socket; returns false if there is none. */
static bool receive_one(const struct host *host)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	struct call_memory memory;
	struct iovec data = { &memory, sizeof(memory) };
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t got = recvmsg(host->control, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	struct cmsghdr *header;
	int descriptor;

	RETURN_IF(got != sizeof(memory), false);
	header = CMSG_FIRSTHDR(&message);
	if (header && header->cmsg_type == SCM_RIGHTS &&
	    header->cmsg_len == CMSG_LEN(sizeof(descriptor))) {
		memcpy(&descriptor, CMSG_DATA(header), sizeof(descriptor));
		access_memory(&memory, descriptor);
	}
	return true;
}

/* Receives the descriptors that were sent before this request. */
static void receive_memory(struct host *host, uint32_t sent)
{
	while (host->memory_received != sent && receive_one(host))
		host->memory_received++;
	host->memory_received = sent;
}

/* Loads the object. */
static void do_load(struct host *host)
{
	const struct call_request *request = &host->area->request;

	snprintf(host->parameter, sizeof(host->parameter), "%s", request->parameter);
	/* If the step uses the whole machine, an answer that waits for a processor is late. */
	if (request->comes_with_vigil)
		sched_serve(&host->before);
	host->area->phase = CALL_LOADING;
	host->loaded = load_collector(request->path, &host->collector, &host->area->answer);
	host->area->phase = CALL_IDLE;
}

/* Calls the entry point for a task. */
static void do_task(struct host *host)
{
	struct call_area *area = host->area;
	uint64_t begin = clock_monotonic_ns();
	enum vigil_outcome outcome;

	access_call(&area->request, begin);
	answer_prepare(&host->given, &area->request, host->parameter, host->anchor);
	begin = clock_monotonic_ns();
	area->phase = CALL_COLLECTOR;
	outcome = host->collector.entry(&host->given.area);
	area->phase = CALL_IDLE;
	area->answer.cost = clock_monotonic_ns() - begin;
	host->anchor = host->given.area.anchor;
	area->answer.read_time = access_read_time();
	area->answer.asked = access_asked();
	area->answer.counted = access_counts(area->answer.counts);
	answer_take(&host->given, &area->request, outcome, &area->answer);
	snprintf(area->answer.message, sizeof(area->answer.message), "%s", access_next_message());
}

/* Handles the request. */
static void serve(struct host *host)
{
	const struct call_request *request = &host->area->request;

	receive_memory(host, request->memory_sent);
	if (request->kind == CALL_LOAD)
		do_load(host);
	else if (request->kind == CALL_FORGET)
		access_forget(request->pid);
	else if (request->kind == CALL_TASK && host->loaded)
		do_task(host);
}

int main(int count, char **arguments)
{
	static struct host host;
	int area = count == 3 ? descriptor_of(arguments[1]) : -1;
	uint32_t called = 0;

	host.control = count == 3 ? descriptor_of(arguments[2]) : -1;
	if (area < 0 || host.control < 0)
		return 2;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	host.area = map_area(area);
	if (!host.area || !close_others(host.control))
		return 2;
	set_limits();
	set_signals();
	sched_slice_shorten();
	access_start();
	while (wait_for_call(&host, called)) {
		called = __atomic_load_n(&host.area->called, __ATOMIC_ACQUIRE);
		serve(&host);
		__atomic_store_n(&host.area->answered, called, __ATOMIC_RELEASE);
		syscall(SYS_futex, &host.area->answered, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
	return 0;
}
