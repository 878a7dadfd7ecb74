/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes the processing of a data collector's answer: any bytes as the area that
 * its process shares. The first bytes are the numbers of the answer and the
 * offsets of its places; the rest is every text of it.
 */
#include "common/compat.h"
#include "sampler/answers.h"
#include "sampler/collect.h"
#include "sampler/named-places.h"
#include "sampler/stacks.h"
#include "sampler/tasks.h"
#include "step/transactions.h"

#define FRAMES 3
#define NUMBERS 32
#define PLACE_BYTES 10
/* Number of rounds after which the tables are made again, as what an answer adds to them stays. */
#define ROUNDS 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
	struct object_list objects;
	struct stacks stacks;
	struct named_places *places;
	struct transactions *transactions;
	unsigned rounds;
} tables;

static void make_tables(void)
{
	object_list_init(&tables.objects);
	stacks_init(&tables.stacks, &tables.objects);
	tables.places = named_places_new(&tables.objects, &tables.stacks);
	tables.transactions = transactions_new(NULL);
	tables.rounds = ROUNDS;
}

static void release_tables(void)
{
	transactions_free(tables.transactions);
	named_places_free(tables.places);
	stacks_release(&tables.stacks);
	object_list_release(&tables.objects);
}

/* Puts bytes into an answer. */
static void fill(struct call_answer *answer, const uint8_t *data, size_t size)
{
	const struct {
		void *to;
		size_t size;
	} texts[] = {
		{ answer->module, sizeof(answer->module) },
		{ answer->transaction, sizeof(answer->transaction) },
		{ answer->id, sizeof(answer->id) },
		{ answer->message, sizeof(answer->message) },
		{ answer->texts, sizeof(answer->texts) },
	};
	size_t places = data[0] % 32;

	answer->outcome = data[1] % 8;
	answer->module_named = data[2];
	answer->transaction_state = data[3] % 8;
	answer->place_count = data[4] % 4 ? (uint32_t)places : UINT32_MAX;
	answer->level = data[5] < 250 ? data[5] % 8 : UINT32_MAX;
	answer->truncated = data[6] % 2;
	answer->id_given = data[7];
	answer->between_count = data[7] < 250 ? data[7] % 8 : UINT32_MAX;
	memcpy(&answer->base, data + 8, 8);
	memcpy(&answer->size, data + 16, 8);
	memcpy(&answer->read_time, data + 24, 8);
	data += NUMBERS;
	size -= NUMBERS;
	for (size_t i = 0; i < places && size >= PLACE_BYTES; i++) {
		uint16_t numbers[PLACE_BYTES / 2];

		memcpy(numbers, data, sizeof(numbers));
		answer->places[i] = (struct call_place){ numbers[0], numbers[1], numbers[2],
							 numbers[3], numbers[4] };
		data += PLACE_BYTES;
		size -= PLACE_BYTES;
	}
	memcpy(answer->betweens, data,
	       size < sizeof(answer->betweens) ? size : sizeof(answer->betweens));
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		memcpy(texts[i].to, data, size < texts[i].size ? size : texts[i].size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct collector collector;
	static char program[] = "PROG";
	struct step_process step_process = { .pid = 7, .program = program };
	struct step_task step_task = { .process = &step_process, .tid = 7 };
	struct process process = { .base = &step_process };
	struct task task = { .process = &process, .base = &step_task };
	struct unwind_frame frames[FRAMES] = { { .address = 0x400010, .offset = 0x10 },
					       { .address = 0x2000, .offset = 0x2000 },
					       { .address = 0x3000, .offset = 0x3000 } };
	const struct query query = { .task = &task,
				     .time = 1000,
				     .frames = frames,
				     .state = VIGIL_EXECUTING,
				     .depth = FRAMES,
				     .whole = true };
	struct resolved_stack resolved = { 0 };
	struct query_state state;

	if (size < NUMBERS)
		return 0;
	if (tables.rounds == 0)
		make_tables();
	memset(&collector, 0, sizeof(collector));
	collector.id = 3;
	fill(&collector.client.answer, data, size);
	host_client_check(&collector.client.answer);
	answers_begin(&state, &query, tables.transactions);
	answers_take(&collector, &state, tables.places, tables.transactions);
	if (answers_change_stack(&state))
		answers_stack(&state, &tables.stacks, &resolved);
	if (--tables.rounds == 0)
		release_tables();
	return 0;
}
