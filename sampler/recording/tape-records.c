/* SPDX-License-Identifier: Apache-2.0 */
/* Records of the kernel in recordings. */
#include "common/compat.h"
#include "sampler/recording/tape-records.h"

#include <linux/perf_event.h>

/* Bytes of the shortest record: its head, and who, when and by which event. */
#define LEAST 32
/* Bytes of a sample before its call chain; where its event's id is, and the number of the chain's addresses. */
#define SAMPLE_HEAD 56
#define SAMPLE_EVENT 40

size_t tape_records_whole(const unsigned char *bytes, size_t size)
{
	struct perf_event_header header;
	size_t at = 0;

	while (size - at >= sizeof(header)) {
		memcpy(&header, bytes + at, sizeof(header));
		if (header.size < LEAST || header.size % 8 || header.size > size - at)
			break;
		at += header.size;
	}
	return at;
}

static uint64_t word_at(const unsigned char *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

/* Appends a sample without its call chain, unless it is not for a session without privilege. */
static void add_sample(const unsigned char *record, struct perf_event_header header,
		       const struct idmap *leavings, struct strbuf *records)
{
	uint64_t leaving, count;
	size_t rest;

	if (header.size < SAMPLE_HEAD + sizeof(count) ||
	    (header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL ||
	    idmap_get(leavings, word_at(record + SAMPLE_EVENT), &leaving))
		return;
	count = word_at(record + SAMPLE_HEAD);
	rest = header.size - SAMPLE_HEAD - sizeof(count);
	if (count > rest / 8)
		return;
	rest -= count * 8;
	header.size = (uint16_t)(SAMPLE_HEAD + rest);
	strbuf_add(records, &header, sizeof(header));
	strbuf_add(records, record + sizeof(header), SAMPLE_HEAD - sizeof(header));
	strbuf_add(records, record + SAMPLE_HEAD + sizeof(count) + count * 8, rest);
}

void tape_records_of_user(const unsigned char *bytes, size_t size, const struct idmap *leavings,
			  struct strbuf *records)
{
	struct perf_event_header header;

	for (size_t at = 0; at < size; at += header.size) {
		memcpy(&header, bytes + at, sizeof(header));
		if (header.type == PERF_RECORD_SAMPLE)
			add_sample(bytes + at, header, leavings, records);
		else
			strbuf_add(records, bytes + at, header.size);
	}
}
