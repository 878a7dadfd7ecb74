/* SPDX-License-Identifier: Apache-2.0 */
/* The facts of a session that its profile shows in the header. */
#include "common/compat.h"
#include "session/measure/header.h"
#include "common/clock.h"
#include "common/procfs.h"

#include <pwd.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

/* CPU time this process has used so far, ns. */
static uint64_t own_cpu(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return ((uint64_t)usage.ru_utime.tv_sec + (uint64_t)usage.ru_stime.tv_sec) * NSEC_PER_SEC +
	       ((uint64_t)usage.ru_utime.tv_usec + (uint64_t)usage.ru_stime.tv_usec) *
		       NSEC_PER_USEC;
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
	header->overhead_start = own_cpu();
}

/* The processor's name as /proc/cpuinfo has it for the first; "" when it has none. */
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

static void add_machine(struct snapshot *snapshot, struct engine *engine)
{
	const struct passwd *user = getpwuid(getuid());
	struct strbuf model = STRBUF_INIT;
	struct utsname names;

	cpu_model(&model);
	snapshot_attribute(snapshot, engine, ATTR_CPU_MODEL, "%s", model.text);
	strbuf_release(&model);
	snapshot_attribute(snapshot, engine, ATTR_CPUS, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
	if (uname(&names) == 0) {
		snapshot_attribute(snapshot, engine, ATTR_HOST, "%s", names.nodename);
		snapshot_attribute(snapshot, engine, ATTR_KERNEL, "%s %s", names.sysname,
				   names.release);
	}
	if (user)
		snapshot_attribute(snapshot, engine, ATTR_USER, "%s", user->pw_name);
	else
		snapshot_attribute(snapshot, engine, ATTR_USER, "%u", getuid());
}

/* Append "2 STOP", "NOLIMIT". */
static void format_limit(const struct measure_request *request, struct strbuf *sb)
{
	if (request->limit_given && !request->no_limit)
		strbuf_addf(sb, "%" PRIu64 " %s", request->limit,
			    request->limit_stops ? "STOP" : "QUIT");
	else
		strbuf_addstr(sb, "NOLIMIT");
}

static void add_request(const struct header *header, struct snapshot *snapshot,
			struct engine *engine)
{
	const struct measure_request *request = header->request;
	struct strbuf limit = STRBUF_INIT;

	format_limit(request, &limit);
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
}

static void add_result(const struct header *header, struct snapshot *snapshot,
		       struct engine *engine)
{
	snapshot_attribute(snapshot, engine, ATTR_OVERHEAD_CPU, "%" PRIu64,
			   own_cpu() - header->overhead_start +
				   (header->sampler ? sampler_collector_cpu(header->sampler) : 0));
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

static enum module_status header_call(struct module *module, enum sync_point point UNUSED,
				      struct snapshot *snapshot, struct error *err UNUSED)
{
	struct header *header = module->context;

	/* A step that ends before the first snapshot has only the last. */
	if (!header->written) {
		add_machine(snapshot, module->engine);
		add_request(header, snapshot, module->engine);
		if (header->without_area[0])
			snapshot_note(snapshot, module->engine, SEVERITY_WARNING, 3009,
				      "transactions that the step names are not seen: %s",
				      header->without_area);
		if (header->without_events[0])
			snapshot_note(snapshot, module->engine, SEVERITY_WARNING, 3010,
				      "events are not collected: %s", header->without_events);
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
