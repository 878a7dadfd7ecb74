/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a MONWRITE file: control records, frames, records; resynchronises after damage. */
#include "common/compat.h"
#include "metrics/monitor/monwrite-read.h"
#include "common/xalloc.h"
#include "metrics/monitor/frame.h"
#include "metrics/monitor/page-stream.h"

/* Pages at the beginning of a file in which a control record identifies it. */
#define HEAD_PAGES 16

struct monwrite_reader {
	struct pages *pages;
	monwrite_damage damage;
	void *argument;
	struct monwrite_status status;
	unsigned char page[MONITOR_PAGE], control[MONITOR_PAGE];
	unsigned entry, entry_count; /* of the control record */
	struct frame_entry current;
	uint32_t page_number, page_count; /* of the entry */
	unsigned at, stop;		  /* in the page */
	uint64_t page_offset;		  /* of the page in the file */
	uint64_t last_tod;			  /* TOD of the last good record */
	bool held;     /* the page must be examined again, as a control record */
	bool lost;     /* the loss at this position was reported */
	bool doubtful; /* the previous page may be an end-of-data record */
	uint64_t doubtful_offset;
	bool ended;
};

static void report(struct monwrite_reader *reader, uint64_t offset, const char *format, ...)
	PRINTFLIKE(3, 4);

static void report(struct monwrite_reader *reader, uint64_t offset, const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	reader->status.damages++;
	if (reader->damage)
		reader->damage(reader->argument, offset, text.text);
	strbuf_release(&text);
}

void monwrite_report_damage(struct monwrite_reader *reader, const struct monitor_record *record,
		   const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	report(reader, record->offset, "%s", text.text);
	strbuf_release(&text);
}

bool monwrite_is(const char *path)
{
	struct pages *pages = pages_open(path, NULL);
	unsigned char page[MONITOR_PAGE];
	bool found = false;

	for (unsigned i = 0; pages && !found && i < HEAD_PAGES; i++) {
		if (pages_read(pages, page, NULL) != (int)MONITOR_PAGE)
			break;
		found = frame_is_control(page);
	}
	pages_close(pages);
	return found;
}

struct monwrite_reader *monwrite_open(const char *path, monwrite_damage damage, void *argument,
				      struct error *err)
{
	struct pages *pages = pages_open(path, err);
	struct monwrite_reader *reader;

	if (!pages)
		return NULL;
	reader = xcalloc(1, sizeof(*reader));
	reader->pages = pages;
	reader->damage = damage;
	reader->argument = argument;
	return reader;
}

void monwrite_close(struct monwrite_reader *reader)
{
	if (!reader)
		return;
	pages_close(reader->pages);
	free(reader);
}

const struct monwrite_status *monwrite_status(const struct monwrite_reader *reader)
{
	return &reader->status;
}

/* Loads the next page. Returns its bytes, 0 at the end, -1 with err. */
static int load(struct monwrite_reader *reader, struct error *err)
{
	int got = pages_read(reader->pages, reader->page, err);

	RETURN_IF(got < 0, -1);
	reader->page_offset = reader->status.bytes;
	reader->status.bytes += (uint64_t)got;
	memset(reader->page + got, 0, MONITOR_PAGE - (size_t)got);
	return got;
}

/* Begins the next entry of the control record; the counted entries are valid. */
static void begin_entry(struct monwrite_reader *reader)
{
	frame_entry_get(reader->control, reader->entry++, &reader->current);
	reader->page_number = 0;
	reader->page_count = frame_entry_pages(&reader->current);
}

/* Handles the end of the file: reports announced data that are missing. */
static int end(struct monwrite_reader *reader)
{
	uint32_t missing = reader->page_count - reader->page_number;

	reader->ended = true;
	if (missing)
		report(reader, reader->status.bytes, "the file ends %u frames too early", missing);
	else if (!reader->status.complete)
		report(reader, reader->status.bytes, "the file has no end-of-data record");
	return 0;
}

/* Reports once where synchronisation is lost. */
static void report_lost(struct monwrite_reader *reader, uint64_t offset)
{
	if (!reader->lost)
		report(reader, offset,
		     "there is no control record here; from frames not announced by one, records "
		     "before an end of frame or interval are taken");
	reader->lost = true;
}

/* Decides what a page of unknown meaning was, depending on whether another follows it. */
static void classify_doubtful_page(struct monwrite_reader *reader, bool last)
{
	if (!reader->doubtful)
		return;
	reader->doubtful = false;
	if (last)
		reader->status.complete = true;
	else
		report_lost(reader, reader->doubtful_offset);
}

/* Reads a page that is no control record, which may be a frame whose control record is lost. */
static void take_lost_page(struct monwrite_reader *reader)
{
	unsigned at = 0;

	while (at < MONITOR_PAGE &&
	       !frame_is_chain(reader->page, at, MONITOR_PAGE, reader->last_tod, true))
		at++;
	/*
	 * The content of an end-of-data record is undefined except for its entries: the
	 * last page is one.
	 */
	reader->doubtful = at == MONITOR_PAGE && !reader->lost;
	reader->doubtful_offset = reader->page_offset;
	if (reader->doubtful)
		return;
	report_lost(reader, reader->page_offset);
	reader->status.skipped_bytes += at < MONITOR_PAGE ? at : MONITOR_PAGE;
	reader->current.event = false;
	reader->at = at;
	reader->stop = MONITOR_PAGE;
	if (at < MONITOR_PAGE)
		reader->status.frames++;
}

/* Reads the page as a control record. */
static void take_control(struct monwrite_reader *reader)
{
	unsigned count = frame_control_count(reader->page), found = 0;
	struct frame_entry entry;

	while (frame_entry_get(reader->page, found, &entry))
		found++;
	if (!count && !found) {
		if (frame_is_empty(reader->page, MWTBK_ENTRIES, MWTBK_ENTRIES + MWTBK_ENTRY))
			reader->status.complete = true;
		else
			take_lost_page(reader);
		return;
	}
	if (count && !found && !frame_is_empty(reader->page, MWTBK_ENTRIES, MONITOR_PAGE)) {
		take_lost_page(reader);
		return;
	}
	reader->lost = false;
	reader->status.complete = false;
	reader->status.controls++;
	if (count != found && found < count) {
		report(reader, reader->page_offset, "the control record counts %u entries and has %u",
		     count, found);
		count = found;
	}
	memcpy(reader->control, reader->page, MONITOR_PAGE);
	reader->entry = 0;
	/* Entries after those counted are leftovers. */
	reader->entry_count = count ? count : found;
}

/* Loads the next page of the entry. Returns 1, 0 at the end of the file, -1 with err. */
static int next_frame(struct monwrite_reader *reader, struct error *err)
{
	const struct frame_entry *entry = &reader->current;
	int got = load(reader, err);
	unsigned at, stop;

	RETURN_IF(got <= 0, got);
	at = reader->page_number == 0 ? entry->first % MONITOR_PAGE : 0;
	stop = reader->page_number + 1 == reader->page_count ? entry->last % MONITOR_PAGE + 1
							     : MONITOR_PAGE;
	if (frame_is_control(reader->page) && frame_record_wrong(reader->page, at, stop)) {
		report(reader, reader->page_offset,
		     "%u frames are missing before this control record",
		     reader->page_count - reader->page_number);
		reader->page_number = reader->page_count = 0;
		reader->entry = reader->entry_count;
		reader->held = true;
		return 1;
	}
	reader->page_number++;
	reader->status.frames++;
	reader->at = at;
	reader->stop = stop > (unsigned)got ? (unsigned)got : stop;
	if (reader->at > reader->stop)
		reader->at = reader->stop;
	return 1;
}

/* Returns the offset of the next certain record from an offset on; stop: none. */
static unsigned find_chain(const struct monwrite_reader *reader, unsigned at)
{
	while (at < reader->stop &&
	       !frame_is_chain(reader->page, at, reader->stop, reader->last_tod, false))
		at++;
	return at;
}

/*
 * Returns whether the length of the present record is wrong: it leads to no
 * record, while records begin before that.
 */
static bool has_wrong_length(const struct monwrite_reader *reader)
{
	unsigned next = reader->at + monitor_get(reader->page + reader->at + MRHDR_LENGTH, 2);

	return next < reader->stop && frame_record_wrong(reader->page, next, reader->stop) &&
	       !frame_is_empty(reader->page, next, reader->stop) &&
	       find_chain(reader, reader->at + MRHDR_SIZE) < next;
}

/* Advances to the next certain record, or past the page. */
static void resynchronise(struct monwrite_reader *reader, const char *wrong)
{
	unsigned from = reader->at, at = find_chain(reader, from + 1);

	if (at < reader->stop)
		report(reader, reader->page_offset + from, "%s; %u bytes are skipped", wrong,
		     at - from);
	else
		report(reader, reader->page_offset + from,
		     "%s; %u bytes are skipped, to the end of the frame", wrong, at - from);
	reader->status.skipped_bytes += at - from;
	reader->at = at;
}

/* Reads the next record of the page. Returns false when there is none here. */
static bool take_record(struct monwrite_reader *reader, struct monitor_record *record)
{
	const unsigned char *data = reader->page + reader->at;
	const char *wrong = frame_record_wrong(reader->page, reader->at, reader->stop);

	if (!wrong && has_wrong_length(reader))
		wrong = "the length of a record does not lead to another record";
	if (wrong) {
		if (frame_is_empty(reader->page, reader->at, reader->stop))
			reader->at = reader->stop;
		else
			resynchronise(reader, wrong);
		return false;
	}
	*record = (struct monitor_record){
		.data = data,
		.length = monitor_get(data + MRHDR_LENGTH, 2),
		.domain = data[MRHDR_DOMAIN],
		.number = monitor_get(data + MRHDR_RECORD, 2),
		.tod = monitor_get64(data + MRHDR_TOD),
		.offset = reader->page_offset + reader->at,
		.event = reader->current.event,
	};
	reader->at += (unsigned)record->length;
	/* What follows is no record: the rest of an earlier frame, or nothing. */
	if (record->domain == 1 && (record->number == RECORD_END_OF_FRAME ||
				    (reader->lost && record->number == RECORD_INTERVAL_END)))
		reader->at = reader->stop;
	if (frame_is_near(record->tod, reader->last_tod))
		reader->last_tod = record->tod;
	reader->status.records++;
	return true;
}

/* Loads the next page. Returns 1, 0 at the end, -1 with err. */
static int advance(struct monwrite_reader *reader, struct error *err)
{
	int got;

	if (reader->page_number < reader->page_count) {
		got = next_frame(reader, err);
		return got ? got : end(reader);
	}
	if (reader->entry < reader->entry_count) {
		begin_entry(reader);
		return 1;
	}
	got = reader->held ? (int)MONITOR_PAGE : load(reader, err);
	RETURN_IF(got < 0, -1);
	reader->held = false;
	reader->page_number = reader->page_count = 0;
	classify_doubtful_page(reader, !got);
	if (!got)
		return end(reader);
	if (got < (int)MONITOR_PAGE) {
		report(reader, reader->page_offset, "the file ends inside a page of 4096 bytes");
		reader->ended = true;
		return 0;
	}
	take_control(reader);
	return 1;
}

int monwrite_next(struct monwrite_reader *reader, struct monitor_record *record, struct error *err)
{
	while (!reader->ended) {
		int more = 1;

		if (reader->at >= reader->stop)
			more = advance(reader, err);
		else if (take_record(reader, record))
			return 1;
		RETURN_IF(more < 0, -1);
	}
	return 0;
}
