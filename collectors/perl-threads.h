/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the value of a thread-specific key (pthread_getspecific) of another
 * process's thread, found as libthread_db does: glibc keeps a list of its threads
 * and describes the offsets of the fields in symbols.
 */
#ifndef VIGIL_COLLECTORS_PERL_THREADS_H
#define VIGIL_COLLECTORS_PERL_THREADS_H

#include "collectors/pages.h"

struct perl_threads {
	uint64_t list; /* head of the list of threads; 0: unknown */
	uint32_t list_at, tid_at, specific_at, specific_count, value_at, value_size;
};

/* Finds glibc's list of threads. */
void perl_threads_find(struct perl_threads *threads, struct pages *pages);
/* Returns the value of a key for thread tid (not the first of the process); 0 if there is none. */
uint64_t perl_threads_value(const struct perl_threads *threads, struct pages *pages, pid_t tid,
			    uint32_t key);

#endif
