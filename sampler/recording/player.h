/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of libsampler.
 *
 * A source (common/outside.h) that answers from the pieces of a tape what was
 * answered when it was recorded. Nothing is asked of the system, and nothing waits.
 *
 * The tape is divided by the calls that the session got (TAPE_SESSION): the owner
 * takes one after the other with player_next and makes the same call; what the
 * session asks meanwhile is answered from the entries up to the next one. If it
 * asks the same, entry after entry, the session is the same. If it asks something
 * else, as a session does whose recording is damaged or of another version, that is
 * a difference, and the next entry of the same call that answers the question is
 * used; if there is none, the last answer to the same question, where one was
 * recorded that may still hold (a link, a clock), otherwise the call fails as for
 * something that does not exist.
 */
#ifndef VIGIL_SAMPLER_RECORDING_PLAYER_H
#define VIGIL_SAMPLER_RECORDING_PLAYER_H

#include "common/outside.h"
#include "sampler/recording/tape-file.h"
#include "sampler/recording/tape.h"

struct player;
struct tape_view;

/* Creates a player of pieces, which are borrowed. */
struct player *player_new(const struct tape_pieces *pieces);
void player_free(struct player *player);
/*
 * Lets a session with other options be played, which is told what the view shows;
 * borrowed. Before player_next. Such a session does not ask for some of what is on
 * the tape, and for something else, so there are no differences; what the tape has
 * no answer for is counted. Data collectors are asked what they were asked. Returns
 * false if the tape does not say what that was, as one of an earlier version.
 */
bool player_set_view(struct player *player, struct tape_view *view);
/* Returns how many questions had no answer, and in *asked how many there were. */
uint64_t player_unanswered(const struct player *player, uint64_t *asked);
/* Returns the source; it is valid while the player is. */
struct outside *player_source(struct player *player);
/*
 * Passes what was not used of the present call, and reads the next one with its
 * answers. Returns 1; 0: the tape is at its end; -1: the rest of it is damaged.
 * The entry is valid until the next call.
 */
int player_next(struct player *player, struct tape_entry *entry);
/* Returns the number of objects that were not there as they had been, and the path of the first one. */
uint64_t player_missing(const struct player *player, const char **first);
/* Returns the number of differences so far, and where the first one was: a sentence, "": there is none. */
uint64_t player_differences(const struct player *player);
const char *player_difference(const struct player *player);

#endif
