/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts entries, with several threads when there are many. */
#include "common/compat.h"
#include "utilities/sort/order.h"

#include <pthread.h>

#define WORD 8
#define INSERTION 12	     /* up to this count: insertion sort */
#define MIN_THREAD_ENTRIES 32768 /* with fewer entries no thread is started */
#define MAX_THREADS 16

static void insertion_sort(struct sort_entry *entries, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct sort_entry one = entries[i];
		size_t at = i;

		for (; at > 0 && entries[at - 1].word > one.word; at--)
			entries[at] = entries[at - 1];
		entries[at] = one;
	}
}

/* Merges two sorted halves of from; among equals, entries of the left one come first. */
static void merge_halves(const struct sort_entry *from, size_t middle, size_t count,
			 struct sort_entry *to)
{
	const struct sort_entry *left = from, *right = from + middle;
	const struct sort_entry *left_end = right, *right_end = from + count;

	if (left_end[-1].word <= right->word) {
		memcpy(to, from, count * sizeof(*to));
		return;
	}
	while (left < left_end && right < right_end) {
		bool take_right = right->word < left->word;
		const struct sort_entry *next = take_right ? right : left;

		*to++ = *next;
		right += take_right;
		left += !take_right;
	}
	memcpy(to, left, (size_t)(left_end - left) * sizeof(*to));
	to += left_end - left;
	memcpy(to, right, (size_t)(right_end - right) * sizeof(*to));
}

/* A range of entries and what to do with it: the job of one thread. */
struct stretch {
	struct sort_entry *entries, *other;
	size_t count;
	bool into_other;
	unsigned threads;
	const struct sort_keys *keys;
	size_t depth;
	size_t largest; /* larger groups are left to the caller */
};

typedef void (*range_job)(struct stretch *stretch);

struct thread {
	pthread_t id;
	bool started;
	range_job job;
	struct stretch stretch;
};

static void *run_thread(void *argument)
{
	struct thread *thread = argument;

	thread->job(&thread->stretch);
	return NULL;
}

/* Starts a job in another thread; if no thread can be created, runs it at once. */
static void thread_begin(struct thread *thread, range_job job, const struct stretch *stretch)
{
	*thread = (struct thread){ .job = job, .stretch = *stretch };
	thread->started = pthread_create(&thread->id, NULL, run_thread, thread) == 0;
	if (!thread->started)
		job(&thread->stretch);
}

static void thread_end(struct thread *thread)
{
	if (thread->started)
		pthread_join(thread->id, NULL);
}

/* Sorts by words; the result is in entries, or in other if into_other. */
static void sort_words(struct stretch *all)
{
	struct stretch left = *all, right = *all;
	size_t middle = all->count / 2;

	if (all->count <= INSERTION) {
		insertion_sort(all->entries, all->count);
		if (all->into_other)
			memcpy(all->other, all->entries, all->count * sizeof(*all->entries));
		return;
	}
	left.count = middle;
	left.into_other = right.into_other = !all->into_other;
	right.entries += middle;
	right.other += middle;
	right.count -= middle;
	left.threads = all->threads / 2;
	right.threads = all->threads - left.threads;
	if (all->threads > 1 && all->count >= MIN_THREAD_ENTRIES) {
		struct thread thread;

		thread_begin(&thread, sort_words, &left);
		sort_words(&right);
		thread_end(&thread);
	} else {
		sort_words(&left);
		sort_words(&right);
	}
	if (all->into_other)
		merge_halves(all->entries, middle, all->count, all->other);
	else
		merge_halves(all->other, middle, all->count, all->entries);
}

static void load_words(struct stretch *stretch)
{
	for (size_t i = 0; i < stretch->count; i++) {
		struct sort_record record = sort_entry_record(&stretch->entries[i]);

		stretch->entries[i].word = sort_keys_word(stretch->keys, &record, stretch->depth);
	}
}

/* Returns the end of the group of equal words that begins at start. */
static size_t group_end(const struct stretch *stretch, size_t start)
{
	size_t end = start + 1;

	while (end < stretch->count && stretch->entries[end].word == stretch->entries[start].word)
		end++;
	return end;
}

/* Sorts each group of equal words by the rest of the key; skips groups that are too large. */
static void refine(struct stretch *all)
{
	size_t end;

	for (size_t start = 0; start < all->count; start = end) {
		struct stretch group = *all;

		end = group_end(all, start);
		group.entries += start;
		group.other += start;
		group.count = end - start;
		group.depth += WORD;
		group.largest = SIZE_MAX;
		group.threads = 1;
		if (group.count < 2 || group.count > all->largest ||
		    group.depth >= all->keys->length)
			continue;
		load_words(&group);
		sort_words(&group);
		refine(&group);
	}
}

/*
 * Splits a range into parts for the threads, with groups only between groups, and
 * runs the job on each part.
 */
static void run_on_parts(const struct stretch *all, range_job job, bool groups)
{
	struct thread threads[MAX_THREADS];
	size_t start = 0, begun = 0;
	unsigned count = all->count < MIN_THREAD_ENTRIES ? 1 : all->threads;

	for (unsigned i = 1; i <= count && start < all->count; i++) {
		struct stretch part = *all;
		size_t end = i == count ? all->count : all->count / count * i;

		if (end <= start)
			continue;
		if (groups && end < all->count)
			end = end - 1 +
			      group_end(&(struct stretch){ .entries = all->entries + end - 1,
							   .count = all->count - end + 1 },
					0);
		part.entries += start;
		part.other += start;
		part.count = end - start;
		if (end < all->count)
			thread_begin(&threads[begun++], job, &part);
		else
			job(&part);
		start = end;
	}
	while (begun > 0)
		thread_end(&threads[--begun]);
}

/* Sorts a range, whose words are loaded, by them and by the rest of the key. */
static void sort_range(struct stretch *all)
{
	size_t end;

	sort_words(all);
	if (all->depth + WORD >= all->keys->length)
		return;
	all->largest = all->threads > 1 && all->count >= MIN_THREAD_ENTRIES
			       ? all->count / all->threads / 2
			       : SIZE_MAX;
	run_on_parts(all, refine, true);
	for (size_t start = 0; all->largest < SIZE_MAX && start < all->count; start = end) {
		struct stretch group = *all;

		end = group_end(all, start);
		if (end - start <= all->largest)
			continue;
		group.entries += start;
		group.other += start;
		group.count = end - start;
		group.depth += WORD;
		run_on_parts(&group, load_words, false);
		sort_range(&group);
	}
}

void sort_order(struct sort_entry *entries, struct sort_entry *scratch, size_t count,
		const struct sort_keys *keys, unsigned threads)
{
	struct stretch all = { .entries = entries,
			       .other = scratch,
			       .count = count,
			       .threads = threads > MAX_THREADS ? MAX_THREADS : threads,
			       .keys = keys };

	if (count > 1)
		sort_range(&all);
}
