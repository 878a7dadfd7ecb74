/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for locks, with their holders: part of Attribution of CPU Wait Time. */
#ifndef VIGIL_REPORTS_WAIT_HOLDERS_H
#define VIGIL_REPORTS_WAIT_HOLDERS_H

#include "reports/report-class.h"

/*
 * Adds the table of all waits for locks, by waiter and holder; nothing if there
 * are no such waits.
 */
void wait_holders_put(struct context *context, struct document *document);

#endif
