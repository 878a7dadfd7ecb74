/* SPDX-License-Identifier: Apache-2.0 */
/* Accounts for dropped records where they were dropped. */
#include "common/compat.h"
#include "sampler/losses.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "sampler/sample-ledger.h"
#include "sampler/tasks.h"

void losses_init(struct losses *losses, const struct losses_parts *parts)
{
	memset(losses, 0, sizeof(*losses));
	losses->parts = *parts;
}

void losses_release(struct losses *losses)
{
	free(losses->processors);
}

/* Returns the state of a processor; NULL: it is not known which it is. */
static struct loss_processor *place_of(struct losses *losses, unsigned processor)
{
	if (processor == 0)
		return NULL;
	if (processor > losses->processor_count) {
		losses->processors =
			xreallocarray(losses->processors, processor, sizeof(*losses->processors));
		memset(losses->processors + losses->processor_count, 0,
		       (processor - losses->processor_count) * sizeof(*losses->processors));
		losses->processor_count = processor;
	}
	return &losses->processors[processor - 1];
}

/* Removes the task that executes on a processor; it was last seen there at the last record. */
static void take_off(struct losses *losses, struct loss_processor *place)
{
	struct task *task = place->task;
	uint64_t active = losses->parts.clock->active;
	uint64_t gap = active > place->last ? active - place->last : 0;

	place->task = NULL;
	if (!task || task->state != TASK_RUNNING)
		return;
	/* The time in the gap is not its time on the processor. */
	task->since = task->since + gap < active ? task->since + gap : active;
	state_set(losses->parts.states, task, TASK_PREEMPTED);
}

void losses_executes(struct losses *losses, unsigned processor, struct task *task, bool in)
{
	struct loss_processor *place = place_of(losses, processor);

	if (!place)
		return;
	if (place->task != task)
		take_off(losses, place);
	for (size_t i = 0; i < losses->processor_count; i++)
		if (losses->processors[i].task == task && &losses->processors[i] != place)
			take_off(losses, &losses->processors[i]);
	place->task = in ? task : NULL;
}

/* Adds a sample that is next to a gap. */
static void add_like(struct losses *losses, const struct loss_processor *place,
		     const struct lost_like *like)
{
	struct lost_like *added = &losses->likes[losses->like_count];

	if (!like->task || losses->like_count == LOSS_LIKES)
		return;
	losses->like_count++;
	*added = *like;
	added->weight = place->weight;
	added->side = place->side;
}

void losses_dropped(struct losses *losses, unsigned processor, uint64_t records)
{
	struct loss_processor *place = place_of(losses, processor);

	if (!place)
		return;
	if (losses->parts.clock->active > place->last)
		losses->gaps += losses->parts.clock->active - place->last;
	take_off(losses, place);
	place->weight = (double)records / (2 * LOSS_NEIGHBOURS);
	place->after = LOSS_NEIGHBOURS;
	place->side = ++losses->side_count;
	for (size_t i = 0; i < LOSS_NEIGHBOURS; i++)
		add_like(losses, place, &place->recent[i]);
	place->side = ++losses->side_count;
}

void losses_doubt(struct losses *losses, unsigned processor)
{
	struct loss_processor *place = place_of(losses, processor);

	if (place)
		take_off(losses, place);
}

void losses_sampled(struct losses *losses, unsigned processor, struct task *task)
{
	struct loss_processor *place = place_of(losses, processor);
	const struct recordset *rows = &losses->parts.ledger->rows;
	struct lost_like *like;

	if (!place || !rows->count)
		return;
	like = &place->recent[place->next++ % LOSS_NEIGHBOURS];
	like->task = task;
	like->row = *(const struct record_sample *)recordset_get(rows, rows->count - 1);
	if (place->after) {
		place->after--;
		add_like(losses, place, like);
	}
}

void losses_seen(struct losses *losses, unsigned processor)
{
	struct loss_processor *place = place_of(losses, processor);

	if (place)
		place->last = losses->parts.clock->active;
}

void losses_forget(struct losses *losses, const struct task *task)
{
	for (size_t i = 0; i < losses->processor_count; i++)
		if (losses->processors[i].task == task)
			losses->processors[i].task = NULL;
}

/* Drops all samples of ended tasks, which are about to be freed. */
static void forget_ended(struct losses *losses)
{
	losses->like_count = 0;
	for (size_t i = 0; i < losses->processor_count; i++)
		for (size_t j = 0; j < LOSS_NEIGHBOURS; j++) {
			struct lost_like *like = &losses->processors[i].recent[j];

			if (like->task && like->task->state == TASK_ENDED)
				like->task = NULL;
		}
}

/* Makes count samples like one, and adds their time to the task. */
static void make(struct losses *losses, const struct lost_like *like, uint64_t count)
{
	struct sample_ledger *ledger = losses->parts.ledger;

	for (; count > 0; count--) {
		state_add_cpu(losses->parts.states, like->task, ledger->period);
		sample_ledger_add(ledger, like->task, like->row.time, (uint32_t)like->row.stack,
				  SAMPLE_RESIDUE,
				  (unsigned)like->row.flags & (SAMPLE_BROKEN | SAMPLE_CUT));
		ledger->lost++;
		losses->made += ledger->period;
	}
}

/* Returns whether two samples next to gaps may be of one stay at a place. */
static bool is_one_stay(const struct lost_like *one, const struct lost_like *other)
{
	return one->side == other->side && one->row.stack == other->row.stack;
}

/* Adds up how unevenly samples were made. */
static void add_squares(struct losses *losses)
{
	double unit = (double)losses->parts.ledger->period / 1000;

	for (size_t i = 0; i < losses->like_count; i++) {
		struct lost_like *like = &losses->likes[i];
		double made = (double)like->made;

		for (size_t j = i + 1; j < losses->like_count; j++)
			if (is_one_stay(like, &losses->likes[j])) {
				made += (double)losses->likes[j].made;
				losses->likes[j].made = 0;
			}
		losses->squares += made * made * unit * unit;
	}
}

void losses_fill(struct losses *losses, uint64_t counted, uint64_t lag)
{
	uint64_t known = losses->parts.tasks->cpu + lag, period = losses->parts.ledger->period;
	uint64_t missing = counted > known ? counted - known : 0, count, done = 0;
	double sum = 0, so_far = 0;

	if (missing > losses->gaps - losses->made)
		missing = losses->gaps - losses->made;
	count = missing / period;
	for (size_t i = 0; i < losses->like_count; i++)
		sum += losses->likes[i].weight;
	for (size_t i = 0; i < losses->like_count && count; i++) {
		uint64_t until;

		so_far += losses->likes[i].weight;
		until = (uint64_t)((double)count * (so_far / sum) + 0.5);
		losses->likes[i].made = until > done ? until - done : 0;
		make(losses, &losses->likes[i], losses->likes[i].made);
		done = until > done ? until : done;
	}
	add_squares(losses);
	forget_ended(losses);
}
