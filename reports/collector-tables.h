/* SPDX-License-Identifier: Apache-2.0 */
/* The data collectors of a session, for its Measurement Session Data. */
#ifndef VIGIL_REPORTS_COLLECTOR_TABLES_H
#define VIGIL_REPORTS_COLLECTOR_TABLES_H

#include "reports/report-class.h"

/*
 * Adds tables of the collectors, where each came from and what it did; nothing if
 * there are none.
 */
void collector_tables(struct context *context, struct document *document);

#endif
