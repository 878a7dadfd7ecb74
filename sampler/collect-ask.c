/* SPDX-License-Identifier: Apache-2.0 */
/* Asks data collectors about a task. */
#include "common/compat.h"
#include "common/clock.h"
#include "sampler/answers.h"
#include "sampler/collect-data.h"
#include "sampler/named-places.h"
#include "sampler/tasks.h"
#include "step/transactions.h"

/* Position of the number of execs in a generation. */
#define GENERATION_SHIFT 24
/* Maximum total time of a collector for its calls at the session's end. */
#define ENDING_TIME NSEC_PER_SEC
/*
 * Samples older than this are not asked about: the answer would be about another
 * moment, and collectors that take longer than samples come would keep vigil from
 * processing the kernel's records.
 */
#define STALE (50 * NSEC_PER_MSEC)
/*
 * If a collector that is called late, because it did not question the program,
 * does so after all, a sample older than this is too old for it.
 */
#define SEEN (2 * NSEC_PER_MSEC)
/*
 * Maximum memory for the names of one collector, which are kept to the session's
 * end. The stacks made of them are limited by the program.
 */
#define NAMES_MAX_MB 128

/* Returns a number that changes with each exec of a process. */
static uint64_t generation(const struct process *process)
{
	return process->base->id << GENERATION_SHIFT | process->base->execs;
}

static struct collect_subject subject_of(const struct process *process, pid_t tid)
{
	return (struct collect_subject){ .pid = process->base->pid,
					 .tid = tid,
					 .generation = generation(process),
					 .mapped = space_changes(process->space) };
}

/* Fills in the process of the question. */
static void fill_subject(struct call_request *request, const struct collect_subject *subject)
{
	request->kind = CALL_TASK;
	request->pid = subject->pid;
	request->tid = subject->tid;
	request->generation = subject->generation;
	request->mapped = subject->mapped;
}

/* Fills in what is the same for all collectors of a query. */
static void fill_task(struct call_request *request, const struct query *query)
{
	const struct process *process = query->task->process;
	const struct unwind_input *input = &query->input;

	request->state = query->state;
	request->flags = query->flags;
	request->time = query->time;
	request->known = input->known;
	memcpy(request->registers, input->registers, sizeof(request->registers));
	snprintf(request->program, sizeof(request->program), "%s", process->base->program);
	request->address = query->depth ? query->frames[0].address : 0;
	request->frame_count = (uint32_t)(query->depth < CALL_FRAMES ? query->depth : CALL_FRAMES);
	if (query->whole && request->frame_count == query->depth)
		request->flags |= VIGIL_WHOLE;
	for (uint32_t i = 0; i < request->frame_count; i++) {
		request->frames[i] = query->frames[i].address;
		request->stack_pointers[i] = query->frames[i].stack;
	}
	request->stack_address = input->stack_start;
	request->stack_size =
		(uint32_t)(input->stack_size < CALL_STACK ? input->stack_size : CALL_STACK);
	if (request->stack_size)
		memcpy(request->stack, input->stack, request->stack_size);
}

/* Fills in what collectors before this one have found. */
static void fill_state(struct call_request *request, const struct query_state *state)
{
	request->base = state->base;
	request->size = state->size;
	request->module_known = state->module_known;
	request->transaction_known = state->transaction_known;
	memcpy(request->module, state->module, sizeof(request->module));
	memcpy(request->transaction, state->transaction, sizeof(request->transaction));
}

/* Counts a sample that came before the collector was loaded. */
static void note_loading(struct collector *collector)
{
	if (collector->client.state != HOST_CLIENT_LOADING)
		return;
	collector->late++;
	collector->changed = true;
}

/*
 * Returns whether the data that the collector read in the program belongs to the
 * sample. Also notes whether it read any.
 */
static bool is_of_sample(struct collector *collector, const struct query *query)
{
	bool was_quiet = collector->quiet >= QUIET;

	if (query->state != VIGIL_EXECUTING)
		return true;
	collector->quiet = collector->client.answer.asked ? 0 : collector->quiet + 1;
	return !was_quiet || collector->quiet || collector->client.asked_at < query->time + SEEN;
}

/* Returns whether a collector found nothing because the program was not there any more when it looked. */
static bool was_gone(const struct call_answer *answer)
{
	return answer->asked & CALL_GONE && (answer->outcome == VIGIL_DONE || answer->outcome == VIGIL_NOT_MINE) &&
	       !answer->module_named && answer->transaction_state == CALL_UNCHANGED;
}

/* Returns the bytes of memory that all names take. */
static uint64_t names_size(const struct collect_parts *parts)
{
	return named_places_size(parts->named_places) + transactions_size(parts->transactions);
}

/* Takes a collector's answer. A collector that keeps adding new names is ended. */
static void take_answer(struct collect *collect, struct collector *collector,
			struct query_state *state)
{
	const struct collect_parts *parts = &collect->parts;
	unsigned configured = parts->config->collector_names;
	unsigned most = configured ? configured : NAMES_MAX_MB;
	uint64_t before = names_size(parts);

	answers_take(collector, state, parts->named_places, parts->transactions);
	collector->named += names_size(parts) - before;
	if (collector->named >> 20 >= most)
		host_client_end(&collector->client,
				"its names use too much memory: %u MB of modules, places and "
				"transactions",
				most);
}

/* Returns the key of a query. */
static uint64_t key_of(const struct host_client *client, const struct query *query)
{
	return host_client_key(client, CALL_TASK, query->task->base->tid,
			       query->state == VIGIL_EXECUTING ? query->time : 0);
}

bool collect_was_asked(const struct collect *collect, const struct task *task, uint64_t time)
{
	const struct choice *choice = task->process->choice;

	for (size_t i = 0; collect && choice && i < choice->count; i++) {
		const struct host_client *client = &choice->members[i].collector->client;

		if (choice->members[i].state == CHOSEN_CALLED &&
		    host_client_was_asked(host_client_key(client, CALL_TASK, task->base->tid, time)))
			return true;
	}
	return false;
}

/* Asks one collector; returns whether its answer is complete. */
static bool ask(struct collect *collect, struct collector *collector, struct query_state *state)
{
	const struct query *query = state->query;
	struct host_client *client = &collector->client;
	const struct process *process = query->task->process;
	struct call_request *request;
	uint64_t now = clock_monotonic_ns();

	collector->changed = true;
	collect_look_at(collect, collector, now);
	if (client->state != HOST_CLIENT_READY || now > query->time + STALE) {
		collector->late += client->state != HOST_CLIENT_OFF;
		return client->state == HOST_CLIENT_OFF;
	}
	host_client_share_memory(client, process->base->pid, query->task->base->tid, generation(process));
	request = host_client_request(client);
	collector->last = subject_of(process, query->task->base->tid);
	fill_subject(request, &collector->last);
	fill_task(request, query);
	fill_state(request, state);
	if (!host_client_was_asked(key_of(client, query)))
		return true;
	collector->calls++;
	collector->held += (query->flags & VIGIL_HELD) != 0;
	if (!host_client_ask(client)) {
		collector->late++;
		return false;
	}
	collector->cost += client->answer.cost;
	if (!is_of_sample(collector, query) || was_gone(&client->answer)) {
		collect_keep_message(collect, collector);
		collector->late++;
		return false;
	}
	take_answer(collect, collector, state);
	collect_take_texts(collect, collector, generation(process));
	return client->answer.outcome != VIGIL_TORN;
}

void collect_ask(struct collect *collect, const struct query *query, struct query_state *state)
{
	const struct choice *choice = query->task->process->choice;

	answers_begin(state, query, collect->parts.transactions);
	for (size_t i = 0; i < choice->count; i++)
		if (choice->members[i].state == CHOSEN_CALLED)
			state->unanswered |= !ask(collect, choice->members[i].collector, state);
		else if (choice->members[i].state == CHOSEN_OPEN)
			note_loading(choice->members[i].collector);
}

/* Asks for counts at the session's end; returns whether there may be more. */
static bool ask_counts(struct collect *collect, struct collector *collector,
		       const struct collect_subject *subject, uint64_t until)
{
	struct host_client *client = &collector->client;
	struct call_request *request;
	uint64_t now;

	/* It may still be working on the last sample. */
	collect_await(collect, collector, until);
	now = clock_monotonic_ns();
	RETURN_IF(client->state != HOST_CLIENT_READY || now >= until, false);
	request = host_client_request(client);
	memset(request, 0, sizeof(*request));
	fill_subject(request, subject);
	request->state = VIGIL_WAITING;
	request->flags = VIGIL_ENDING;
	request->time = now;
	RETURN_IF(!host_client_ask_long(client, until), false);
	collector->cost += client->answer.cost;
	collector->changed = true;
	collect_keep_message(collect, collector);
	for (uint32_t i = 0; i < client->answer.counted; i++)
		transactions_set_reported(collect->parts.transactions, client->answer.counts[i].name,
				  client->answer.counts[i].count, client->answer.counts[i].exact);
	return client->answer.counted == CALL_COUNTS;
}

/* Gets all counts of a collector, for one process. */
static void hear_counts(struct collect *collect, struct collector *collector,
			const struct collect_subject *subject, uint64_t until)
{
	while (ask_counts(collect, collector, subject, until))
		;
}

/* Gets the counts of each live process that has this collector; returns whether there was one. */
static bool hear_live(struct collect *collect, struct collector *collector,
		      const struct tasks *tasks, uint64_t until)
{
	bool any = false;

	for (struct process *process = tasks->processes; process; process = process->next) {
		const struct choice *choice = process->choice;
		struct collect_subject subject;

		for (size_t i = 0; process->live && choice && i < choice->count; i++) {
			if (choice->members[i].collector != collector ||
			    choice->members[i].state != CHOSEN_CALLED)
				continue;
			any = true;
			subject = subject_of(process, process->base->pid);
			host_client_share_memory(&collector->client, subject.pid, subject.tid,
						 subject.generation);
			hear_counts(collect, collector, &subject, until);
		}
	}
	return any;
}

void collect_end(struct collect *collect, const struct tasks *tasks)
{
	for (size_t i = 0; collect && i < collect->count; i++) {
		struct collector *collector = collect->items[i];
		uint64_t until = clock_monotonic_ns() + ENDING_TIME;

		if (collector->ended || !collector->last.pid ||
		    !(collector->client.loaded.collector_flags & VIGIL_LAST) ||
		    collector->client.state == HOST_CLIENT_OFF)
			continue;
		collector->ended = true;
		if (!hear_live(collect, collector, tasks, until))
			hear_counts(collect, collector, &collector->last, until);
	}
}
