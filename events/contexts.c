/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps active frames that are not on a thread. */
#include "common/compat.h"
#include "events/contexts.h"
#include "common/xalloc.h"

void event_contexts_release(struct event_contexts *contexts)
{
	for (size_t i = 0; i < contexts->count; i++)
		free(contexts->all[i].frames.all);
	free(contexts->all);
	*contexts = (struct event_contexts){ 0 };
}

/*
 * Returns what is kept under a key; NULL: nothing. Searched backwards: usually the
 * last context to stop is the first to resume.
 */
static struct event_context *find(struct event_contexts *contexts, pid_t pid, uint64_t number)
{
	for (size_t i = contexts->count; i-- > 0;)
		if (contexts->all[i].pid == pid && contexts->all[i].number == number)
			return &contexts->all[i];
	return NULL;
}

void event_contexts_keep(struct event_contexts *contexts, pid_t pid, uint64_t number,
			 struct event_frames frames)
{
	struct event_context *one = find(contexts, pid, number);

	if (one) {
		free(one->frames.all);
		one->frames = frames;
		return;
	}
	GROW(contexts->all, contexts->count + 1, contexts->alloc);
	contexts->all[contexts->count++] = (struct event_context){ pid, number, frames };
}

bool event_contexts_take(struct event_contexts *contexts, pid_t pid, uint64_t number,
			 struct event_frames *frames)
{
	struct event_context *one = find(contexts, pid, number);

	RETURN_IF(!one, false);
	free(frames->all);
	*frames = one->frames;
	*one = contexts->all[--contexts->count];
	return true;
}

struct event_frames event_frames_copy(const struct event_frames *frames)
{
	struct event_frames copy = { 0 };

	if (!frames->count)
		return copy;
	GROW(copy.all, frames->count, copy.alloc);
	memcpy(copy.all, frames->all, frames->count * sizeof(*frames->all));
	copy.count = frames->count;
	return copy;
}
