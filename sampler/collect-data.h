/* SPDX-License-Identifier: Apache-2.0 */
/* The internals of collect, shared by its files. Only collect*.c include this. */
#ifndef VIGIL_SAMPLER_COLLECT_DATA_H
#define VIGIL_SAMPLER_COLLECT_DATA_H

#include "sampler/collect.h"

/* Maximum number of messages of collectors that are kept for the profile. */
#define MESSAGES_MAX 8
/* Maximum number of texts kept of the SUBSYSTEM field. */
#define SUBSYSTEMS_MAX 8
/*
 * A collector that did not question the program for this many samples is assumed
 * not to: it is called later, for many at once.
 */
#define QUIET 100

/* The collectors that are called for a program, in order. */
struct choice {
	struct choice *next;
	char *program;
	bool first; /* it is the step's first program */
	size_t count;
	struct chosen {
		struct collector *collector;
		enum { CHOSEN_OPEN, CHOSEN_CALLED, CHOSEN_SKIPPED } state;
	} * members;
};

struct collect {
	struct collect_parts parts;
	uint64_t began;		  /* monotonic ns, beginning of the session */
	struct collector **items; /* indexed by id - 1 */
	size_t count, alloc;
	struct choice *choices;
	bool busy; /* there was a process with collectors at the last tick */
	struct subsystem {
		char text[CALL_NAME];
		uint64_t collector, generation; /* collector that reported it, and the process */
	} subsystems[SUBSYSTEMS_MAX]; /* in the order of their collectors, without duplicates */
	size_t subsystem_count;
	bool subsystems_more; /* there were more */
	bool subsystem_changed;
	struct message {
		char text[CALL_MESSAGE];
		const struct collector *from;
	} messages[MESSAGES_MAX];
	size_t message_count, messages_noted;
};

/* collect-choice.c */
/* Returns the collectors for a program; the configuration is asked once for each. */
struct choice *collect_need_choice(struct collect *collect, const char *program, bool first);
/* Returns the collectors for the step's first program as it was named; NULL: it was not. */
struct choice *collect_need_subject(struct collect *collect);
/*
 * Determines which collectors of a choice are called, as far as they are loaded,
 * and loads those that are needed; returns the number that may be called.
 */
size_t collect_decide(struct collect *collect, struct choice *choice);
void collect_free_choices(struct collect *collect);

/* collect-messages.c */
/* Processes the state of a collector; the message of a late answer is kept. */
void collect_look_at(struct collect *collect, struct collector *collector, uint64_t now);
/*
 * Waits for its answer to the current call, until a monotonic time, as
 * host_client_await; a late message is kept as well.
 */
void collect_await(struct collect *collect, struct collector *collector, uint64_t until);
/* Keeps the message of its answer for the profile, unless it is already there. */
void collect_keep_message(struct collect *collect, const struct collector *from);
/*
 * Takes the texts of its answer about a process of a generation, except the module
 * and the transaction.
 */
void collect_take_texts(struct collect *collect, const struct collector *collector,
			uint64_t generation);
/*
 * Appends the text of the SUBSYSTEM attribute if it has changed since the last
 * call: all texts, in the order of their collectors, those of one collector in the
 * order in which they came. Returns whether it has changed.
 */
bool collect_subsystem(struct collect *collect, struct strbuf *sb);
/* Returns the next text for a note; NULL: none. */
const char *collect_next_message(struct collect *collect, const struct collector **from);

#endif
