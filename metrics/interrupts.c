/* SPDX-License-Identifier: Apache-2.0 */
/*
 * IRQ: interrupts by source. This is the slowest text of the kernel, the more so
 * the more processors there are, so IRQ is in no group but ALL.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "metrics/kinds.h"

static const struct metric_file files[] = {
	{ "/proc/interrupts", METRIC_OTHER },
};

enum { NAME, SOURCE, INTERRUPTS, PROCESSORS, BUSIEST, COUNT };

static const struct metric_item items[] = {
	TEXT_IDENTITY("name", "name", MADE,
		      "The interrupt line: a number for a device, letters for interrupts of "
		      "processors."),
	TEXT_IDENTITY("source", "text", MADE, "Their source: controller and device."),
	COUNTER("interrupts", "count", MADE, "Interrupts on all processors."),
	LEVEL("processors", "count", MADE, "Processors that have had at least one."),
	LEVEL("busiest", "id", MADE, "The processor with the most of them."),
};

_Static_assert(ARRAY_SIZE(items) == COUNT, "the items are where they are said to be");

/* The numbers of the processors, by column. */
struct columns {
	uint64_t *numbers; /* owned */
	size_t count, alloc;
};

/* Parses the line of headings. Returns the next line. */
static const char *take_head(struct columns *columns, const char *line)
{
	columns->count = 0;
	for (; *line && *line != '\n'; line++) {
		if (strncmp(line, "CPU", 3) != 0)
			continue;
		GROW(columns->numbers, columns->count + 1, columns->alloc);
		columns->numbers[columns->count++] = strtoull(line + 3, NULL, 10);
	}
	return *line ? line + 1 : line;
}

/*
 * Parses the counts of a line. Returns what follows them. "ERR" has one count for
 * all processors.
 */
static const char *take_counts(const struct columns *columns, const char *at, uint64_t *values)
{
	uint64_t most = 0;

	values[INTERRUPTS] = values[PROCESSORS] = 0;
	for (size_t column = 0; column < columns->count; column++) {
		uint64_t number = 0;

		at += strspn(at, " ");
		if (*at < '0' || *at > '9')
			break;
		while (*at >= '0' && *at <= '9')
			number = number * 10 + (uint64_t)(*at++ - '0');
		values[INTERRUPTS] += number;
		values[PROCESSORS] += number > 0;
		if (number > most)
			values[BUSIEST] = columns->numbers[column];
		most = number > most ? number : most;
	}
	return at + strspn(at, " ");
}

/* Returns whether a line has only one count for all processors, instead of one for each. */
static bool has_one_count(const char *at)
{
	at += strspn(at, " ");
	at += strspn(at, "0123456789");
	at += strspn(at, " ");
	return !*at || *at == '\n';
}

/* Sets the source to the rest of a line, with single blanks between words. */
static void set_source(struct metric_source *source, const char *at)
{
	char text[160];
	size_t length = 0;

	for (; *at && *at != '\n' && length < sizeof(text); at++)
		if (*at != ' ' || (length && text[length - 1] != ' '))
			text[length++] = *at;
	while (length && text[length - 1] == ' ')
		length--;
	if (length)
		source->values[SOURCE] = strmap_put_n(source->strings, text, length);
}

/* Makes the record of a line, unless all its counts are 0. */
static void take_line(struct metric_source *source, const char *line)
{
	const char *name = line + strspn(line, " "), *end = name + strcspn(name, ":\n");
	bool one_count;

	if (*end != ':')
		return;
	metric_begin(source);
	one_count = has_one_count(end + 1);
	line = take_counts(source->own, end + 1, source->values);
	if (!source->values[INTERRUPTS])
		return;
	if (one_count && ((const struct columns *)source->own)->count > 1)
		source->values[PROCESSORS] = source->values[BUSIEST] = UINT64_MAX;
	source->values[NAME] = strmap_put_n(source->strings, name, (size_t)(end - name));
	set_source(source, line);
	metric_add(source);
}

static void read_all(struct metric_source *source)
{
	const char *line = metric_text(source, 1);

	if (line)
		line = take_head(source->own, line);
	while (line && *line) {
		take_line(source, line);
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
}

static void release(struct metric_source *source)
{
	const struct columns *columns = source->own;

	free(columns->numbers);
}

const struct metric_kind interrupts_kind = {
	.name = "IRQ",
	.record = "irq",
	.summary = "interrupts by device and type",
	.meaning = "An interrupt line that has had at least one interrupt.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.private_size = sizeof(struct columns),
	.read = read_all,
	.release = release,
};
