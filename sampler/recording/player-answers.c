/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a tape call by call, and finds the answers to the session's questions. */
#include "common/compat.h"
#include "common/outside.h"
#include "common/xalloc.h"
#include "sampler/recording/player-data.h"
#include "sampler/recording/tape-view.h"

#include <time.h>

/* Entries of one call of the session that are searched for one answer, and for all of them. */
#define SEARCHED 100000
#define SEARCHED_ALL 10000000
/* Entries that are searched for a clock of a session with other options: time goes on in small steps. */
#define SEARCHED_FOR_CLOCK 16

/* Which numbers, and whether the text, make the question. */
static const struct question {
	bool a, b, text, holds; /* holds: an answer may be given again */
} questions[TAPE_KINDS] = {
	[TAPE_CLOCK] = { .a = true, .holds = true },
	[TAPE_OPEN] = { .text = true, .holds = true },
	[TAPE_CLOSE] = { .a = true },
	[TAPE_READ] = { .a = true, .b = true },
	[TAPE_LINK] = { .text = true, .holds = true },
	[TAPE_ENTRIES] = { .a = true },
	[TAPE_STATUS] = { .a = true, .text = true, .holds = true },
	[TAPE_MEMORY] = { .a = true, .b = true },
	[TAPE_PEER] = { .a = true, .b = true, .holds = true },
	[TAPE_SET_TIMER] = { .a = true },
	[TAPE_PROCESS] = { .a = true },
	[TAPE_OWN] = { .holds = true },
	[TAPE_PROCESSORS] = { .holds = true },
	[TAPE_DESCRIPTORS] = { .a = true, .holds = true },
	[TAPE_EVENT] = { .a = true, .b = true },
	[TAPE_CONTROL] = { .a = true, .b = true },
	[TAPE_RING] = { .a = true, .b = true },
	[TAPE_DROP_RING] = { .a = true },
	[TAPE_RING_HEAD] = { .a = true },
	[TAPE_TRACE] = { .a = true, .b = true },
	[TAPE_WAIT_TASK] = { .a = true, .b = true },
	[TAPE_REFRESH] = { .a = true },
	[TAPE_UNSHARE] = { .a = true },
	[TAPE_NOTE] = { .a = true, .b = true },
};

/* Returns whether a note of an earlier version has no key, where there is one now. */
static bool lacks_key(const struct tape_entry *entry)
{
	return entry->kind == TAPE_NOTE && !entry->b &&
	       (entry->a == OUTSIDE_HOST_STARTED || entry->a == OUTSIDE_HOST_ANSWERED ||
		entry->a == OUTSIDE_HOST_ANSWER);
}

/* Returns whether an entry answers a question. */
static bool answers(const struct tape_entry *entry, const struct tape_entry *asked)
{
	const struct question *question = &questions[asked->kind];

	return entry->kind == asked->kind && (!question->a || entry->a == asked->a) &&
	       (!question->b || entry->b == asked->b || lacks_key(entry)) &&
	       (!question->text || strcmp(entry->text, asked->text) == 0);
}

/* Returns a number for a question; different ones have the same hardly ever. */
static uint64_t hash_of(const struct tape_entry *asked)
{
	const struct question *question = &questions[asked->kind];
	uint64_t hash = asked->kind;

	if (question->a)
		hash = (hash ^ asked->a) * UINT64_C(0x9e3779b97f4a7c15);
	if (question->b)
		hash = (hash ^ (hash >> 29) ^ asked->b) * UINT64_C(0xbf58476d1ce4e5b9);
	for (const char *at = question->text ? asked->text : ""; *at; at++)
		hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 32;
}

/* Returns whether an answer may be given again. */
static bool holds(const struct tape_entry *entry)
{
	if (entry->kind != TAPE_NOTE)
		return questions[entry->kind].holds;
	switch (entry->a) {
	case OUTSIDE_NAME:
		return entry->size; /* not that there was no name yet */
	case OUTSIDE_HOST_STARTED:
	case OUTSIDE_SOURCE_LINE:
	case OUTSIDE_OBJECT:
	case OUTSIDE_COLLECTORS:
	case OUTSIDE_MACHINE:
	case OUTSIDE_OBJECT_PART:
	case OUTSIDE_OBJECT_STATE:
	case OUTSIDE_NAMES_CPU:
		return true;
	default:
		return false;
	}
}

bool player_is_unordered(const struct tape_entry *entry)
{
	return entry->kind == TAPE_NOTE && (entry->a == OUTSIDE_OBJECT_PART || entry->a == OUTSIDE_OBJECT_STATE ||
					    entry->a == OUTSIDE_NAMES_CPU);
}

/* Returns whether an entry is a number, or what a file that stays open had at a place. */
static bool is_level(const struct tape_entry *entry)
{
	return entry->kind == TAPE_READ && ((int64_t)entry->b >= 0 || entry->size == sizeof(uint64_t));
}

/* Keeps an answer that may be given again; with other options also a level, as what it was last. */
static void keep(struct player *player, const struct tape_entry *entry)
{
	uint64_t hash, number;

	if (!holds(entry) && !(player->view && is_level(entry)))
		return;
	hash = hash_of(entry);
	if (!idmap_get(&player->last, hash, &number)) {
		GROW(player->kept, player->kept_count + 1, player->kept_alloc);
		number = ++player->kept_count;
		idmap_put(&player->last, hash, number);
	}
	player->kept[number - 1] = *entry;
}

void player_pass_unordered(struct player *player)
{
	for (; player->next < player->count; player->next++) {
		struct answer *answer = &player->answers[player->next];

		if (!player_is_unordered(&answer->entry) && !(player->view && answer->used))
			break;
		if (!answer->used)
			keep(player, &answer->entry);
		answer->used = true;
	}
}

/* Appends what an entry is about. */
static void describe(struct strbuf *sb, const struct tape_entry *entry)
{
	const struct question *question = &questions[entry->kind];

	strbuf_addstr(sb, tape_kind_name(entry->kind));
	if (entry->text[0])
		strbuf_addf(sb, " %s", entry->text);
	else if (question->a || question->b)
		strbuf_addf(sb, " (%" PRId64 ", %" PRId64 ")", (int64_t)entry->a, (int64_t)entry->b);
}

/* Counts a difference, and describes the first one. */
static void differ(struct player *player, const struct tape_entry *asked)
{
	struct strbuf *sb = &player->difference;

	if (player->view || player->differences++)
		return;
	strbuf_addf(sb, "in call %" PRIu64 " of the session, entry %zu, it asks for ", player->calls,
		    player->next + 1);
	describe(sb, asked);
	strbuf_addstr(sb, " where the recording has ");
	if (player->next < player->count)
		describe(sb, &player->answers[player->next].entry);
	else
		strbuf_addstr(sb, "no more answers");
}

/* Returns how many entries are searched for an answer. */
static size_t search_most(const struct player *player, const struct tape_entry *asked)
{
	size_t rest = player->count - player->next;

	if (!player->view || asked->kind != TAPE_CLOCK)
		return player->count < SEARCHED ? player->count : SEARCHED;
	return rest < SEARCHED_FOR_CLOCK ? rest : SEARCHED_FOR_CLOCK;
}

/* Finds an answer out of order; NULL: the call has none. */
static const struct tape_entry *search(struct player *player, const struct tape_entry *asked)
{
	size_t most = search_most(player, asked);

	for (size_t i = 0; i < most && player->searched < SEARCHED_ALL; i++) {
		size_t number = (player->next + i) % player->count;
		struct answer *answer = &player->answers[number];

		player->searched++;
		if (answer->used || !answers(&answer->entry, asked))
			continue;
		answer->used = true;
		if (number >= player->next)
			player->next = number + 1;
		return &answer->entry;
	}
	return NULL;
}

const struct tape_entry *player_recall(struct player *player, const struct tape_entry *asked)
{
	uint64_t number;

	if (!idmap_get(&player->last, hash_of(asked), &number))
		return NULL;
	return &player->kept[number - 1];
}

/* Returns whether a session learns something from the answer: that there is none is counted. */
static bool tells(enum tape_kind kind)
{
	return kind != TAPE_CLOCK && kind != TAPE_CONTROL && kind != TAPE_CLOSE && kind != TAPE_SET_TIMER &&
	       kind != TAPE_REFRESH && kind != TAPE_UNSHARE;
}

const struct tape_entry *player_find(struct player *player, const struct tape_entry *asked)
{
	const struct tape_entry *entry;

	player_pass_unordered(player);
	player->asked++;
	if (player->next < player->count && !player->answers[player->next].used &&
	    answers(&player->answers[player->next].entry, asked)) {
		player->answers[player->next].used = true;
		entry = &player->answers[player->next++].entry;
	} else {
		differ(player, asked);
		entry = search(player, asked);
	}
	player->again = !entry;
	if (!entry) {
		entry = player_recall(player, asked);
		player->lacking += !entry && tells(asked->kind);
		return entry;
	}
	keep(player, entry);
	return entry;
}

bool player_set_view(struct player *player, struct tape_view *view)
{
	struct tape_reader reader;
	struct tape_entry entry;
	bool all = true;

	player->view = view;
	tape_reader_init(&reader);
	for (size_t i = 0; i < player->pieces->count; i++) {
		tape_feed(&reader, player->pieces->items[i].text, player->pieces->items[i].length);
		while (tape_read(&reader, &entry) > 0) {
			all &= !lacks_key(&entry);
			if (entry.kind == TAPE_EVENT)
				player->events |= UINT64_C(1) << (tape_event_config(&entry) % 64);
		}
	}
	tape_reader_release(&reader);
	return all;
}

/* Reads the next entry, from the next piece if necessary; as tape_read. */
static int read_next(struct player *player, struct tape_entry *entry)
{
	int result;

	while ((result = tape_read(&player->reader, entry)) == 0 && player->piece < player->pieces->count) {
		const struct strbuf *piece = &player->pieces->items[player->piece++];

		tape_feed(&player->reader, piece->text, piece->length);
	}
	player->damaged |= result < 0;
	return result;
}

/* An entry belongs to a visit. */
static void use_for_visit(void *argument, size_t number)
{
	struct player *player = argument;

	player->answers[number].used = true;
}

/* Prepares the answers of a call for a session with other options. */
static void prepare_answers(struct player *player)
{
	if (!player->view)
		return;
	tape_visits_next(&player->visits);
	tape_visits_take(&player->visits, player->answers, sizeof(*player->answers), player->count,
			 use_for_visit, player);
	for (size_t i = 0; i < player->count; i++) {
		const struct tape_entry *entry = &player->answers[i].entry;

		if (entry->kind == TAPE_CLOCK && entry->a == CLOCK_MONOTONIC)
			player->end = (uint64_t)entry->result;
		if (entry->kind == TAPE_NOTE && entry->a == OUTSIDE_HOST_ANSWERED)
			idmap_put(&player->asked_in, entry->b, player->calls);
	}
}

/* Reads the answers up to the next call of the session, and keeps this one. */
static void read_answers(struct player *player)
{
	struct tape_entry entry;

	player->has_call = false;
	while (!player->damaged && read_next(player, &entry) > 0) {
		if (entry.kind == TAPE_SESSION) {
			player->call = entry;
			player->has_call = true;
			return;
		}
		if (player->view && !tape_view_change(player->view, &entry))
			continue;
		GROW(player->answers, player->count + 1, player->alloc);
		player->answers[player->count++] = (struct answer){ entry, false };
	}
}

/* Keeps the answers that the present call did not use, and applies what others build on. */
static void pass_answers(struct player *player)
{
	for (size_t i = 0; i < player->count; i++) {
		const struct answer *answer = &player->answers[i];

		if (answer->used)
			continue;
		keep(player, &answer->entry);
		if (answer->entry.kind == TAPE_RING_HEAD || answer->entry.kind == TAPE_REFRESH)
			player_apply(player, &answer->entry);
	}
	if (player->view)
		tape_view_forget(player->view);
	player->count = player->next = 0;
	player->unanswered = player->searched = 0;
}

int player_next(struct player *player, struct tape_entry *entry)
{
	bool unused;

	player_pass_unordered(player);
	unused = player->next < player->count;
	if (player->calls && unused && !player->view && !player->differences) {
		player->differences++;
		strbuf_addf(&player->difference, "in call %" PRIu64 " of the session, it does not ask for ",
			    player->calls);
		describe(&player->difference, &player->answers[player->next].entry);
	}
	pass_answers(player);
	if (!player->calls++)
		read_answers(player); /* the first call */
	pass_answers(player);
	if (!player->has_call)
		return player->damaged ? -1 : 0;
	*entry = player->call;
	read_answers(player);
	prepare_answers(player);
	return 1;
}
