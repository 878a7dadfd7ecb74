/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a profile from a sample data set. */
#include "common/compat.h"
#include "profile/consolidation.h"
#include "common/xalloc.h"
#include "engine/dataset.h"
#include "records/record-types.h"

/* Runs the extraction; on failure err is that of the reader. */
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

/* Returns whether a file has data of other modules, and nothing that a session would write. */
static bool is_foreign(const struct profile *profile)
{
	return profile->has_metrics && !profile->attributes.count && !profile->cpu_count &&
	       !profile->wait_count && !profile->tasks.count && !profile->processes.count;
}

/* Which parts of a file are loaded. */
enum parts { PARTS_EVENTS = 1, PARTS_COURSE = 2, PARTS_WAIT_COURSE = 4 };

/* Loads the file; sets *passed to whether events were skipped. */
static struct profile *load(const char *path, unsigned parts, bool *passed, struct error *err)
{
	struct dataset_extractor extractor = { .path = path,
					       .pass_events = !(parts & PARTS_EVENTS),
					       .silent = true };
	struct profile_consumer consumer = { .keeps_course = parts & PARTS_COURSE	 ? COURSE_WHOLE
							   : parts & PARTS_WAIT_COURSE ? COURSE_OF_WAITS
										       : COURSE_NONE };
	struct engine *engine = engine_new(&session_records);
	int result = extract(engine, &extractor, &consumer, err);

	engine_free(engine);
	if (result >= 0 && is_foreign(consumer.profile))
		result = error_set(err,
				   "%s holds system metrics and no measurement session; "
				   "'vigil extract' shows them",
				   path);
	if (result >= 0 && *profile_attribute(consumer.profile, ATTR_RECORDING))
		result = error_set(err, "%s is a recording; 'vigil replay' makes its sample data set", path);
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

/* Loads it; a session has sums of its events; if it has none, they are computed from the events. */
static struct profile *load_whole(const char *path, unsigned parts, struct error *err)
{
	bool passed = false;
	struct profile *profile = load(path, parts, &passed, err);

	if (profile && passed && !profile->events.given) {
		profile_free(profile);
		profile = load(path, parts | PARTS_EVENTS, &passed, err);
	}
	return profile;
}

struct profile *profile_load(const char *path, struct error *err)
{
	return load_whole(path, 0, err);
}

struct profile *profile_load_course(const char *path, struct error *err)
{
	return load_whole(path, PARTS_COURSE, err);
}

struct profile *profile_load_wait_course(const char *path, struct error *err)
{
	return load_whole(path, PARTS_WAIT_COURSE, err);
}
