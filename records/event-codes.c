/* SPDX-License-Identifier: Apache-2.0 */
/* Codes and groups of event types. */
#include "common/compat.h"
#include "records/event-codes.h"

#include <ctype.h>

static const struct {
	char code[3];
	char group; /* 0: in no group */
} types[] = {
	[EVENT_SI] = { "SI", 'S' }, [EVENT_ST] = { "ST", 'S' }, [EVENT_PL] = { "PL", 'P' },
	[EVENT_PS] = { "PS", 'P' }, [EVENT_PT] = { "PT", 'P' }, [EVENT_PR] = { "PR", 'P' },
	[EVENT_PP] = { "PP", 0 }, [EVENT_NS] = { "NS", 'N' }, [EVENT_DB] = { "DB", 'D' },
	[EVENT_DA] = { "DA", 'D' }, [EVENT_IB] = { "IB", 'I' }, [EVENT_IA] = { "IA", 'I' },
	[EVENT_CB] = { "CB", 'C' }, [EVENT_CA] = { "CA", 'C' }, [EVENT_E] = { "E", 0 },
	[EVENT_U] = { "U", 0 },	    [EVENT_MP] = { "MP", 'S' }, [EVENT_KF] = { "KF", 'K' },
	[EVENT_KX] = { "KX", 'K' }, [EVENT_KT] = { "KT", 'K' }, [EVENT_KE] = { "KE", 'K' },
	[EVENT_KP] = { "KP", 'K' }, [EVENT_KS] = { "KS", 'K' },
	[EVENT_MB] = { "MB", 'S' },
};

_Static_assert(ARRAY_SIZE(types) == EVENT_TYPE_COUNT, "every type has a code");

const char *event_code(uint64_t type)
{
	return type && type < EVENT_TYPE_COUNT ? types[type].code : "?";
}

/* Returns the set that contains the type with a code; 0: no such code. */
static uint64_t type_of(const char *code, size_t length)
{
	for (unsigned i = 1; i < EVENT_TYPE_COUNT; i++)
		if (strlen(types[i].code) == length &&
		    strncasecmp(types[i].code, code, length) == 0)
			return EVENT_TYPE_BIT(i);
	return 0;
}

/* Returns the set of all types of a group; 0: no such group. */
static uint64_t group_of(char letter)
{
	uint64_t found = 0;

	for (unsigned i = 1; i < EVENT_TYPE_COUNT; i++)
		if (types[i].group && types[i].group == letter)
			found |= EVENT_TYPE_BIT(i);
	return found;
}

uint64_t event_code_types(const char *word, size_t length)
{
	uint64_t type = type_of(word, length);

	if (type)
		return type;
	if (length == 3 && strncasecmp(word, "ALL", 3) == 0)
		return EVENT_TYPES_ALL;
	return length == 1 ? group_of((char)toupper((unsigned char)*word)) : 0;
}

void event_codes_format(struct strbuf *sb, uint64_t set)
{
	const char *before = "";

	set &= EVENT_TYPES_ALL;
	if (set == EVENT_TYPES_ALL) {
		strbuf_addstr(sb, "ALL");
		return;
	}
	for (unsigned i = 1; i < EVENT_TYPE_COUNT; i++) {
		uint64_t group = group_of(types[i].group);

		if (!(set & EVENT_TYPE_BIT(i)))
			continue;
		strbuf_addstr(sb, before);
		before = ",";
		if (group && (set & group) == group) {
			strbuf_addch(sb, types[i].group);
			set &= ~group;
		} else {
			strbuf_addstr(sb, types[i].code);
		}
	}
}
