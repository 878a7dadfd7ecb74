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
/* The step's CPU time in ns, from the best source available. */
uint64_t session_facts_cpu_time(const struct profile *profile);
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
