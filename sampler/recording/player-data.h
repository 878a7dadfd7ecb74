/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A player, for its parts: player.c is the source, player-answers.c reads the tape and
 * finds the answer to a question, player-memory.c has the memory that is given out.
 */
#ifndef VIGIL_SAMPLER_RECORDING_PLAYER_DATA_H
#define VIGIL_SAMPLER_RECORDING_PLAYER_DATA_H

#include "common/idmap.h"
#include "sampler/recording/player.h"
#include "sampler/recording/tape-visits.h"

/* An entry of the present call. */
struct answer {
	struct tape_entry entry; /* first, so that the answer can be found by it */
	bool used;
};

/* Memory that was given out: a ring with its first page, or an area. */
struct held {
	unsigned char *memory; /* NULL: none */
	size_t size;	       /* of the data */
	uint64_t head;
};

struct held_list {
	struct held *items;
	size_t count, alloc;
};

struct player {
	struct outside source;
	const struct tape_pieces *pieces;
	size_t piece; /* number of those that were fed */
	struct tape_reader reader;
	bool damaged;
	struct tape_entry call; /* of the session, the next one to return, if any */
	bool has_call;
	struct answer *answers; /* of the present call */
	size_t count, alloc;
	size_t next; /* the first that may be unused and is in order */
	struct idmap last; /* hash of a question -> number in kept + 1 */
	struct tape_entry *kept;
	size_t kept_count, kept_alloc;
	struct held_list rings, areas;
	bool again;		/* the last answer was one that had been given before */
	struct idmap clocks;	/* id of a clock -> what it showed last */
	uint64_t unanswered;	/* how often a clock had no answer, in this call */
	uint64_t searched;	/* entries that were looked at for an answer, in this call */
	/* Of a session with other options; view NULL: it is the recorded one. */
	struct tape_view *view;
	struct tape_visits visits;
	uint64_t end;	     /* CLOCK_MONOTONIC at the end of the call */
	struct idmap asked_in; /* key of a question to a data collector -> the last call with its answer */
	uint64_t events;		/* bits: kinds of performance events (config) that it has */
	uint64_t asked, lacking;	/* questions, and those without any answer */
	uint64_t calls, differences;
	struct strbuf difference;
	struct idmap missing_paths; /* hashes of the paths of objects that are not there */
	struct strbuf missing;	/* path of the first one */
};

/*
 * Returns the answer to a question, in order or not; NULL: there is none. again is
 * set if it was given before.
 */
const struct tape_entry *player_find(struct player *player, const struct tape_entry *asked);
/* Returns an answer that was given before; NULL: none that may still hold. */
const struct tape_entry *player_recall(struct player *player, const struct tape_entry *asked);
/*
 * Returns whether an answer may be asked for at any time once it was noted: it is no
 * part of the order, which may then change with how objects are read.
 */
bool player_is_unordered(const struct tape_entry *entry);
/* Keeps what was noted in between up to here. */
void player_pass_unordered(struct player *player);
/*
 * Memory, in player-memory.c. Gives it out under the number that the recording has for
 * it, of size bytes, data of them for what is written; NULL with errno set: it cannot be.
 */
struct held *held_give(struct held_list *list, int64_t number, size_t size, size_t data);
/*
 * Returns the number of what begins, or has its part, at an address; before: bytes
 * before the data. The list's count: none does.
 */
size_t held_number(const struct held_list *list, const void *at, size_t before);
void held_release(struct held_list *list, size_t number, size_t before);
/* Returns the bytes of a page, which a ring has before its data. */
size_t held_page(void);
/* Applies what an entry says of a ring or an area: what was written since the one before. */
void player_apply(struct player *player, const struct tape_entry *entry);

#endif
