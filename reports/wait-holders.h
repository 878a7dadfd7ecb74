/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for locks, with who held them: part of Attribution of CPU Wait Time. */
#ifndef VIGIL_REPORTS_WAIT_HOLDERS_H
#define VIGIL_REPORTS_WAIT_HOLDERS_H

#include "reports/report-class.h"

/* The table of all waits for locks, by who waited and who held the lock; none where there are no
 * such waits. */
void wait_holders_put(struct context *context, struct document *document);

#endif
