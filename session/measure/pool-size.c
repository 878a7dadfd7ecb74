/* SPDX-License-Identifier: Apache-2.0 */
/* Reads PDPSIZE. */
#include "common/compat.h"
#include "session/measure/pool-size.h"
#include "events/event-request.h"

#define KEYWORD "PDPSIZE="

int pool_size_check(uint64_t kb, struct error *err)
{
	if (kb >= EVENT_POOL_LEAST && kb <= EVENT_POOL_MOST)
		return 0;
	return error_set(err, "PDPSIZE takes %" PRIu64 " to %" PRIu64 ", not %" PRIu64,
			 EVENT_POOL_LEAST, EVENT_POOL_MOST, kb);
}

/* A number that ends where a word does. */
static int read_size(const char *text, uint64_t *kb, struct error *err)
{
	size_t length = strcspn(text, ", ");
	uint64_t value = 0;

	for (size_t i = 0; i < length && i < 12; i++) {
		if (text[i] < '0' || text[i] > '9')
			return error_set(err, "PDPSIZE takes a number, not '%.*s'", (int)length,
					 text);
		value = value * 10 + (uint64_t)(text[i] - '0');
	}
	RETURN_IF(pool_size_check(value, err) < 0, -1);
	*kb = value;
	return 0;
}

int pool_size(const char *parm, uint64_t *kb, struct error *err)
{
	const char *own = getenv("PDPSIZE");

	*kb = 0;
	for (const char *at = parm; at && (at = strstr(at, KEYWORD)); at += strlen(KEYWORD))
		if (at == parm || strchr(", ", at[-1]))
			return read_size(at + strlen(KEYWORD), kb, err);
	return own && *own ? read_size(own, kb, err) : 0;
}
