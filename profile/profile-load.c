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

struct profile *profile_load(const char *path, struct error *err)
{
	struct dataset_extractor extractor = { .path = path, .silent = true };
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
	dataset_describe_damage(&extractor.status, &consumer.profile->damage);
	return consumer.profile;
}
