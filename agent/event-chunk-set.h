/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A set of chunks of the data pool, in shared memory: one says which chunks are
 * free, another which have been claimed since the monitor looked. So neither side
 * goes through all chunks to find one.
 *
 * There is a bit for each chunk, and for each word of these a bit in the summary,
 * which is set if the word may have any. A set is a hint: what counts is a chunk's
 * owner. A thread that is killed after it claimed a chunk and before it said so
 * leaves a bit out; the monitor looks through all chunks now and then, and sets
 * what is missing. Adding and taking need no lock, and may happen side by side.
 */
#ifndef VIGIL_AGENT_EVENT_CHUNK_SET_H
#define VIGIL_AGENT_EVENT_CHUNK_SET_H

#include <stdint.h>

/* Number of words with a bit for each of count chunks, and of all words of their set. */
#define EVENT_CHUNK_WORDS(count) (((uint64_t)(count) + 63) / 64)
#define EVENT_CHUNK_SET_WORDS(count) (EVENT_CHUNK_WORDS(count) + EVENT_CHUNK_WORDS(EVENT_CHUNK_WORDS(count)))

struct event_chunk_set {
	uint64_t *words;   /* chunk / 64 */
	uint64_t *summary; /* chunk / 4096 */
	uint64_t count;	   /* of chunks */
};

/* Returns the set of count chunks whose EVENT_CHUNK_SET_WORDS words are at words. */
static inline struct event_chunk_set event_chunk_set_at(uint64_t *words, uint64_t count)
{
	return (struct event_chunk_set){ .words = words, .summary = words + EVENT_CHUNK_WORDS(count), .count = count };
}

/* Adds a chunk. The summary follows the word: whoever takes a summary's bit finds the word. */
static inline void event_chunk_set_add(const struct event_chunk_set *set, uint64_t chunk)
{
	__atomic_fetch_or(&set->words[chunk / 64], UINT64_C(1) << chunk % 64, __ATOMIC_ACQ_REL);
	__atomic_fetch_or(&set->summary[chunk / 4096], UINT64_C(1) << chunk / 64 % 64, __ATOMIC_ACQ_REL);
}

/* Returns whether a chunk is in the set, and can be found. */
static inline int event_chunk_set_has(const struct event_chunk_set *set, uint64_t chunk)
{
	return __atomic_load_n(&set->words[chunk / 64], __ATOMIC_RELAXED) >> chunk % 64 & 1 &&
	       __atomic_load_n(&set->summary[chunk / 4096], __ATOMIC_RELAXED) >> chunk / 64 % 64 & 1;
}

/* Takes the lowest chunk of a word out of the set; returns false if it has none. */
static inline int event_chunk_set_take_of(const struct event_chunk_set *set, uint64_t word, uint64_t *chunk)
{
	uint64_t bits, lowest;

	while ((bits = __atomic_load_n(&set->words[word], __ATOMIC_ACQUIRE))) {
		lowest = bits & -bits;
		if (!(__atomic_fetch_and(&set->words[word], ~lowest, __ATOMIC_ACQ_REL) & lowest))
			continue; /* another thread was faster */
		*chunk = word * 64 + (uint64_t)__builtin_ctzll(lowest);
		return *chunk < set->count;
	}
	return 0;
}

/* Takes the lowest chunk out of the set; returns false if there is none. */
static inline int event_chunk_set_take(const struct event_chunk_set *set, uint64_t *chunk)
{
	uint64_t words = EVENT_CHUNK_WORDS(set->count), bits, lowest;

	for (uint64_t i = 0; i < EVENT_CHUNK_WORDS(words); i++)
		while ((bits = __atomic_load_n(&set->summary[i], __ATOMIC_ACQUIRE))) {
			uint64_t word = i * 64 + (uint64_t)__builtin_ctzll(bits);

			if (word < words && event_chunk_set_take_of(set, word, chunk))
				return 1;
			lowest = bits & -bits;
			__atomic_fetch_and(&set->summary[i], ~lowest, __ATOMIC_ACQ_REL);
			/* One that was added meanwhile must not be hidden. */
			if (word < words && __atomic_load_n(&set->words[word], __ATOMIC_ACQUIRE))
				__atomic_fetch_or(&set->summary[i], lowest, __ATOMIC_ACQ_REL);
		}
	return 0;
}

/*
 * Takes all chunks of the next word that has any, at or after *word, out of the set;
 * returns the word's bits, and 0 at the end. *word: 0 at first; then the word that
 * follows. What is added meanwhile behind it is for the next time.
 */
static inline uint64_t event_chunk_set_take_word(const struct event_chunk_set *set, uint64_t *word)
{
	uint64_t words = EVENT_CHUNK_WORDS(set->count), bits;

	while (*word < words) {
		uint64_t summary = __atomic_load_n(&set->summary[*word / 64], __ATOMIC_ACQUIRE) >> *word % 64;

		if (!summary) {
			*word = (*word / 64 + 1) * 64;
			continue;
		}
		*word += (uint64_t)__builtin_ctzll(summary);
		if (*word >= words)
			break;
		__atomic_fetch_and(&set->summary[*word / 64], ~(UINT64_C(1) << *word % 64), __ATOMIC_ACQ_REL);
		bits = __atomic_exchange_n(&set->words[(*word)++], 0, __ATOMIC_ACQ_REL);
		if (bits)
			return bits;
	}
	return 0;
}

#endif
