/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the pages of a file, a pipe or "-", plain or compressed with gzip, sequentially. */
#ifndef VIGIL_METRICS_MONITOR_PAGE_STREAM_H
#define VIGIL_METRICS_MONITOR_PAGE_STREAM_H

#include "common/error.h"
#include "metrics/monitor/layout.h"

struct pages;

struct pages *pages_open(const char *path, struct error *err);
void pages_close(struct pages *pages);
/*
 * Reads the next page. Returns its bytes: fewer than MONITOR_PAGE at the end, 0
 * after it, -1 with err.
 */
int pages_read(struct pages *pages, unsigned char page[MONITOR_PAGE], struct error *err);

#endif
