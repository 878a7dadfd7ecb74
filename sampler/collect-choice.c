/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which data collectors are called for a program; loads those that are needed. */
#include "common/compat.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "sampler/collect-data.h"
#include "sampler/sched-slice.h"

/* Returns whether two are the same: the same object with the same parameter. */
static bool is_same(const struct sampler_collector *one, const struct sampler_collector *other)
{
	return strcmp(one->name, other->name) == 0 && strcmp(one->path, other->path) == 0 &&
	       strcmp(one->parameter, other->parameter) == 0 && one->origin == other->origin;
}

/* Returns the collector for this configuration; makes it if it is new. */
static struct collector *need_collector(struct collect *collect,
					const struct sampler_collector *wanted)
{
	struct collector *collector;

	for (size_t i = 0; i < collect->count; i++)
		if (is_same(collect->items[i]->wanted, wanted))
			return collect->items[i];
	collector = xcalloc(1, sizeof(*collector));
	collector->wanted = wanted;
	collector->changed = true;
	host_client_init(&collector->client);
	GROW(collect->items, collect->count + 1, collect->alloc);
	collect->items[collect->count++] = collector;
	collector->id = collect->count;
	return collector;
}

struct choice *collect_need_choice(struct collect *collect, const char *program, bool first)
{
	const struct sampler_collector *list = NULL;
	struct choice *choice;

	for (choice = collect->choices; choice; choice = choice->next)
		if (choice->first == first && strcmp(choice->program, program) == 0)
			return choice;
	choice = xcalloc(1, sizeof(*choice));
	choice->program = xstrdup(program);
	choice->first = first;
	choice->count = collect->parts.config->choose(collect->parts.config->choose_argument,
						      program, first, &list);
	choice->members = xcalloc(choice->count + 1, sizeof(*choice->members));
	for (size_t i = 0; i < choice->count; i++)
		choice->members[i].collector = need_collector(collect, &list[i]);
	choice->next = collect->choices;
	collect->choices = choice;
	return choice;
}

/* Starts the process of a collector. As samples must reach it soon, vigil requests short slices. */
static void start(struct collect *collect, struct collector *collector)
{
	sched_slice_shorten();
	host_client_start(&collector->client, collect->parts.config->collector_host,
			  collector->wanted);
}

/* Loads a collector that is needed for the first time. */
static void need_loaded(struct collect *collect, struct collector *collector)
{
	const struct sampler_collector *wanted = collector->wanted;

	if (collector->started)
		return;
	collector->started = true;
	if (!*wanted->path)
		host_client_refuse(&collector->client,
				   *wanted->missing ? wanted->missing : "it was not found");
	else
		start(collect, collector);
}

/*
 * Returns whether a collector's list of programs contains the program, or a name
 * that it stands for.
 */
static bool is_for(const struct collect *collect, const struct collector *collector,
		   const struct choice *choice)
{
	const struct sampler_config *config = collect->parts.config;
	const char *list = collector->client.loaded.programs;

	if (collector->wanted->origin == COLLECTOR_NAMED || collect_matches(list, choice->program))
		return true;
	if (choice->first && config->subject && collect_matches(list, path_base(config->subject)))
		return true;
	for (size_t i = 0; i < config->map_program_count; i++)
		if (collect_matches(list, config->map_programs[i]))
			return true;
	return false;
}

struct choice *collect_need_subject(struct collect *collect)
{
	const char *subject = collect->parts.config->subject;

	RETURN_IF(!subject || !*subject, NULL);
	return collect_need_choice(collect, path_base(subject), true);
}

size_t collect_decide(struct collect *collect, struct choice *choice)
{
	size_t called = 0;

	for (size_t i = 0; i < choice->count; i++) {
		struct chosen *member = &choice->members[i];
		struct collector *collector = member->collector;

		need_loaded(collect, collector);
		if (member->state == CHOSEN_OPEN && collector->client.loaded_once) {
			member->state =
				is_for(collect, collector, choice) ? CHOSEN_CALLED : CHOSEN_SKIPPED;
			collector->called |= member->state == CHOSEN_CALLED;
		}
		called += member->state != CHOSEN_SKIPPED &&
			  collector->client.state != HOST_CLIENT_OFF;
	}
	return called;
}

void collect_free_choices(struct collect *collect)
{
	struct choice *next;

	for (struct choice *choice = collect->choices; choice; choice = next) {
		next = choice->next;
		free(choice->program);
		free(choice->members);
		free(choice);
	}
	collect->choices = NULL;
}
