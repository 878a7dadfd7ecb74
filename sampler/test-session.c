/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: runs a program under the sampler and keeps every row that it makes. */
#include "common/compat.h"
#include "sampler/test-session.h"
#include "common/clock.h"
#include "records/record-types.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#define SNAPSHOT_EVERY (50 * NSEC_PER_MSEC)

/* Keeps the rows of a snapshot. */
static enum module_status keep_rows(struct module *module, enum sync_point point UNUSED,
				    struct snapshot *snapshot, struct error *err UNUSED)
{
	struct session *session = module->context;

	session->snapshots++;
	for (unsigned id = 1; id < RECORD_ID_COUNT; id++)
		if (snapshot_records(snapshot, id)->count)
			recordset_append(&session->rows[id], snapshot_records(snapshot, id));
	return MODULE_OK;
}

static const struct module_class keeper = {
	.name = "KEEPER",
	.summary = "keeps rows for tests",
	.capabilities = MODULE_CONSUMER,
	.sync_points = 1u << SYNC_SNAPSHOT_END,
	.call = keep_rows,
};

/* Forks a child that waits until something is written to *gate, then calls exec. */
static pid_t start_child(const struct session *session, char *const *command, int *gate)
{
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	child = fork();
	if (child == 0) {
		char byte;

		if (read(ends[0], &byte, 1) != 1 ||
		    (session->output && dup2(fileno(session->output), STDOUT_FILENO) < 0))
			_exit(127);
		execvp(command[0], command);
		_exit(127);
	}
	close(ends[0]);
	*gate = ends[1];
	return child;
}

/* sampler_config.thin for the rows kept here. */
static int thin_rows(void *argument, bool (*keep)(void *keep_argument, const void *row),
		     void *keep_argument, struct error *err UNUSED)
{
	struct session *session = argument;
	struct recordset *set = &session->rows[RECORD_SAMPLE];
	struct recordset left;

	recordset_init(&left, set->type);
	for (size_t i = 0; i < set->count; i++)
		if (keep(keep_argument, recordset_get(set, i)))
			recordset_add(&left, recordset_get(set, i));
	recordset_release(set);
	*set = left;
	return 0;
}

/* Pauses and resumes when it is time: for the requested duration, however late it began. */
static void pause_when_due(struct session *session, uint64_t passed)
{
	uint64_t now = clock_monotonic_ns();

	if (!session->pausing && !session->paused_from && session->pause_until &&
	    passed >= session->pause_from) {
		sampler_pause(session->sampler, true);
		session->pausing = true;
		session->paused_from = clock_monotonic_ns();
	} else if (session->pausing &&
		   now >= session->paused_from + session->pause_until - session->pause_from) {
		session->pausing = false;
		session->paused_until = now;
		sampler_pause(session->sampler, false);
		session->paused = clock_monotonic_ns() - session->paused_from;
	}
}

uint64_t session_rusage(const struct session *session)
{
	const struct rusage *usage = &session->usage;

	return (uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * NSEC_PER_SEC +
	       (uint64_t)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * NSEC_PER_USEC;
}

/* Makes the file for which the program waits, once enough was seen. */
static void enough_reported(struct session *session)
{
	int fd;

	if (!session->enough || access(session->enough_file, F_OK) == 0 ||
	    !session->enough(session))
		return;
	fd = open(session->enough_file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
}

/* Serves the engine until the step is over. */
static bool serve(struct session *session, pid_t child, struct error *err)
{
	uint64_t start = clock_monotonic_ns(), last = start;
	bool reaped = false;

	while (sampler_alive(session->sampler) || !reaped) {
		uint64_t now;

		if (engine_wait(session->engine, 20, err) < 0)
			return false;
		/* The stop of a task that is held for a collector may be reported too. */
		if (!reaped && wait4(child, &session->status, WNOHANG, &session->usage) == child)
			reaped = !WIFSTOPPED(session->status);
		now = clock_monotonic_ns();
		pause_when_due(session, now - start);
		if (now - last < SNAPSHOT_EVERY)
			continue;
		last = now;
		if (engine_snapshot(session->engine, err) < 0)
			return false;
		enough_reported(session);
	}
	if (session->set_used)
		sampler_set_used(session->sampler, session_rusage(session));
	return engine_finish(session->engine, err) == 0;
}

/* Returns the ns of CPU time that the first thread of a process used so far. */
static uint64_t used_so_far(pid_t pid)
{
	uint64_t used = 0;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", pid);
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (fscanf(file, "%" SCNu64, &used) != 1)
		used = 0;
	fclose(file);
	return used;
}

/* Lets the program run until it is to be attached to, and attaches. */
static bool attach(struct session *session, pid_t child, struct error *err)
{
	for (int i = 0; i < 100; i++) {
		usleep(100000);
		session->used_before = used_so_far(child);
		if (session->used_before >= session->attach_from)
			break;
	}
	return sampler_attach(session->sampler, child, err) == 0;
}

/* Starts the program under a sampler and runs it to its end. */
static bool run(struct session *session, char *const *command, struct error *err)
{
	int gate;
	pid_t child = start_child(session, command, &gate);

	if (child < 0)
		return false;
	session->sampler = sampler_new(&session->config);
	if (!session->sampler)
		return false;
	if (session->attach) {
		if (write(gate, "", 1) != 1 || !attach(session, child, err))
			return false;
	} else if (sampler_follow(session->sampler, child, err) < 0) {
		return false;
	}
	session->engine = engine_new(&session_records);
	if (sampler_register(session->sampler, session->engine, err) < 0 ||
	    !engine_add(session->engine, &keeper, session, err) ||
	    engine_start(session->engine, err) < 0)
		return false;
	if (!session->attach) {
		session->used_forked = used_so_far(child);
		if (write(gate, "", 1) != 1)
			return false;
	}
	close(gate);
	if (!serve(session, child, err))
		return false;
	sampler_counts(session->sampler, &session->counts);
	return true;
}

/* Returns the ns that a hypervisor has taken from this machine so far. */
static uint64_t stolen_so_far(void)
{
	FILE *stream = fopen("/proc/stat", "re");
	uint64_t ticks = 0;

	if (stream && fscanf(stream, "cpu %*u %*u %*u %*u %*u %*u %*u %" SCNu64, &ticks) != 1)
		ticks = 0;
	if (stream)
		fclose(stream);
	return ticks * (NSEC_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK));
}

bool session_run(struct session *session, char *const *command)
{
	const char *cache = getenv("VIGIL_NAMES_CACHE");
	uint64_t stolen = stolen_so_far();
	struct error err = ERROR_INIT;
	bool done;

	for (unsigned id = 1; id < RECORD_ID_COUNT; id++)
		recordset_init(&session->rows[id], &record_types[id]);
	session->config.thin = thin_rows;
	session->config.thin_argument = session;
	/*
	 * As for users: reading the names of the kernel and of the C library takes longer
	 * than most of these sessions.
	 */
	if (!session->config.names_cache && cache && strcmp(cache, "off") != 0)
		session->config.names_cache = cache;
	done = run(session, command, &err);
	session->stolen = stolen_so_far() - stolen;
	if (!done)
		fprintf(stderr, "# %s\n", error_text(&err));
	error_release(&err);
	return done;
}

void session_release(struct session *session)
{
	engine_free(session->engine);
	sampler_free(session->sampler);
	for (unsigned id = 1; id < RECORD_ID_COUNT; id++)
		recordset_release(&session->rows[id]);
}

const char *session_text(const struct session *session, uint64_t string)
{
	return strmap_text(engine_strings(session->engine), (uint32_t)string);
}

const char *session_attribute(const struct session *session, const char *key)
{
	const struct recordset *set = &session->rows[RECORD_ATTRIBUTE];

	for (size_t i = set->count; i-- > 0;) {
		const struct record_attribute *row = recordset_get(set, i);

		if (strcmp(session_text(session, row->key), key) == 0)
			return session_text(session, row->value);
	}
	return "";
}

const char *session_procedure(const struct session *session, uint64_t frame)
{
	const struct recordset *set = &session->rows[RECORD_NAME];

	for (size_t i = 0; i < set->count; i++) {
		const struct record_name *row = recordset_get(set, i);

		if (row->frame == frame && row->depth == 0)
			return session_text(session, row->procedure);
	}
	return "";
}

/* Returns whether a frame is in a procedure, including inlined ones. */
static bool frame_is_in(const struct session *session, uint64_t frame, const char *procedure)
{
	const struct recordset *set = &session->rows[RECORD_NAME];

	for (size_t i = 0; i < set->count; i++) {
		const struct record_name *row = recordset_get(set, i);

		if (row->frame == frame &&
		    strcmp(session_text(session, row->procedure), procedure) == 0)
			return true;
	}
	return false;
}

bool session_on_stack(const struct session *session, uint64_t stack, const char *procedure)
{
	const struct recordset *set = &session->rows[RECORD_STACK];

	while (stack) {
		const struct record_stack *row = recordset_get(set, (size_t)stack - 1);

		if (frame_is_in(session, row->frame, procedure))
			return true;
		stack = row->parent;
	}
	return false;
}

uint64_t session_samples_in(const struct session *session, const char *procedure)
{
	const struct recordset *set = &session->rows[RECORD_SAMPLE];
	uint64_t count = 0;

	for (size_t i = 0; i < set->count; i++) {
		const struct record_sample *row = recordset_get(set, i);

		count += session_on_stack(session, row->stack, procedure);
	}
	return count;
}

struct record_wait session_waits(const struct session *session, enum wait_reason reason,
				 const char *procedure)
{
	const struct recordset *set = &session->rows[RECORD_WAIT];
	struct record_wait sum = { 0 };

	for (size_t i = 0; i < set->count; i++) {
		const struct record_wait *row = recordset_get(set, i);

		if (reason && row->reason != reason)
			continue;
		if (procedure && !session_on_stack(session, row->stack, procedure))
			continue;
		sum.count += row->count;
		sum.total += row->total;
		sum.charged += row->charged;
		sum.solo += row->solo;
		sum.file = row->file;
		sum.syscall = row->syscall;
	}
	return sum;
}

struct record_step session_step(const struct session *session)
{
	const struct recordset *set = &session->rows[RECORD_STEP];
	struct record_step sum = { 0 };

	for (size_t i = 0; i < set->count; i++) {
		const struct record_step *row = recordset_get(set, i);

		sum.interval += row->interval;
		sum.exec += row->exec;
		sum.wait += row->wait;
		sum.delay += row->delay;
		sum.minor_faults += row->minor_faults;
		sum.read_calls += row->read_calls;
		sum.write_calls += row->write_calls;
		sum.write_bytes += row->write_bytes;
		if (row->resident > sum.resident)
			sum.resident = row->resident;
	}
	return sum;
}
