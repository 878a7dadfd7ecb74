/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A collector that records which collectors were called, in which order and with
 * which parameter: the module is that of the collectors before it, a colon, and
 * its NAME with its parameter. PROGRAMS is its list, ALIASES its further names,
 * SECTIONS its pseudo-sections, COLLECTOR_FLAGS its flags, GENERATION its
 * generation; WHEN_LOADED is executed while it is loaded.
 */
#include <vigil/collector.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef IDENTIFIER
#define IDENTIFIER VIGIL_COLLECTOR_IDENTIFIER
#endif
#ifndef VERSION
#define VERSION VIGIL_COLLECTOR_VERSION
#endif
#ifndef GENERATION
#define GENERATION "G-00"
#endif
#ifndef COLLECTOR_FLAGS
#define COLLECTOR_FLAGS 0
#endif
#ifdef SECTIONS
static const struct vigil_pseudo_section sections[] = { SECTIONS, { NULL, NULL } };
#else
#define sections NULL
#endif
#ifdef ALIASES
VIGIL_COLLECTOR_ALIASES(ALIASES);
#endif

#ifdef WHEN_LOADED
__attribute__((constructor)) static void when_loaded(void)
{
	WHEN_LOADED;
}
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
__attribute__((visibility("default"))) const struct vigil_collector vigil_collector = {
	IDENTIFIER, NAME, GENERATION, VERSION, COLLECTOR_FLAGS, sections, programs, entry
};
