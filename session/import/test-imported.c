/* SPDX-License-Identifier: Apache-2.0 */
/* Imports any bytes, and checks the result. */
#include "common/compat.h"
#include "session/import/test-imported.h"
#include "common/procfs.h"
#include "common/test-input.h"
#include "profile/profile.h"
#include "records/record-types.h"
#include "session/import/import.h"

#include <sys/stat.h>
#include <unistd.h>

/* message_sink.say */
static void ignore(void *argument UNUSED, enum severity severity UNUSED, unsigned number UNUSED,
		   const char *text UNUSED)
{
}

/* Checks that the data set contains what was reported. */
static void check(const char *path, const struct import_result *result)
{
	struct profile *profile = profile_load(path, NULL);

	if (!profile || *profile_damage(profile) || profile->samples != result->samples ||
	    !profile_attribute_number(profile, ATTR_COMPLETE))
		abort();
	profile_free(profile);
}

void test_imported(const void *data, size_t size)
{
	static const struct message_sink sink = { ignore, NULL };
	static char path[64];
	struct import_request request = { .to = path, .replace = true, .sink = &sink };
	struct import_result result;

	if (!*path) {
		snprintf(path, sizeof(path), "/tmp/vigil-fuzz-%ld.vprf", (long)getpid());
		/* Skips the kernel's symbols, which are many, and the same each time. */
		procfs_set_root("/nowhere");
	}
	request.from = test_input(0, data, size);
	if (import_recording(&request, &result, NULL) == 0)
		check(path, &result);
	else if (access(path, F_OK) == 0)
		abort();
	unlink(path);
}
