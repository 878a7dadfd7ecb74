/* SPDX-License-Identifier: Apache-2.0 */
/* Reads levels of privilege. */
#include "common/compat.h"
#include "session/measure/privilege.h"

bool privilege_find(const char *name, enum privilege *privilege)
{
	static const char *const names[] = {
		[PRIVILEGE_AUTO] = "AUTO",
		[PRIVILEGE_FULL] = "FULL",
		[PRIVILEGE_USER] = "USER",
		[PRIVILEGE_PROC] = "PROC",
	};

	for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
		if (strcasecmp(name, names[i]) == 0) {
			*privilege = (enum privilege)i;
			return true;
		}
	return false;
}

int privilege_limit(enum privilege *limit, struct error *err)
{
	const char *text = getenv("VIGIL_PRIVILEGE");

	*limit = PRIVILEGE_AUTO;
	if (!text || !*text || privilege_find(text, limit))
		return 0;
	return error_set(err, "VIGIL_PRIVILEGE is \"%s\"; expected FULL, USER or PROC", text);
}
