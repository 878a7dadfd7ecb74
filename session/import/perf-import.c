/* SPDX-License-Identifier: Apache-2.0 */
/* Converts a perf.data to a session. */
#include "common/compat.h"
#include "session/import/perf-import.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "session/import/imported.h"
#include "session/import/perf-stacks.h"
#include "session/import/perf-survey.h"

#include <sys/utsname.h>

struct perf_reading {
	struct perf_data *data;
	const struct perf_header *header;
	struct survey survey;
	struct imported made;
	struct perf_stacks stacks;
	struct idmap build_ids; /* index of a path in header->paths, to that of its build id + 1 */
	struct import_notes *notes;
	const char *from;
	uint64_t disordered, astray;
};

/* perf_take_damage */
static void take_damage(void *argument, uint64_t place, const char *text)
{
	const struct perf_reading *reading = argument;

	import_notes_add(reading->notes, SEVERITY_WARNING, 6581, "%s at byte %" PRIu64 ": %s",
			 reading->from, place, text);
}

/* Returns the build id that the header has for a path; NULL: none. */
static const struct perf_build_id *build_id_of(const struct perf_reading *reading, const char *path)
{
	uint32_t number = strmap_find(&reading->header->paths, path);
	uint64_t found;

	return number != UINT32_MAX && idmap_get(&reading->build_ids, number, &found)
		       ? &reading->header->build_ids[found]
		       : NULL;
}

/* Adds a mapping to the process that it names. */
static void take_map(struct perf_reading *reading, const struct perf_record *record)
{
	const struct perf_map *map = &record->map;
	const struct perf_build_id *known = build_id_of(reading, map->path);
	struct imported_process *process;
	struct recorded_file file = {
		.path = map->path,
		.device = (uint64_t)map->major << 32 | map->minor,
		.inode = map->inode,
		.generation = map->generation,
	};

	if (!map->executable || map->pid == UINT32_MAX || map->pid == 0)
		return;
	if (map->build_id_size) {
		file.build_id = map->build_id;
		file.build_id_size = map->build_id_size;
	} else if (known) {
		file.build_id = known->id;
		file.build_id_size = known->size;
	}
	process = imported_tasks_process(&reading->made.tasks, map->pid);
	imported_objects_map(&reading->made.objects, &process->space, map->start, map->length,
			     map->offset, &file);
	imported_tasks_image(process, map->path);
}

/*
 * Records the place where a task leaves the processor, and the switch itself if
 * there are no other records of it.
 */
static void take_switch_sample(struct perf_reading *reading, const struct perf_record *record)
{
	struct imported_tasks *tasks = &reading->made.tasks;
	uint32_t next = 0;
	bool preempted = false, known = survey_switch(&record->sample, &next, &preempted);

	if (record->tid) {
		struct imported_task *task = imported_tasks_task(tasks, record->pid, record->tid);
		struct perf_stack found;
		struct wait_site site;

		perf_stacks_sample(&reading->stacks, task, record, true, &found);
		site = (struct wait_site){ .stack = found.place,
					   .reason = found.reason ? found.reason : WAIT_UNKNOWN };
		imported_tasks_seen(tasks, task, reading->made.now);
		imported_tasks_set_wait_site(task, &site);
		if (!reading->survey.switch_records && known)
			imported_tasks_switch_out(tasks, task, preempted);
	}
	/*
	 * The next task is known only by number: use it if it was seen before, else it
	 * appears when it does something.
	 */
	if (!reading->survey.switch_records && known && next) {
		struct imported_task *task = imported_tasks_find(tasks, next);

		if (task && task->id)
			imported_tasks_switch_in(tasks, task, record->cpu);
	}
}

static void take_sample(struct perf_reading *reading, const struct perf_record *record)
{
	const struct survey_event *event = &reading->survey.events[record->event];
	struct imported_task *task;
	struct perf_stack found;

	if (event->role == SURVEY_SWITCH && record->has_task)
		take_switch_sample(reading, record);
	if (!event->counts || (record->has_task && record->tid == 0))
		return;
	task = imported_tasks_sampled(&reading->made.tasks, record->pid, record->tid, record->cpu);
	perf_stacks_sample(&reading->stacks, task, record, false, &found);
	/* Without call stacks all are incomplete in the same way, and one note says why. */
	imported_sample(&reading->made, task, found.stack, survey_weight(&reading->survey, record),
			found.kernel,
			found.whole && (reading->survey.chains || reading->survey.stacks));
}

/* A task leaves its processor, or gets one. */
static void take_switch(struct perf_reading *reading, const struct perf_record *record)
{
	struct imported_tasks *tasks = &reading->made.tasks;
	bool out = record->misc & PERF_MISC_SWITCH_OUT;
	struct imported_task *task;

	if (record->has_task && !out && (!record->tid || record->tid == IMPORTED_ENDED_TID))
		imported_tasks_switch_in(tasks, NULL, record->cpu);
	if (!record->has_task || !record->tid || record->tid == IMPORTED_ENDED_TID)
		return;
	task = imported_tasks_task(tasks, record->pid, record->tid);
	imported_tasks_seen(tasks, task, reading->made.now);
	if (out)
		imported_tasks_switch_out(tasks, task, record->misc & PERF_MISC_PREEMPTED);
	else
		imported_tasks_switch_in(tasks, task, record->cpu);
}

/*
 * Returns whether a record belongs to a process that the recording is about. Names
 * and mappings are accepted for all: they have no effect without other records.
 */
static bool is_ours(struct perf_reading *reading, const struct perf_record *record)
{
	struct survey_processes *processes = &reading->survey.processes;

	switch (record->type) {
	case PERF_KERNEL_FORK:
		survey_processes_forked(processes, record->fork.parent_pid, record->fork.pid);
		return survey_processes_count(processes, record->fork.pid);
	case PERF_KERNEL_EXIT:
		return survey_processes_count(processes, record->fork.pid);
	case PERF_KERNEL_COMM:
		return survey_processes_count(processes, record->comm.pid);
	case PERF_KERNEL_SWITCH:
	case PERF_KERNEL_SWITCH_CPU_WIDE:
		/* A task that is replaced by another leaves the processor. */
		if (record->has_task && !(record->misc & PERF_MISC_SWITCH_OUT) &&
		    !survey_processes_count(processes, record->pid)) {
			if (record->has_time)
				imported_at(&reading->made, record->time);
			imported_tasks_switch_in(&reading->made.tasks, NULL, record->cpu);
			return false;
		}
		return !record->has_task || survey_processes_count(processes, record->pid);
	default:
		return true;
	}
}

/* perf_take_record, in time order */
static bool take(void *argument, const struct perf_record *record)
{
	struct perf_reading *reading = argument;
	struct imported *made = &reading->made;
	uint64_t time = record->has_time ? record->time : 0;

	if (!survey_is_sane(&reading->survey, record)) {
		reading->astray++;
		return true;
	}
	if (!is_ours(reading, record))
		return true;
	if (time)
		imported_at(made, time);
	switch (record->type) {
	case PERF_KERNEL_SAMPLE:
		take_sample(reading, record);
		break;
	case PERF_KERNEL_MMAP:
	case PERF_KERNEL_MMAP2:
		take_map(reading, record);
		break;
	case PERF_KERNEL_COMM:
		imported_tasks_name(&made->tasks, record->comm.pid, record->comm.tid,
				    record->comm.name, record->misc & PERF_MISC_COMM_EXEC, made->now);
		break;
	case PERF_KERNEL_FORK:
		imported_tasks_fork(&made->tasks, record->fork.parent_pid, record->fork.pid,
				    record->fork.tid, time ? made->now : 0);
		break;
	case PERF_KERNEL_EXIT:
		imported_tasks_exit(&made->tasks, record->fork.pid, record->fork.tid, made->now);
		break;
	case PERF_KERNEL_SWITCH:
	case PERF_KERNEL_SWITCH_CPU_WIDE:
		take_switch(reading, record);
		break;
	default:
		break;
	}
	return !made->file.failed;
}

/* Indexes the build ids; those of the kernel and of the vDSO are used separately. */
static void prepare_objects(struct perf_reading *reading)
{
	const struct perf_header *header = reading->header;
	const struct survey *survey = &reading->survey;
	const struct perf_build_id *vdso, *kernel;

	for (size_t i = 0; i < header->build_id_count; i++)
		idmap_put(&reading->build_ids, header->build_ids[i].path, i);
	kernel = build_id_of(reading, "[kernel.kallsyms]");
	vdso = build_id_of(reading, "[vdso]");
	imported_objects_kernel(&reading->made.objects, header->release, kernel ? kernel->id : NULL,
				kernel ? kernel->size : 0,
				survey->kernel_symbol ? survey->kernel_symbol : "",
				survey->kernel_address);
	if (vdso)
		imported_objects_vdso(&reading->made.objects, vdso->id, vdso->size,
				      survey->vdso_length);
}

/* Appends the events, with the requested rates: "cpu-clock (4000 samples a second), ...". */
static void add_events(const struct perf_reading *reading, struct strbuf *sb)
{
	for (size_t i = 0; i < reading->header->event_count; i++) {
		const struct perf_event *event = &reading->header->events[i];

		strbuf_addstr(sb, i ? ", " : "");
		perf_event_name(event, sb);
		if (event->flags & PERF_FLAG_FREQUENCY)
			strbuf_addf(sb, " (%" PRIu64 " a second)", event->period);
		else if (event->period)
			strbuf_addf(sb, " (each %" PRIu64 ")", event->period);
	}
}

/* Returns whether counting events exclude the kernel. */
static bool without_kernel(const struct perf_reading *reading)
{
	for (size_t i = 0; i < reading->survey.event_count; i++)
		if (reading->survey.events[i].counts &&
		    !(reading->header->events[i].flags & PERF_FLAG_EXCLUDE_KERNEL))
			return false;
	return true;
}

static void add_facts(struct perf_reading *reading)
{
	struct imported_file *file = &reading->made.file;
	const struct perf_header *header = reading->header;
	const struct survey *survey = &reading->survey;
	struct strbuf events = STRBUF_INIT;

	add_events(reading, &events);
	imported_file_attribute(file, ATTR_IMPORT, "perf.data");
	imported_file_attribute(file, ATTR_IMPORT_EVENTS, "%s", events.text);
	imported_file_attribute(file, ATTR_IMPORT_SAMPLES, "%" PRIu64, survey->samples);
	imported_file_attribute(file, ATTR_PRIVILEGE, "%s", without_kernel(reading) ? "USER" : "FULL");
	if (header->version)
		imported_file_attribute(file, ATTR_IMPORT_VERSION, "%s", header->version);
	if (header->host)
		imported_file_attribute(file, ATTR_HOST, "%s", header->host);
	if (header->release)
		imported_file_attribute(file, ATTR_KERNEL, "Linux %s", header->release);
	if (header->cpu_model)
		imported_file_attribute(file, ATTR_CPU_MODEL, "%s", header->cpu_model);
	if (header->cpus)
		imported_file_attribute(file, ATTR_CPUS, "%" PRIu64, header->cpus);
	if (header->command)
		imported_file_attribute(file, ATTR_COMMAND, "%s", header->command);
	if (header->wall && survey->start)
		imported_file_attribute(file, ATTR_START_WALL, "%" PRIu64,
					header->wall + (survey->start - header->when));
	strbuf_release(&events);
}

/* Adds notes about the recording for readers of the listing. */
static void add_notes(struct perf_reading *reading)
{
	const struct survey *survey = &reading->survey;
	struct import_notes *notes = reading->notes;

	if (!survey_has_switches(survey))
		import_notes_add(notes, SEVERITY_INFO, 6584,
				 "the recording does not contain when tasks waited: no waits are "
				 "shown (perf record --switch-events)");
	if (survey->samples && !survey->chains && !survey->stacks)
		import_notes_add(notes, SEVERITY_INFO, 6593,
				 "the recording has no call stacks: callers are not known (perf "
				 "record --call-graph)");
	if (survey->others)
		import_notes_add(notes, SEVERITY_INFO, 6585,
				 "%" PRIu64 " samples of events other than CPU time are ignored",
				 survey->others);
	if (survey->idle)
		import_notes_add(notes, SEVERITY_INFO, 6586,
				 "%" PRIu64 " samples of idle processors are ignored", survey->idle);
	if (survey->throttled)
		import_notes_add(notes, SEVERITY_WARNING, 6590,
				 "the kernel throttled sampling %" PRIu64 " times because it took "
				 "too much CPU time: CPU time is missing",
				 survey->throttled);
	if (survey->aux)
		import_notes_add(notes, SEVERITY_WARNING, 6583,
				 "the recording has a processor trace (AUX area), which is ignored");
	if (reading->disordered)
		import_notes_add(notes, reading->disordered > survey->samples / 1000 ? SEVERITY_WARNING : SEVERITY_INFO,
				 6592,
				 "%" PRIu64 " records came too late to be sorted by time",
				 reading->disordered);
	if (reading->astray)
		import_notes_add(notes, SEVERITY_WARNING, 6588,
				 "%" PRIu64 " records have an invalid time or period and are "
				 "skipped: the recording is damaged",
				 reading->astray);
	if (reading->stacks.unwalked)
		import_notes_add(notes, SEVERITY_WARNING, 6589,
				 "%" PRIu64 " copies of stacks could not be unwound: they are of "
				 "another processor architecture, or of 32-bit programs",
				 reading->stacks.unwalked);
	for (size_t i = 0; i < survey->event_count; i++)
		if (survey->events[i].counts && survey->events[i].role == SURVEY_CYCLES)
			import_notes_add(notes, SEVERITY_INFO, 6591,
					 "samples count cycles: CPU time is computed from the "
					 "duration of a cycle in this recording, %.3f ns",
					 survey->events[i].unit);
}

/* Converts all of it into the data set. */
static int make(struct perf_reading *reading, const struct import_request *request,
		struct import_result *result, struct error *err)
{
	const struct imported_facts facts = {
		.start = reading->survey.start,
		.end = reading->survey.end,
		.period = reading->survey.period,
		.samples = reading->survey.samples,
		.switches = survey_has_switches(&reading->survey),
		.written = perf_data_written(reading->data),
	};
	struct imported *made = &reading->made;
	struct utsname here;

	RETURN_IF(imported_begin(made, request->to, request->replace, &facts, err) < 0, -1);
	reading->stacks.made = made;
	reading->stacks.walks = uname(&here) == 0 && reading->header->arch &&
				strcmp(here.machine, reading->header->arch) == 0;
	prepare_objects(reading);
	reading->disordered = perf_data_walk_ordered(reading->data, take, NULL, reading);
	add_notes(reading);
	add_facts(reading);
	imported_file_attribute(&made->file, ATTR_PROGRAM, "%s", imported_tasks_main_program(&made->tasks));
	import_notes_rows(reading->notes, &made->file);
	RETURN_IF(imported_end(made, request->to, reading->survey.lost) < 0, -1);
	result->read = reading->survey.samples;
	result->samples = made->samples;
	result->cpu = made->samples * facts.period;
	result->elapsed = facts.end - facts.start;
	result->switches = facts.switches;
	return 0;
}

int perf_import(const struct import_request *request, struct import_input *input,
		struct import_notes *notes, struct import_result *result, struct error *err)
{
	struct perf_reading *reading = xcalloc(1, sizeof(*reading));
	int status = -1;

	reading->notes = notes;
	reading->from = request->from;
	idmap_init(&reading->build_ids);
	reading->data = perf_data_open(input, err);
	if (reading->data) {
		reading->header = perf_data_header(reading->data);
		status = survey_init(&reading->survey, reading->data, take_damage, reading, err);
		if (status == 0) {
			status = make(reading, request, result, err);
			imported_release(&reading->made);
		}
		survey_release(&reading->survey);
		perf_data_close(reading->data);
	}
	idmap_release(&reading->build_ids);
	free(reading);
	return status;
}
