/* SPDX-License-Identifier: Apache-2.0 */
/* A session's data in memory, and queries on them. */
#include "common/compat.h"
#include "profile/profile.h"
#include "common/xalloc.h"
#include "profile/share.h"
#include "records/record-types.h"

struct profile *profile_new(void)
{
	struct profile *profile = xcalloc(1, sizeof(*profile));

	strmap_init(&profile->strings);
	profile->path = xstrdup("");
	strbuf_init(&profile->damage);
	session_attributes_init(&profile->attributes);
	keymap_init(&profile->notes, 3);
	name_table_init(&profile->names);
	event_sums_init(&profile->events);
	coverage_sums_init(&profile->coverage, &profile->strings);
	idmap_init(&profile->task_numbers);
	idmap_init(&profile->file_folders);
	return profile;
}

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	run_course_free(profile->course);
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
	id_table_release(&profile->event_sites);
	event_sums_release(&profile->events);
	coverage_sums_release(&profile->coverage);
	system_activity_release(&profile->system);
	activity_release(&profile->task_activity);
	activity_release(&profile->file_activity);
	timeline_release(&profile->step.timeline);
	session_attributes_release(&profile->attributes);
	keymap_release(&profile->notes);
	name_table_release(&profile->names);
	idmap_release(&profile->task_numbers);
	idmap_release(&profile->file_folders);
	strbuf_release(&profile->damage);
	strmap_release(&profile->strings);
	free(profile->waits);
	free(profile->cpu);
	free(profile->path);
	free(profile);
}

const char *profile_damage(const struct profile *profile)
{
	return profile->damage.text;
}

int profile_compare_texts(const struct profile *profile, uint64_t first, uint64_t second)
{
	return first == second
		       ? 0
		       : strcmp(profile_text(profile, first), profile_text(profile, second));
}

int profile_compare_text_pairs(const uint64_t *first, const uint64_t *second, void *profile)
{
	int order = profile_compare_texts(profile, first[0], second[0]);

	return order ? order : profile_compare_texts(profile, first[1], second[1]);
}

const char *profile_attribute(const struct profile *profile, const char *key)
{
	return session_attributes_text(&profile->attributes, key);
}

uint64_t profile_attribute_number(const struct profile *profile, const char *key)
{
	return session_attributes_number(&profile->attributes, key);
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
	uint64_t start, end;

	if (profile->step.interval)
		return profile->step.interval;
	start = profile_start(profile) + profile_attribute_number(profile, ATTR_PAUSED);
	end = profile_end(profile);
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

double profile_cpu_percent(const struct profile *profile, uint64_t samples)
{
	return share_percent((double)samples, (double)profile->samples);
}

double profile_run_percent(const struct profile *profile, uint64_t ns)
{
	return share_percent((double)ns, (double)profile_run_time(profile));
}

double profile_share_margin(const struct profile *profile, double percent)
{
	return 100 * margin_of_any_row(&profile->basis, percent / 100 * profile->basis.all);
}

double profile_row_margin(const struct profile *profile, uint64_t samples, uint64_t placed)
{
	return 100 * margin_of_row(&profile->basis, (double)samples, (double)placed);
}

double profile_margin(const struct profile *profile)
{
	return profile_share_margin(profile, 50);
}
