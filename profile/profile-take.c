/* SPDX-License-Identifier: Apache-2.0 */
/* Consolidation: snapshots into sums, in memory bounded by what is distinct. */
#include "common/compat.h"
#include "profile/profile-data.h"
#include "common/clock.h"
#include "common/xalloc.h"

/* One snapshot being taken in. */
struct take {
	struct profile *profile;
	const struct strmap *strings;
	uint64_t start, end; /* ns monotonic, of the snapshot */
};

/* The number in the profile of a string of the snapshot. */
static uint64_t own_string(const struct take *take, uint64_t string)
{
	if (take->strings == &take->profile->strings)
		return string;
	if (string >= UINT32_MAX)
		return 0;
	return strmap_put(&take->profile->strings, strmap_text(take->strings, (uint32_t)string));
}

/* Replace the strings of one record by the profile's. */
static void own_strings(const struct take *take, const struct record_type *type, uint64_t *values)
{
	for (size_t i = 0; i < type->field_count; i++)
		if (type->fields[i].type == FIELD_STRING)
			values[i] = own_string(take, values[i]);
}

/* Call each for every record of a set; the record is a copy with the profile's strings. */
static void each_record(const struct take *take, const struct recordset *set,
			void (*each)(const struct take *take, const void *record))
{
	uint64_t values[32];

	for (size_t i = 0; i < set->count; i++) {
		assert(set->type->size <= sizeof(values));
		memcpy(values, recordset_get(set, i), set->type->size);
		own_strings(take, set->type, values);
		each(take, values);
	}
}

static void take_attribute(const struct take *take, const void *record)
{
	const struct record_attribute *attribute = record;

	idmap_put(&take->profile->attributes, attribute->key, attribute->value);
}

static void take_note(const struct take *take, const void *record)
{
	keymap_put(&take->profile->notes, record);
}

/* Put all records of a set into a table, later ones in the place of earlier ones. */
static void take_table(const struct take *take, struct id_table *table, const struct recordset *set)
{
	for (size_t i = 0; i < set->count; i++) {
		const uint64_t *values = recordset_get(set, i);
		uint64_t number;

		table->width = set->type->field_count;
		if (!idmap_get(&table->index, values[0], &number)) {
			number = table->count++;
			idmap_put(&table->index, values[0], number);
			if (table->count * table->width > table->alloc)
				GROW(table->values, table->count * table->width * 2, table->alloc);
		}
		memcpy(table->values + number * table->width, values,
		       table->width * sizeof(*values));
		own_strings(take, set->type, table->values + number * table->width);
	}
}

static void take_name(const struct take *take, const void *record)
{
	const struct record_name *name = record;
	uint64_t key[] = { name->frame, name->depth };
	size_t number = keymap_put(&take->profile->name_index, key);

	GROW(take->profile->names, number + 1, take->profile->name_alloc);
	take->profile->names[number] = *name;
}

/* The hot path: a million samples come this way, nearly all with a key that is known. */
static void take_samples(struct profile *profile, const struct recordset *set)
{
	uint64_t last_key[5] = { 0, 0, 0, 0, 0 };
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < set->count; i++) {
		const struct record_sample *sample = recordset_get(set, i);
		uint64_t key[] = { sample->stack, sample->task, sample->kind, sample->flags,
				   sample->transaction };

		if (last == SIZE_MAX || memcmp(key, last_key, sizeof(key)) != 0) {
			last = keymap_put(&profile->sample_index, key);
			memcpy(last_key, key, sizeof(key));
		}
		while (last >= profile->sample_alloc) {
			size_t before = profile->sample_alloc;

			GROW(profile->sample_counts, before + 1024, profile->sample_alloc);
			memset(profile->sample_counts + before, 0,
			       (profile->sample_alloc - before) * sizeof(*profile->sample_counts));
		}
		profile->sample_counts[last]++;
	}
}

static void take_wait(const struct take *take, const void *record)
{
	const struct record_wait *wait = record;
	struct profile *profile = take->profile;
	uint64_t key[] = { wait->stack, wait->task,    wait->reason,
			   wait->file,	wait->syscall, wait->transaction };
	size_t before = profile->wait_index.count;
	size_t number = keymap_put(&profile->wait_index, key);
	struct wait_sum *sum;

	GROW(profile->waits, number + 1, profile->wait_alloc);
	sum = &profile->waits[number];
	if (number == before)
		*sum = (struct wait_sum){ .stack = ATTRIBUTION_NONE,
					  .task = wait->task,
					  .reason = wait->reason,
					  .file = wait->file,
					  .syscall = wait->syscall,
					  .transaction = wait->transaction };
	sum->count += wait->count;
	sum->total += wait->total;
	sum->charged += wait->charged;
	sum->solo += wait->solo;
}

/* The sums of an id, made when it is new. */
static struct activity_sum *activity_put(struct activity_table *table, uint64_t id)
{
	uint64_t number;

	if (!idmap_get(&table->index, id, &number)) {
		number = table->count++;
		idmap_put(&table->index, id, number);
		GROW(table->items, table->count, table->alloc);
		memset(&table->items[number], 0, sizeof(table->items[number]));
		table->items[number].id = id;
	}
	return &table->items[number];
}

static void take_activity(const struct take *take, const void *record)
{
	const struct record_activity *activity = record;
	struct activity_sum *sum = activity_put(&take->profile->task_activity, activity->task);
	struct stretch stretch = { .start = take->start,
				   .end = take->end,
				   .amount = { (double)activity->cpu, (double)activity->cpu_solo,
					       (double)activity->charged } };

	sum->busy += activity->cpu;
	sum->busy_solo += activity->cpu_solo;
	sum->charged += activity->charged;
	sum->charged_solo += activity->charged_solo;
	timeline_add(&sum->timeline, &stretch, take->profile->resolution);
}

static void take_file_activity(const struct take *take, const void *record)
{
	const struct record_file_activity *activity = record;
	struct activity_sum *sum = activity_put(&take->profile->file_activity, activity->file);
	struct stretch stretch = { .start = take->start,
				   .end = take->end,
				   .amount = { (double)activity->busy, (double)activity->busy_solo,
					       (double)activity->charged } };

	sum->busy += activity->busy;
	sum->busy_solo += activity->busy_solo;
	sum->charged += activity->charged;
	sum->charged_solo += activity->charged_solo;
	sum->waits += activity->waits;
	sum->total += activity->total;
	sum->bytes += activity->bytes;
	timeline_add(&sum->timeline, &stretch, take->profile->resolution);
}

static void take_step(const struct take *take, const void *record)
{
	const struct record_step *row = record;
	struct step_sum *step = &take->profile->step;
	struct stretch stretch = { .start = row->time > row->interval ? row->time - row->interval
								      : 0,
				   .end = row->time };

	stretch.amount[0] = (double)row->exec;
	stretch.amount[1] = (double)row->wait;
	stretch.amount[2] = (double)row->delay;
	stretch.amount[3] = (double)row->resident * (double)row->interval;
	stretch.amount[4] = (double)row->minor_faults;
	stretch.amount[5] = (double)row->major_faults;
	timeline_add(&step->timeline, &stretch, take->profile->resolution);
	step->interval += row->interval;
	step->exec += row->exec;
	step->wait += row->wait;
	step->delay += row->delay;
	step->minor_faults += row->minor_faults;
	step->major_faults += row->major_faults;
	step->read_bytes += row->read_bytes;
	step->write_bytes += row->write_bytes;
	step->read_calls += row->read_calls;
	step->write_calls += row->write_calls;
	if (row->tasks > step->peak_tasks)
		step->peak_tasks = row->tasks;
	if (row->resident > step->peak_resident)
		step->peak_resident = row->resident;
}

/* Where the snapshot lies on the time axis: from the one before, or by its STEP row, to its end. */
static void set_times(struct take *take, const struct snapshot *snapshot)
{
	struct profile *profile = take->profile;
	const struct recordset *steps = snapshot_records(snapshot, RECORD_STEP);
	const struct record_step *step = NULL;

	if (steps->count)
		step = recordset_get(steps, steps->count - 1);
	take->end = step ? step->time : snapshot->time;
	if (step && step->interval && step->interval <= step->time)
		take->start = step->time - step->interval;
	else
		take->start = profile->last_time ? profile->last_time : take->end;
	if (take->start > take->end)
		take->start = take->end;
	if (!profile->first_time)
		profile->first_time = take->start;
	if (take->end > profile->last_time)
		profile->last_time = take->end;
	while ((profile->last_time - profile->first_time) / 400 > profile->resolution)
		profile->resolution *= 2;
}

void profile_take(struct profile *profile, const struct snapshot *snapshot,
		  const struct strmap *strings)
{
	struct take take = { .profile = profile, .strings = strings };

	assert(!profile->sealed);
	profile->snapshots++;
	set_times(&take, snapshot);
	each_record(&take, snapshot_records(snapshot, RECORD_ATTRIBUTE), take_attribute);
	each_record(&take, snapshot_records(snapshot, RECORD_NOTE), take_note);
	take_table(&take, &profile->processes, snapshot_records(snapshot, RECORD_PROCESS));
	take_table(&take, &profile->tasks, snapshot_records(snapshot, RECORD_TASK));
	take_table(&take, &profile->objects, snapshot_records(snapshot, RECORD_OBJECT));
	take_table(&take, &profile->frames, snapshot_records(snapshot, RECORD_FRAME));
	take_table(&take, &profile->stacks, snapshot_records(snapshot, RECORD_STACK));
	take_table(&take, &profile->files, snapshot_records(snapshot, RECORD_FILE));
	take_table(&take, &profile->transactions, snapshot_records(snapshot, RECORD_TRANSACTION));
	take_table(&take, &profile->collectors, snapshot_records(snapshot, RECORD_COLLECTOR));
	take_table(&take, &profile->pseudo_sections, snapshot_records(snapshot, RECORD_PSEUDO_SECTION));
	each_record(&take, snapshot_records(snapshot, RECORD_NAME), take_name);
	take_samples(profile, snapshot_records(snapshot, RECORD_SAMPLE));
	each_record(&take, snapshot_records(snapshot, RECORD_WAIT), take_wait);
	each_record(&take, snapshot_records(snapshot, RECORD_ACTIVITY), take_activity);
	each_record(&take, snapshot_records(snapshot, RECORD_FILE_ACTIVITY), take_file_activity);
	each_record(&take, snapshot_records(snapshot, RECORD_STEP), take_step);
}

/* The number of a stack by its id, ATTRIBUTION_NONE when it is missing. */
static size_t stack_number(const struct profile *profile, uint64_t id)
{
	uint64_t number;

	return idmap_get(&profile->stacks.index, id, &number) ? (size_t)number : ATTRIBUTION_NONE;
}

static void seal_samples(struct profile *profile)
{
	profile->cpu_count = profile->sample_index.count;
	profile->cpu = xcalloc(profile->cpu_count + 1, sizeof(*profile->cpu));
	for (size_t i = 0; i < profile->cpu_count; i++) {
		const uint64_t *key = keymap_key(&profile->sample_index, i);

		profile->cpu[i] = (struct cpu_sum){ .stack = stack_number(profile, key[0]),
						    .task = key[1],
						    .kind = key[2],
						    .flags = key[3],
						    .transaction = key[4],
						    .count = profile->sample_counts[i] };
		profile->samples += profile->cpu[i].count;
		if (key[3] & SAMPLE_SOLO)
			profile->solo_samples += profile->cpu[i].count;
	}
}

static void seal_waits(struct profile *profile)
{
	profile->wait_count = profile->wait_index.count;
	for (size_t i = 0; i < profile->wait_count; i++) {
		struct wait_sum *wait = &profile->waits[i];

		wait->stack = stack_number(profile, keymap_key(&profile->wait_index, i)[0]);
		profile->charged += wait->charged;
		profile->total_wait += wait->total;
	}
}

void profile_seal(struct profile *profile)
{
	assert(!profile->sealed);
	seal_samples(profile);
	seal_waits(profile);
	attribution_build(profile);
	profile->sealed = true;
}
