/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of a tape as bytes. */
#include "common/compat.h"
#include "sampler/recording/tape.h"
#include "common/varint.h"

#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>

#define KIND_MASK 0x1f
/* Bytes of an entry without its text and data. */
#define HEAD_MAX (1 + 7 * VARINT_MAX)

static void state_init(struct tape_state *state)
{
	memset(state, 0, sizeof(*state));
	strmap_init(&state->texts);
	strmap_put(&state->texts, ""); /* texts count from 1 */
}

void tape_writer_init(struct tape_writer *writer)
{
	memset(writer, 0, sizeof(*writer));
	state_init(&writer->state);
	strbuf_init(&writer->bytes);
}

void tape_writer_release(struct tape_writer *writer)
{
	strmap_release(&writer->state.texts);
	strbuf_release(&writer->bytes);
}

/* Writes the difference of a number to the last one, which it becomes. */
static unsigned char *write_step(unsigned char *at, uint64_t *last, uint64_t value)
{
	at = varint_write(at, varint_zigzag(value - *last));
	*last = value;
	return at;
}

/* Writes the head of an entry, without the bytes of a text and of the data. Returns its end. */
static unsigned char *write_head(struct tape_state *state, unsigned char *at,
				 const struct tape_entry *entry, size_t *text_length)
{
	unsigned char kind = (unsigned char)entry->kind;
	uint64_t result = (uint64_t)state->last[entry->kind].result;

	if (entry->text[0])
		kind |= TAPE_TEXT;
	if (entry->size)
		kind |= TAPE_DATA;
	if (entry->result < 0)
		kind |= TAPE_FAILED;
	*at++ = kind;
	at = write_step(at, &state->last[entry->kind].a, entry->a);
	at = write_step(at, &state->last[entry->kind].b, entry->b);
	at = write_step(at, &result, (uint64_t)entry->result);
	state->last[entry->kind].result = entry->result;
	*text_length = 0;
	if (kind & TAPE_FAILED)
		at = varint_write(at, (uint64_t)entry->error);
	if (kind & TAPE_DATA)
		at = varint_write(at, entry->size);
	if (kind & TAPE_TEXT) {
		size_t known = state->texts.count;
		uint32_t number = strmap_put(&state->texts, entry->text);

		at = varint_write(at, number);
		if (number == known) {
			*text_length = strlen(entry->text);
			at = varint_write(at, *text_length);
		}
	}
	return at;
}

void tape_write(struct tape_writer *writer, const struct tape_entry *entry)
{
	unsigned char head[HEAD_MAX];
	size_t text_length;
	unsigned char *end = write_head(&writer->state, head, entry, &text_length);

	strbuf_add(&writer->bytes, head, (size_t)(end - head));
	strbuf_add(&writer->bytes, entry->text, text_length);
	strbuf_add(&writer->bytes, entry->data, entry->size);
	writer->entries++;
	if (writer->full && writer->bytes.length >= writer->piece_size)
		writer->full(writer->argument);
}

void tape_reader_init(struct tape_reader *reader)
{
	memset(reader, 0, sizeof(*reader));
	state_init(&reader->state);
}

void tape_reader_release(struct tape_reader *reader)
{
	strmap_release(&reader->state.texts);
}

void tape_feed(struct tape_reader *reader, const void *bytes, size_t size)
{
	reader->at = bytes;
	reader->end = reader->at + size;
}

/* Reads a number that is written as its difference to the last one. */
static bool read_step(struct tape_reader *reader, uint64_t *last)
{
	uint64_t step;

	if (!varint_read(&reader->at, reader->end, &step))
		return false;
	*last += varint_unzigzag(step);
	return true;
}

/* Reads a text, which may be new. */
static bool read_text(struct tape_reader *reader, const char **text)
{
	struct strmap *texts = &reader->state.texts;
	uint64_t number, length;

	if (!varint_read(&reader->at, reader->end, &number) || number > texts->count)
		return false;
	if (number == texts->count) {
		if (!varint_read(&reader->at, reader->end, &length) ||
		    length > (uint64_t)(reader->end - reader->at) ||
		    strmap_put_n(texts, (const char *)reader->at, length) != number)
			return false;
		reader->at += length;
	}
	*text = strmap_text(texts, (uint32_t)number);
	return true;
}

/* Reads an entry that begins with a byte of kind. */
static bool read_entry(struct tape_reader *reader, unsigned char kind, struct tape_entry *entry)
{
	uint64_t error = 0, size = 0, result;

	*entry = (struct tape_entry){ .kind = kind & KIND_MASK, .text = "" };
	if (entry->kind == 0 || entry->kind >= TAPE_KINDS)
		return false;
	result = (uint64_t)reader->state.last[entry->kind].result;
	if (!read_step(reader, &reader->state.last[entry->kind].a) ||
	    !read_step(reader, &reader->state.last[entry->kind].b) || !read_step(reader, &result))
		return false;
	entry->a = reader->state.last[entry->kind].a;
	entry->b = reader->state.last[entry->kind].b;
	entry->result = reader->state.last[entry->kind].result = (int64_t)result;
	if ((kind & TAPE_FAILED) &&
	    (!varint_read(&reader->at, reader->end, &error) || error > INT32_MAX))
		return false;
	if ((kind & TAPE_DATA) && !varint_read(&reader->at, reader->end, &size))
		return false;
	if ((kind & TAPE_TEXT) && !read_text(reader, &entry->text))
		return false;
	if (size > (uint64_t)(reader->end - reader->at))
		return false;
	entry->error = (int)error;
	entry->data = reader->at;
	entry->size = size;
	reader->at += size;
	return true;
}

int tape_read(struct tape_reader *reader, struct tape_entry *entry)
{
	if (reader->at == reader->end)
		return 0;
	if (!read_entry(reader, *reader->at++, entry)) {
		reader->at = reader->end;
		return -1;
	}
	reader->entries++;
	return 1;
}

size_t tape_traced_size(int request)
{
	if (request == PTRACE_GETSIGINFO)
		return sizeof(siginfo_t);
#ifdef __x86_64__
	if (request == PTRACE_GETREGS)
		return sizeof(struct user_regs_struct);
#endif
	return 0;
}

uint64_t tape_event_of(const struct perf_event_attr *attr, int processor)
{
	return attr->config << 32 | (uint32_t)processor;
}

uint64_t tape_event_config(const struct tape_entry *entry)
{
	return entry->b >> 32;
}

const char *tape_kind_name(enum tape_kind kind)
{
	static const char *const names[TAPE_KINDS] = {
		[TAPE_CLOCK] = "a clock",
		[TAPE_OPEN] = "a file to open",
		[TAPE_CLOSE] = "the close of a file",
		[TAPE_READ] = "the content of a file",
		[TAPE_LINK] = "a symbolic link",
		[TAPE_ENTRIES] = "the entries of a folder",
		[TAPE_STATUS] = "the status of a file",
		[TAPE_MEMORY] = "memory of the step",
		[TAPE_PEER] = "the other end of a socket",
		[TAPE_POLL] = "what there is to serve",
		[TAPE_TIMER] = "a timer",
		[TAPE_SET_TIMER] = "a timer to set",
		[TAPE_PROCESS] = "a process",
		[TAPE_OWN] = "its own process",
		[TAPE_PROCESSORS] = "the number of processors",
		[TAPE_DESCRIPTORS] = "the limit of descriptors",
		[TAPE_EVENT] = "a performance event",
		[TAPE_CONTROL] = "a performance event to change",
		[TAPE_RING] = "a ring",
		[TAPE_DROP_RING] = "the end of a ring",
		[TAPE_RING_HEAD] = "the kernel's records",
		[TAPE_TRACE] = "a task to trace",
		[TAPE_WAIT_TASK] = "the state of a task",
		[TAPE_SLEEP] = "a pause",
		[TAPE_SHARE] = "an area of the step",
		[TAPE_REFRESH] = "the content of an area",
		[TAPE_UNSHARE] = "the end of an area",
		[TAPE_NOTE] = "what another part learned",
		[TAPE_SESSION] = "a call of the session",
	};

	return kind < TAPE_KINDS && names[kind] ? names[kind] : "something unknown";
}
