/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the whole session that its records do not say in so many words. */
#ifndef VIGIL_PROFILE_SESSION_FACTS_H
#define VIGIL_PROFILE_SESSION_FACTS_H

#include "profile/note-list.h"
#include "profile/profile.h"

/* With fewer CPU samples than this, shares of CPU time are not reliable. */
#define SESSION_FEW_SAMPLES 100

/* The step's CPU time in ns, by the best source there is. */
uint64_t session_facts_cpu_time(const struct profile *profile);
/* CPU samples of one kind (enum sample_kind). */
uint64_t session_facts_samples_of_kind(const struct profile *profile, uint64_t kind);
/* Whether the session ended in order and nothing of its data is missing. */
bool session_facts_is_complete(const struct profile *profile);
/* Append "CALC", of a procedure's step "REORG.LOAD"; nothing when it has no name. */
void session_facts_step(const struct profile *profile, struct strbuf *sb);
/* Add what makes the figures doubtful: damage, too few samples, accounts that do not tie. */
void session_facts_doubts(const struct profile *profile, struct note_list *notes);
/* Add what the session itself noted, data collectors with a problem, objects without names. */
void session_facts_notes(const struct profile *profile, struct note_list *notes);

#endif
