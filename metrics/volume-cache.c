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
		      "The cached device of bcache, preceded by its cache set; or zfs."),
	COUNTER("hits", "count", KEY(1, "stats_total/cache_hits"),
		"Requests that were cache hits (bcache)."),
	COUNTER("misses", "count", KEY(1, "stats_total/cache_misses"),
		"Requests that were cache misses (bcache)."),
	COUNTER("bypass_hits", "count", KEY(1, "stats_total/cache_bypass_hits"),
		"Requests that bypassed the cache and would have been hits (bcache)."),
	COUNTER("bypass_misses", "count", KEY(1, "stats_total/cache_bypass_misses"),
		"Requests that bypassed the cache and would have been misses (bcache)."),
	COUNTER("collisions", "count", KEY(1, "stats_total/cache_miss_collisions"),
		"Misses during which the data changed (bcache)."),
	TEXT_LEVEL("state", "name", KEY(1, "state"), "State of the cached device (bcache)."),
	TEXT_LEVEL("mode", "name", KEY(1, "cache_mode"),
		   "The available cache modes, the one in use in brackets (bcache)."),
	COUNTER("arc_hits", "count", KEY_COLUMN(2, "hits", 2, 0),
		"Reads that were cache hits (ZFS)."),
	COUNTER("arc_misses", "count", KEY_COLUMN(2, "misses", 2, 0),
		"Reads that were cache misses (ZFS)."),
	COUNTER("arc_demand_data_hits", "count", KEY_COLUMN(2, "demand_data_hits", 2, 0),
		"Reads of data by programs that were cache hits (ZFS)."),
	COUNTER("arc_demand_data_misses", "count", KEY_COLUMN(2, "demand_data_misses", 2, 0),
		"Reads of data by programs that were cache misses (ZFS)."),
	COUNTER("arc_demand_metadata_hits", "count", KEY_COLUMN(2, "demand_metadata_hits", 2, 0),
		"Reads of metadata that were cache hits (ZFS)."),
	COUNTER("arc_demand_metadata_misses", "count",
		KEY_COLUMN(2, "demand_metadata_misses", 2, 0),
		"Reads of metadata that were cache misses (ZFS)."),
	COUNTER("arc_prefetch_hits", "count", KEY_COLUMN(2, "prefetch_data_hits", 2, 0),
		"Read-ahead (prefetch) that was a cache hit (ZFS)."),
	COUNTER("arc_prefetch_misses", "count", KEY_COLUMN(2, "prefetch_data_misses", 2, 0),
		"Read-ahead (prefetch) that was a cache miss (ZFS)."),
	COUNTER("arc_recent_hits", "count", KEY_COLUMN(2, "mru_hits", 2, 0),
		"Cache hits of recently used data, MRU (ZFS)."),
	COUNTER("arc_frequent_hits", "count", KEY_COLUMN(2, "mfu_hits", 2, 0),
		"Cache hits of frequently used data, MFU (ZFS)."),
	COUNTER("arc_recent_ghosts", "count", KEY_COLUMN(2, "mru_ghost_hits", 2, 0),
		"Reads of recently used data that had been evicted (ZFS)."),
	COUNTER("arc_frequent_ghosts", "count", KEY_COLUMN(2, "mfu_ghost_hits", 2, 0),
		"Reads of frequently used data that had been evicted (ZFS)."),
	COUNTER("arc_deleted", "count", KEY_COLUMN(2, "deleted", 2, 0), "Buffers evicted (ZFS)."),
	COUNTER("arc_throttles", "count", KEY_COLUMN(2, "memory_throttle_count", 2, 0),
		"How often writes were throttled because memory was short (ZFS)."),
	COUNTER("arc_second_hits", "count", KEY_COLUMN(2, "l2_hits", 2, 0),
		"Reads that were hits in the cache on disk, L2ARC (ZFS)."),
	COUNTER("arc_second_misses", "count", KEY_COLUMN(2, "l2_misses", 2, 0),
		"Reads that were misses in the cache on disk, L2ARC (ZFS)."),
	LEVEL("arc_size", "bytes", KEY_COLUMN(2, "size", 2, 0), "Memory used by the cache (ZFS)."),
	LEVEL("arc_target", "bytes", KEY_COLUMN(2, "c", 2, 0), "Target size of the cache (ZFS)."),
	LEVEL("arc_min", "bytes", KEY_COLUMN(2, "c_min", 2, 0), "Minimum size of the cache (ZFS)."),
	LEVEL("arc_max", "bytes", KEY_COLUMN(2, "c_max", 2, 0), "Maximum size of the cache (ZFS)."),
	LEVEL("arc_data", "bytes", KEY_COLUMN(2, "data_size", 2, 0),
	      "Part of the cache that is data (ZFS)."),
	LEVEL("arc_metadata", "bytes", KEY_COLUMN(2, "metadata_size", 2, 0),
	      "Part of the cache that is metadata (ZFS)."),
	LEVEL("arc_second_size", "bytes", KEY_COLUMN(2, "l2_size", 2, 0),
	      "Data in the cache on disk, L2ARC (ZFS)."),
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
