/* SPDX-License-Identifier: Apache-2.0 */
/* Converts the output of perf script to a session. */
#include "common/compat.h"
#include "session/import/text-import.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "session/import/import-input.h"
#include "session/import/imported.h"
#include "session/import/perf-text.h"
#include "session/import/sample-pace.h"
#include "session/import/text-stacks.h"

#include <math.h>

/*
 * The role of an event in an import; of two that measure CPU time the later one in
 * this order counts.
 */
enum text_role { TEXT_OTHER, TEXT_CYCLES, TEXT_CLOCK, TEXT_SWITCHED };

struct text_event {
	enum text_role role;
	bool counts;
	uint64_t samples, periods; /* periods: number of samples with a period */
	double total, unit;
	struct sample_pace pace;
};

struct text_reading {
	const struct import_request *request;
	struct import_notes *notes;
	struct import_result *result;
	struct strmap names; /* of events */
	struct text_event *events; /* by index of its name */
	size_t event_count, event_alloc;
	char *version, *host, *release, *cpu_model, *command, *cpus;
	uint64_t start, end, samples, others, idle, lost, period, damaged;
	bool switch_records, whole_processors, chains;
	bool not_all; /* the tracepoint has only some of the switches */
	struct imported made;
	struct text_stacks stacks;
};

/* text_take_damage */
static void take_damage(void *argument, uint64_t line, const char *what)
{
	const struct text_reading *reading = argument;

	import_notes_add(reading->notes, SEVERITY_WARNING, 6587, "%s, line %" PRIu64 ": %s",
			 reading->request->from, line, what);
}

static enum text_role role_of(const char *event)
{
	size_t length = strlen(event);

	if (strncmp(event, "cpu-clock", 9) == 0 || strncmp(event, "task-clock", 10) == 0)
		return TEXT_CLOCK;
	if (length >= 12 && strcmp(event + length - 12, "sched_switch") == 0)
		return TEXT_SWITCHED;
	return strncmp(event, "cycles", 6) == 0 || strncmp(event, "cpu-cycles", 10) == 0 ||
			       strstr(event, "/cycles") || strstr(event, "/cpu-cycles")
		       ? TEXT_CYCLES
		       : TEXT_OTHER;
}

/* Returns the event with a name. */
static struct text_event *event_of(struct text_reading *reading, const char *name)
{
	size_t number = strmap_put(&reading->names, name);

	GROW(reading->events, number + 1, reading->event_alloc);
	for (; reading->event_count <= number; reading->event_count++) {
		struct text_event *event = &reading->events[reading->event_count];

		memset(event, 0, sizeof(*event));
		event->role = role_of(strmap_text(&reading->names, (uint32_t)reading->event_count));
		sample_pace_init(&event->pace);
	}
	return &reading->events[number];
}

/* Reads the origin of the recording from the head of the text. */
static void look_at_header(struct text_reading *reading, const struct text_record *record)
{
	const struct {
		const char *name;
		char **place;
	} facts[] = {
		{ "perf version", &reading->version }, { "hostname", &reading->host },
		{ "os release", &reading->release },   { "cpudesc", &reading->cpu_model },
		{ "cmdline", &reading->command },      { "nrcpus online", &reading->cpus },
	};

	for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
		if (strcmp(record->name, facts[i].name) == 0 && !*facts[i].place)
			*facts[i].place = xstrdup(record->value);
}

static void look_at_sample(struct text_reading *reading, const struct text_record *record)
{
	struct text_event *event = event_of(reading, record->event);

	reading->chains |= record->frame_count > 1;
	reading->not_all |= event->role == TEXT_SWITCHED && record->has_period && record->period > 1;
	if (!record->tid) {
		reading->whole_processors |= event->role == TEXT_SWITCHED;
		reading->idle += event->role != TEXT_SWITCHED;
		return;
	}
	event->samples++;
	event->periods += record->has_period;
	event->total += record->has_period ? (double)record->period : 1;
	sample_pace_add(&event->pace, record->tid, record->time,
			record->has_period ? record->period : 1);
}

/* Reads the whole text once. */
static void look_through(struct text_reading *reading, struct perf_text *text)
{
	struct text_record record;

	while (perf_text_next(text, &record)) {
		if (record.kind == TEXT_HEADER) {
			look_at_header(reading, &record);
			continue;
		}
		if (!reading->start || record.time < reading->start)
			reading->start = record.time;
		if (record.time > reading->end)
			reading->end = record.time;
		reading->lost += record.kind == TEXT_LOST ? record.lost : 0;
		reading->switch_records |= record.kind == TEXT_SWITCH;
		if (record.kind == TEXT_SAMPLE)
			look_at_sample(reading, &record);
		for (size_t i = 0; record.kind == TEXT_SWITCH && i < reading->event_count; i++)
			sample_pace_break(&reading->events[i].pace, record.tid);
	}
}

/* Returns whether the text has tasks leaving processors and getting them. */
static bool has_switches(const struct text_reading *reading)
{
	return reading->switch_records || (reading->whole_processors && !reading->not_all);
}

/*
 * Decides which events count, and what their samples represent: only the first
 * clock, as two would count everything twice.
 */
static int settle(struct text_reading *reading, struct error *err)
{
	enum text_role role = TEXT_OTHER;
	double ns = 0;

	for (size_t i = 0; i < reading->event_count; i++)
		if (reading->events[i].samples && reading->events[i].role > role &&
		    reading->events[i].role != TEXT_SWITCHED)
			role = reading->events[i].role;
	for (size_t i = 0; i < reading->event_count; i++) {
		struct text_event *event = &reading->events[i];

		event->counts = event->samples && role != TEXT_OTHER && event->role == role &&
				!(role == TEXT_CLOCK && reading->samples);
		if (!event->counts) {
			reading->others += event->role == TEXT_SWITCHED ? 0 : event->samples;
			continue;
		}
		event->unit = role == TEXT_CLOCK && event->periods ? 1 : sample_pace_unit(&event->pace);
		if (event->unit <= 0)
			return error_set(err, "the time that a sample of %s represents cannot be "
					      "computed: too few follow each other",
					 strmap_text(&reading->names, (uint32_t)i));
		reading->samples += event->samples;
		ns += event->total * event->unit;
	}
	reading->period = reading->samples ? (uint64_t)llround(ns / (double)reading->samples) : 1;
	reading->period += !reading->period;
	if (reading->samples || has_switches(reading))
		return 0;
	return error_set(err, reading->event_count
				      ? "it has no samples of cpu-clock, task-clock or cycles, and "
					"no task switches: nothing measures time"
				      : "it is not the output of perf script");
}

/* Parses the fields of sched:sched_switch: the next task, and how the other one left. */
static bool take_fields(const char *rest, uint32_t *next, bool *preempted)
{
	const char *arrow = strstr(rest, "==>"), *state = strstr(rest, "prev_state="), *number, *at;

	if (!arrow)
		return false;
	/* "s:123 [120] S ==> swapper/0:0 [120]", or each field with its name. */
	for (at = arrow; !state && at > rest && at[-1] == ' ';)
		at--;
	while (!state && at > rest && at[-1] != ' ')
		at--;
	*preempted = (state ? state[11] : *at) == 'R';
	number = strstr(arrow, "next_pid=");
	if (number) {
		number += 9;
	} else {
		number = strrchr(arrow, '[');
		while (number && number > arrow && *number != ':')
			number--;
		number = number && *number == ':' ? number + 1 : NULL;
	}
	*next = number ? (uint32_t)strtoul(number, NULL, 10) : 0;
	return number != NULL;
}

/* Returns the task of a record; its process gets its name, if the text has it. */
static struct imported_task *task_of(struct text_reading *reading, const struct text_record *record)
{
	struct imported_tasks *tasks = &reading->made.tasks;
	struct imported_task *task =
		record->kind == TEXT_SWITCH
			? imported_tasks_task(tasks, record->pid, record->tid)
			: imported_tasks_sampled(tasks, record->pid, record->tid, record->processor);

	if (record->tid == IMPORTED_ENDED_TID)
		return task;
	if (strcmp(task->name, record->comm) != 0)
		imported_tasks_name(tasks, record->pid, record->tid, record->comm, false,
				    reading->made.now);
	if (!*task->process->program || record->pid == record->tid)
		imported_tasks_program(task->process, record->comm);
	return task;
}

/* Processes the tracepoint of switches. */
static void take_switched(struct text_reading *reading, const struct text_record *record)
{
	struct imported_tasks *tasks = &reading->made.tasks;
	bool preempted = false, known;
	uint32_t next = 0;

	known = take_fields(record->rest, &next, &preempted) && !reading->switch_records;
	if (record->tid) {
		struct imported_task *task = task_of(reading, record);
		struct text_stack found;
		struct wait_site site;

		text_stacks_sample(&reading->stacks, record, &found);
		site = (struct wait_site){ .stack = found.place,
					   .reason = found.reason ? found.reason : WAIT_UNKNOWN };
		imported_tasks_seen(tasks, task, reading->made.now);
		imported_tasks_set_wait_site(task, &site);
		if (known)
			imported_tasks_switch_out(tasks, task, preempted);
	}
	if (known && next) {
		struct imported_task *task = imported_tasks_find(tasks, next);

		if (task && task->id)
			imported_tasks_switch_in(tasks, task, record->processor);
	}
}

static void take_sample(struct text_reading *reading, const struct text_record *record)
{
	const struct text_event *event = event_of(reading, record->event);
	struct imported_task *task;
	struct text_stack found;

	if (event->role == TEXT_SWITCHED)
		take_switched(reading, record);
	if (!event->counts || !record->tid)
		return;
	task = task_of(reading, record);
	text_stacks_sample(&reading->stacks, record, &found);
	imported_sample(&reading->made, task, found.stack,
			(record->has_period ? (double)record->period : 1) * event->unit, found.kernel,
			found.whole && reading->chains);
}

/* A task leaves its processor, or gets one. */
static void take_switch(struct text_reading *reading, const struct text_record *record)
{
	struct imported_tasks *tasks = &reading->made.tasks;
	bool somebody = record->tid && record->tid != IMPORTED_ENDED_TID;
	struct imported_task *task = somebody ? task_of(reading, record) : NULL;

	if (task)
		imported_tasks_seen(tasks, task, reading->made.now);
	if (!record->out)
		imported_tasks_switch_in(tasks, task, record->processor);
	else if (task)
		imported_tasks_switch_out(tasks, task, record->preempted);
}

/* Processes all records, in the order of the text, which is time order. */
static void take_all(struct text_reading *reading, struct perf_text *text)
{
	struct imported *made = &reading->made;
	struct text_record record;

	while (!made->file.failed && perf_text_next(text, &record)) {
		if (record.kind == TEXT_HEADER)
			continue;
		imported_at(made, record.time);
		if (record.kind == TEXT_SAMPLE)
			take_sample(reading, &record);
		if (record.kind == TEXT_SWITCH)
			take_switch(reading, &record);
	}
}

static void add_notes(const struct text_reading *reading)
{
	struct import_notes *notes = reading->notes;

	if (!has_switches(reading))
		import_notes_add(notes, SEVERITY_INFO, 6584,
				 "the recording does not contain when tasks waited: no waits are "
				 "shown (perf record --switch-events)");
	if (reading->samples && !reading->chains)
		import_notes_add(notes, SEVERITY_INFO, 6593,
				 "the recording has no call stacks: callers are not known (perf "
				 "record --call-graph)");
	if (reading->others)
		import_notes_add(notes, SEVERITY_INFO, 6585,
				 "%" PRIu64 " samples of events other than CPU time are ignored",
				 reading->others);
	if (reading->idle)
		import_notes_add(notes, SEVERITY_INFO, 6586,
				 "%" PRIu64 " samples of idle processors are ignored", reading->idle);
	for (size_t i = 0; i < reading->event_count; i++)
		if (reading->events[i].counts && reading->events[i].unit != 1.0)
			import_notes_add(notes, SEVERITY_INFO, 6591,
					 "samples count %s: CPU time is computed from the duration "
					 "of one unit in this recording, %.3f ns",
					 strmap_text(&reading->names, (uint32_t)i), reading->events[i].unit);
}

/* Adds attributes from the text. */
static void add_facts(struct text_reading *reading)
{
	struct imported_file *file = &reading->made.file;
	struct strbuf events = STRBUF_INIT;
	const struct {
		const char *key, *value;
	} facts[] = {
		{ ATTR_IMPORT_VERSION, reading->version }, { ATTR_HOST, reading->host },
		{ ATTR_CPU_MODEL, reading->cpu_model },	   { ATTR_COMMAND, reading->command },
		{ ATTR_CPUS, reading->cpus },
	};

	for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
		if (facts[i].value)
			imported_file_attribute(file, facts[i].key, "%s", facts[i].value);
	if (reading->release)
		imported_file_attribute(file, ATTR_KERNEL, "Linux %s", reading->release);
	for (size_t i = 0; i < reading->event_count; i++)
		if (*strmap_text(&reading->names, (uint32_t)i))
			strbuf_addf(&events, "%s%s", events.length ? ", " : "",
				    strmap_text(&reading->names, (uint32_t)i));
	imported_file_attribute(file, ATTR_IMPORT, "perf script");
	imported_file_attribute(file, ATTR_IMPORT_EVENTS, "%s", events.text);
	imported_file_attribute(file, ATTR_IMPORT_SAMPLES, "%" PRIu64, reading->samples);
	imported_file_attribute(file, ATTR_PROGRAM, "%s", imported_tasks_main_program(&reading->made.tasks));
	strbuf_release(&events);
}

/* The second pass, which writes the data set. */
static int make(struct text_reading *reading, struct perf_text *text, struct error *err)
{
	const struct imported_facts facts = {
		.start = reading->start,
		.end = reading->end,
		.period = reading->period,
		.samples = reading->samples,
		.switches = has_switches(reading),
	};
	const struct import_request *request = reading->request;
	int status = imported_begin(&reading->made, request->to, request->replace, &facts, err);

	text_stacks_init(&reading->stacks, &reading->made);
	if (status == 0) {
		reading->made.named = true;
		take_all(reading, text);
		add_notes(reading);
		add_facts(reading);
		import_notes_rows(reading->notes, &reading->made.file);
		status = imported_end(&reading->made, request->to, reading->lost);
	}
	*reading->result = (struct import_result){
		.read = reading->samples,
		.samples = reading->made.samples,
		.cpu = reading->made.samples * facts.period,
		.elapsed = facts.end - facts.start,
		.switches = facts.switches,
	};
	text_stacks_release(&reading->stacks);
	imported_release(&reading->made);
	return status;
}

static void release(struct text_reading *reading)
{
	for (size_t i = 0; i < reading->event_count; i++)
		sample_pace_release(&reading->events[i].pace);
	strmap_release(&reading->names);
	free(reading->events);
	free(reading->version);
	free(reading->host);
	free(reading->release);
	free(reading->cpu_model);
	free(reading->command);
	free(reading->cpus);
	free(reading);
}

int text_import(const struct import_request *request, struct import_input *input,
		struct import_notes *notes, struct import_result *result, struct error *err)
{
	struct text_reading *reading = xcalloc(1, sizeof(*reading));
	struct perf_text *text = perf_text_new(input->fd, take_damage, reading);
	int status = -1;

	reading->request = request;
	reading->notes = notes;
	reading->result = result;
	strmap_init(&reading->names);
	if (text) {
		look_through(reading, text);
		perf_text_free(text);
		status = settle(reading, err);
	} else {
		error_errno(err, "it cannot be read");
	}
	if (status == 0) {
		text = perf_text_new(input->fd, NULL, NULL);
		status = text ? make(reading, text, err) : error_errno(err, "it cannot be read");
		perf_text_free(text);
	}
	release(reading);
	return status;
}
