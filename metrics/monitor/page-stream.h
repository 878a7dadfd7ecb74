/* SPDX-License-Identifier: Apache-2.0 */
/* The pages of a file, a pipe or "-", as they are or compressed with gzip, one after the other. */
#ifndef VIGIL_METRICS_MONITOR_PAGE_STREAM_H
#define VIGIL_METRICS_MONITOR_PAGE_STREAM_H

#include "common/error.h"
#include "metrics/monitor/layout.h"

struct pages;

struct pages *pages_open(const char *path, struct error *err);
void pages_close(struct pages *pages);
/* Bytes of the next page: fewer than MONITOR_PAGE at the end, 0 behind it; -1 with err. */
int pages_read(struct pages *pages, unsigned char page[MONITOR_PAGE], struct error *err);

#endif
