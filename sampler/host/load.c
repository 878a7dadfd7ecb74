/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a collector's shared object, and checks it. */
#include "common/compat.h"
#include "sampler/host/load.h"

#include "sampler/host/guarded-read.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdarg.h>

#define PREFIX_MIN 3

/* Sets the reason why the collector cannot be used; returns false. */
static bool PRINTFLIKE(2, 3) refuse(struct call_answer *answer, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(answer->error, sizeof(answer->error), format, ap);
	va_end(ap);
	return false;
}

/* Copies the structure vigil_collector of the object. */
static bool find_structure(const char *path, struct vigil_collector *collector,
			   struct call_answer *answer)
{
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const void *symbol;

	if (!object) {
		const char *reason = dlerror();

		return refuse(answer,
			      "it cannot be loaded (%s); build it as a shared object linked with "
			      "everything it uses",
			      reason ? reason : "unknown reason");
	}
	symbol = dlsym(object, "vigil_collector");
	if (!symbol)
		return refuse(answer, "it has no symbol vigil_collector; define it with "
				      "VIGIL_COLLECTOR of <vigil/collector.h>");
	if (!guard_copy(collector, symbol, sizeof(*collector)))
		return refuse(answer, "its symbol vigil_collector points nowhere; define it with "
				      "VIGIL_COLLECTOR of <vigil/collector.h>");
	return true;
}

/* Returns whether the name is STRB and one to four more characters. */
static bool is_name(const char name[static 9])
{
	size_t length = strnlen(name, 9);

	if (length < 5 || length > 8 || strncmp(name, "STRB", 4) != 0)
		return false;
	for (size_t i = 4; i < length; i++)
		if (!isgraph((unsigned char)name[i]))
			return false;
	return true;
}

/* Checks the fields in the structure itself. */
static bool check_structure(struct vigil_collector *collector, struct call_answer *answer)
{
	static const char identifier[] = VIGIL_COLLECTOR_IDENTIFIER;

	if (memcmp(collector->identifier, identifier, sizeof(identifier)) != 0)
		return refuse(answer,
			      "its identifier is not \"%s\"; define vigil_collector with "
			      "VIGIL_COLLECTOR of <vigil/collector.h>",
			      identifier);
	if (collector->version < 1 || collector->version > VIGIL_COLLECTOR_VERSION)
		return refuse(answer,
			      "it was built for version %u of <vigil/collector.h>, but this vigil "
			      "supports versions 1 to %d; build it with the header of this vigil",
			      collector->version, VIGIL_COLLECTOR_VERSION);
	if (!is_name(collector->name))
		return refuse(answer,
			      "its name is \"%.*s\"; a collector's name is STRB and one to four "
			      "more characters",
			      (int)sizeof(collector->name) - 1, collector->name);
	if (!collector->entry)
		return refuse(answer, "it has no entry point; name a function in VIGIL_COLLECTOR");
	return true;
}

/* Copies one entry of the table of pseudo-sections; adds the leading period of the section. */
static bool copy_entry(const struct vigil_pseudo_section *entry, struct call_answer *answer)
{
	uint32_t number = answer->pseudo_section_count;
	char *section = answer->pseudo_sections[number].section;
	char *prefix = answer->pseudo_sections[number].prefix;

	if (guard_text(section + 1, CALL_NAME - 1, entry->section) < 0 ||
	    guard_text(prefix, CALL_NAME, entry->prefix) < 0)
		return refuse(answer,
			      "entry %u of its pseudo-section table points nowhere; end the table "
			      "with { NULL, NULL }",
			      number + 1);
	section[0] = '.';
	if (section[1] == '.')
		memmove(section, section + 1, CALL_NAME - 1);
	if (!section[1])
		return refuse(answer,
			      "entry %u of its pseudo-section table has no section name; specify "
			      "one, or end the table with { NULL, NULL }",
			      number + 1);
	if (strlen(prefix) < PREFIX_MIN)
		return refuse(answer,
			      "prefix \"%s\" of entry %u (%s) of its pseudo-section table is "
			      "shorter than three characters; give it three or more",
			      prefix, number + 1, section);
	answer->pseudo_section_count++;
	return true;
}

static bool copy_pseudo_sections(const struct vigil_collector *collector,
				 struct call_answer *answer)
{
	const struct vigil_pseudo_section *table = collector->pseudo_sections;
	struct vigil_pseudo_section entry;

	for (size_t i = 0; table; i++) {
		if (!guard_copy(&entry, table + i, sizeof(entry)))
			return refuse(answer,
				      "its pseudo-section table points nowhere; end it with "
				      "{ NULL, NULL }");
		if (!entry.section && !entry.prefix)
			return true;
		if (i == VIGIL_PSEUDO_SECTIONS_MAX)
			return refuse(answer,
				      "its pseudo-section table has more than %d entries; "
				      "combine some of them with shorter prefixes",
				      VIGIL_PSEUDO_SECTIONS_MAX);
		if (!copy_entry(&entry, answer))
			return false;
	}
	return true;
}

/* Copies the list of programs, each terminated by NUL and the list by an empty text. */
static bool copy_programs(const struct vigil_collector *collector, struct call_answer *answer)
{
	const char *const *list = collector->programs;
	char name[CALL_NAME];
	size_t used = 0;

	for (size_t i = 0; list; i++) {
		const char *program;
		int length;

		if (!guard_copy(&program, list + i, sizeof(program)) ||
		    (program && guard_text(name, sizeof(name), program) < 0))
			return refuse(answer,
				      "its list of programs points nowhere; end it with NULL");
		if (!program)
			return true;
		length = (int)strlen(name);
		if (!length)
			continue;
		if (used + (size_t)length + 2 > CALL_PROGRAMS)
			return refuse(answer,
				      "its list of programs is longer than %d characters; use "
				      "'*' for several names",
				      CALL_PROGRAMS);
		memcpy(answer->programs + used, name, (size_t)length + 1);
		used += (size_t)length + 1;
		answer->programs[used] = '\0';
	}
	return true;
}

bool load_collector(const char *path, struct vigil_collector *collector, struct call_answer *answer)
{
	answer->error[0] = '\0';
	answer->pseudo_section_count = 0;
	answer->programs[0] = '\0';
	if (!find_structure(path, collector, answer) || !check_structure(collector, answer))
		return false;
	collector->name[sizeof(collector->name) - 1] = '\0';
	collector->generation[sizeof(collector->generation) - 1] = '\0';
	memcpy(answer->name, collector->name, sizeof(answer->name));
	memcpy(answer->generation, collector->generation, sizeof(answer->generation));
	answer->collector_flags = collector->flags;
	return copy_pseudo_sections(collector, answer) && copy_programs(collector, answer);
}
