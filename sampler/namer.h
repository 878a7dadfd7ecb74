/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names addresses on a thread of its own while the session lasts: the first
 * look-up in a library may take a tenth of a second, in which nobody would
 * serve the kernel's rings. The thread runs at a low priority with all signals
 * blocked, so that neither the step nor the sampler waits for it.
 *
 * Who owns what: the sampler hands over frames in batches and takes finished
 * names; nothing else is shared. The thread has names of its own, and a twin of
 * each object (object_twin), which the sampler makes and never reads again
 * before namer_stop. A batch is the thread's until all of it was taken; each
 * name is the sampler's to read from the moment it is counted as done until
 * the next batch is given. Neither side ever waits for the other but
 * namer_stop, for one look-up at most.
 *
 * Where no thread can be had, no batch is ever taken in, and all is named by
 * namer_resolve.
 */
#ifndef VIGIL_SAMPLER_NAMER_H
#define VIGIL_SAMPLER_NAMER_H

#include "program/names/names.h"

/* So many frames fit into a batch. */
#define NAMER_BATCH 256

/* A frame to be named: an offset in an object; pid is a process that executed there. */
struct namer_frame {
	uint32_t index; /* the caller's number of it */
	struct object *object;
	uint64_t offset;
	pid_t pid;
};

/* What became of one; all valid until the next batch is given, the texts until the namer is freed.
 */
struct namer_result {
	uint32_t index;
	struct object *object;	   /* as it was given */
	const struct name *levels; /* innermost first */
	size_t count;
	const char *note; /* why the object has no names; NULL while all is well */
};

struct namer;

/* cache: the folder in which names are kept for later sessions, NULL none. */
struct namer *namer_new(const char *cache);
/* Stops it, too. */
void namer_free(struct namer *namer);
/* Whether it would take a batch now: the last one is named and was taken. */
bool namer_is_idle(const struct namer *namer);
/* Hand over frames, which are named in this order; only while it is idle. objects live as long as
   the namer. Returns how many it took: at most NAMER_BATCH, none where there is no thread. */
size_t namer_give(struct namer *namer, const struct namer_frame *frames, size_t count);
/* Fetch the next frame that is named; false when none is at the moment. */
bool namer_take(struct namer *namer, struct namer_result *result);
/* End the thread once its look-up is done. Names that are done can still be taken; of the rest of
   the batch nothing is known. */
void namer_stop(struct namer *namer);
/* Name a frame here and now, after namer_stop, with all that the thread has read. Fills levels as
   names_resolve does, sets the object's note, and returns how many levels there are. */
size_t namer_resolve(struct namer *namer, const struct namer_frame *frame,
		     struct name levels[NAMES_MAX_INLINE]);
/* Keep what was found for later sessions, after the last name. */
void namer_save(struct namer *namer);

#endif
