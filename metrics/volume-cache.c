/* SPDX-License-Identifier: Apache-2.0 */
/* XVC: caches of volumes: bcache and ZFS. */
#include "common/compat.h"
#include "metrics/kinds.h"
#include "metrics/metric-scan.h"

static const struct metric_file files[] = {
	{ "/sys/fs/bcache/?", METRIC_OTHER },
	{ "/proc/spl/kstat/zfs/arcstats", METRIC_KEYS },
};

enum { ARC = 2 };

static const struct metric_item items[] = {
	TEXT_IDENTITY("name", "name", MADE,
		      "The cached device of bcache with its set before it, or zfs."),
	COUNTER("hits", "count", KEY(1, "stats_total/cache_hits"),
		"Requests that the cache answered (bcache)."),
	COUNTER("misses", "count", KEY(1, "stats_total/cache_misses"),
		"Requests that it could not answer (bcache)."),
	COUNTER("bypass_hits", "count", KEY(1, "stats_total/cache_bypass_hits"),
		"Requests that went past the cache although it had them (bcache)."),
	COUNTER("bypass_misses", "count", KEY(1, "stats_total/cache_bypass_misses"),
		"Requests that went past the cache, which did not have them (bcache)."),
	COUNTER("collisions", "count", KEY(1, "stats_total/cache_miss_collisions"),
		"Misses during which the data changed (bcache)."),
	TEXT_LEVEL("state", "name", KEY(1, "state"), "State of the cached device (bcache)."),
	TEXT_LEVEL("mode", "name", KEY(1, "cache_mode"),
		   "The modes there are, the one in use in brackets (bcache)."),
	COUNTER("arc_hits", "count", KEY_COLUMN(2, "hits", 2, 0),
		"Reads that the cache answered (ZFS)."),
	COUNTER("arc_misses", "count", KEY_COLUMN(2, "misses", 2, 0),
		"Reads that it could not answer (ZFS)."),
	COUNTER("arc_demand_data_hits", "count", KEY_COLUMN(2, "demand_data_hits", 2, 0),
		"Reads of data by programs that the cache answered (ZFS)."),
	COUNTER("arc_demand_data_misses", "count", KEY_COLUMN(2, "demand_data_misses", 2, 0),
		"Reads of data by programs that it could not answer (ZFS)."),
	COUNTER("arc_demand_metadata_hits", "count", KEY_COLUMN(2, "demand_metadata_hits", 2, 0),
		"Reads of metadata that the cache answered (ZFS)."),
	COUNTER("arc_demand_metadata_misses", "count",
		KEY_COLUMN(2, "demand_metadata_misses", 2, 0),
		"Reads of metadata that it could not answer (ZFS)."),
	COUNTER("arc_prefetch_hits", "count", KEY_COLUMN(2, "prefetch_data_hits", 2, 0),
		"Reads ahead that the cache answered (ZFS)."),
	COUNTER("arc_prefetch_misses", "count", KEY_COLUMN(2, "prefetch_data_misses", 2, 0),
		"Reads ahead that it could not answer (ZFS)."),
	COUNTER("arc_recent_hits", "count", KEY_COLUMN(2, "mru_hits", 2, 0),
		"Reads answered because they were recent (ZFS)."),
	COUNTER("arc_frequent_hits", "count", KEY_COLUMN(2, "mfu_hits", 2, 0),
		"Reads answered because they are frequent (ZFS)."),
	COUNTER("arc_recent_ghosts", "count", KEY_COLUMN(2, "mru_ghost_hits", 2, 0),
		"Reads of what was recent and had been given up (ZFS)."),
	COUNTER("arc_frequent_ghosts", "count", KEY_COLUMN(2, "mfu_ghost_hits", 2, 0),
		"Reads of what was frequent and had been given up (ZFS)."),
	COUNTER("arc_deleted", "count", KEY_COLUMN(2, "deleted", 2, 0), "Buffers given up (ZFS)."),
	COUNTER("arc_throttles", "count", KEY_COLUMN(2, "memory_throttle_count", 2, 0),
		"How often writes waited because memory was short (ZFS)."),
	COUNTER("arc_second_hits", "count", KEY_COLUMN(2, "l2_hits", 2, 0),
		"Reads that the cache on disks answered (ZFS)."),
	COUNTER("arc_second_misses", "count", KEY_COLUMN(2, "l2_misses", 2, 0),
		"Reads that the cache on disks could not answer (ZFS)."),
	LEVEL("arc_size", "bytes", KEY_COLUMN(2, "size", 2, 0),
	      "Memory that the cache takes (ZFS)."),
	LEVEL("arc_target", "bytes", KEY_COLUMN(2, "c", 2, 0), "Memory that it aims at (ZFS)."),
	LEVEL("arc_min", "bytes", KEY_COLUMN(2, "c_min", 2, 0),
	      "Memory that it always may have (ZFS)."),
	LEVEL("arc_max", "bytes", KEY_COLUMN(2, "c_max", 2, 0),
	      "Memory that it may have at most (ZFS)."),
	LEVEL("arc_data", "bytes", KEY_COLUMN(2, "data_size", 2, 0), "What of it is data (ZFS)."),
	LEVEL("arc_metadata", "bytes", KEY_COLUMN(2, "metadata_size", 2, 0),
	      "What of it is metadata (ZFS)."),
	LEVEL("arc_second_size", "bytes", KEY_COLUMN(2, "l2_size", 2, 0),
	      "Data in the cache on disks (ZFS)."),
};

/* Makes a record for each device served by bcache, and one for ZFS. */
static void read_all(struct metric_source *source)
{
	metric_folder_read_all(source);
	metric_begin(source);
	if (!metric_read(source, ARC) || !metric_any(&source->texts[ARC - 1].plan, source->values))
		return;
	metric_string(source, METRIC_SCAN_NAME, "zfs");
	metric_add(source);
}

const struct metric_kind volume_cache_kind = {
	.name = "XVC",
	.record = "xvc",
	.summary = "caches of volumes: bcache, ZFS",
	.meaning = "A cache of a volume.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.absent = "there is neither bcache nor ZFS",
	.private_size = sizeof(struct metric_scan),
	.read = read_all,
	.release = metric_scan_release,
};
