/* SPDX-License-Identifier: Apache-2.0 */
/* A tape as a session with other options would have got it. */
#include "common/compat.h"
#include "sampler/recording/tape-view.h"
#include "common/idmap.h"
#include "common/xalloc.h"
#include "sampler/recording/tape-sample.h"

#include <linux/perf_event.h>
#include <time.h>

enum event_use { USE_OTHER, USE_SAMPLES, USE_FAULTS, USE_LEAVINGS };

/* An event that was opened. */
struct opened_event {
	enum event_use use;
	bool chain; /* its samples have the kernel's call chain */
	uint64_t period, before, since; /* ns; the period before holds for samples until since */
};

struct tape_view {
	bool user;
	bool chains;		  /* some events on tasks have call chains */
	struct idmap by_fd, by_id; /* number in events + 1 */
	struct opened_event *events;
	size_t count, alloc;
	size_t changed; /* number + 1 of the event that has a new period since the next time that is
			 * read; 0: none */
	void **copies;
	size_t copy_count, copy_alloc;
};

struct tape_view *tape_view_new(bool user)
{
	struct tape_view *view = xcalloc(1, sizeof(*view));

	view->user = user;
	idmap_init(&view->by_fd);
	idmap_init(&view->by_id);
	return view;
}

void tape_view_forget(struct tape_view *view)
{
	for (size_t i = 0; i < view->copy_count; i++)
		free(view->copies[i]);
	view->copy_count = 0;
}

void tape_view_free(struct tape_view *view)
{
	if (!view)
		return;
	tape_view_forget(view);
	free(view->copies);
	free(view->events);
	idmap_release(&view->by_fd);
	idmap_release(&view->by_id);
	free(view);
}

static enum event_use use_of(const struct perf_event_attr *attr)
{
	switch (attr->config) {
	case PERF_COUNT_SW_CPU_CLOCK:
		return USE_SAMPLES;
	case PERF_COUNT_SW_PAGE_FAULTS_MAJ:
		return USE_FAULTS;
	case PERF_COUNT_SW_CONTEXT_SWITCHES:
		return USE_LEAVINGS;
	default:
		return USE_OTHER;
	}
}

/* Notes an event that was opened. An ordinary user would not have asked for one of the kernel. */
static bool look_at_event(struct tape_view *view, const struct tape_entry *entry)
{
	struct perf_event_attr attr = { 0 };

	memcpy(&attr, entry->data, entry->size < sizeof(attr) ? entry->size : sizeof(attr));
	if (entry->result < 0)
		return !view->user || attr.exclude_kernel;
	GROW(view->events, view->count + 1, view->alloc);
	view->events[view->count++] = (struct opened_event){
		.use = use_of(&attr),
		.chain = attr.sample_type & PERF_SAMPLE_CALLCHAIN,
		.period = attr.sample_period,
		.before = attr.sample_period,
	};
	view->chains |= view->events[view->count - 1].chain;
	idmap_put(&view->by_fd, (uint64_t)entry->result, view->count);
	return true;
}

/* Notes the id of an event, or its new period. */
static void look_at_control(struct tape_view *view, const struct tape_entry *entry)
{
	struct opened_event *event;
	uint64_t number;

	if (entry->result < 0 || entry->size < sizeof(uint64_t) ||
	    !idmap_get(&view->by_fd, entry->a, &number))
		return;
	event = &view->events[number - 1];
	if (entry->b == PERF_EVENT_IOC_ID)
		idmap_put(&view->by_id, tape_sample_word(entry->data), number);
	if (entry->b != PERF_EVENT_IOC_PERIOD)
		return;
	event->before = event->period;
	event->period = tape_sample_word(entry->data);
	view->changed = number;
}

/* A period is changed before the time is read from which on it holds. */
static void look_at_clock(struct tape_view *view, const struct tape_entry *entry)
{
	if (!view->changed || entry->a != CLOCK_MONOTONIC)
		return;
	view->events[view->changed - 1].since = (uint64_t)entry->result;
	view->changed = 0;
}

/* Returns the use of an event that is not known, because a new task inherited it, as perf.c does. */
static enum event_use use_of_sample(const unsigned char *sample)
{
	if (tape_sample_word(sample + TAPE_SAMPLE_PERIOD) != 1)
		return USE_SAMPLES;
	return tape_sample_word(sample + TAPE_SAMPLE_ADDRESS) ? USE_FAULTS : USE_LEAVINGS;
}

/* Copies a sample as the session gets it; returns its size, 0: it does not get it. */
static size_t change_sample(const struct tape_view *view, const unsigned char *sample, size_t size, unsigned char *to)
{
	struct perf_event_header header;
	enum event_use use = use_of_sample(sample);
	bool chain = view->chains && use != USE_LEAVINGS;
	uint64_t number, period = tape_sample_word(sample + TAPE_SAMPLE_PERIOD);
	size_t cut;

	memcpy(&header, sample, sizeof(header));
	if (idmap_get(&view->by_id, tape_sample_word(sample + TAPE_SAMPLE_EVENT), &number)) {
		const struct opened_event *event = &view->events[number - 1];

		use = event->use;
		chain = event->chain;
		if (use == USE_SAMPLES)
			period = tape_sample_word(sample + TAPE_SAMPLE_TIME) < event->since ? event->before : event->period;
	}
	if (view->user && use == USE_SAMPLES &&
	    (header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL)
		return 0;
	cut = view->user && chain ? tape_sample_chain(sample, size) : 0;
	header.size = (uint16_t)(size - cut);
	memcpy(to, sample, TAPE_SAMPLE_HEAD);
	memcpy(to, &header, sizeof(header));
	memcpy(to + TAPE_SAMPLE_PERIOD, &period, sizeof(period));
	memcpy(to + TAPE_SAMPLE_HEAD, sample + TAPE_SAMPLE_HEAD + cut, size - TAPE_SAMPLE_HEAD - cut);
	return header.size;
}

/* Changes what the kernel has written into a ring. */
static void change_records(struct tape_view *view, struct tape_entry *entry)
{
	const unsigned char *from = entry->data, *end = from + entry->size;
	unsigned char *copy = xmalloc(entry->size + 1), *to = copy;
	struct perf_event_header header;

	while ((size_t)(end - from) >= sizeof(header)) {
		memcpy(&header, from, sizeof(header));
		if (header.size < sizeof(header) || header.size > (size_t)(end - from))
			break;
		if (header.type == PERF_RECORD_SAMPLE && header.size >= TAPE_SAMPLE_HEAD) {
			to += change_sample(view, from, header.size, to);
		} else {
			memcpy(to, from, header.size);
			to += header.size;
		}
		from += header.size;
	}
	GROW(view->copies, view->copy_count + 1, view->copy_alloc);
	view->copies[view->copy_count++] = copy;
	entry->data = copy;
	entry->size = (size_t)(to - copy);
}

bool tape_view_change(struct tape_view *view, struct tape_entry *entry)
{
	switch (entry->kind) {
	case TAPE_EVENT:
		return look_at_event(view, entry);
	case TAPE_CONTROL:
		look_at_control(view, entry);
		return true;
	case TAPE_CLOCK:
		look_at_clock(view, entry);
		return true;
	case TAPE_RING_HEAD:
		change_records(view, entry);
		return true;
	default:
		return true;
	}
}
