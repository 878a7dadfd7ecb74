/* SPDX-License-Identifier: Apache-2.0 */
/* The first pass over a perf.data; determines what its samples represent. */
#include "common/compat.h"
#include "session/import/perf-survey.h"
#include "common/clock.h"
#include "common/xalloc.h"

#include <math.h>

/*
 * Offsets of the tracepoint's data in every kernel that has it: after 8 common
 * bytes follow the name and the number of the leaving task, its priority and
 * state, then the same for the next one.
 */
#define SWITCH_STATE 32
#define SWITCH_NEXT 56
#define SWITCH_SIZE 60

static bool ends_with(const char *text, const char *end)
{
	size_t length = text ? strlen(text) : 0;

	return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

/*
 * Times that differ above these bits (26 days) belong to different ages; at most
 * AGES_MAX ages are distinguished.
 */
#define AGE_BITS 51
#define AGES_MAX 1024
/* Maximum plausible period of a sample, ns or cycles: five hours. */
#define PERIOD_MAX (UINT64_C(1) << 44)

/* Returns the role of an event, by its numbers and its name. */
static enum survey_role role_of(const struct perf_event *event)
{
	const char *name = event->name ? event->name : "";

	switch (event->type) {
	case PERF_EVENT_SOFTWARE:
		return event->config == PERF_SOFTWARE_CPU_CLOCK || event->config == PERF_SOFTWARE_TASK_CLOCK
			       ? SURVEY_CLOCK
			       : SURVEY_OTHER;
	case PERF_EVENT_HARDWARE:
		/* The higher bits are the processor type, on machines with several. */
		return (uint32_t)event->config == PERF_HARDWARE_CYCLES ? SURVEY_CYCLES : SURVEY_OTHER;
	case PERF_EVENT_TRACEPOINT:
		return ends_with(name, "sched_switch") ? SURVEY_SWITCH : SURVEY_OTHER;
	default:
		return strncmp(name, "cycles", 6) == 0 || strstr(name, "/cycles") ||
				       strstr(name, "cpu-cycles")
			       ? SURVEY_CYCLES
			       : SURVEY_OTHER;
	}
}

/* The number of events may have grown: a pipe has them one by one. */
static struct survey_event *event_at(struct survey *survey, size_t number)
{
	const struct perf_header *header = perf_data_header(survey->data);
	size_t count = survey->event_count;

	if (header->event_count > count) {
		survey->events = xreallocarray(survey->events, header->event_count,
					       sizeof(*survey->events));
		for (size_t i = count; i < header->event_count; i++) {
			memset(&survey->events[i], 0, sizeof(survey->events[i]));
			sample_pace_init(&survey->events[i].pace);
		}
		survey->event_count = header->event_count;
	}
	return &survey->events[number];
}

static uint64_t period_of(const struct survey *survey, const struct perf_record *record)
{
	const struct perf_event *event = &perf_data_header(survey->data)->events[record->event];

	if (record->sample.has_period)
		return record->sample.period;
	return event->flags & PERF_FLAG_FREQUENCY ? 0 : event->period;
}

/* A switch: the time until the next sample was not all spent executing. */
static void break_pairs(struct survey *survey, const struct perf_record *record)
{
	for (size_t i = 0; record->has_task && i < survey->event_count; i++)
		if (survey->events[i].role == SURVEY_CYCLES)
			sample_pace_break(&survey->events[i].pace, record->tid);
}

/* Counts a time in its age. */
static void look_at_time(struct survey *survey, uint64_t time)
{
	struct survey_age *age = NULL;

	for (size_t i = 0; i < survey->age_count && !age; i++)
		if (survey->ages[i].age == time >> AGE_BITS)
			age = &survey->ages[i];
	if (!age && survey->age_count == AGES_MAX)
		return;
	if (!age) {
		GROW(survey->ages, survey->age_count + 1, survey->age_alloc);
		age = &survey->ages[survey->age_count++];
		*age = (struct survey_age){ .age = time >> AGE_BITS, .start = time };
	}
	age->count++;
	age->start = time < age->start ? time : age->start;
	age->end = time > age->end ? time : age->end;
}

/* The recording has the age of most of its records, plus the adjacent ones. */
static void settle_times(struct survey *survey)
{
	const struct survey_age *most = NULL;

	for (size_t i = 0; i < survey->age_count; i++)
		if (!most || survey->ages[i].count > most->count)
			most = &survey->ages[i];
	for (size_t i = 0; i < survey->age_count; i++) {
		const struct survey_age *age = &survey->ages[i];

		/*
		 * A few records in the adjacent age may also be damage; a part of the recording
		 * has more.
		 */
		if (age != most && (age->age + 1 < most->age || age->age > most->age + 1 ||
				    age->count < 1 + most->count / 1000))
			continue;
		if (!survey->start || age->start < survey->start)
			survey->start = age->start;
		if (age->end > survey->end)
			survey->end = age->end;
	}
}

bool survey_is_sane(const struct survey *survey, const struct perf_record *record)
{
	if (record->has_time && record->time &&
	    (record->time < survey->first || record->time > survey->last))
		return false;
	return record->type != PERF_KERNEL_SAMPLE || !record->sample.has_period ||
	       record->sample.period <= PERIOD_MAX;
}

/*
 * Counts whether switches are recorded for whole processors: then the task that
 * gets a processor is the next to leave it.
 */
static void look_at_switch(struct survey *survey, const struct perf_record *record)
{
	uint64_t before;
	uint32_t next;
	bool preempted;

	if (idmap_get(&survey->next, record->cpu, &before) && before == record->tid + UINT64_C(1))
		survey->follows++;
	else
		survey->jumps++;
	if (survey_switch(&record->sample, &next, &preempted))
		idmap_put(&survey->next, record->cpu, next + UINT64_C(1));
}

static void look_at_sample(struct survey *survey, const struct perf_record *record)
{
	struct survey_event *event = event_at(survey, record->event);
	uint64_t period = period_of(survey, record);
	bool idle = record->has_task && record->tid == 0;

	if (period > PERIOD_MAX)
		return;
	survey->chains |= record->sample.chain_length > 1;
	survey->stacks |= record->sample.stack_size > 0;
	event->role = role_of(&perf_data_header(survey->data)->events[record->event]);
	if (event->role == SURVEY_SWITCH && idle)
		survey->has_idle_switches = true;
	if (event->role == SURVEY_SWITCH && record->has_task)
		look_at_switch(survey, record);
	if (record->has_task && !idle)
		survey_processes_at(&survey->processes, record->pid, record->time, true);
	if (idle && event->role != SURVEY_SWITCH) {
		survey->idle++;
		return;
	}
	event->samples++;
	event->total += (double)period;
	if (event->role == SURVEY_CYCLES && record->has_time && record->has_task)
		sample_pace_add(&event->pace, record->tid, record->time, period);
}

/* Finds the kernel's load address, and the length of the vDSO. */
static void look_at_map(struct survey *survey, const struct perf_record *record)
{
	static const char kernel[] = "[kernel.kallsyms]";
	const struct perf_map *map = &record->map;

	if (strncmp(map->path, kernel, sizeof(kernel) - 1) == 0 && map->offset &&
	    map->path[sizeof(kernel) - 1] && !survey->kernel_symbol) {
		survey->kernel_symbol = xstrdup(map->path + sizeof(kernel) - 1);
		survey->kernel_address = map->offset;
	}
	if (strcmp(map->path, "[vdso]") == 0)
		survey->vdso_length = map->length;
}

/* perf_take_record */
static bool look_at(void *argument, const struct perf_record *record)
{
	struct survey *survey = argument;

	if (record->has_time && record->time)
		look_at_time(survey, record->time);
	if (record->has_task && record->pid && record->pid != UINT32_MAX)
		survey_processes_at(&survey->processes, record->pid, record->time, false);
	switch (record->type) {
	case PERF_KERNEL_SAMPLE:
		look_at_sample(survey, record);
		break;
	case PERF_KERNEL_FORK:
		if (record->has_time && record->time)
			survey_processes_fork(&survey->processes, record->fork.parent_pid,
					      record->fork.pid);
		break;
	case PERF_KERNEL_MMAP:
	case PERF_KERNEL_MMAP2:
		look_at_map(survey, record);
		break;
	case PERF_KERNEL_SWITCH:
	case PERF_KERNEL_SWITCH_CPU_WIDE:
		survey->switch_records = true;
		break_pairs(survey, record);
		break;
	case PERF_KERNEL_LOST:
	case PERF_KERNEL_LOST_SAMPLES:
		survey->lost += record->lost < UINT32_MAX ? record->lost : 0;
		break;
	case PERF_KERNEL_THROTTLE:
		survey->throttled++;
		break;
	case PERF_KERNEL_AUX:
	case PERF_TOOL_AUXTRACE_INFO:
		survey->aux++;
		break;
	default:
		break;
	}
	return true;
}

/* perf_take_damage, in the first pass */
static void pass_damage(void *argument, uint64_t place, const char *text)
{
	const struct survey *survey = argument;

	if (survey->damage)
		survey->damage(survey->argument, place, text);
}

/* Returns the role that counts: the clock if it has samples, else cycles. */
static enum survey_role counting_role(const struct survey *survey)
{
	enum survey_role role = SURVEY_OTHER;

	for (size_t i = 0; i < survey->event_count; i++) {
		if (!survey->events[i].samples)
			continue;
		if (survey->events[i].role == SURVEY_CLOCK)
			return SURVEY_CLOCK;
		if (survey->events[i].role == SURVEY_CYCLES)
			role = SURVEY_CYCLES;
	}
	return role;
}

/* Returns the ns of a unit of an event's periods; 0: unknown. */
static double unit_of(const struct survey *survey, size_t number)
{
	const struct survey_event *event = &survey->events[number];
	const struct perf_event *asked = &perf_data_header(survey->data)->events[number];
	double found;

	if (event->role == SURVEY_CLOCK && event->total > 0)
		return 1;
	found = event->role == SURVEY_CYCLES ? sample_pace_unit(&event->pace) : 0;
	if (found > 0 || !(asked->flags & PERF_FLAG_FREQUENCY) || !asked->period)
		return found;
	/* The requested samples per second give the duration of all samples together. */
	return event->total > 0 ? (double)event->samples * 1e9 / (double)asked->period / event->total
				: 1e9 / (double)asked->period;
}

/*
 * Decides which events count. Two clocks would count everything twice: only the
 * first one counts.
 */
static int settle_events(struct survey *survey, struct error *err)
{
	enum survey_role role = counting_role(survey);
	double ns = 0;

	for (size_t i = 0; i < survey->event_count; i++) {
		struct survey_event *event = &survey->events[i];

		event->counts = event->samples && event->role == role && role != SURVEY_OTHER &&
				!(role == SURVEY_CLOCK && survey->samples);
		if (!event->counts) {
			survey->others += event->role == SURVEY_SWITCH ? 0 : event->samples;
			continue;
		}
		event->unit = unit_of(survey, i);
		if (event->unit <= 0)
			return error_set(err, "its cycles cannot be converted to time: too few "
					      "samples follow each other");
		survey->samples += event->samples;
		ns += event->total > 0 ? event->total * event->unit
				       : (double)event->samples * event->unit;
	}
	if (survey->samples)
		survey->period = (uint64_t)llround(ns / (double)survey->samples);
	if (!survey->period)
		survey->period = 1;
	return 0;
}

/* Reports that nothing measures time, and which events there are. */
static int nothing(const struct survey *survey, struct error *err)
{
	const struct perf_header *header = perf_data_header(survey->data);
	struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < header->event_count && names.length < 200; i++) {
		strbuf_addstr(&names, i ? ", " : "");
		perf_event_name(&header->events[i], &names);
	}
	if (perf_data_lacks_zstd(survey->data))
		error_set(err, "it is compressed by zstd, and this vigil was built without "
			       "libzstd; \"perf script\" makes a text that can be imported");
	else if (survey->idle)
		error_set(err, "its samples are those of idle processors only");
	else
		error_set(err,
			  "it has no samples of cpu-clock, task-clock or cycles, and no task "
			  "switches: nothing measures time (its events: %s)",
			  names.length ? names.text : "none");
	strbuf_release(&names);
	return -1;
}

/*
 * Returns whether every switch is recorded: with a frequency, the tracepoint is
 * sampled like other events.
 */
static bool has_all_switches(const struct survey *survey)
{
	const struct perf_event *events = perf_data_header(survey->data)->events;

	for (size_t i = 0; i < survey->event_count; i++)
		if (survey->events[i].role == SURVEY_SWITCH && survey->events[i].samples &&
		    (events[i].flags & PERF_FLAG_FREQUENCY || events[i].period > 1))
			return false;
	return true;
}

/* Decides whether it is a recording of a command, or of everything on the machine. */
static void settle_processes(struct survey *survey)
{
	const struct perf_header *header = perf_data_header(survey->data);
	bool command = false;

	for (size_t i = 0; i < header->event_count; i++)
		command |= i < survey->event_count && (header->events[i].flags & PERF_FLAG_ON_EXEC);
	survey->first = survey->start;
	survey->last = survey->end;
	survey->processes.all = !command;
	survey->whole_processors = (survey->has_idle_switches || (!command && survey->follows > survey->jumps)) &&
			     has_all_switches(survey);
	survey_processes_settle(&survey->processes);
	survey_processes_times(&survey->processes, &survey->start, &survey->end);
}

int survey_init(struct survey *survey, struct perf_data *data, perf_take_damage *damage,
		void *argument, struct error *err)
{
	*survey = (struct survey){ .data = data, .damage = damage, .argument = argument };
	survey_processes_init(&survey->processes);
	idmap_init(&survey->next);
	perf_data_walk(data, look_at, pass_damage, survey);
	if (perf_data_header(data)->event_count)
		event_at(survey, 0);
	settle_times(survey);
	/* In a pipe the names of events come last. */
	for (size_t i = 0; i < survey->event_count; i++)
		survey->events[i].role = role_of(&perf_data_header(data)->events[i]);
	settle_processes(survey);
	RETURN_IF(settle_events(survey, err) < 0, -1);
	if (!survey->samples && !survey_has_switches(survey))
		return nothing(survey, err);
	if (survey->samples && !survey->end)
		return error_set(err, "its records have no timestamps");
	return 0;
}

void survey_release(struct survey *survey)
{
	for (size_t i = 0; i < survey->event_count; i++)
		sample_pace_release(&survey->events[i].pace);
	free(survey->events);
	free(survey->ages);
	survey_processes_release(&survey->processes);
	idmap_release(&survey->next);
	free(survey->kernel_symbol);
}

bool survey_has_switches(const struct survey *survey)
{
	return survey->switch_records || survey->whole_processors;
}

double survey_weight(const struct survey *survey, const struct perf_record *record)
{
	const struct survey_event *event = &survey->events[record->event];

	if (event->total <= 0)
		return event->unit;
	return (double)period_of(survey, record) * event->unit;
}

bool survey_switch(const struct perf_sample *sample, uint32_t *next, bool *preempted)
{
	uint64_t state;

	if (!sample->raw || sample->raw_size < SWITCH_SIZE)
		return false;
	memcpy(&state, sample->raw + SWITCH_STATE, sizeof(state));
	memcpy(next, sample->raw + SWITCH_NEXT, sizeof(*next));
	/* Only these bits of the state mean that the task sleeps. */
	*preempted = !(state & 0xff);
	return true;
}
