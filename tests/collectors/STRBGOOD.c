/* SPDX-License-Identifier: Apache-2.0 */
/* A collector that works correctly: it names a transaction. */
#include <vigil/collector.h>

static enum vigil_outcome good(struct vigil_communication *area)
{
	area->transaction = "GOOD";
	return VIGIL_DONE;
}

static const char *const programs[] = { VIGIL_ALWAYS, 0 };

VIGIL_COLLECTOR("STRBGOOD", "G-00", 0, 0, programs, good);
