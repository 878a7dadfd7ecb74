/* SPDX-License-Identifier: Apache-2.0 */
/* The facts of a session that the profile's header shows. */
#include "common/compat.h"
#include "session/measure/header.h"
#include "common/clock.h"
#include "common/outside.h"
#include "common/procfs.h"
#include "records/record-types.h"

#include <pwd.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

uint64_t header_process_cpu(void)
{
	return clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* Returns the CPU time of the collectors' processes, ns. */
static uint64_t collectors_cpu(const struct header *header)
{
	return header->sampler ? sampler_collector_cpu(header->sampler) : 0;
}

/* Returns the CPU time of the thread that finds names, ns. */
static uint64_t names_cpu(const struct header *header)
{
	return header->sampler ? sampler_names_cpu(header->sampler) : 0;
}

/* Returns the CPU time that the session used so far, including collectors, ns. */
static uint64_t overhead(const struct header *header)
{
	return header_process_cpu() - header->overhead_start + collectors_cpu(header);
}

void header_step_ended(struct header *header)
{
	if (!header->overhead_end)
		header->overhead_end = overhead(header);
}

void header_closing(void *argument, struct engine *engine, struct snapshot *snapshot)
{
	const struct header *header = argument;
	uint64_t whole = overhead(header);

	snapshot_attribute(snapshot, engine, ATTR_OVERHEAD_CPU, "%" PRIu64, whole);
	if (header->overhead_end)
		snapshot_attribute(snapshot, engine, ATTR_OVERHEAD_AFTER, "%" PRIu64,
				   whole - header->overhead_end);
	snapshot_attribute(snapshot, engine, ATTR_OVERHEAD_COLLECTORS, "%" PRIu64,
			   collectors_cpu(header));
	snapshot_attribute(snapshot, engine, ATTR_OVERHEAD_NAMES, "%" PRIu64, names_cpu(header));
	if (header->metrics)
		snapshot_attribute(snapshot, engine, ATTR_OVERHEAD_METRICS, "%" PRIu64,
				   metrics_cost(header->metrics));
}

void header_init(struct header *header, const struct measure_request *request, const char *data_set,
		 struct sampler *sampler)
{
	memset(header, 0, sizeof(*header));
	header->request = request;
	header->data_set = data_set;
	header->without_area = "";
	header->without_events = "";
	header->sampler = sampler;
	header->start = clock_monotonic_ns();
}

/* Appends the name of the first processor in /proc/cpuinfo; "" if it has none. */
static void cpu_model(struct strbuf *sb)
{
	char path[PROCFS_PATH_SIZE], info[4096];
	const char *at, *end;

	RETURN_IF(procfs_read(procfs_path(path, "/proc/cpuinfo"), info, sizeof(info)) < 0, );
	at = procfs_value(info, "model name");
	at = at ? strchr(at, ':') : NULL;
	end = at ? strchr(at, '\n') : NULL;
	if (end && end > at + 2)
		strbuf_add(sb, at + 2, (size_t)(end - at - 2));
}

/* What the header says about the machine, and who measures. */
struct machine {
	char host[65], kernel[131], user[65]; /* "": not known */
	int64_t processors;
};

static void look_at_machine(struct machine *machine)
{
	const struct passwd *user;
	struct utsname names;

	if (outside_recall(OUTSIDE_MACHINE, machine, sizeof(*machine)))
		return;
	memset(machine, 0, sizeof(*machine));
	user = getpwuid(getuid());
	machine->processors = sysconf(_SC_NPROCESSORS_ONLN);
	if (uname(&names) == 0) {
		snprintf(machine->host, sizeof(machine->host), "%s", names.nodename);
		snprintf(machine->kernel, sizeof(machine->kernel), "%s %s", names.sysname, names.release);
	}
	if (user)
		snprintf(machine->user, sizeof(machine->user), "%s", user->pw_name);
	else
		snprintf(machine->user, sizeof(machine->user), "%u", getuid());
	outside_note(OUTSIDE_MACHINE, machine, sizeof(*machine));
}

static void add_machine(struct snapshot *snapshot, struct engine *engine)
{
	struct strbuf model = STRBUF_INIT;
	struct machine machine;

	cpu_model(&model);
	look_at_machine(&machine);
	snapshot_attribute(snapshot, engine, ATTR_CPU_MODEL, "%s", model.text);
	strbuf_release(&model);
	snapshot_attribute(snapshot, engine, ATTR_CPUS, "%" PRId64, machine.processors);
	if (machine.host[0]) {
		snapshot_attribute(snapshot, engine, ATTR_HOST, "%s", machine.host);
		snapshot_attribute(snapshot, engine, ATTR_KERNEL, "%s", machine.kernel);
	}
	snapshot_attribute(snapshot, engine, ATTR_USER, "%s", machine.user);
}

/* Appends "2 STOP", "NOLIMIT". */
static void format_limit(const struct measure_request *request, struct strbuf *sb)
{
	if (request->limit_given && !request->no_limit)
		strbuf_addf(sb, "%" PRIu64 " %s", request->limit,
			    request->limit_stops ? "STOP" : "QUIT");
	else
		strbuf_addstr(sb, "NOLIMIT");
}

/* Appends a text in apostrophes, as in statements. */
static void add_quoted(struct strbuf *sb, const char *text)
{
	strbuf_addch(sb, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			strbuf_addch(sb, '\'');
		strbuf_addch(sb, *text);
	}
	strbuf_addch(sb, '\'');
}

/* Appends an operand with its values, "DCC=(A,B)"; nothing without values. */
static void add_operand(struct strbuf *sb, const char *keyword, const char *const *values,
			size_t count, bool quoted)
{
	if (!count)
		return;
	strbuf_addf(sb, "%s%s=%s", sb->length ? ", " : "", keyword, count > 1 ? "(" : "");
	for (size_t i = 0; i < count; i++) {
		if (i)
			strbuf_addch(sb, ',');
		if (quoted)
			add_quoted(sb, values[i]);
		else
			strbuf_addstr(sb, values[i]);
	}
	if (count > 1)
		strbuf_addch(sb, ')');
}

static void add_word(struct strbuf *sb, const char *word, bool wanted)
{
	if (wanted)
		strbuf_addf(sb, "%s%s", sb->length ? ", " : "", word);
}

/* Appends the request's options that have no field of their own; "NONE" if there are none. */
static void format_options(const struct measure_request *request, struct strbuf *sb)
{
	const struct collector_request *collectors = &request->collectors;

	add_operand(sb, "DCC", collectors->names, collectors->name_count, false);
	add_operand(sb, "DCCLIB", collectors->libraries, collectors->library_count, true);
	add_operand(sb, "DCCPARM", collectors->parameters, collectors->parameter_count, true);
	add_operand(sb, "MAPPROGRAM", collectors->map_programs, collectors->map_program_count,
		    false);
	if (request->rate)
		strbuf_addf(sb, "%sRATE=%" PRIu64, sb->length ? ", " : "", request->rate);
	if (request->cost > 0)
		strbuf_addf(sb, "%sCOST=%g", sb->length ? ", " : "", request->cost);
	add_word(sb, "METRICS=OFF", request->no_metrics);
	add_word(sb, "PROFILER", request->events.wanted);
	add_word(sb, "SAMPLING=ON", request->events.wanted && request->events.interval);
	add_word(sb, "CONSOLIDATE=ON", request->events.wanted && request->events.consolidate);
	add_word(sb, "COVERAGE=ON", request->events.wanted && request->events.coverage);
	add_word(sb, "ONLINE=ON", request->events.wanted && request->events.online);
	add_word(sb, "TRACE=ON", request->events.wanted && request->events.trace);
	add_word(sb, "PAUSE", request->paused);
	add_word(sb, "NONE", !sb->length);
}

static void add_request(const struct header *header, struct snapshot *snapshot,
			struct engine *engine)
{
	const struct measure_request *request = header->request;
	struct strbuf limit = STRBUF_INIT, options = STRBUF_INIT;

	format_limit(request, &limit);
	format_options(request, &options);
	snapshot_attribute(snapshot, engine, ATTR_REQUEST_OPTIONS, "%s", options.text);
	snapshot_attribute(snapshot, engine, ATTR_VERSION, "%s", PACKAGE_VERSION);
	snapshot_attribute(snapshot, engine, ATTR_JOB, "%s", request->job);
	snapshot_attribute(snapshot, engine, ATTR_JOB_NUMBER, "%s", request->job_number);
	snapshot_attribute(snapshot, engine, ATTR_STEP, "%s", request->step);
	snapshot_attribute(snapshot, engine, ATTR_PROCSTEP, "%s", request->procstep);
	snapshot_attribute(snapshot, engine, ATTR_PROGRAM, "%s", request->program);
	snapshot_attribute(snapshot, engine, ATTR_COMMAND, "%s", request->command);
	snapshot_attribute(snapshot, engine, ATTR_REQUEST_NUMBER, "%" PRIu64,
			   request->request_number);
	snapshot_attribute(snapshot, engine, ATTR_REQUEST_TYPE, "%s", request->request_type);
	snapshot_attribute(snapshot, engine, ATTR_REQUEST_SAMPLES, "%" PRIu64,
			   request->samples ? request->samples : MEASURE_DEFAULT_SAMPLES);
	snapshot_attribute(snapshot, engine, ATTR_REQUEST_SESSION, "%" PRIu64,
			   request->session_minutes);
	snapshot_attribute(snapshot, engine, ATTR_REQUEST_LIMIT, "%s", limit.text);
	snapshot_attribute(snapshot, engine, ATTR_DATA_SET, "%s", header->data_set);
	if (request->resource)
		snapshot_attribute(snapshot, engine, ATTR_RESOURCE, "%s", request->resource);
	snapshot_attribute(snapshot, engine, ATTR_START, "%" PRIu64, header->start);
	snapshot_attribute(snapshot, engine, ATTR_START_WALL, "%" PRIu64,
			   clock_wall_ns() - (clock_monotonic_ns() - header->start));
	strbuf_release(&limit);
	strbuf_release(&options);
}

static void add_result(const struct header *header, struct snapshot *snapshot,
		       struct engine *engine)
{
	snapshot_attribute(snapshot, engine, ATTR_OVERHEAD_CPU, "%" PRIu64, overhead(header));
	snapshot_attribute(snapshot, engine, ATTR_COMPLETE, "1");
	if (!header->result_known)
		return;
	if (header->abend[0])
		snapshot_attribute(snapshot, engine, ATTR_ABEND, "%s", header->abend);
	else
		snapshot_attribute(snapshot, engine, ATTR_EXIT, "%d", header->return_code);
	snapshot_attribute(snapshot, engine, ATTR_CPU_USER, "%" PRIu64, header->cpu_user);
	snapshot_attribute(snapshot, engine, ATTR_CPU_SYSTEM, "%" PRIu64, header->cpu_system);
	snapshot_attribute(snapshot, engine, ATTR_PEAK_RESIDENT, "%" PRIu64, header->peak_resident);
}

bool header_lacks_privilege(const struct header *header)
{
	enum privilege asked = header->request->privilege;

	return header->sampler && asked != PRIVILEGE_AUTO &&
	       sampler_privilege(header->sampler) > asked;
}

/* Adds what the session does without, and why. */
static void add_lacks(const struct header *header, struct snapshot *snapshot, struct engine *engine)
{
	static const char *const names[] = { "", "FULL", "USER", "PROC" };

	if (header->request->replayed)
		snapshot_note(snapshot, engine, SEVERITY_INFO, 6628,
			      "made from a recording with %s: the session itself had other options; where "
			      "tasks waited is what the recording has of it",
			      header->request->replayed);
	if (header_lacks_privilege(header))
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 53,
			      "measured with privilege %s: %s was requested but is not available "
			      "here",
			      names[sampler_privilege(header->sampler)],
			      names[header->request->privilege]);
	if (header->without_area[0])
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3009,
			      "transactions that the step names are not recorded: %s",
			      header->without_area);
	if (header->without_events[0])
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3010,
			      "events are not collected: %s", header->without_events);
}

static enum module_status header_call(struct module *module, enum sync_point point UNUSED,
				      struct snapshot *snapshot, struct error *err UNUSED)
{
	struct header *header = module->context;

	/* A step that ends before the first snapshot has only the last one. */
	if (!header->written) {
		add_machine(snapshot, module->engine);
		add_request(header, snapshot, module->engine);
		add_lacks(header, snapshot, module->engine);
		header->written = true;
	}
	if (snapshot->last)
		add_result(header, snapshot, module->engine);
	return MODULE_OK;
}

const struct module_class header_class = {
	.name = "SESSION",
	.summary = "facts of the session: job, program, machine, request, result",
	.capabilities = MODULE_PRODUCER,
	.sync_points = 1u << SYNC_SNAPSHOT,
	.produces = (const struct record_type *const[]){ &record_types[RECORD_ATTRIBUTE],
						       &record_types[RECORD_NOTE], NULL },
	.call = header_call,
};
