/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing into a transaction area (transaction-area.h): what libvigil does in
 * the step, and the commands vigil start and vigil pause from beside it. Safe
 * in a signal handler.
 */
#ifndef VIGIL_AGENT_TRANSACTION_WRITE_H
#define VIGIL_AGENT_TRANSACTION_WRITE_H

#include "agent/transaction-area.h"

#include <stdbool.h>
#include <stddef.h>

#define TRANSACTION_HIDDEN __attribute__((visibility("hidden")))

/* Map the area at a path; NULL when there is none. It stays mapped. */
TRANSACTION_HIDDEN struct transaction_area *transaction_map(const char *path);
/* Write the name of a thread's transaction: length bytes, fewer than TRANSACTION_AREA_NAME. */
TRANSACTION_HIDDEN void transaction_write(struct transaction_area *area, uint32_t pid, uint32_t tid,
					  const char *name, size_t length);
/* Start or pause collecting, by a thread; false when it was so already, which changes nothing. */
TRANSACTION_HIDDEN bool transaction_switch(struct transaction_area *area, bool start, uint32_t pid,
					   uint32_t tid);

#endif
