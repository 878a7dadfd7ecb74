/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rarely changing data: devices, controllers, parameters. All of them are reported
 * with the first snapshot. Then a part is examined with each, so that everything
 * has been examined again after METRIC_SCAN_SNAPSHOTS, and changes are reported.
 * An entry that is gone is reported once, as not present.
 *
 * The first item of such a type is its name, the second "present"; both are
 * computed. Types reported with each snapshot (metric_folder_read_all) have only
 * the name.
 *
 * In folders, an entry is a record and a small file of it an item. The key is the
 * file's path in the entry; after "@" it is a link, whose target's last component
 * is used. A path may have one "?" for any entry: "/sys/class/infiniband/?/ports"
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
		LEVEL("present", "flag", MADE, "Whether it is present: 1 yes, 0 removed.")

/* Private state of such a producer. */
struct metric_scan {
	struct metric_scan_entry {
		char *name; /* owned */
		unsigned file;
	} * entries;
	size_t count, alloc;
	size_t at;		   /* index of the next entry to examine */
	uint64_t snapshots, began; /* snapshots so far, and when the round began */
	uint64_t round;		   /* number of the present round, from 1 */
	struct idmap known; /* by name, as a string's number: index in values */
	struct metric_scan_state {
		uint64_t name, hash, round;
		bool present;
	} * values; /* owned */
	size_t value_count, value_alloc;
};

/* Adds an entry that is to be examined in this round. */
void metric_scan_add(struct metric_scan *scan, unsigned file, const char *name);
/*
 * Reports what has changed. list adds all entries; look takes the values of one,
 * except its name, and returns false when there are none.
 */
void metric_scan_read(struct metric_source *source, void (*list)(struct metric_source *source),
		      bool (*look)(struct metric_source *source,
				   const struct metric_scan_entry *entry));
void metric_scan_release(struct metric_source *source);

/*
 * Readers of producers whose files are folders: report what has changed, or
 * everything at each snapshot.
 */
void metric_folder_read(struct metric_source *source);
void metric_folder_read_all(struct metric_source *source);

#endif
