/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads the entries of a tape. */
#include "common/compat.h"
#include "sampler/recording/tape.h"
#include "common/varint.h"

/* What entries of a kind have: a number of arguments, a text, bytes. */
static const struct tape_form {
	const char *name;
	unsigned char arguments;
	bool text, bytes;
} forms[TAPE_KINDS] = {
	[TAPE_END] = { "end", 0, false, false },
	[TAPE_CLOCK] = { "clock", 1, false, false },
	[TAPE_OPEN] = { "open", 1, true, false },
	[TAPE_CLOSE] = { "close", 1, false, false },
	[TAPE_READ] = { "read", 3, false, true },
	[TAPE_LINK] = { "link", 1, true, true },
	[TAPE_ENTRIES] = { "entries", 2, false, true },
	[TAPE_STATUS] = { "status", 2, true, true },
	[TAPE_MEMORY] = { "memory", 3, false, true },
	[TAPE_PEER] = { "peer", 2, false, true },
	[TAPE_POLL] = { "poll", 2, false, true },
	[TAPE_TIMER] = { "timer", 0, false, false },
	[TAPE_SET_TIMER] = { "set timer", 3, false, false },
	[TAPE_PROCESS] = { "process", 1, false, false },
	[TAPE_PROCESSORS] = { "processors", 0, false, false },
	[TAPE_DESCRIPTORS] = { "descriptors", 1, false, true },
	[TAPE_EVENT] = { "event", 4, false, false },
	[TAPE_CONTROL] = { "control", 4, false, false },
	[TAPE_RING] = { "ring", 2, false, false },
	[TAPE_DROP_RING] = { "drop ring", 1, false, false },
	[TAPE_RING_HEAD] = { "ring head", 1, false, true },
	[TAPE_TRACE] = { "trace", 4, false, true },
	[TAPE_WAIT_TASK] = { "wait for task", 2, false, true },
	[TAPE_SLEEP] = { "sleep", 1, false, false },
	[TAPE_SHARE] = { "share", 4, true, false },
	[TAPE_REFRESH] = { "refresh", 3, false, true },
	[TAPE_UNSHARE] = { "unshare", 1, false, false },
};

static void put(struct strbuf *to, uint64_t value)
{
	unsigned char bytes[VARINT_MAX];

	strbuf_add(to, bytes, (size_t)(varint_write(bytes, value) - bytes));
}

static void put_signed(struct strbuf *to, int64_t value)
{
	put(to, varint_zigzag((uint64_t)value));
}

/* Returns the last time of a clock; NULL: its entries are not differences. */
static int64_t *clock_of(struct tape_state *state, const struct tape_entry *entry)
{
	uint64_t id = (uint64_t)entry->arguments[0];

	return entry->kind == TAPE_CLOCK && id < ARRAY_SIZE(state->clocks) ? &state->clocks[id] : NULL;
}

void tape_put(struct strbuf *to, struct tape_state *state, const struct tape_entry *entry)
{
	const struct tape_form *form = &forms[entry->kind];
	int64_t *clock = clock_of(state, entry);

	put(to, (uint64_t)entry->kind);
	for (unsigned i = 0; i < form->arguments; i++)
		put_signed(to, entry->arguments[i]);
	put_signed(to, clock ? (int64_t)((uint64_t)entry->result - (uint64_t)*clock) : entry->result);
	if (clock)
		*clock = entry->result;
	if (entry->result < 0)
		put(to, (uint64_t)entry->error);
	if (form->text) {
		put(to, entry->text_length);
		strbuf_add(to, entry->text, entry->text_length);
	}
	if (form->bytes) {
		put(to, entry->size);
		strbuf_add(to, entry->bytes, entry->size);
	}
}

/* Reads a length and what it is the length of. Returns as tape_get. */
static int get_part(const unsigned char **at, const unsigned char *end, uint64_t most, const void **part,
		    size_t *length)
{
	uint64_t wanted;

	RETURN_IF(!varint_read(at, end, &wanted), 0);
	RETURN_IF(wanted > most, -1);
	RETURN_IF(wanted > (uint64_t)(end - *at), 0);
	*part = *at;
	*length = (size_t)wanted;
	*at += wanted;
	return 1;
}

static bool get_signed(const unsigned char **at, const unsigned char *end, int64_t *value)
{
	uint64_t number;

	RETURN_IF(!varint_read(at, end, &number), false);
	*value = (int64_t)varint_unzigzag(number);
	return true;
}

/* Reads the result, and the error of a call that failed. */
static bool get_result(const unsigned char **at, const unsigned char *end, struct tape_state *state,
		       struct tape_entry *entry)
{
	int64_t *clock = clock_of(state, entry);
	uint64_t error = 0;

	RETURN_IF(!get_signed(at, end, &entry->result), false);
	if (clock)
		entry->result = (int64_t)((uint64_t)entry->result + (uint64_t)*clock);
	RETURN_IF(entry->result < 0 && !varint_read(at, end, &error), false);
	entry->error = (int)(error & INT_MAX);
	if (clock)
		*clock = entry->result;
	return true;
}

int tape_get(const unsigned char **at, const unsigned char *end, struct tape_state *state,
	     struct tape_entry *entry)
{
	const struct tape_form *form;
	const void *text = NULL;
	uint64_t kind;
	int result = 1;

	*entry = (struct tape_entry){ .kind = TAPE_END };
	RETURN_IF(!varint_read(at, end, &kind), 0);
	RETURN_IF(kind >= TAPE_KINDS, -1);
	entry->kind = (enum tape_kind)kind;
	form = &forms[kind];
	for (unsigned i = 0; i < form->arguments; i++)
		RETURN_IF(!get_signed(at, end, &entry->arguments[i]), 0);
	RETURN_IF(!get_result(at, end, state, entry), 0);
	if (form->text)
		result = get_part(at, end, TAPE_TEXT_MAX, &text, &entry->text_length);
	entry->text = text;
	if (result == 1 && form->bytes)
		result = get_part(at, end, TAPE_BYTES_MAX, &entry->bytes, &entry->size);
	return result;
}

const char *tape_kind_name(enum tape_kind kind)
{
	return kind < TAPE_KINDS ? forms[kind].name : "unknown";
}

void tape_describe(struct strbuf *to, const struct tape_entry *entry)
{
	strbuf_addf(to, "%s(", tape_kind_name(entry->kind));
	for (unsigned i = 0; i < forms[entry->kind].arguments; i++)
		strbuf_addf(to, "%s%" PRId64, i ? ", " : "", entry->arguments[i]);
	if (entry->text)
		strbuf_addf(to, "%s%.*s", forms[entry->kind].arguments ? ", " : "", (int)entry->text_length,
			    entry->text);
	strbuf_addch(to, ')');
}
