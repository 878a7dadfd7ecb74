/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statements that scan for the end of a text again and again, as C strings do not
 * store their length.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "profile/advice/advice-search.h"

/* Keys of a statement, and of the function it calls. */
enum key {
	KEY_MODULE,
	KEY_SECTION,
	KEY_PROCEDURE,
	KEY_LINE,
	KEY_OTHER_FILE,
	KEY_FUNCTION, /* number of functions */
	KEYS
};

static const char *const functions[] = { "strlen", "strnlen", "strcat", "strncat", "wcslen", "wcscat" };

/*
 * Returns the number of the function that a name stands for: "strlen",
 * "__strlen_evex", "__GI_strlen".
 */
static size_t find_function(const char *name)
{
	static const char internal[] = "GI_";

	name += strspn(name, "_");
	if (!strncmp(name, internal, sizeof(internal) - 1))
		name += sizeof(internal) - 1;
	name += strspn(name, "_");
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		size_t length = strlen(functions[i]);

		if (!strncmp(name, functions[i], length) && strchr("_@", name[length]))
			return i;
	}
	return ARRAY_SIZE(functions);
}

static void add(struct advice_search *search, const uint64_t *key, uint64_t samples)
{
	const char *function = functions[key[KEY_FUNCTION]];
	const char *procedure = profile_text(search->profile, key[KEY_PROCEDURE]);
	const struct place place = { .module = (uint32_t)key[KEY_MODULE],
				     .section = (uint32_t)key[KEY_SECTION],
				     .procedure = (uint32_t)key[KEY_PROCEDURE],
				     .line = key[KEY_LINE],
				     .other_file = (uint32_t)key[KEY_OTHER_FILE] };
	struct advice *advice = advice_add_cpu(
		search, "TEXT-END", samples, ADVICE_PLACED_UNKNOWN,
		"Keep the length of the text, or its end, and continue from there (memcpy, "
		"stpcpy); compute a length that does not change before the loop.");

	if (!advice)
		return;
	advice_what(advice, "%s looks for the end of a text again and again", function);
	advice_where_place(search, advice, &place);
	advice_evidence(advice, "ACE", "%s line %" PRIu64 ", %" PRIu64 " CPU samples of %s", procedure,
			key[KEY_LINE], samples, function);
}

void advice_text_end(struct advice_search *search)
{
	const struct profile *profile = search->profile;
	struct sums sums;

	sums_init(&sums, KEYS, 1);
	for (size_t i = 0; i < profile->cpu_count; i++) {
		size_t stack = profile->cpu[i].stack, function;
		const struct place *caller = attribution_caller(&profile->attribution, stack),
				   *via = attribution_via(&profile->attribution, stack);

		if (!caller || !via || !caller->line || caller->interpreted)
			continue;
		function = find_function(profile_text(profile, via->procedure));
		if (function < ARRAY_SIZE(functions))
			*sums_at(&sums, (const uint64_t[]){ caller->module, caller->section,
							    caller->procedure, caller->line,
							    caller->other_file, function }) +=
				profile->cpu[i].count;
	}
	for (size_t i = 0; i < sums.keys.count; i++)
		add(search, sums_key(&sums, i), *sums_values(&sums, i));
	sums_release(&sums);
}
