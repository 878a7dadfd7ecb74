/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A collector that says who was called, in which order and with which
 * parameter: the module is that of those before it, a colon, and its own NAME
 * with its parameter. PROGRAMS is its list, ALIASES its further names.
 */
#include <vigil/collector.h>

#include <stdio.h>
#include <string.h>

#ifndef IDENTIFIER
#define IDENTIFIER VIGIL_COLLECTOR_IDENTIFIER
#endif
#ifndef VERSION
#define VERSION VIGIL_COLLECTOR_VERSION
#endif
#ifdef ALIASES
VIGIL_COLLECTOR_ALIASES(ALIASES);
#endif

static enum vigil_outcome entry(struct vigil_communication *area)
{
	static char module[VIGIL_NAME_MAX + 1];
	char before[VIGIL_NAME_MAX + 1] = "CALLED";

	if (area->module && strncmp(area->module, "CALLED", 6) == 0)
		snprintf(before, sizeof(before), "%s", area->module);
	snprintf(module, sizeof(module), "%.200s:%s%.20s", before, NAME, area->parameter);
	area->module = module;
	area->base = area->address;
	area->size = 1;
	return VIGIL_DONE;
}

static const char *const programs[] = { PROGRAMS, NULL };
__attribute__((visibility("default")))
const struct vigil_collector vigil_collector = { IDENTIFIER, NAME, "G-00",   VERSION,
						 0,	     NULL, programs, entry };
