/* SPDX-License-Identifier: Apache-2.0 */
/* A module that cannot be prepared, and reports why. */
#include <vigil/module.h>

static int call(struct vigil_global *global, struct vigil_private *mine,
		const struct vigil_set *set)
{
	(void)set;
	mine->capabilities = VIGIL_CONSUMER;
	mine->sync_points = VIGIL_AT_SNAPSHOT_END;
	return global->what == VIGIL_PREPARE ? vigil_error(global, mine, "there is no tape")
					     : VIGIL_OK;
}

static const struct vigil_module module = { sizeof(module), VIGIL_MODULE_VERSION, "UNPREPARED",
					    "has no tape", call, 0 };
VIGIL_MODULES(&module);
