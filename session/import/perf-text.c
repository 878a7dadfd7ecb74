/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the lines of perf script. */
#include "common/compat.h"
#include "session/import/perf-text.h"
#include "common/clock.h"
#include "common/xalloc.h"

#include <ctype.h>
#include <unistd.h>

/* Number of damage messages that are reported; then only their total is. */
#define DAMAGE_REPORTS_MAX 5
#define FRAMES_MOST 2048

struct perf_text {
	FILE *stream;
	text_take_damage *damage;
	void *argument;
	char *line, *kept; /* the last line read; a copy of the record's first */
	size_t alloc;
	uint64_t number, damaged;
	bool again; /* the last line read is to be processed again */
	struct strbuf texts; /* of the frames */
	struct text_place {
		size_t symbol, object, file; /* offsets in texts */
	} * places;
	struct text_frame *frames;
	size_t place_alloc, frame_alloc;
};

bool perf_text_is(const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i] == 0)
			return false;
	return size > 0;
}

struct perf_text *perf_text_new(int fd, text_take_damage *damage, void *argument)
{
	struct perf_text *text = xcalloc(1, sizeof(*text));
	int own = dup(fd);

	text->stream = own >= 0 ? fdopen(own, "re") : NULL;
	if (!text->stream) {
		if (own >= 0)
			close(own);
		free(text);
		return NULL;
	}
	rewind(text->stream);
	text->damage = damage;
	text->argument = argument;
	strbuf_init(&text->texts);
	return text;
}

void perf_text_free(struct perf_text *text)
{
	struct strbuf sb = STRBUF_INIT;

	if (!text)
		return;
	if (text->damage && text->damaged > DAMAGE_REPORTS_MAX) {
		strbuf_addf(&sb, "that was the last of %" PRIu64 " such lines", text->damaged);
		text->damage(text->argument, text->number, sb.text);
	}
	strbuf_release(&sb);
	fclose(text->stream);
	strbuf_release(&text->texts);
	free(text->line);
	free(text->kept);
	free(text->places);
	free(text->frames);
	free(text);
}

static void report(struct perf_text *text, const char *what)
{
	if (text->damage && text->damaged++ < DAMAGE_REPORTS_MAX)
		text->damage(text->argument, text->number, what);
}

/* Returns the next line without its end; NULL after the last. */
static char *next_line(struct perf_text *text)
{
	ssize_t length;

	if (text->again) {
		text->again = false;
		return text->line;
	}
	length = getline(&text->line, &text->alloc, text->stream);
	if (length < 0)
		return NULL;
	text->number++;
	while (length > 0 && (text->line[length - 1] == '\n' || text->line[length - 1] == '\r' ||
			      text->line[length - 1] == ' '))
		text->line[--length] = '\0';
	/* A NUL byte would silently truncate it. */
	for (ssize_t i = 0; i < length; i++)
		if (!text->line[i])
			text->line[i] = '?';
	return text->line;
}

static char *skip_blanks(char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

static char *skip_digits(char *at)
{
	while (isdigit((unsigned char)*at))
		at++;
	return at;
}

/* Parses "1207.112858:" into ns; NULL if it is none. */
static char *take_time(char *at, uint64_t *time)
{
	uint64_t unit = NSEC_PER_SEC, seconds = 0;
	char *point = skip_digits(at);

	if (point == at || *point != '.' || point - at > 10)
		return NULL;
	for (; at < point; at++)
		seconds = seconds * 10 + (uint64_t)(*at - '0');
	*time = seconds * NSEC_PER_SEC;
	for (at = point + 1; isdigit((unsigned char)*at); at++) {
		unit /= 10;
		*time += (uint64_t)(*at - '0') * unit;
	}
	return *at == ':' && at > point + 1 ? at + 1 : NULL;
}

static bool take_number(char **at, uint32_t *number)
{
	char *end = skip_digits(*at);
	unsigned long value;

	/* A task that has ended, and runs its last code. */
	if (strncmp(*at, "-1", 2) == 0) {
		*number = UINT32_MAX;
		*at += 2;
		return true;
	}

	if (end == *at || end - *at > 10)
		return false;
	value = strtoul(*at, NULL, 10);
	if (value > UINT32_MAX)
		return false;
	*number = (uint32_t)value;
	*at = end;
	return true;
}

/* Parses "[001]"; returns at unchanged if there is none. */
static char *take_processor(char *at, uint32_t *processor)
{
	char *end = at + 1;

	return *at == '[' && take_number(&end, processor) && *end == ']' ? skip_blanks(end + 1) : at;
}

/*
 * Parses "123" or "123/124", then a processor, then a time, which follow a task's
 * name. NULL: not found here.
 */
static char *take_task(char *at, struct text_record *record)
{
	if (!take_number(&at, &record->pid))
		return NULL;
	record->tid = record->pid;
	if (*at == '/') {
		at++;
		if (!take_number(&at, &record->tid))
			return NULL;
	}
	if (*at != ' ' && *at != '\t')
		return NULL;
	record->processor = UINT32_MAX;
	at = take_processor(skip_blanks(at), &record->processor);
	return take_time(at, &record->time);
}

/*
 * Parses the first line of a record up to its time; returns the rest, or NULL. A
 * name may contain blanks and numbers.
 */
static char *take_head(char *line, struct text_record *record)
{
	char *start = skip_blanks(line);

	for (char *at = start; *at; at++) {
		char *end;

		if (at > start && at[-1] != ' ' && at[-1] != '\t')
			continue;
		end = isdigit((unsigned char)*at) || *at == '-' ? take_task(at, record) : NULL;
		if (!end)
			continue;
		while (at > start && (at[-1] == ' ' || at[-1] == '\t'))
			at--;
		*at = '\0';
		record->comm = start;
		return skip_blanks(end);
	}
	return NULL;
}

/* Parses "250000 cpu-clock: rest"; false: there is no event. */
static bool take_event(char *at, struct text_record *record)
{
	char *end = skip_digits(at);

	if (end > at && (*end == ' ' || *end == '\t') && end - at < 20) {
		record->has_period = true;
		record->period = strtoull(at, NULL, 10);
		at = skip_blanks(end);
	}
	end = at + strcspn(at, " \t");
	if (end == at || end[-1] != ':' || end - at < 2)
		return false;
	record->event = at;
	record->rest = *end ? skip_blanks(end + 1) : end;
	end[-1] = '\0';
	return true;
}

/* Parses lines of records other than samples. */
static bool take_other(char *at, struct text_record *record)
{
	char *lost;

	if (strncmp(at, "PERF_RECORD_SWITCH", 18) == 0) {
		record->kind = TEXT_SWITCH;
		record->out = strstr(at, " OUT") != NULL;
		record->preempted = strstr(at, "preempt") != NULL;
		return true;
	}
	record->kind = TEXT_LOST;
	lost = strncmp(at, "PERF_RECORD_LOST", 16) == 0 ? strstr(at, "lost ") : NULL;
	record->lost = lost ? strtoull(lost + 5, NULL, 10) : 0;
	return true;
}

/*
 * Returns the start of a frame's object: after the first " (/" or " ([", else
 * after the last " (".
 */
static char *object_in(char *at)
{
	size_t length = strlen(at), end = length;

	if (!length || at[length - 1] != ')')
		return NULL;
	for (size_t i = 0; i + 2 < length; i++)
		if (at[i] == '(' && (at[i + 1] == '/' || at[i + 1] == '[') &&
		    (i == 0 || at[i - 1] == ' ' || at[i - 1] == '\t'))
			return at + i;
	while (end > 0 && !(at[end] == '(' && (at[end - 1] == ' ' || at[end - 1] == '\t')))
		end--;
	return at[end] == '(' ? at + end : NULL;
}

/* Stores a text of a frame. */
static size_t keep(struct perf_text *text, const char *from)
{
	size_t place = text->texts.length;

	strbuf_add(&text->texts, from, strlen(from) + 1);
	return place;
}

/* Parses the name of a function and removes its displacement. */
static void take_symbol(char *symbol, struct text_frame *frame)
{
	char *plus = strrchr(symbol, '+'), *end;

	if (!plus || strncmp(plus, "+0x", 3) != 0)
		return;
	frame->inside = strtoull(plus + 1, &end, 16);
	if (!*end)
		*plus = '\0';
}

/* Parses "1146 a+0x1d (/tmp/s)", any part of which may be missing; false: no frame. */
static bool take_frame(struct perf_text *text, char *at, struct text_record *record)
{
	struct text_frame frame = { .symbol = "" };
	struct text_place place;
	char *object, *end, *symbol;
	size_t count = record->frame_count;

	at = skip_blanks(at);
	frame.address = strtoull(at, &end, 16);
	frame.has_address = end > at && (!*end || *end == ' ' || *end == '\t') && end - at <= 16 &&
			    *at != '+' && *at != '-';
	symbol = frame.has_address ? skip_blanks(end) : at;
	object = object_in(symbol);
	if (!frame.has_address && !object)
		return false;
	if (object) {
		*object++ = '\0';
		object[strlen(object) - 1] = '\0';
	}
	end = symbol + strlen(symbol);
	while (end > symbol && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
	take_symbol(symbol, &frame);
	frame.inlined = object && strcmp(object, "inlined") == 0;
	place.symbol = keep(text, strcmp(symbol, "[unknown]") ? symbol : "");
	place.object = keep(text, object && !frame.inlined && strcmp(object, "[unknown]") ? object : "");
	place.file = keep(text, "");
	GROW(text->frames, count + 1, text->frame_alloc);
	GROW(text->places, count + 1, text->place_alloc);
	text->frames[count] = frame;
	text->places[count] = place;
	record->frame_count++;
	return true;
}

/* Parses "  a.c:12" below a frame; false: no source line. */
static bool take_source(struct perf_text *text, char *at, struct text_record *record)
{
	char *colon = strrchr(at, ':');

	at = skip_blanks(at);
	/* "object[address]": the source line is unknown. */
	if (record->frame_count && *at && at[strlen(at) - 1] == ']' && strchr(at, '['))
		return true;
	if (!record->frame_count || !colon || colon < at || colon[1] == '\0' || *skip_digits(colon + 1))
		return false;
	/* ":0": the object has line numbers, but none for this address. */
	if (colon == at)
		return strcmp(at, ":0") == 0;
	*colon = '\0';
	if (at[0] == '?')
		return true;
	text->frames[record->frame_count - 1].line = strtoull(colon + 1, NULL, 10);
	text->places[record->frame_count - 1].file = keep(text, at);
	return true;
}

/* Reads the lines below a sample, up to an empty one or the start of another record. */
static void take_frames(struct perf_text *text, struct text_record *record)
{
	char *line;

	while ((line = next_line(text)) != NULL && *line) {
		struct text_record other = { .tid = 0 };
		char *copy;
		bool head;

		if (line[0] != ' ' && line[0] != '\t') {
			text->again = true;
			return;
		}
		copy = xstrdup(line);
		head = line[0] != '\t' && take_head(copy, &other);
		free(copy);
		if (head) {
			text->again = true;
			return;
		}
		if (record->frame_count >= FRAMES_MOST)
			continue;
		copy = xstrdup(line);
		if (!take_frame(text, line, record) && !take_source(text, copy, record))
			report(text, "it is not part of a call stack and is skipped");
		free(copy);
	}
}

/* Sets the frames' pointers to their texts, which no longer move. */
static void settle_frames(struct perf_text *text, struct text_record *record)
{
	for (size_t i = 0; i < record->frame_count; i++) {
		text->frames[i].symbol = text->texts.text + text->places[i].symbol;
		text->frames[i].object = text->texts.text + text->places[i].object;
		text->frames[i].file = text->texts.text + text->places[i].file;
	}
	record->frames = text->frames;
}

/* Parses "# hostname : vm"; false: another remark. */
static bool take_remark(char *line, struct text_record *record)
{
	char *colon = strstr(line, " : "), *end;

	if (!colon)
		return false;
	record->kind = TEXT_HEADER;
	record->name = skip_blanks(line + 1);
	record->value = skip_blanks(colon + 3);
	for (end = colon; end > line && (*end == ' ' || *end == '\t'); end--)
		*end = '\0';
	return true;
}

/* Reads a record from its first line on; false: no record. */
static bool take_record(struct perf_text *text, char *line, struct text_record *record)
{
	bool framed;
	char *at;

	free(text->kept);
	text->kept = xstrdup(line);
	at = take_head(text->kept, record);
	if (!at) {
		report(text, "it is not a sample with a task number and a time, and is skipped");
		return false;
	}
	if (strncmp(at, "PERF_RECORD_", 12) == 0)
		return take_other(at, record);
	if (!take_event(at, record)) {
		report(text, "it has no event and is skipped");
		return false;
	}
	record->kind = TEXT_SAMPLE;
	strbuf_reset(&text->texts);
	/* Without a call stack the instruction is on the line itself. */
	if (*record->rest) {
		char *copy = xstrdup(record->rest);

		framed = !strstr(copy, "==>") && take_frame(text, copy, record);
		free(copy);
		if (framed)
			record->rest = "";
	}
	take_frames(text, record);
	settle_frames(text, record);
	return true;
}

bool perf_text_next(struct perf_text *text, struct text_record *record)
{
	char *line;

	while ((line = next_line(text)) != NULL) {
		*record = (struct text_record){ .number = text->number, .comm = "", .event = "",
						.rest = "", .name = "", .value = "" };
		if (!*skip_blanks(line))
			continue;
		if (*line == '#') {
			if (take_remark(line, record))
				return true;
		} else if (take_record(text, line, record)) {
			return true;
		}
	}
	return false;
}
