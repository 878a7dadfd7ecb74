/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the whole session, computed from its records. */
#ifndef VIGIL_PROFILE_SESSION_FACTS_H
#define VIGIL_PROFILE_SESSION_FACTS_H

#include "profile/note-list.h"
#include "profile/profile.h"

/* With fewer CPU samples, shares of CPU time are not reliable. */
#define SESSION_FEW_SAMPLES 100

/*
 * Returns whether the session was meant to take samples; one with only a PROFILER
 * block has events only.
 */
bool session_facts_is_sampled(const struct profile *profile);
/*
 * Return whether the session was made from another program's recording, which has
 * less data; and whether it has data on when tasks waited and executed alone, and
 * on memory and page faults.
 */
bool session_facts_is_imported(const struct profile *profile);
bool session_facts_has_waits(const struct profile *profile);
bool session_facts_has_memory(const struct profile *profile);
/* Returns the step's CPU time in ns, from the best source available. */
uint64_t session_facts_cpu_time(const struct profile *profile);
/*
 * Returns the ns of CPU time that this many samples of the reports stand for,
 * scaled so that all samples together never exceed what the step used.
 */
uint64_t session_facts_sampled(const struct profile *profile, uint64_t samples);
/* The same for frequent use: the scale of samples to time is computed once. */
struct sample_scale {
	double period, part; /* ns per sample, and the fraction of them that the step used */
};
struct sample_scale session_facts_scale(const struct profile *profile);
uint64_t sample_scale_time(const struct sample_scale *scale, uint64_t samples);
/*
 * Computes the CPU time that the system counted for the step but that the reports
 * lack, ns; returns false if unknown.
 */
bool session_facts_missing(const struct profile *profile, uint64_t *time);
/*
 * Computes the ns of CPU time that the system counted outside all intervals of
 * switch records: the switches themselves, the ends of tasks, and what lost
 * records would have covered; returns false as above.
 */
bool session_facts_beyond_switches(const struct profile *profile, uint64_t *time);
/*
 * Returns the length of the run, ns. *observed: the part of it with data, less
 * than the whole if a program could not be observed; shares of the run are shares
 * of this part.
 */
uint64_t session_facts_elapsed(const struct profile *profile, uint64_t *observed);
/*
 * Return the number of samples taken, and of those that were processed, as the
 * session counted them. Counters are written only from time to time, so for a
 * session that was aborted they return at least the number of samples in its file.
 */
uint64_t session_facts_taken(const struct profile *profile);
uint64_t session_facts_processed(const struct profile *profile);
/* Returns the CPU samples of one kind (enum sample_kind). */
uint64_t session_facts_samples_of_kind(const struct profile *profile, uint64_t kind);
/* Returns whether the session ended normally and none of its data is missing. */
bool session_facts_is_complete(const struct profile *profile);
/* Appends "CALC", or "REORG.LOAD" for a step of a procedure; nothing if the step has no name. */
void session_facts_step(const struct profile *profile, struct strbuf *sb);
/* Adds notes on what makes figures unreliable: damage, few samples, accounts that disagree. */
void session_facts_doubts(const struct profile *profile, struct note_list *notes);
/* Adds the session's notes, on data collectors with a problem and on missing names. */
void session_facts_notes(const struct profile *profile, struct note_list *notes);

#endif
