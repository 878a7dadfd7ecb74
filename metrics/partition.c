/* SPDX-License-Identifier: Apache-2.0 */
/* GLX: this system's share of a larger machine. */
#include "common/compat.h"
#include "metrics/kinds.h"

static const struct metric_file files[] = {
	{ "/sys/hypervisor/type", METRIC_LINE },
	{ "/sys/hypervisor/uuid", METRIC_LINE },
	{ "/sys/class/dmi/id/sys_vendor", METRIC_LINE },
	{ "/sys/class/dmi/id/product_name", METRIC_LINE },
	{ "/sys/devices/system/cpu/online", METRIC_LINE },
	{ "/sys/devices/system/cpu/offline", METRIC_LINE },
	{ "/sys/devices/system/cpu/present", METRIC_LINE },
	{ "/sys/devices/system/cpu/possible", METRIC_LINE },
	{ "/sys/devices/system/cpu/isolated", METRIC_LINE },
	{ "/sys/devices/system/node/online", METRIC_LINE },
	{ "/proc/stat", METRIC_KEYS },
	{ "/proc/meminfo", METRIC_KEYS },
};

static const struct metric_item items[] = {
	TEXT_LEVEL("hypervisor", "name", COLUMN(1, 1), "The hypervisor, if it reports its name."),
	TEXT_LEVEL("identity", "name", COLUMN(2, 1), "Identifier of this virtual machine."),
	TEXT_LEVEL("maker", "name", COLUMN(3, 1), "Vendor of the machine or virtual machine."),
	TEXT_LEVEL("model", "name", COLUMN(4, 1), "Model name given by the vendor."),
	TEXT_LEVEL("processors_online", "list", COLUMN(5, 1), "Processors that are online."),
	TEXT_LEVEL("processors_offline", "list", COLUMN(6, 1),
		   "Processors that are present but offline."),
	TEXT_LEVEL("processors_present", "list", COLUMN(7, 1), "Processors that are present."),
	TEXT_LEVEL("processors_possible", "list", COLUMN(8, 1), "Processors that could be added."),
	TEXT_LEVEL("processors_isolated", "list", COLUMN(9, 1),
		   "Processors isolated from the scheduler."),
	TEXT_LEVEL("nodes_online", "list", COLUMN(10, 1), "Memory nodes in use."),
	COUNTER("stolen", "ns", KEY_COLUMN(11, "cpu", 8, METRIC_TICKS),
		"Time that the hypervisor gave to others while there was work here (steal)."),
	COUNTER("guest", "ns", KEY_COLUMN(11, "cpu", 9, METRIC_TICKS),
		"Time for which virtual machines executed here."),
	COUNTER("guest_nice", "ns", KEY_COLUMN(11, "cpu", 10, METRIC_TICKS),
		"Time for which low-priority virtual machines executed here."),
	LEVEL("memory", "bytes", KEY_SCALED(12, "MemTotal", 1024), "Memory of this partition."),
	LEVEL("memory_returned", "bytes", KEY_SCALED(12, "Balloon", 1024),
	      "Memory returned to the hypervisor (balloon)."),
};

const struct metric_kind partition_kind = {
	.name = "GLX",
	.record = "glx",
	.summary = "partition: the part of a larger machine that this system has",
	.meaning = "The part that this system has of the machine on which it executes.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
};
