/* SPDX-License-Identifier: Apache-2.0 */
/*
 * BAD_FILTER: a filter that drops the first record of GOOD and crashes in its
 * third snapshot. BAD_TIMER: a timer that requests four snapshots at once and then
 * crashes. BAD_EXTRACTOR: an extractor that generates two snapshots with a type of
 * its own and then crashes.
 */
#include <stddef.h>
#include <string.h>
#include <vigil/module.h>

static void crash(void)
{
	*(volatile int *)8 = 1;
}

#ifdef BAD_FILTER
#define NAME "BAD.FILTER"
static int act(struct vigil_global *global, struct vigil_private *mine)
{
	const struct vigil_set *good = vigil_set_of(global->current, "good");

	if (global->what != VIGIL_SNAPSHOT)
		return VIGIL_OK;
	if (++mine->yours == 3)
		crash();
	return global->services->discard(global, mine, good, 0);
}
#elif defined(BAD_EXTRACTOR)
#define NAME "BAD.TAPE"
struct taped {
	struct vigil_prefix prefix;
	uint64_t number, title;
};
static const struct vigil_field fields[] = {
	{ "number", VIGIL_UNSIGNED, VIGIL_IDENTITY, 0, offsetof(struct taped, number), "id", "" },
	{ "title", VIGIL_TEXT, VIGIL_IDENTITY, 0, offsetof(struct taped, title), "name", "" },
};
static const struct vigil_record_type type = {
	"taped", "", sizeof(struct taped), sizeof(struct vigil_field), 2, 0, fields
};
static int act(struct vigil_global *global, struct vigil_private *mine)
{
	const struct vigil_services *services = global->services;
	struct taped record = { .prefix = { .size = sizeof(record) } };

	if (global->what == VIGIL_START)
		mine->own = (void *)(intptr_t)services->add_type(global, mine, &type);
	if (global->what != VIGIL_SNAPSHOT)
		return VIGIL_OK;
	if (++mine->yours == 3)
		crash();
	record.prefix.id = (uint16_t)(intptr_t)mine->own;
	record.number = 70 + mine->yours;
	record.title = services->text_put(global, "side B");
	services->set_time(global, mine, mine->yours, 1000 * mine->yours);
	return services->add(global, mine, &record);
}
#else
#define NAME "BAD.TIMER"
static int act(struct vigil_global *global, struct vigil_private *mine)
{
	if (global->what != VIGIL_DUE)
		return VIGIL_OK;
	if (++mine->yours == 5)
		crash();
	mine->due = global->now;
	return VIGIL_OK;
}
#endif

static int call(struct vigil_global *global, struct vigil_private *mine,
		const struct vigil_set *set)
{
	(void)set;
	if (global->what == VIGIL_LOAD) {
#ifdef BAD_FILTER
		mine->capabilities = VIGIL_FILTER;
		mine->sync_points = VIGIL_AT_SNAPSHOT;
#elif defined(BAD_EXTRACTOR)
		mine->capabilities = VIGIL_EXTRACTOR;
		mine->sync_points = VIGIL_AT_SNAPSHOT;
#else
		mine->capabilities = VIGIL_TIMER;
#endif
	}
	return act(global, mine);
}

static const struct vigil_module module = {
	sizeof(module), VIGIL_MODULE_VERSION, NAME, "", call, 0
};
VIGIL_MODULES(&module);
