/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics of a snapshot as OpenMetrics text 1.0, suitable for node_exporter's
 * textfile folder too: no time stamps, and only the types counter and gauge.
 *
 * 	# HELP vigil_cpu_user_seconds Time in user mode.
 * 	# TYPE vigil_cpu_user_seconds counter
 * 	# UNIT vigil_cpu_user_seconds seconds
 * 	vigil_cpu_user_seconds_total{number="0"} 12.34
 *
 * A name is vigil_, the record type, the item, and its unit in base units: times
 * in seconds, pages in bytes, percent as a ratio. A counter's samples end in
 * _total. The item that identifies a record is its label; texts and numbers that
 * only name something are labels of vigil_TYPE_info, whose value is 1. A missing
 * value has no sample.
 */
#ifndef VIGIL_METRICS_OPENMETRICS_H
#define VIGIL_METRICS_OPENMETRICS_H

#include "common/strmap.h"
#include "engine/snapshot.h"
#include "metrics/present.h"

#define OPENMETRICS_MEDIA_TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

/*
 * Appends the whole text of a snapshot; for records reported only on change, their
 * state in present.
 */
void openmetrics_add(struct strbuf *sb, const struct snapshot *snapshot,
		     const struct present_records *present, const struct strmap *strings);

#endif
