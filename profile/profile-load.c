/* SPDX-License-Identifier: Apache-2.0 */
/* Loading a profile from a sample data set. */
#include "common/compat.h"
#include "profile/consolidation.h"
#include "common/xalloc.h"
#include "engine/dataset.h"

static int take(void *argument, const struct snapshot *snapshot, const struct strmap *strings)
{
	consolidation_take(argument, snapshot, strings);
	return 0;
}

struct profile *profile_load(const char *path, struct error *err)
{
	struct consolidation *made = consolidation_new();
	struct dataset_status status = { 0 };
	struct profile *profile;
	struct strmap strings;
	int result;

	strmap_init(&strings);
	result = dataset_read(path, &strings, take, made, &status, err);
	strmap_release(&strings);
	if (result < 0) {
		consolidation_free(made);
		return NULL;
	}
	profile = consolidation_end(made);
	free(profile->path);
	profile->path = xstrdup(path);
	dataset_describe_damage(&status, &profile->damage);
	return profile;
}
