/* SPDX-License-Identifier: Apache-2.0 */
/* Loading a profile from a sample data set. */
#include "common/compat.h"
#include "profile/profile-data.h"
#include "common/xalloc.h"

static int take(void *argument, const struct snapshot *snapshot, const struct strmap *strings)
{
	profile_take(argument, snapshot, strings);
	return 0;
}

struct profile *profile_load(const char *path, struct error *err)
{
	struct profile *profile = profile_new();
	struct dataset_status status = { 0 };

	if (dataset_read(path, &profile->strings, take, profile, &status, err) < 0) {
		profile_free(profile);
		return NULL;
	}
	free(profile->path);
	profile->path = xstrdup(path);
	dataset_describe_damage(&status, &profile->damage);
	profile_seal(profile);
	return profile;
}
