/* SPDX-License-Identifier: Apache-2.0 */
/* A session's data in memory: what the reports ask of it. */
#include "common/compat.h"
#include "profile/profile-data.h"
#include "common/xalloc.h"

const void *id_table_at(const struct id_table *table, size_t number)
{
	assert(number < table->count);
	return table->values + number * table->width;
}

const void *id_table_get(const struct id_table *table, uint64_t id)
{
	uint64_t number;

	return idmap_get(&table->index, id, &number) ? id_table_at(table, (size_t)number) : NULL;
}

const struct activity_sum *activity_find(const struct activity_table *table, uint64_t id)
{
	uint64_t number;

	return idmap_get(&table->index, id, &number) ? &table->items[number] : NULL;
}

static void id_table_release(struct id_table *table)
{
	idmap_release(&table->index);
	free(table->values);
}

static void activity_table_release(struct activity_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		timeline_release(&table->items[i].timeline);
	free(table->items);
	idmap_release(&table->index);
}

struct profile *profile_new(void)
{
	struct profile *profile = xcalloc(1, sizeof(*profile));

	strmap_init(&profile->strings);
	profile->path = xstrdup("");
	strbuf_init(&profile->damage);
	idmap_init(&profile->attributes);
	keymap_init(&profile->notes, 3);
	keymap_init(&profile->name_index, 2);
	keymap_init(&profile->sample_index, 5);
	keymap_init(&profile->wait_index, 6);
	profile->resolution = UINT64_C(10000000);
	return profile;
}

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	attribution_release(&profile->attribution);
	id_table_release(&profile->processes);
	id_table_release(&profile->tasks);
	id_table_release(&profile->objects);
	id_table_release(&profile->frames);
	id_table_release(&profile->stacks);
	id_table_release(&profile->files);
	id_table_release(&profile->transactions);
	id_table_release(&profile->collectors);
	id_table_release(&profile->pseudo_sections);
	activity_table_release(&profile->task_activity);
	activity_table_release(&profile->file_activity);
	timeline_release(&profile->step.timeline);
	idmap_release(&profile->attributes);
	keymap_release(&profile->notes);
	keymap_release(&profile->name_index);
	keymap_release(&profile->sample_index);
	keymap_release(&profile->wait_index);
	strbuf_release(&profile->damage);
	strmap_release(&profile->strings);
	free(profile->names);
	free(profile->sample_counts);
	free(profile->waits);
	free(profile->cpu);
	free(profile->path);
	free(profile);
}

const char *profile_damage(const struct profile *profile)
{
	return profile->damage.text;
}

const char *profile_text(const struct profile *profile, uint64_t string)
{
	return string < UINT32_MAX ? strmap_text(&profile->strings, (uint32_t)string) : "";
}

const char *profile_attribute(const struct profile *profile, const char *key)
{
	uint32_t string = strmap_find(&profile->strings, key);
	uint64_t value;

	if (string == UINT32_MAX || !idmap_get(&profile->attributes, string, &value))
		return "";
	return profile_text(profile, value);
}

uint64_t profile_attribute_number(const struct profile *profile, const char *key)
{
	return strtoull(profile_attribute(profile, key), NULL, 10);
}

uint64_t profile_start(const struct profile *profile)
{
	uint64_t start = profile_attribute_number(profile, ATTR_START);

	return start && (!profile->first_time || start < profile->first_time) ? start
									      : profile->first_time;
}

uint64_t profile_end(const struct profile *profile)
{
	uint64_t end = profile_attribute_number(profile, ATTR_END);

	return end > profile->last_time ? end : profile->last_time;
}

uint64_t profile_run_time(const struct profile *profile)
{
	uint64_t start = profile_start(profile), end = profile_end(profile);

	if (profile->step.interval)
		return profile->step.interval;
	return end > start ? end - start : 0;
}

uint64_t profile_period(const struct profile *profile)
{
	uint64_t period = profile_attribute_number(profile, ATTR_PERIOD);

	return period ? period : profile_attribute_number(profile, ATTR_PERIOD_INITIAL);
}

const char *profile_program(const struct profile *profile)
{
	const char *program = profile_attribute(profile, ATTR_PROGRAM);
	const struct record_process *first;

	if (*program || !profile->processes.count)
		return program;
	first = id_table_at(&profile->processes, 0);
	return profile_text(profile, first->program);
}

uint64_t profile_reached(const struct profile *profile)
{
	uint64_t reached = 0;

	for (size_t i = 0; i < profile->cpu_count; i++)
		if (attribution_caller(&profile->attribution, profile->cpu[i].stack))
			reached += profile->cpu[i].count;
	return reached;
}
