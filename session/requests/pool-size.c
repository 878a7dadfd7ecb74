/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the size of the data pool. */
#include "common/compat.h"
#include "session/requests/pool-size.h"
#include "events/event-request.h"

#define KEYWORD "PDPSIZE="

bool pool_size_read(const char *text, uint64_t *kb)
{
	size_t digits = strspn(text, "0123456789");
	uint64_t number;

	RETURN_IF(!digits || digits > 9 || text[digits], false);
	number = strtoul(text, NULL, 10);
	RETURN_IF(number < EVENT_POOL_MIN_KB || number > EVENT_POOL_MAX_KB, false);
	*kb = number;
	return true;
}

bool pool_size_settle(const char *option, uint64_t *kb)
{
	const char *text = option ? option : getenv(POOL_SIZE_VARIABLE);

	*kb = 0;
	return (!option && (!text || !*text)) || pool_size_read(text, kb);
}

bool pool_size_of_step(const char *parm, uint64_t *kb)
{
	*kb = 0;
	for (const char *at = parm; at && (at = strstr(at, KEYWORD)); at += strlen(KEYWORD)) {
		const char *value = at + strlen(KEYWORD);
		char text[16];

		if (at != parm && !strchr(", ", at[-1]))
			continue;
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(value, ", "), value);
		return pool_size_read(text, kb);
	}
	return true;
}

bool pool_size_parm(const char *parm, uint64_t *kb)
{
	*kb = 0;
	return !*parm || (strncasecmp(parm, KEYWORD, strlen(KEYWORD)) == 0 &&
			  pool_size_read(parm + strlen(KEYWORD), kb));
}
