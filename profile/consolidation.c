/* SPDX-License-Identifier: Apache-2.0 */
/* Turns snapshots into sums, in memory bounded by what is distinct. */
#include "common/compat.h"
#include "profile/consolidation.h"
#include "common/clock.h"
#include "common/margin.h"
#include "common/xalloc.h"
#include "profile/alike-files.h"
#include "profile/attribution-build.h"
#include "profile/label.h"
#include "records/record-types.h"

#include <math.h>

/* Approximate number of stretches of the time axis, none shorter than the resolution. */
#define STRETCHES 400
#define FIRST_RESOLUTION (10 * NSEC_PER_MSEC)

struct consolidation {
	struct profile *profile;    /* under construction */
	struct keymap sample_index; /* stack, task, kind, flags, transaction */
	uint64_t *sample_counts;
	size_t sample_alloc;
	struct keymap wait_index; /* stack, task, reason, file, syscall, transaction, and three
				   * of the holder */
	size_t wait_alloc;
	struct alike_files alike;
	uint64_t resolution; /* of the timelines, ns */

	const struct strmap *strings; /* the strings that numbers maps */
	uint32_t *numbers; /* by string of strings: the profile's number + 1, 0: none yet */
	size_t number_count, number_alloc;

	uint64_t start, end; /* ns monotonic, of the snapshot being taken */
	enum course_parts keeps_course;
};

struct consolidation *consolidation_new(void)
{
	struct consolidation *made = xcalloc(1, sizeof(*made));

	made->profile = profile_new();
	keymap_init(&made->sample_index, 5);
	keymap_init(&made->wait_index, 9);
	alike_files_init(&made->alike);
	made->resolution = FIRST_RESOLUTION;
	return made;
}

void consolidation_keep_course(struct consolidation *made, enum course_parts parts)
{
	made->keeps_course = parts;
}

void consolidation_free(struct consolidation *made)
{
	if (!made)
		return;
	profile_free(made->profile);
	keymap_release(&made->sample_index);
	keymap_release(&made->wait_index);
	alike_files_release(&made->alike);
	free(made->sample_counts);
	free(made->numbers);
	free(made);
}

/* Extends numbers to all present strings. */
static void extend_numbers(struct consolidation *made, const struct strmap *strings)
{
	size_t before = made->strings == strings ? made->number_count : 0;

	made->strings = strings;
	GROW(made->numbers, strings->count, made->number_alloc);
	if (strings->count > before)
		memset(made->numbers + before, 0,
		       (strings->count - before) * sizeof(*made->numbers));
	made->number_count = strings->count;
}

/* Returns the profile's number of a string of the snapshot; a damaged row may hold any value. */
static uint64_t profile_string(struct consolidation *made, uint64_t string)
{
	if (string >= made->number_count)
		return 0;
	if (!made->numbers[string])
		made->numbers[string] = strmap_put(&made->profile->strings,
						   strmap_text(made->strings, (uint32_t)string)) +
					1;
	return made->numbers[string] - 1;
}

/* Replaces the strings of one record by the profile's. */
static void to_profile_strings(struct consolidation *made, const struct record_type *type,
			uint64_t *values)
{
	for (size_t i = 0; i < type->field_count; i++)
		if (type->fields[i].type == FIELD_STRING)
			values[i] = profile_string(made, values[i]);
}

/* Calls each for every record of a set; the record is a copy with the profile's strings. */
static void each_record(struct consolidation *made, const struct recordset *set,
			void (*each)(struct consolidation *made, const void *record))
{
	uint64_t values[32];

	for (size_t i = 0; i < set->count; i++) {
		assert(set->type->size <= sizeof(values));
		memcpy(values, recordset_get(set, i), set->type->size);
		to_profile_strings(made, set->type, values);
		each(made, values);
	}
}

static void take_note(struct consolidation *made, const void *record)
{
	keymap_put(&made->profile->notes, record);
}

/* Puts all records of a set into a table; later ones replace earlier ones. */
static void take_table(struct consolidation *made, struct id_table *table,
		       const struct recordset *set)
{
	for (size_t i = 0; i < set->count; i++)
		to_profile_strings(made, set->type,
			    id_table_put(table, recordset_get(set, i), set->type->field_count));
}

static void take_file(struct consolidation *made, const void *record)
{
	alike_files_take(&made->alike, made->profile, record);
}

static void take_name(struct consolidation *made, const void *record)
{
	name_table_put(&made->profile->names, record);
}

/* The hot path: up to a million samples are processed here, nearly all with an existing key. */
static void take_samples(struct consolidation *made, const struct recordset *set)
{
	uint64_t last_key[5] = { 0, 0, 0, 0, 0 };
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < set->count; i++) {
		const struct record_sample *sample = recordset_get(set, i);
		uint64_t key[] = { sample->stack, sample->task, sample->kind, sample->flags,
				   sample->transaction };

		if (last == SIZE_MAX || memcmp(key, last_key, sizeof(key)) != 0) {
			last = keymap_put(&made->sample_index, key);
			memcpy(last_key, key, sizeof(key));
		}
		while (last >= made->sample_alloc) {
			size_t before = made->sample_alloc;

			GROW(made->sample_counts, before + 1024, made->sample_alloc);
			memset(made->sample_counts + before, 0,
			       (made->sample_alloc - before) * sizeof(*made->sample_counts));
		}
		made->sample_counts[last]++;
		if (made->profile->course && made->keeps_course == COURSE_WHOLE)
			run_course_add(made->profile->course, &made->profile->course->cpu, last,
				   sample->time < made->end ? sample->time : made->end, 1);
	}
}

static void take_wait(struct consolidation *made, const void *record)
{
	const struct record_wait *wait = record;
	/* A reason of a later version is shown as unknown, and merged with it. */
	uint64_t reason = wait->reason && wait->reason < WAIT_REASON_COUNT ? wait->reason : WAIT_UNKNOWN;
	struct profile *profile = made->profile;
	uint64_t file = alike_files_stand_in(&made->alike, wait->file);
	uint64_t key[] = { wait->stack,	 wait->task,	   reason,
			   file,	 wait->syscall,	   wait->transaction,
			   wait->holder, wait->holder_pid, wait->holder_stack };
	size_t before = made->wait_index.count;
	size_t number = keymap_put(&made->wait_index, key);
	struct profile_wait *sum;

	GROW(profile->waits, number + 1, made->wait_alloc);
	sum = &profile->waits[number];
	if (number == before)
		*sum = (struct profile_wait){ .stack = ATTRIBUTION_NONE,
					      .task = wait->task,
					      .reason = reason,
					      .file = file,
					      .syscall = wait->syscall,
					      .transaction = wait->transaction,
					      .holder = wait->holder,
					      .holder_pid = wait->holder_pid,
					      .holder_stack = ATTRIBUTION_NONE };
	sum->count += wait->count;
	sum->total += wait->total;
	sum->charged += wait->charged;
	sum->solo += wait->solo;
	sum->variance += wait->variance;
	sum->laid += wait->laid;
	sum->spread += wait->spread;
	sum->delay_variance += wait->delay_variance;
	if (profile->course)
		run_course_spread(profile->course, &profile->course->waits, number, made->start,
			      made->end, wait->total, wait->charged);
}

static void take_activity(struct consolidation *made, const void *record)
{
	const struct record_activity *activity = record;
	struct activity_sum *sum = activity_put(&made->profile->task_activity, activity->task);
	struct stretch stretch = { .start = made->start,
				   .end = made->end,
				   .amount = { (double)activity->cpu, (double)activity->cpu_solo,
					       (double)activity->charged } };

	sum->busy += activity->cpu;
	sum->busy_solo += activity->cpu_solo;
	sum->charged += activity->charged;
	sum->charged_solo += activity->charged_solo;
	timeline_add(&sum->timeline, &stretch, made->resolution);
}

static void take_file_activity(struct consolidation *made, const void *record)
{
	const struct record_file_activity *activity = record;
	struct activity_sum *sum =
		activity_put(&made->profile->file_activity,
			     alike_files_stand_in(&made->alike, activity->file));
	struct stretch stretch = { .start = made->start,
				   .end = made->end,
				   .amount = { (double)activity->busy, (double)activity->busy_solo,
					       (double)activity->charged } };

	sum->busy += activity->busy;
	sum->busy_solo += activity->busy_solo;
	sum->charged += activity->charged;
	sum->charged_solo += activity->charged_solo;
	sum->waits += activity->waits;
	sum->total += activity->total;
	sum->bytes += activity->bytes;
	sum->calls += activity->calls;
	timeline_add(&sum->timeline, &stretch, made->resolution);
}

static void take_step(struct consolidation *made, const void *record)
{
	const struct record_step *row = record;
	struct profile_step *step = &made->profile->step;
	struct stretch stretch = { .start = row->time > row->interval ? row->time - row->interval
								      : 0,
				   .end = row->time };

	stretch.amount[PROFILE_STEP_EXEC] = (double)row->exec;
	stretch.amount[PROFILE_STEP_WAIT] = (double)row->wait;
	stretch.amount[PROFILE_STEP_DELAY] = (double)row->delay;
	stretch.amount[PROFILE_STEP_PAGES] = (double)row->resident * (double)row->interval;
	stretch.amount[PROFILE_STEP_MINOR] = (double)row->minor_faults;
	stretch.amount[PROFILE_STEP_MAJOR] = (double)row->major_faults;
	timeline_add(&step->timeline, &stretch, made->resolution);
	step->interval += row->interval;
	step->exec += row->exec;
	step->wait += row->wait;
	step->delay += row->delay;
	step->minor_faults += row->minor_faults;
	step->major_faults += row->major_faults;
	step->read_bytes += row->read_bytes;
	step->write_bytes += row->write_bytes;
	step->read_calls += row->read_calls;
	step->moved_bytes += row->moved_bytes;
	step->write_calls += row->write_calls;
	if (row->tasks > step->peak_tasks)
		step->peak_tasks = row->tasks;
	if (row->resident > step->peak_resident)
		step->peak_resident = row->resident;
}

/* Sets the time range of the snapshot: from the previous one, or by its STEP row, to its end. */
static void set_times(struct consolidation *made, const struct snapshot *snapshot)
{
	struct profile *profile = made->profile;
	const struct recordset *steps = snapshot_records(snapshot, RECORD_STEP);
	const struct record_step *step = NULL;

	if (steps->count)
		step = recordset_get(steps, steps->count - 1);
	made->end = step ? step->time : snapshot->time;
	if (step && step->interval && step->interval <= step->time)
		made->start = step->time - step->interval;
	else
		made->start = profile->last_time ? profile->last_time : made->end;
	if (made->start > made->end)
		made->start = made->end;
	if (!profile->first_time)
		profile->first_time = made->start;
	if (made->keeps_course && !profile->course)
		profile->course = run_course_new(made->start);
	if (made->end > profile->last_time)
		profile->last_time = made->end;
	while ((profile->last_time - profile->first_time) / STRETCHES > made->resolution)
		made->resolution *= 2;
}

/* Returns whether a snapshot has records of types that only modules write. */
static bool has_metrics(const struct snapshot *snapshot)
{
	for (size_t id = RECORD_RUNTIME_FIRST; id < snapshot->set_count; id++)
		if (snapshot->sets[id] && snapshot->sets[id]->count)
			return true;
	return false;
}

void consolidation_take(struct consolidation *made, const struct snapshot *snapshot,
			const struct strmap *strings)
{
	struct profile *profile = made->profile;

	profile->snapshots++;
	profile->has_metrics = profile->has_metrics || has_metrics(snapshot);
	extend_numbers(made, strings);
	set_times(made, snapshot);
	session_attributes_take(&profile->attributes, snapshot, strings);
	each_record(made, snapshot_records(snapshot, RECORD_NOTE), take_note);
	take_table(made, &profile->processes, snapshot_records(snapshot, RECORD_PROCESS));
	take_table(made, &profile->tasks, snapshot_records(snapshot, RECORD_TASK));
	take_table(made, &profile->objects, snapshot_records(snapshot, RECORD_OBJECT));
	take_table(made, &profile->frames, snapshot_records(snapshot, RECORD_FRAME));
	take_table(made, &profile->stacks, snapshot_records(snapshot, RECORD_STACK));
	each_record(made, snapshot_records(snapshot, RECORD_FILE), take_file);
	take_table(made, &profile->transactions, snapshot_records(snapshot, RECORD_TRANSACTION));
	take_table(made, &profile->collectors, snapshot_records(snapshot, RECORD_COLLECTOR));
	take_table(made, &profile->pseudo_sections,
		   snapshot_records(snapshot, RECORD_PSEUDO_SECTION));
	take_table(made, &profile->event_sites, snapshot_records(snapshot, RECORD_EVENT_SITE));
	event_sums_take(&profile->events, snapshot);
	coverage_sums_take(&profile->coverage, snapshot, strings);
	profile->has_event_rows =
		profile->has_event_rows || snapshot_records(snapshot, RECORD_EVENT)->count;
	each_record(made, snapshot_records(snapshot, RECORD_NAME), take_name);
	take_samples(made, snapshot_records(snapshot, RECORD_SAMPLE));
	each_record(made, snapshot_records(snapshot, RECORD_WAIT), take_wait);
	each_record(made, snapshot_records(snapshot, RECORD_ACTIVITY), take_activity);
	each_record(made, snapshot_records(snapshot, RECORD_FILE_ACTIVITY), take_file_activity);
	each_record(made, snapshot_records(snapshot, RECORD_STEP), take_step);
	system_activity_take(profile, snapshot, strings,
			     &(struct system_span){ made->start, made->end, made->resolution });
}

/* Makes the rows of CPU time, with stacks by number, as all stacks are known now. */
static void end_samples(struct consolidation *made)
{
	struct profile *profile = made->profile;

	profile->cpu_count = made->sample_index.count;
	profile->cpu = xcalloc(profile->cpu_count + 1, sizeof(*profile->cpu));
	for (size_t i = 0; i < profile->cpu_count; i++) {
		const uint64_t *key = keymap_key(&made->sample_index, i);

		profile->cpu[i] =
			(struct profile_cpu){ .stack = id_table_number(&profile->stacks, key[0]),
					      .task = key[1],
					      .kind = key[2],
					      .flags = key[3],
					      .transaction = key[4],
					      .count = made->sample_counts[i] };
		profile->samples += profile->cpu[i].count;
		if (key[3] & SAMPLE_SOLO)
			profile->solo_samples += profile->cpu[i].count;
	}
}

/*
 * Counts the independent samples. Residue samples were not observed: each is
 * derived from another sample, or many lost ones from one. Where the kernel's time is
 * estimated a look stands for many: that variance belongs to the places of the kernel's
 * time. A row has its part of it (margin_of_row); the number that holds for all rows has
 * all.
 */
static void count_independent(struct profile *profile)
{
	double period = (double)profile_period(profile) / 1000, made = 0, lost, squares;
	struct margin_basis basis = { .all = (double)profile->samples };

	for (size_t i = 0; i < profile->cpu_count; i++) {
		if (profile->cpu[i].kind == SAMPLE_RESIDUE)
			made += (double)profile->cpu[i].count;
		basis.placed += (double)profile_cpu_placed(&profile->cpu[i]);
	}
	lost = (double)profile_attribute_number(profile, ATTR_LOST);
	if (lost > made)
		lost = made;
	squares = period > 0 ? (double)profile_attribute_number(profile, ATTR_LOST_SQUARES) /
				       (period * period)
			     : 0;
	squares = made - lost + (squares > lost ? squares : lost);
	if (period > 0)
		basis.variance = (double)profile_attribute_number(profile, ATTR_KERNEL_SQUARES) / (period * period);
	basis.observed = floor(margin_effective_samples(basis.all, made, squares));
	profile->basis = basis;
	profile->independent = (uint64_t)margin_less_variance(basis.observed, basis.all, basis.variance);
}

static void end_waits(struct consolidation *made)
{
	struct profile *profile = made->profile;

	profile->wait_count = made->wait_index.count;
	for (size_t i = 0; i < profile->wait_count; i++) {
		struct profile_wait *wait = &profile->waits[i];

		wait->stack =
			id_table_number(&profile->stacks, keymap_key(&made->wait_index, i)[0]);
		wait->holder_stack =
			id_table_number(&profile->stacks, keymap_key(&made->wait_index, i)[8]);
		profile->charged += wait->charged;
		profile->total_wait += wait->total;
	}
}

static void count_reached(struct profile *profile)
{
	for (size_t i = 0; i < profile->cpu_count; i++)
		if (attribution_caller(&profile->attribution, profile->cpu[i].stack))
			profile->reached += profile->cpu[i].count;
}

void profile_show_native(struct profile *profile, bool native)
{
	if (profile->attribution.native == native)
		return;
	attribution_release(&profile->attribution);
	attribution_build(profile, native);
	profile->reached = 0;
	count_reached(profile);
}

struct profile *consolidation_end(struct consolidation *made)
{
	struct profile *profile = made->profile;

	end_samples(made);
	count_independent(profile);
	end_waits(made);
	attribution_build(profile, false);
	count_reached(profile);
	label_number_tasks(profile);
	label_distinguish_files(profile);
	made->profile = NULL;
	consolidation_free(made);
	return profile;
}

/* Starts with nothing taken. */
static enum module_status consumer_init(struct module *module, struct error *err UNUSED)
{
	struct profile_consumer *consumer = module->context;

	consumer->consolidation = consolidation_new();
	if (consumer->keeps_course)
		consolidation_keep_course(consumer->consolidation, consumer->keeps_course);
	return MODULE_OK;
}

/* Takes a snapshot of the collection or extraction; the last one completes the profile. */
static enum module_status consumer_call(struct module *module, enum sync_point point UNUSED,
					struct snapshot *snapshot, struct error *err UNUSED)
{
	struct profile_consumer *consumer = module->context;

	/* Stored data end with an additional empty snapshot. */
	if (!snapshot_is_empty(snapshot))
		consolidation_take(consumer->consolidation, snapshot,
				   engine_strings(module->engine));
	if (snapshot->last) {
		consumer->profile = consolidation_end(consumer->consolidation);
		consumer->consolidation = NULL;
	}
	return MODULE_OK;
}

/* Frees a consolidation that was not completed. */
static void consumer_end(struct module *module)
{
	struct profile_consumer *consumer = module->context;

	consolidation_free(consumer->consolidation);
	consumer->consolidation = NULL;
}

const struct module_class profile_consumer_class = {
	.name = "PROFILE",
	.summary = "consolidates the session for its reports",
	.capabilities = MODULE_CONSUMER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.init = consumer_init,
	.call = consumer_call,
	.end = consumer_end,
};
