/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What hardly ever changes: devices, controllers, parameters. All of it is
 * told with the first snapshot; then a part of it is looked at with each, so
 * that everything has been seen again after METRIC_SCAN_SNAPSHOTS, and what
 * has changed is told. What is gone is told once, as not present.
 *
 * The first item of such a type is its name, the second "present", both made.
 * Of what is told with each snapshot (metric_folder_read_all) only the name is.
 *
 * In folders, an entry is a record and an item a small file of it: the key is
 * the file's path in the entry; behind "@" it is a link, of whose target the
 * last part is taken. A path may have one "?" for any entry: "/sys/class/infiniband/?/ports"
 * has entries like "mlx5_0/1".
 */
#ifndef VIGIL_METRICS_METRIC_SCAN_H
#define VIGIL_METRICS_METRIC_SCAN_H

#include "common/idmap.h"
#include "metrics/metric.h"

#define METRIC_SCAN_SNAPSHOTS 60
enum { METRIC_SCAN_NAME, METRIC_SCAN_PRESENT, METRIC_SCAN_ITEMS };
#define METRIC_SCAN_HEAD(what) \
	TEXT_IDENTITY("name", "name", MADE, what), \
		LEVEL("present", "flag", MADE, "Whether it is there: 1, 0 it is gone.")

/* The own part of such a producer. */
struct metric_scan {
	struct metric_scan_entry {
		char *name; /* owned */
		unsigned file;
	} * entries;
	size_t count, alloc;
	size_t at;		   /* the next to look at */
	uint64_t snapshots, began; /* so far; when the round began */
	uint64_t round;		   /* of looking at all, from 1 */
	struct idmap known; /* by name, as a string's number: its value in the values below */
	struct metric_scan_known {
		uint64_t name, hash, round;
		bool present;
	} * values; /* owned */
	size_t value_count, value_alloc;
};

/* Adds an entry that is to be looked at in this round. */
void metric_scan_add(struct metric_scan *scan, unsigned file, const char *name);
/*
 * Tells what has changed. list adds all entries; look takes the values of one, but
 * for its name, and is false when there is nothing of it.
 */
void metric_scan_read(struct metric_source *source, void (*list)(struct metric_source *source),
		      bool (*look)(struct metric_source *source,
				   const struct metric_scan_entry *entry));
void metric_scan_release(struct metric_source *source);

/* The readers of producers whose files are folders: what has changed, or all at each snapshot. */
void metric_folder_read(struct metric_source *source);
void metric_folder_read_all(struct metric_source *source);

#endif
