/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The value of a thread-specific key (pthread_getspecific) of another
 * process's thread, found as libthread_db finds it: glibc keeps a list of its
 * threads and says in symbols of its own where the fields are.
 */
#ifndef VIGIL_COLLECTORS_PERL_THREADS_H
#define VIGIL_COLLECTORS_PERL_THREADS_H

#include "collectors/pages.h"

struct perl_threads {
	uint64_t list; /* the head of the list of threads; 0: not known */
	uint32_t list_at, tid_at, specific_at, specific_count, value_at, value_size;
};

/* Find where glibc keeps its threads. */
void perl_threads_find(struct perl_threads *threads, struct pages *pages);
/* The value that thread tid (not the first of the process) has of a key; 0 when it has none. */
uint64_t perl_threads_value(const struct perl_threads *threads, struct pages *pages, pid_t tid,
			    uint32_t key);

#endif
