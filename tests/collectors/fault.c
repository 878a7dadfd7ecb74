/* SPDX-License-Identifier: Apache-2.0 */
/* Collectors with one fault each, which loading has to detect; FAULT selects the fault. */
#include <vigil/collector.h>

#define NOTHING 0
#define IDENTIFIER 1
#define VERSION 2
#define NAME 3
#define SHORT_PREFIX 4
#define NO_SECTION 5
#define MANY_SECTIONS 6
#define FULL_SECTIONS 7
#define WILD_SECTIONS 8
#define WILD_PROGRAMS 9
#define MANY_PROGRAMS 10
#define NO_ENTRY 11
#define UNRESOLVED 12
#define CRASH 13

#define ENTRY \
	{ \
		"SECTION", "PREFIX" \
	}
#define FIVE ENTRY, ENTRY, ENTRY, ENTRY, ENTRY
#define NAME_16 "0123456789ABCDEF"
#define NAME_128 NAME_16 NAME_16 NAME_16 NAME_16 NAME_16 NAME_16 NAME_16 NAME_16
#define EIGHT(what) what, what, what, what, what, what, what, what

#if FAULT != NOTHING
static const struct vigil_pseudo_section sections[] = {
#if FAULT == SHORT_PREFIX
	ENTRY,
	{ "SECTION", "AB" },
#elif FAULT == NO_SECTION
	{ "", "PREFIX" },
#elif FAULT == MANY_SECTIONS
	FIVE,	  FIVE, FIVE, FIVE, FIVE, ENTRY,
#elif FAULT == FULL_SECTIONS
	FIVE,	  FIVE, FIVE, FIVE, FIVE,
#elif FAULT == WILD_SECTIONS
	{ (const char *)16, (const char *)16 },
#endif
	{ 0, 0 },
};

static const char *const programs[] = {
#if FAULT == WILD_PROGRAMS
	(const char *)16,
#elif FAULT == MANY_PROGRAMS
	EIGHT(NAME_128), EIGHT(NAME_128),
	EIGHT(NAME_128), EIGHT(NAME_128),
#endif
	"PROGRAM", 0
};

#if FAULT == UNRESOLVED
void nobody_has_this(void);
#endif

static enum vigil_outcome entry(struct vigil_communication *area)
{
	(void)area;
#if FAULT == UNRESOLVED
	nobody_has_this();
#endif
	return VIGIL_DONE;
}

#if FAULT == CRASH
__attribute__((constructor)) static void crash(void)
{
	*(volatile int *)16 = 0;
}
#endif

extern const struct vigil_collector vigil_collector;
const struct vigil_collector vigil_collector = {
#if FAULT == IDENTIFIER
	"SOMETHING ELSE  ",
#else
	VIGIL_COLLECTOR_IDENTIFIER,
#endif
#if FAULT == NAME
	"MYOWN",
#else
	"STRBFAUL",
#endif
	"G-00",
	FAULT == VERSION ? VIGIL_COLLECTOR_VERSION + 1 : VIGIL_COLLECTOR_VERSION,
	0,
	sections,
	programs,
	FAULT == NO_ENTRY ? 0 : entry,
};
#endif
