/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay-variants RECORDING SEED COUNT OUTPUT: replays variants of a recording, COUNT of them, and writes each to OUTPUT.
 * In a variant some entries are missing, are there twice, have changed places or other numbers, or other data: what
 * the kernel says late, twice, never or wrongly, tasks that never began. It must not crash or go on for ever; each
 * variant has some seconds. What samples and switches show of the CPU time is no more than what the step used by its
 * rusage, or a warning says that the data set is not whole or does not add up.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "profile/session-facts.h"
#include "records/record-types.h"
#include "sampler/recording/tape-file.h"
#include "sampler/recording/tape.h"
#include "session/measure/replay.h"

#include <stdio.h>
#include <unistd.h>

/* Seconds that a variant may take. */
#define PATIENCE 60
/* ns of two ticks of the kernel, in which rusage may be counted. */
#define TICKS UINT64_C(20000000)

static uint64_t chance;

static uint64_t draw(uint64_t below)
{
	chance ^= chance << 13;
	chance ^= chance >> 7;
	chance ^= chance << 17;
	return chance % below;
}

/* The entries of a recording; data and texts belong to pieces and reader. */
struct entries {
	struct tape_pieces pieces;
	struct tape_reader reader;
	struct tape_entry *items;
	size_t count, alloc;
};

static bool load(struct entries *entries, const char *path)
{
	struct error err = ERROR_INIT;
	struct tape_entry entry;

	memset(entries, 0, sizeof(*entries));
	if (tape_load(path, &entries->pieces, &err) < 0) {
		fprintf(stderr, "%s\n", error_text(&err));
		error_release(&err);
		return false;
	}
	tape_reader_init(&entries->reader);
	for (size_t i = 0; i < entries->pieces.count; i++) {
		tape_feed(&entries->reader, entries->pieces.items[i].text, entries->pieces.items[i].length);
		while (tape_read(&entries->reader, &entry) > 0) {
			GROW(entries->items, entries->count + 1, entries->alloc);
			entries->items[entries->count++] = entry;
		}
	}
	return true;
}

/* Changes an entry; its data are copied to bytes. */
static void change(struct tape_entry *entry, struct strbuf *bytes)
{
	strbuf_reset(bytes);
	strbuf_add(bytes, entry->data, entry->size);
	entry->data = bytes->text;
	switch (draw(6)) {
	case 0:
		entry->result = (int64_t)draw(UINT64_MAX) >> draw(64);
		break;
	case 1:
		entry->result = -1;
		entry->error = (int)draw(130);
		break;
	case 2:
		entry->size = draw(entry->size + 1);
		break;
	case 3:
		entry->a += draw(3) - 1;
		break;
	default:
		for (uint64_t i = 1 + draw(8); i && entry->size; i--)
			bytes->text[draw(entry->size)] = (char)draw(256);
	}
}

/*
 * Writes a variant; parts: one of that many entries is not as it was. Returns
 * whether its clocks tell the truth: time that has not passed may have been used.
 */
static bool vary(const struct entries *entries, uint64_t parts, struct tape_writer *writer)
{
	bool truth = true;
	struct strbuf bytes = STRBUF_INIT;
	size_t end = draw(8) ? entries->count : draw(entries->count);

	for (size_t i = 0; i < end; i++) {
		struct tape_entry entry = entries->items[i];
		/* Settings are not what the kernel says. */
		uint64_t what = entry.kind == TAPE_SESSION || draw(parts) ? 0 : 1 + draw(5);

		if (what == 1)
			continue;
		if (what == 2)
			tape_write(writer, &entry);
		if (what == 3 && i + 1 < end)
			entry = entries->items[i + 1 + draw(end - i - 1 < 20 ? end - i - 1 : 20)];
		if (what >= 4)
			change(&entry, &bytes);
		truth &= what < 3 || entry.kind != TAPE_CLOCK;
		tape_write(writer, &entry);
	}
	strbuf_release(&bytes);
	return truth;
}

/* Returns whether a profile says that it is damaged, not complete, or that its accounts do not add up. */
static bool is_doubted(const struct profile *profile)
{
	static const unsigned messages[] = { 6001, 6002, 6004, 6008, 6017 };
	struct note_list notes;
	bool doubted = false;

	note_list_init(&notes);
	session_facts_doubts(profile, &notes);
	for (size_t i = 0; i < notes.count; i++)
		for (size_t j = 0; j < ARRAY_SIZE(messages); j++)
			doubted |= notes.items[i].number == messages[j];
	note_list_release(&notes);
	return doubted;
}

/*
 * Returns whether the sums of a data set are within what rusage says, if it has
 * any, to 2 % and two ticks, or the profile says that it is not whole or does not add up.
 */
static bool is_within(const char *path)
{
	struct error err = ERROR_INIT;
	struct profile *profile = profile_load(path, &err);
	uint64_t used, sampled, exact;
	bool within;

	error_release(&err);
	RETURN_IF(!profile, true);
	used = profile_attribute_number(profile, ATTR_CPU_USER) +
	       profile_attribute_number(profile, ATTR_CPU_SYSTEM);
	sampled = session_facts_sampled(profile, profile->samples);
	exact = profile_attribute_number(profile, ATTR_CPU_EXACT);
	within = !used || (sampled > exact ? sampled : exact) <= used + used / 50 + TICKS || is_doubted(profile);
	if (!within)
		fprintf(stderr, "%" PRIu64 " ns by samples, %" PRIu64 " by switches, %" PRIu64 " by rusage\n", sampled,
			exact, used);
	profile_free(profile);
	return within;
}

/* Returns options for a replay: those of the session, or, once in four times, others. */
static struct replay_options any_options(void)
{
	struct replay_options options = { 0 };

	if (draw(4))
		return options;
	options.no_collectors = draw(2);
	options.privilege = draw(2) ? PRIVILEGE_USER : PRIVILEGE_AUTO;
	options.rate = draw(2) ? 100 : 0;
	options.names = draw(2);
	return options;
}

/* Replays what was written; returns whether all is well. */
static bool play(struct tape_writer *writer, bool truth, const char *output)
{
	const struct replay_request request = { .from = "variant", .to = output, .options = any_options() };
	struct tape_pieces pieces = { .items = &writer->bytes, .count = 1, .status.complete = true };
	struct replay_result result;
	struct error err = ERROR_INIT;
	bool good;

	alarm(PATIENCE);
	good = replay_pieces(&request, &pieces, &result, &err) < 0 || !truth || is_within(output);
	alarm(0);
	replay_result_release(&result);
	error_release(&err);
	return good;
}

int main(int argc, char **argv)
{
	struct entries entries;
	uint64_t count, wrong = 0;

	if (argc != 5 || !load(&entries, argv[1]))
		return 2;
	chance = strtoull(argv[2], NULL, 10) * UINT64_C(0x9e3779b97f4a7c15) | 1;
	count = strtoull(argv[3], NULL, 10);
	for (uint64_t i = 0; i < count; i++) {
		static const uint64_t parts[] = { 10000, 1000, 100, 10, 2 };
		struct tape_writer writer;
		bool truth;

		tape_writer_init(&writer);
		truth = vary(&entries, parts[draw(ARRAY_SIZE(parts))], &writer);
		if (!play(&writer, truth, argv[4])) {
			fprintf(stderr, "variant %" PRIu64 "\n", i);
			wrong++;
		}
		tape_writer_release(&writer);
	}
	printf("%" PRIu64 " variants of %zu entries\n", count, entries.count);
	tape_reader_release(&entries.reader);
	tape_pieces_release(&entries.pieces);
	free(entries.items);
	return wrong > 0;
}
