/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names addresses on a separate thread during the session: the first look-up in a
 * library may take a tenth of a second, for which the kernel's rings would not be
 * served. The thread has a low priority and all signals blocked, so that neither
 * the step nor the sampler waits for it.
 *
 * Ownership: the sampler gives batches of frames and takes finished names; nothing
 * else is shared. The thread has private names, and a twin of each object
 * (object_clone), which the sampler makes and does not read again before
 * namer_stop. A batch belongs to the thread until all of it was taken; the sampler
 * may read each name from the moment it is counted as done until the next batch is
 * given. Neither side waits for the other, except for namer_stop, which waits for
 * at most one look-up.
 *
 * If the thread cannot be started, no batch is accepted, and namer_resolve names
 * everything.
 */
#ifndef VIGIL_SAMPLER_NAMER_H
#define VIGIL_SAMPLER_NAMER_H

#include "program/names/names.h"

/* Maximum number of frames in a batch. */
#define NAMER_BATCH 256

/* A frame to be named: an offset in an object; pid is a process that executed it. */
struct namer_frame {
	uint32_t index; /* the caller's number */
	struct object *object;
	uint64_t offset;
	pid_t pid;
};

/*
 * The result for a frame; valid until the next batch is given, the texts until the
 * namer is freed.
 */
struct namer_result {
	uint32_t index;
	struct object *object;	   /* as in the batch */
	const struct name *levels; /* innermost first */
	size_t count;
	const char *note; /* reason why the object has no names; NULL: none */
};

struct namer;

/*
 * cache: the folder in which names are kept for later sessions; NULL: none. anew:
 * files that are there are named, whatever the session's source knows of them.
 */
struct namer *namer_new(const char *cache, bool anew);
/* Stops the thread, too. */
void namer_free(struct namer *namer);
/* Returns whether it would accept a batch now: the last one is named and was taken. */
bool namer_is_idle(const struct namer *namer);
/*
 * Gives frames, which are named in this order; call only while it is idle. The
 * objects must live as long as the namer. Returns the number accepted: at most
 * NAMER_BATCH, 0 without a thread.
 */
size_t namer_give(struct namer *namer, const struct namer_frame *frames, size_t count);
/* Takes the next frame that is named; returns false if there is none at the moment. */
bool namer_take(struct namer *namer, struct namer_result *result);
/*
 * Ends the thread once its current look-up is done. Finished names can still be
 * taken; the rest of the batch is dropped.
 */
void namer_stop(struct namer *namer);
/*
 * Names a frame synchronously, after namer_stop, with all that the thread has
 * read. Fills levels as names_resolve does, sets the object's note, and returns
 * the number of levels.
 */
size_t namer_resolve(struct namer *namer, const struct namer_frame *frame,
		     struct name levels[NAMES_MAX_INLINE]);
/* Returns the ns of CPU time that the thread has used, up to its last batch. */
uint64_t namer_cpu(const struct namer *namer);
/* Keeps the names for later sessions; call after the last name. */
void namer_save(struct namer *namer);

#endif
