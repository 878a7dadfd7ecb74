/* SPDX-License-Identifier: Apache-2.0 */
/* Loading a profile from a sample data set. */
#include "common/compat.h"
#include "profile/consolidation.h"
#include "common/xalloc.h"
#include "engine/dataset.h"

/* Run the extraction; the reason of a failure is the reader's own. */
static int extract(struct engine *engine, struct dataset_extractor *extractor,
		   struct profile_consumer *consumer, struct error *err)
{
	const struct module *reader = engine_add(engine, &dataset_extractor_class, extractor, err);
	struct error why = ERROR_INIT;
	int result = -1;

	if (reader && engine_add(engine, &profile_consumer_class, consumer, err)) {
		result = engine_extract(engine, &why);
		if (result < 0)
			error_set(err, "%s", reader->reason ? reader->reason : error_text(&why));
	}
	error_release(&why);
	return result;
}

/* Load the file, its events or only their sums; *passed becomes whether events were passed over. */
static struct profile *load(const char *path, bool pass_events, bool *passed, struct error *err)
{
	struct dataset_extractor extractor = { .path = path,
					       .pass_events = pass_events,
					       .silent = true };
	struct profile_consumer consumer = { 0 };
	struct engine *engine = engine_new();
	int result = extract(engine, &extractor, &consumer, err);

	engine_free(engine);
	if (result < 0) {
		profile_free(consumer.profile);
		return NULL;
	}
	free(consumer.profile->path);
	consumer.profile->path = xstrdup(path);
	consumer.profile->file_bytes = extractor.status.bytes;
	*passed = extractor.status.passed_events;
	consumer.profile->has_event_rows = consumer.profile->has_event_rows || *passed;
	dataset_describe_damage(&extractor.status, &consumer.profile->damage);
	return consumer.profile;
}

struct profile *profile_load(const char *path, struct error *err)
{
	bool passed = false;
	struct profile *profile = load(path, true, &passed, err);

	/* A session has sums of its events; where it has none, they are made from these. */
	if (profile && passed && !profile->events.given) {
		profile_free(profile);
		profile = load(path, false, &passed, err);
	}
	return profile;
}
