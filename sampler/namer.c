/* SPDX-License-Identifier: Apache-2.0 */
/* The naming thread, and the exchange of frames and names with it. */
#include "common/compat.h"
#include "sampler/namer.h"
#include "common/clock.h"
#include "common/outside.h"
#include "common/xalloc.h"
#include "sampler/namer-notes.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

/* About a tenth of a processor on which others compete. */
#define LOW_PRIORITY 10

/* One frame of the batch; its result is written before it is counted as done. */
struct slot {
	struct namer_frame frame;
	struct object *twin;
	struct name *levels; /* freed by the thread */
	size_t count;
	const char *note;
};

enum thread_state { THREAD_NONE, THREAD_RUNS, THREAD_ENDED };

struct namer {
	struct names *names;   /* the thread's while it runs */
	struct object **twins; /* indexed by object id - 1; the sampler's */
	size_t twin_count, twin_alloc;
	struct slot slots[NAMER_BATCH];
	size_t given;	     /* number of slots in the batch; written while the thread is idle */
	size_t taken;	     /* number of slots taken; the sampler's */
	_Atomic size_t done; /* number of slots named */
	atomic_bool stop;
	_Atomic uint64_t cpu; /* ns of CPU time of the thread, up to the last batch */
	sem_t work; /* posted for each batch, and to stop */
	pthread_t thread;
	enum thread_state state;
	struct strmap recalled; /* texts of names that the session's source knew */
	bool anew;		/* that source is not asked for names of files that are there */
};

struct namer *namer_new(const char *cache, bool anew)
{
	struct namer *namer = xcalloc(1, sizeof(*namer));

	namer->anew = anew;
	namer->names = names_new();
	if (cache)
		names_use_cache(namer->names, cache);
	sem_init(&namer->work, 0, 0);
	strmap_init(&namer->recalled);
	return namer;
}

/* Frees the levels of the last batch. */
static void clear_slots(struct namer *namer)
{
	for (size_t i = 0; i < NAMER_BATCH; i++) {
		free(namer->slots[i].levels);
		namer->slots[i].levels = NULL;
	}
}

void namer_free(struct namer *namer)
{
	if (!namer)
		return;
	namer_stop(namer);
	clear_slots(namer);
	names_free(namer->names);
	for (size_t i = 0; i < namer->twin_count; i++)
		if (namer->twins[i])
			object_close(namer->twins[i]);
	free(namer->twins);
	sem_destroy(&namer->work);
	strmap_release(&namer->recalled);
	free(namer);
}

bool namer_is_idle(const struct namer *namer)
{
	return namer->taken == namer->given;
}

/* Returns a copy of levels, which the caller frees. */
static struct name *copy_levels(const struct name *levels, size_t count)
{
	struct name *copy = xcalloc(count + 1, sizeof(*copy));

	if (count)
		memcpy(copy, levels, count * sizeof(*copy));
	return copy;
}

/* Names one frame of the batch. */
static void name_slot(struct namer *namer, struct slot *slot)
{
	struct name levels[NAMES_MAX_INLINE];

	slot->count = names_resolve(namer->names, slot->twin, slot->frame.offset, slot->frame.pid,
				    levels);
	slot->levels = copy_levels(levels, slot->count);
	slot->note = slot->twin->note;
}

/*
 * Names all of the batch; returns false if the thread must end. Once the last
 * frame is done the sampler may write the next batch, so this function then reads
 * nothing of the batch.
 */
static bool name_batch(struct namer *namer)
{
	size_t given = namer->given;

	if (atomic_load(&namer->stop))
		return false;
	clear_slots(namer);
	for (size_t i = 0; i < given && !atomic_load(&namer->stop); i++) {
		name_slot(namer, &namer->slots[i]);
		atomic_store(&namer->done, i + 1);
	}
	return !atomic_load(&namer->stop);
}

/* Thread function: names batch after batch. */
static void *run(void *argument)
{
	struct namer *namer = argument;

	names_set_idle(namer->names, true);
	setpriority(PRIO_PROCESS, (id_t)gettid(), LOW_PRIORITY);
	pthread_setname_np(pthread_self(), "vigil-names");
	for (bool goes_on = true; goes_on;) {
		while (sem_wait(&namer->work) < 0)
			;
		goes_on = name_batch(namer);
		atomic_store(&namer->cpu, clock_read_ns(CLOCK_THREAD_CPUTIME_ID));
	}
	return NULL;
}

uint64_t namer_cpu(const struct namer *namer)
{
	uint64_t cpu;

	if (!outside_recall(OUTSIDE_NAMES_CPU, &cpu, sizeof(cpu))) {
		cpu = atomic_load(&namer->cpu);
		outside_note(OUTSIDE_NAMES_CPU, &cpu, sizeof(cpu));
	}
	return cpu;
}

/* Starts the thread at the first batch; returns false if it cannot be started. */
static bool start(struct namer *namer)
{
	sigset_t all, before;

	if (namer->state != THREAD_NONE)
		return namer->state == THREAD_RUNS;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	namer->state =
		pthread_create(&namer->thread, NULL, run, namer) == 0 ? THREAD_RUNS : THREAD_ENDED;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return namer->state == THREAD_RUNS;
}

/* Returns the twin of an object; makes it on first use. NULL: there is none. */
static struct object *twin_of(struct namer *namer, const struct object *object)
{
	size_t count = namer->twin_count;

	if (object->id > count) {
		GROW(namer->twins, object->id, namer->twin_alloc);
		memset(&namer->twins[count], 0, (object->id - count) * sizeof(*namer->twins));
		namer->twin_count = object->id;
	}
	if (!namer->twins[object->id - 1])
		namer->twins[object->id - 1] = object_clone(object);
	return namer->twins[object->id - 1];
}

/* Gives frames to the thread; returns the number accepted. */
static size_t give(struct namer *namer, const struct namer_frame *frames, size_t count)
{
	size_t given = 0;

	if (!start(namer))
		return 0;
	/*
	 * The thread is idle, as its last batch is done: the slots belong to the sampler
	 * until the post.
	 */
	for (; given < count && given < NAMER_BATCH; given++) {
		struct slot *slot = &namer->slots[given];
		struct object *twin = twin_of(namer, frames[given].object);

		if (!twin)
			break;
		slot->frame = frames[given];
		slot->twin = twin;
	}
	namer->taken = 0;
	namer->given = given;
	atomic_store(&namer->done, 0);
	if (given)
		sem_post(&namer->work);
	return given;
}

/* Makes a batch of the frames that the session's source knows to have been accepted. */
static void give_known(struct namer *namer, const struct namer_frame *frames, size_t count)
{
	for (size_t i = 0; i < count; i++)
		namer->slots[i].frame = frames[i];
	namer->taken = 0;
	namer->given = count;
}

size_t namer_give(struct namer *namer, const struct namer_frame *frames, size_t count)
{
	struct outside *session;
	uint64_t given;

	if (outside_recall(OUTSIDE_NAMES_GIVEN, &given, sizeof(given))) {
		given = given < count ? given : count;
		given = given < NAMER_BATCH ? given : NAMER_BATCH;
		give_known(namer, frames, (size_t)given);
		return (size_t)given;
	}
	session = outside_step_aside();
	given = give(namer, frames, count);
	outside_step_back(session);
	outside_note(OUTSIDE_NAMES_GIVEN, &given, sizeof(given));
	return (size_t)given;
}

/* Names a frame with all that the thread has read. */
static size_t resolve(struct namer *namer, const struct namer_frame *frame, struct name levels[NAMES_MAX_INLINE])
{
	struct object *twin =
		frame->object->kind == OBJECT_ANONYMOUS ? NULL : twin_of(namer, frame->object);
	struct object *object = twin ? twin : frame->object;
	size_t count = names_resolve(namer->names, object, frame->offset, frame->pid, levels);

	object_set_note(frame->object, object->note);
	return count;
}

/* Names a frame by what is there, not by what the session's source knows. */
static size_t resolve_aside(struct namer *namer, const struct namer_frame *frame, struct name levels[NAMES_MAX_INLINE])
{
	struct outside *session = outside_step_aside();
	size_t count = resolve(namer, frame, levels);

	outside_step_back(session);
	return count;
}

/* Returns whether an object is named whatever the session's source knows. */
static bool is_anew(const struct namer *namer, const struct object *object)
{
	return namer->anew && object->kind == OBJECT_FILE && object->fd >= 0 && !object->stands_in;
}

/* Takes the next frame, if the session's source knows its names, or it is named anew. */
static enum namer_recalled take_known(struct namer *namer, uint64_t key, struct slot *slot)
{
	enum namer_recalled known = NAMER_NAMED;
	struct name levels[NAMES_MAX_INLINE];

	if (is_anew(namer, slot->frame.object)) {
		slot->count = resolve_aside(namer, &slot->frame, levels);
		slot->note = slot->frame.object->note;
	} else {
		known = namer_recall(key, &namer->recalled, levels, &slot->count, &slot->note);
	}
	if (known == NAMER_NAMED) {
		free(slot->levels);
		slot->levels = copy_levels(levels, slot->count);
	}
	return known;
}

bool namer_take(struct namer *namer, struct namer_result *result)
{
	struct slot *slot = &namer->slots[namer->taken];
	uint64_t key;

	if (namer->taken == namer->given)
		return false;
	key = namer_key(slot->frame.object, slot->frame.offset);
	switch (take_known(namer, key, slot)) {
	case NAMER_NOTHING:
		return false;
	case NAMER_NAMED:
		break;
	case NAMER_UNKNOWN:
		if (namer->taken >= atomic_load(&namer->done)) {
			namer_note_nothing(key);
			return false;
		}
		namer_note(key, slot->levels, slot->count, slot->note);
	}
	namer->taken++;
	*result = (struct namer_result){
		.index = slot->frame.index,
		.object = slot->frame.object,
		.levels = slot->levels,
		.count = slot->count,
		.note = slot->note,
	};
	return true;
}

void namer_stop(struct namer *namer)
{
	if (namer->state == THREAD_RUNS) {
		atomic_store(&namer->stop, true);
		sem_post(&namer->work);
		pthread_join(namer->thread, NULL);
		names_set_idle(namer->names, false);
	}
	namer->state = THREAD_ENDED;
}

size_t namer_resolve(struct namer *namer, const struct namer_frame *frame,
		     struct name levels[NAMES_MAX_INLINE])
{
	const uint64_t key = namer_key(frame->object, frame->offset);
	const char *why = NULL;
	size_t count = 0;

	if (!is_anew(namer, frame->object) &&
	    namer_recall(key, &namer->recalled, levels, &count, &why) != NAMER_UNKNOWN) {
		object_set_note(frame->object, why);
		return count;
	}
	count = resolve_aside(namer, frame, levels);
	namer_note(key, levels, count, frame->object->note);
	return count;
}

void namer_save(struct namer *namer)
{
	struct outside *session = outside_step_aside();

	names_save_cache(namer->names);
	outside_step_back(session);
}
