/* SPDX-License-Identifier: Apache-2.0 */
/* Executes the requests of a store that wait for programs. */
#include "common/compat.h"
#include "session/watch/watching.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "session/store/request-store.h"
#include "session/watch/lookout.h"
#include "session/watch/meant.h"
#include "session/watch/watched.h"

#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Interval of checks of the store's file. */
#define TICK_MS 200
/*
 * The store is read again at this interval even if no change is seen: a remote
 * file system may show a change late.
 */
#define READ_AGAIN 30 /* s */
/* A request that lost a race for a process waits before its next attempt, at most 2 s. */
#define BACKOFF_MS 125

/* A session of this watch. */
struct child {
	pid_t pid; /* of the vigil process */
	uint64_t number;
	pid_t subject;
	uint64_t ticks;
	int64_t start; /* of the request */
};

/* A process that must not be tried again for a request. */
struct tried {
	uint64_t number;
	pid_t subject;
	uint64_t ticks;
	int64_t start;
};

/* A request that lost a race. */
struct delay {
	uint64_t number, until; /* monotonic */
	unsigned times;
};

struct watch {
	const struct watching *options;
	char *folder;
	struct lookout *lookout;
	struct running_requests waiting;
	struct child *children;
	size_t child_count, child_alloc;
	struct tried *tried;
	size_t tried_count, tried_alloc;
	struct delay *delays;
	size_t delay_count, delay_alloc;
	struct stat seen;	 /* the store's file at the last read */
	bool all;		 /* inspect all processes, not only new ones */
	bool read;		 /* the store must be read */
	uint64_t read_at;	 /* monotonic */
	struct pace looks, reads;
	char *complaint;	 /* last message about an unusable store */
	uint64_t begun, sessions;
};

/* The signal received by a session's process. */
static volatile sig_atomic_t session_signal;

static void note(int number)
{
	if (!session_signal || number == SIGQUIT)
		session_signal = number;
}

static uint64_t own_cpu(void)
{
	return clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* Reports a problem of the store once until it changes. */
static void complain(struct watch *watch, const char *why)
{
	if (watch->complaint && strcmp(watch->complaint, why) == 0)
		return;
	free(watch->complaint);
	watch->complaint = xstrdup(why);
	message_sink_emit(watch->options->sink, SEVERITY_WARNING, 6819,
			 "the request store cannot be used: %s; vigil tries again", why);
}

static void stop_complaining(struct watch *watch)
{
	if (watch->complaint)
		message_sink_emit(watch->options->sink, SEVERITY_INFO, 6821,
				 "the request store %s can be used again", watch->options->store);
	free(watch->complaint);
	watch->complaint = NULL;
}

/* Returns whether the store's file is unchanged since it was read. */
static bool is_unchanged(const struct watch *watch, const struct stat *now)
{
	return watch->seen.st_ino == now->st_ino && watch->seen.st_dev == now->st_dev &&
	       watch->seen.st_size == now->st_size &&
	       watch->seen.st_mtim.tv_sec == now->st_mtim.tv_sec &&
	       watch->seen.st_mtim.tv_nsec == now->st_mtim.tv_nsec;
}

/* Reads the status of the store's file; zeroes if it does not exist. */
static void look_at_file(const struct watch *watch, struct stat *facts)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/requests.db", watch->options->store);
	if (stat(path.text, facts) < 0)
		*facts = (struct stat){ 0 };
	strbuf_release(&path);
}

/* Returns whether the list has an entry that it did not have before. */
static bool has_new(const struct running_requests *now, const struct running_requests *before)
{
	for (size_t i = 0; i < now->count; i++) {
		bool found = false;

		for (size_t j = 0; j < before->count && !found; j++)
			found = before->items[j].number == now->items[i].number &&
				before->items[j].given == now->items[i].given &&
				before->items[j].start == now->items[i].start &&
				control_equal(before->items[j].deck, now->items[i].deck);
		RETURN_IF(!found, true);
	}
	return false;
}

/* Reads the waiting requests. */
static void read_store(struct watch *watch)
{
	struct running_requests list = { 0 };
	struct error err = ERROR_INIT;
	const uint64_t before = own_cpu();
	struct request_store *store =
		request_store_open(watch->options->store, false, 1000, &err);

	/* Before reading, so that a change during the read is noticed afterwards. */
	look_at_file(watch, &watch->seen);
	if (store)
		running_requests_read(store, &list, &err);
	request_store_close(store);
	watch->read = *error_text(&err) != '\0';
	if (watch->read) {
		complain(watch, error_text(&err));
	} else {
		stop_complaining(watch);
		watch->all |= has_new(&list, &watch->waiting);
		running_requests_release(&watch->waiting);
		watch->waiting = list;
	}
	error_release(&err);
	watch->read_at = clock_monotonic_ns();
	pace_spend(&watch->reads, own_cpu() - before);
}

/* Reads the waiting requests if they may have changed. */
static void follow_store(struct watch *watch)
{
	const uint64_t now = clock_monotonic_ns();
	const int64_t second = time(NULL);
	struct stat facts;

	if (now < watch->reads.next)
		return;
	look_at_file(watch, &facts);
	/* Changes within one tick of the kernel's clock have the same time. */
	if (!is_unchanged(watch, &facts) ||
	    (facts.st_mtim.tv_sec >= second - 1 && facts.st_ino) ||
	    (watch->waiting.next && watch->waiting.next <= second) ||
	    now - watch->read_at >= READ_AGAIN * NSEC_PER_SEC)
		watch->read = true;
	if (watch->read)
		read_store(watch);
}

/* Returns whether a request is being measured by this watch, or waits after a race. */
static bool is_busy(const struct watch *watch, uint64_t number)
{
	for (size_t i = 0; i < watch->child_count; i++)
		RETURN_IF(watch->children[i].number == number, true);
	for (size_t i = 0; i < watch->delay_count; i++)
		if (watch->delays[i].number == number)
			return clock_monotonic_ns() < watch->delays[i].until;
	return false;
}

static bool was_tried(const struct watch *watch, const struct running_request *request, pid_t pid,
		      uint64_t ticks)
{
	for (size_t i = 0; i < watch->tried_count; i++) {
		const struct tried *one = &watch->tried[i];

		if (one->number == request->number && one->subject == pid && one->ticks == ticks &&
		    one->start == request->start)
			return true;
	}
	return false;
}

/* Forgets attempts with processes that are gone. */
static void forget_tried(struct watch *watch)
{
	size_t kept = 0;

	for (size_t i = 0; i < watch->tried_count; i++) {
		int64_t second;
		uint64_t ticks;

		if (process_start_time(watch->tried[i].subject, &second, &ticks) &&
		    ticks == watch->tried[i].ticks)
			watch->tried[kept++] = watch->tried[i];
	}
	watch->tried_count = kept;
}

/* Updates the race for a request: lost again, or over. */
static void set_delay(struct watch *watch, uint64_t number, bool lost)
{
	struct delay *one = NULL;

	for (size_t i = 0; i < watch->delay_count; i++)
		if (watch->delays[i].number == number)
			one = &watch->delays[i];
	if (!lost) {
		if (one)
			*one = watch->delays[--watch->delay_count];
		return;
	}
	if (!one) {
		GROW(watch->delays, watch->delay_count + 1, watch->delay_alloc);
		one = &watch->delays[watch->delay_count++];
		*one = (struct delay){ .number = number };
	}
	if (one->times < 4)
		one->times++;
	one->until = clock_monotonic_ns() + ((uint64_t)BACKOFF_MS << one->times) * NSEC_PER_MSEC;
}

/* Handles the end of a session. */
static void take_back(struct watch *watch, size_t at, int status)
{
	const struct child one = watch->children[at];
	const enum watched_status said =
		WIFEXITED(status) ? (enum watched_status)WEXITSTATUS(status) : WATCHED_STORE;

	if (WIFSIGNALED(status))
		message_sink_emit(watch->options->sink, SEVERITY_ERROR, 6823,
				 "request %" PRIu64
				 ": the process that measures process %d was ended by signal %d",
				 one.number, one.subject, WTERMSIG(status));
	watch->children[at] = watch->children[--watch->child_count];
	set_delay(watch, one.number, said == WATCHED_NOTHING || said == WATCHED_STORE);
	if (said == WATCHED_NEVER) {
		forget_tried(watch);
		GROW(watch->tried, watch->tried_count + 1, watch->tried_alloc);
		watch->tried[watch->tried_count++] =
			(struct tried){ one.number, one.subject, one.ticks, one.start };
	}
	watch->sessions += said == WATCHED_DONE;
	watch->all = true;
	watch->read = true;
}

static void reap(struct watch *watch)
{
	for (size_t i = 0; i < watch->child_count;) {
		int status;

		if (waitpid(watch->children[i].pid, &status, WNOHANG) == watch->children[i].pid)
			take_back(watch, i, status);
		else
			i++;
	}
}

/*
 * Runs in a session's process: it handles its signals itself, and releases the
 * watch's resources.
 */
static enum watched_status be_session(struct watch *watch, const struct watched *watched)
{
	struct sigaction noted = { .sa_handler = note };

	setpgid(0, 0);
	session_signal = 0;
	watch->options->leave(watch->options->argument);
	sigaction(SIGTERM, &noted, NULL);
	sigaction(SIGQUIT, &noted, NULL);
	sigaction(SIGINT, &noted, NULL);
	sigaction(SIGHUP, &noted, NULL);
	lookout_leave(watch->lookout);
	return watched_run(watched);
}

/* Starts a process that measures pid for a request. */
static void begin(struct watch *watch, const struct running_request *request, pid_t pid,
		  int64_t began, uint64_t ticks)
{
	const struct watched watched = {
		.waiting = request,
		.pid = pid,
		.ticks = ticks,
		.began = began,
		.store = watch->options->store,
		.folder = watch->folder,
		.at_most = watch->options->at_most,
		.sink = watch->options->sink,
		.stop = &session_signal,
	};
	pid_t child = fork();

	if (child == 0) {
		const enum watched_status status = be_session(watch, &watched);

		fflush(NULL);
		_exit((int)status);
	}
	if (child < 0) {
		complain(watch, "no process can be created for a session");
		set_delay(watch, request->number, true);
		return;
	}
	GROW(watch->children, watch->child_count + 1, watch->child_alloc);
	watch->children[watch->child_count++] = (struct child){
		.pid = child,
		.number = request->number,
		.subject = pid,
		.ticks = ticks,
		.start = request->start,
	};
}

/* A process that matches a request; of several the one that started first. */
struct candidate {
	pid_t pid; /* 0: none */
	int64_t began;
	uint64_t ticks;
};

static void consider(const struct watch *watch, const struct running_request *request, pid_t pid,
		     struct candidate *candidate)
{
	int64_t began;
	uint64_t ticks;

	if (!process_start_time(pid, &began, &ticks) || was_tried(watch, request, pid, ticks))
		return;
	if (candidate->pid && candidate->ticks <= ticks)
		return;
	*candidate = (struct candidate){ pid, began, ticks };
}

/* Returns whether a process is this watch or one of its sessions. */
static bool is_own(const struct watch *watch, pid_t pid)
{
	for (size_t i = 0; i < watch->child_count; i++)
		RETURN_IF(watch->children[i].pid == pid, true);
	return pid == getpid();
}

/*
 * Handles a request for a process by number: measures the process, or sets the
 * request to Failed.
 */
static void follow_number(struct watch *watch, const struct running_request *request)
{
	const struct control_request *wanted = &request->deck->statements->request;
	struct candidate found = { 0 };
	struct strbuf why = STRBUF_INIT;
	struct error err = ERROR_INIT;
	struct request_store *store;

	consider(watch, request, (pid_t)wanted->pid, &found);
	if (found.pid && found.began > request->given + 1)
		strbuf_addf(&why, "process %" PRIu64 " began after the request was made: it is a different process",
			    wanted->pid);
	else if (found.pid && !request_selects_process(wanted, request->user, found.pid))
		strbuf_addf(&why, "process %" PRIu64 " has a program other than %s", wanted->pid,
			    wanted->program);
	else if (found.pid)
		begin(watch, request, found.pid, found.began, found.ticks);
	else
		strbuf_addf(&why, "there is no process %" PRIu64 " that it could measure",
			    wanted->pid);
	store = why.length ? request_store_open(watch->options->store, false, 1000, &err) : NULL;
	if (store && running_refuse(store, request->number, why.text, &err) == 0)
		message_sink_emit(watch->options->sink, SEVERITY_ERROR, 6818,
				 "request %" PRIu64 " cannot be measured: %s", request->number,
				 why.text);
	if (store)
		watch->read = true;
	request_store_close(store);
	if (*error_text(&err))
		complain(watch, error_text(&err));
	error_release(&err);
	strbuf_release(&why);
}

/* Returns how many more sessions are allowed. */
static size_t places(const struct watch *watch)
{
	return watch->options->at_most > watch->child_count
		       ? watch->options->at_most - watch->child_count
		       : 0;
}

/* Searches processes for those that the requests select, and begins to measure them. */
static void match(struct watch *watch, const pid_t *processes, size_t count)
{
	struct candidate *found = xcalloc(watch->waiting.count + 1, sizeof(*found));

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < watch->waiting.count; j++) {
			const struct running_request *request = &watch->waiting.items[j];
			const struct control_request *wanted = &request->deck->statements->request;

			if (!wanted->pid && !is_busy(watch, request->number) &&
			    !is_own(watch, processes[i]) &&
			    request_selects_process(wanted, request->user, processes[i]))
				consider(watch, request, processes[i], &found[j]);
		}
	for (size_t j = 0; j < watch->waiting.count; j++)
		if (found[j].pid && places(watch))
			begin(watch, &watch->waiting.items[j], found[j].pid, found[j].began,
			      found[j].ticks);
		else if (found[j].pid)
			watch->all = true; /* it is found again later */
	free(found);
}

/*
 * Returns whether any request waits for programs to appear; measures those with a
 * process number.
 */
static bool any_wait(struct watch *watch)
{
	bool any = false;

	for (size_t i = 0; i < watch->waiting.count; i++) {
		const struct running_request *request = &watch->waiting.items[i];

		if (!places(watch))
			return false;
		if (is_busy(watch, request->number))
			continue;
		if (request->deck->statements->request.pid)
			follow_number(watch, request);
		else
			any = true;
	}
	return any;
}

/* Lets requests that lost a race try again: then all processes are inspected. */
static void end_delays(struct watch *watch)
{
	const uint64_t now = clock_monotonic_ns();

	for (size_t i = 0; i < watch->delay_count; i++)
		if (watch->delays[i].until && now >= watch->delays[i].until) {
			watch->delays[i].until = 0;
			watch->all = true;
		}
}

/* Looks for programs. */
static void look(struct watch *watch)
{
	const bool has_events = lookout_has_events(watch->lookout);
	const pid_t *processes;
	uint64_t before;
	size_t count;
	bool all;

	end_delays(watch);
	if ((!has_events || watch->all) && clock_monotonic_ns() < watch->looks.next)
		return;
	before = own_cpu();
	if (!any_wait(watch)) {
		if (has_events) /* discard reports that no request waits for */
			lookout_take(watch->lookout, false, &processes);
		watch->all |= watch->waiting.count > 0;
		return;
	}
	all = watch->all;
	watch->all = false;
	count = lookout_take(watch->lookout, all, &processes);
	match(watch, processes, count);
	if (!has_events || all)
		pace_spend(&watch->looks, own_cpu() - before);
	else
		watch->looks.spent += own_cpu() - before;
}

/* Sleeps until something may have happened. */
static void rest(const struct watch *watch)
{
	const bool listens =
		lookout_has_events(watch->lookout) && watch->waiting.count && !watch->all;
	struct pollfd has_events = { .fd = listens ? lookout_descriptor(watch->lookout) : -1,
			       .events = POLLIN };
	const uint64_t now = clock_monotonic_ns();
	int wait = TICK_MS;

	if (watch->waiting.count && !lookout_has_events(watch->lookout) && watch->looks.next > now &&
	    (watch->looks.next - now) / NSEC_PER_MSEC < TICK_MS)
		wait = (int)((watch->looks.next - now) / NSEC_PER_MSEC) + 1;
	poll(&has_events, 1, wait);
}

/* Ends all sessions, and waits until each has reported to the store. */
static void stop_sessions(struct watch *watch)
{
	for (size_t i = 0; i < watch->child_count; i++)
		kill(watch->children[i].pid, SIGTERM);
	while (watch->child_count) {
		reap(watch);
		if (watch->child_count)
			poll(NULL, 0, 20);
	}
}

/* Returns the folder of the sample data sets. */
static char *find_folder(const struct watching *options)
{
	struct strbuf path = STRBUF_INIT;

	if (options->folder)
		strbuf_addstr(&path, options->folder);
	else
		strbuf_addf(&path, "%s/profiles", options->store);
	return strbuf_detach(&path, NULL);
}

/* Reports the cost of the watch. */
static void say_cost(const struct watch *watch)
{
	const double elapsed = (double)(clock_monotonic_ns() - watch->begun);
	const uint64_t spent = own_cpu();

	message_sink_emit(watch->options->sink, SEVERITY_INFO, 6822,
			 "the watch has ended: %" PRIu64 " sessions; it searched %" PRIu64 " times "
			 "for programs, read the store %" PRIu64 " times, and used %.1f ms of CPU "
			 "time in %.1f s, %.2f %% of a processor",
			 watch->sessions, watch->looks.times, watch->reads.times,
			 (double)spent / (double)NSEC_PER_MSEC, elapsed / (double)NSEC_PER_SEC,
			 elapsed > 0 ? 100 * (double)spent / elapsed : 0.0);
}

static void release(struct watch *watch)
{
	lookout_free(watch->lookout);
	running_requests_release(&watch->waiting);
	free(watch->children);
	free(watch->tried);
	free(watch->delays);
	free(watch->complaint);
	free(watch->folder);
}

void watching_run(const struct watching *watching)
{
	struct watch watch = { .options = watching,
			       .folder = find_folder(watching),
			       .begun = clock_monotonic_ns(),
			       .read = true };

	watch.lookout = lookout_new(!watching->by_list);
	message_sink_emit(watching->sink, SEVERITY_INFO, 6815,
			 "watching the request store %s: at most %u sessions at once, programs are "
			 "found by %s",
			 watching->store, watching->at_most,
			 lookout_has_events(watch.lookout) ? "the kernel's process events"
							: "scanning /proc");
	while (!watching->signal(watching->argument)) {
		reap(&watch);
		follow_store(&watch);
		if (watch.waiting.count)
			mkdir(watch.folder, 0700);
		look(&watch);
		rest(&watch);
	}
	stop_sessions(&watch);
	say_cost(&watch);
	release(&watch);
}
