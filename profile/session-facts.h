/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the whole session that are worked out from its records. */
#ifndef VIGIL_PROFILE_SESSION_FACTS_H
#define VIGIL_PROFILE_SESSION_FACTS_H

#include "profile/note-list.h"
#include "profile/profile.h"

/* With fewer CPU samples than this, shares of CPU time are not reliable. */
#define SESSION_FEW_SAMPLES 100

/* Whether the session was to take samples; one with a PROFILER block alone has events only. */
bool session_facts_is_sampled(const struct profile *profile);
/* Whether it was made of a recording of another program, which tells less; and whether it is told
   when tasks waited and when they executed alone, and how much memory there was and how many page
   faults. */
bool session_facts_is_imported(const struct profile *profile);
bool session_facts_knows_waits(const struct profile *profile);
bool session_facts_knows_memory(const struct profile *profile);
/* The step's CPU time in ns, from the best source available. */
uint64_t session_facts_cpu_time(const struct profile *profile);
/* ns of CPU time that so many samples of the reports stand for: all of them together never for more
 * than the step used. */
uint64_t session_facts_sampled(const struct profile *profile, uint64_t samples);
/* The same for who asks it often: how samples become time, once, and the time. */
struct sample_scale {
	double period, part; /* ns a sample, and the part of them that the step used */
};
struct sample_scale session_facts_scale(const struct profile *profile);
uint64_t sample_scale_time(const struct sample_scale *scale, uint64_t samples);
/* CPU time that the system counted for the step and of which the reports have nothing, ns; false
   when that is not known. */
bool session_facts_missing(const struct profile *profile, uint64_t *time);
/* ns of CPU time that the system counted and that lie in no interval of switch records: what
   switches took, the ends of tasks, and what records that were lost would have told; false as
   above. */
bool session_facts_beyond_switches(const struct profile *profile, uint64_t *time);
/*
 * How long the run was, ns. *observed: the part of it of which anything is known, less than
 * the whole where a program could not be observed; shares of the run are shares of that.
 */
uint64_t session_facts_elapsed(const struct profile *profile, uint64_t *observed);
/*
 * Samples taken, and those of them that were processed: as the session counted
 * them. Counters are written from time to time only, so in a session that was
 * cut off there are never less than the samples that are in its file.
 */
uint64_t session_facts_taken(const struct profile *profile);
uint64_t session_facts_processed(const struct profile *profile);
/* CPU samples of one kind (enum sample_kind). */
uint64_t session_facts_samples_of_kind(const struct profile *profile, uint64_t kind);
/* Whether the session ended in order and nothing of its data is missing. */
bool session_facts_is_complete(const struct profile *profile);
/* Append "CALC", of a procedure's step "REORG.LOAD"; nothing when it has no name. */
void session_facts_step(const struct profile *profile, struct strbuf *sb);
/* Add notes on what makes figures unreliable: damage, few samples, accounts that disagree. */
void session_facts_doubts(const struct profile *profile, struct note_list *notes);
/* Add notes of the session itself, on data collectors with a problem, on missing names. */
void session_facts_notes(const struct profile *profile, struct note_list *notes);

#endif
