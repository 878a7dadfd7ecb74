/* SPDX-License-Identifier: Apache-2.0 */
/* Writes control records, frames and records. */
#include "common/compat.h"
#include "metrics/monitor/monwrite-write.h"

/* Address of the saved segment: its control area, and its two halves. */
#define CONTROL_ADDRESS 0x08000000u
#define SAMPLE_ADDRESS 0x09000000u
#define EVENT_ADDRESS 0x0b000000u
#define IUCV_MESSAGE_PENDING 0x09

void monwrite_writer_init(struct monwrite_writer *writer)
{
	*writer = (struct monwrite_writer){ .frames = STRBUF_INIT, .file = STRBUF_INIT };
}

void monwrite_writer_release(struct monwrite_writer *writer)
{
	strbuf_release(&writer->frames);
	strbuf_release(&writer->file);
}

/* Returns the free bytes of the frame; those of the record that ends it are always reserved. */
static size_t frame_free_bytes(const struct monwrite_writer *writer)
{
	return MONITOR_PAGE - writer->frames.length % MONITOR_PAGE;
}

size_t monwrite_free_bytes(const struct monwrite_writer *writer)
{
	size_t room = frame_free_bytes(writer);

	return room > 2 * MRHDR_SIZE ? room - 2 * MRHDR_SIZE : 0;
}

/* Appends a record to the frame, which must have space for it. */
static unsigned char *append(struct monwrite_writer *writer, unsigned domain, unsigned number,
			     size_t length)
{
	size_t at = writer->frames.length;
	unsigned char *record;

	strbuf_addchars(&writer->frames, '\0', length);
	record = (unsigned char *)writer->frames.text + at;
	monitor_put(record + MRHDR_LENGTH, 2, length);
	record[MRHDR_DOMAIN] = (unsigned char)domain;
	monitor_put(record + MRHDR_RECORD, 2, number);
	monitor_put(record + MRHDR_TOD, 8, writer->tod);
	return record;
}

void monwrite_end_frame(struct monwrite_writer *writer)
{
	append(writer, 1, RECORD_END_OF_FRAME, MRHDR_SIZE);
	strbuf_addchars(&writer->frames, '\0', frame_free_bytes(writer) % MONITOR_PAGE);
}

unsigned char *monwrite_add(struct monwrite_writer *writer, unsigned domain, unsigned number,
			    size_t length)
{
	bool ends = domain == 1 && number == RECORD_INTERVAL_END;

	if (!ends && length + MRHDR_SIZE > frame_free_bytes(writer))
		monwrite_end_frame(writer);
	return append(writer, domain, number, length);
}

void monwrite_add_detail(struct monwrite_writer *writer, unsigned char profile,
			 unsigned char domain, unsigned char status, const void *items,
			 size_t item_size, size_t count)
{
	const unsigned char *from = items;
	const size_t head = MTRDDR_DMITEMS - MRHDR_SIZE;

	for (;;) {
		size_t room = monwrite_free_bytes(writer), now;
		unsigned char *record;

		if (room < head + (count ? item_size : 0)) {
			monwrite_end_frame(writer);
			continue;
		}
		now = count && (room - head) / item_size < count ? (room - head) / item_size
								 : count;
		record = monwrite_add(writer, 1, RECORD_DOMAIN_DETAIL,
				      MTRDDR_DMITEMS + now * item_size);
		record[MTRDDR_PROFILE] = profile;
		record[MTRDDR_DMNUMBER] = domain;
		record[MTRDDR_DMSTATUS] = status;
		record[MTRDDR_CALFLAGS] = now < count ? MTRDDR_CONT : 0;
		monitor_put(record + MTRDDR_DMITEMCT, 4, now);
		if (now)
			memcpy(record + MTRDDR_DMITEMS, from, now * item_size);
		if (now == count)
			return;
		/* No further item fits: the next record begins with ending this frame. */
		from += now * item_size;
		count -= now;
	}
}

/* Appends a page to the file. Returns the page. */
static unsigned char *add_page(struct monwrite_writer *writer)
{
	size_t at = writer->file.length;

	strbuf_addchars(&writer->file, '\0', MONITOR_PAGE);
	return (unsigned char *)writer->file.text + at;
}

void monwrite_flush(struct monwrite_writer *writer, bool event, unsigned domains)
{
	uint32_t start = event ? EVENT_ADDRESS : SAMPLE_ADDRESS;
	unsigned char *page, *entry;

	if (!writer->frames.length)
		return;
	page = add_page(writer);
	entry = page + MWTBK_ENTRIES;
	monitor_put(page, 2, 1);
	page[3] = IUCV_MESSAGE_PENDING;
	monitor_put(page + 4, 4, ++writer->messages);
	monitor_put(page + MWTBK_FIRST, 4, CONTROL_ADDRESS);
	monitor_put(page + MWTBK_LAST, 4, CONTROL_ADDRESS + MWTBK_ENTRY - 1);
	entry[0] = event ? MWTBK_EVENT : MWTBK_SAMPLE;
	monitor_put(entry + MWTBK_DOMAINS, 2, domains);
	monitor_put(entry + MWTBK_START, 4, start);
	monitor_put(entry + MWTBK_END, 4, start + writer->frames.length - 1);
	strbuf_addbuf(&writer->file, &writer->frames);
	strbuf_addchars(&writer->file, '\0', frame_free_bytes(writer) % MONITOR_PAGE);
	strbuf_reset(&writer->frames);
}

void monwrite_end(struct monwrite_writer *writer)
{
	add_page(writer);
}
