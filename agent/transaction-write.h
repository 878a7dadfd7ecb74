/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes into a transaction area (transaction-area.h): used by libvigil in the
 * step, and by the commands vigil start and vigil pause from outside. Safe in a
 * signal handler.
 */
#ifndef VIGIL_AGENT_TRANSACTION_WRITE_H
#define VIGIL_AGENT_TRANSACTION_WRITE_H

#include "agent/transaction-area.h"

#include <stdbool.h>
#include <stddef.h>

#define TRANSACTION_HIDDEN __attribute__((visibility("hidden")))

/* Maps the area at a path; returns NULL if there is none. It stays mapped. */
TRANSACTION_HIDDEN struct transaction_area *transaction_map(const char *path);
/* Writes the name of a thread's transaction: length bytes, fewer than TRANSACTION_AREA_NAME. */
TRANSACTION_HIDDEN void transaction_write(struct transaction_area *area, uint32_t pid, uint32_t tid,
					  const char *name, size_t length);
/*
 * Starts or pauses collecting on behalf of a thread; returns false if that is the
 * state already: then nothing changes.
 */
TRANSACTION_HIDDEN bool transaction_switch(struct transaction_area *area, bool start, uint32_t pid,
					   uint32_t tid);

#endif
