/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of collect: what its files share. Only collect*.c include this. */
#ifndef VIGIL_SAMPLER_COLLECT_DATA_H
#define VIGIL_SAMPLER_COLLECT_DATA_H

#include "sampler/collect.h"

/* Messages of collectors that are kept for the profile. */
#define MESSAGES_MAX 8
/* Texts of the SUBSYSTEM field that are kept. */
#define SUBSYSTEMS_MAX 8
/* A collector that asked the program nothing for so many samples will not: it is called later, for
   many at a time. */
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
	uint64_t began;		  /* of the session, monotonic ns */
	struct collector **items; /* by id - 1 */
	size_t count, alloc;
	struct choice *choices;
	bool busy; /* a process with collectors was there at the last look */
	struct subsystem {
		char text[CALL_NAME];
		uint64_t collector, generation; /* who said it, of which process */
	} subsystems[SUBSYSTEMS_MAX]; /* in the order of their collectors, no text twice */
	size_t subsystem_count;
	bool subsystems_more; /* there were more */
	bool subsystem_changed;
	struct message {
		char text[CALL_MESSAGE];
		const struct collector *from;
	} messages[MESSAGES_MAX];
	size_t message_count, messages_told;
};

/* collect-choice.c */
/* The collectors for a program; the configuration is asked once for each. */
struct choice *collect_need_choice(struct collect *collect, const char *program, bool first);
/* The collectors for the step's first program as it was named; NULL when it was not. */
struct choice *collect_need_subject(struct collect *collect);
/* See which collectors of a choice are called, as far as they are loaded, and load those that are
   needed; how many may be called. */
size_t collect_decide(struct collect *collect, struct choice *choice);
void collect_free_choices(struct collect *collect);

/* collect-messages.c */
/* See what has become of a collector; the message of a late answer is kept. */
void collect_look_at(struct collect *collect, struct collector *collector, uint64_t now);
/* Wait for its answer to the call that it is at, until a monotonic time: host_client_await. What it says late is kept as well. */
void collect_await(struct collect *collect, struct collector *collector, uint64_t until);
/* Keep the message of its answer for the profile, unless it is there already. */
void collect_keep_message(struct collect *collect, const struct collector *from);
/* What its answer about a process of a generation tells beside the module and the transaction. */
void collect_take_texts(struct collect *collect, const struct collector *collector,
			uint64_t generation);
/* Append the text of the SUBSYSTEM attribute when it has changed since the last call: all that were
   said, in the order of their collectors, those of one in the order in which they came. Whether it
   has. */
bool collect_subsystem(struct collect *collect, struct strbuf *sb);
/* Text for a note that was not told yet, or NULL. */
const char *collect_next_message(struct collect *collect, const struct collector **from);

#endif
