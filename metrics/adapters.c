/* SPDX-License-Identifier: Apache-2.0 */
/* ADP: the hardware adapters. */
#include "common/compat.h"
#include "metrics/kinds.h"
#include "metrics/metric-scan.h"

static const struct metric_file files[] = {
	{ "/sys/bus/pci/devices", METRIC_OTHER },
};

static const struct metric_item items[] = {
	METRIC_SCAN_HEAD("Its address: domain, bus, device, function."),
	TEXT_LEVEL("class", "name", KEY(1, "class"),
		   "Its class, subclass and interface, hexadecimal."),
	TEXT_LEVEL("vendor", "name", KEY(1, "vendor"), "Vendor number, hexadecimal."),
	TEXT_LEVEL("device", "name", KEY(1, "device"), "Device (model) number, hexadecimal."),
	TEXT_LEVEL("subsystem_vendor", "name", KEY(1, "subsystem_vendor"),
		   "Vendor number of the board, hexadecimal."),
	TEXT_LEVEL("subsystem_device", "name", KEY(1, "subsystem_device"),
		   "Device number of the board, hexadecimal."),
	TEXT_LEVEL("revision", "name", KEY(1, "revision"), "Its revision, hexadecimal."),
	TEXT_LEVEL("driver", "name", KEY(1, "@driver"), "Its driver."),
	LEVEL("node", "id", KEY(1, "numa_node"), "The memory node to which it is attached."),
	LEVEL("interrupt", "id", KEY(1, "irq"), "Its legacy interrupt; 0: none."),
	LEVEL("enabled", "count", KEY(1, "enable"), "How often it was enabled; 0: it is off."),
	TEXT_LEVEL("power", "name", KEY(1, "power_state"), "Its power state, D0 to D3."),
	TEXT_LEVEL("processors", "name", KEY(1, "local_cpulist"), "The processors close to it."),
	TEXT_LEVEL("link_speed", "name", KEY(1, "current_link_speed"),
		   "Current speed of its link."),
	TEXT_LEVEL("link_speed_max", "name", KEY(1, "max_link_speed"),
		   "Maximum speed of its link."),
	LEVEL("link_width", "count", KEY(1, "current_link_width"),
	      "Current number of lanes of its link."),
	LEVEL("link_width_max", "count", KEY(1, "max_link_width"),
	      "Maximum number of lanes of its link."),
};

const struct metric_kind adapters_kind = {
	.name = "ADP",
	.record = "adp",
	.summary = "hardware adapters on the PCI bus; recorded when they change",
	.meaning = "An adapter, when it is first found or has changed.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.absent = "there is no PCI bus",
	.private_size = sizeof(struct metric_scan),
	.read = metric_folder_read,
	.release = metric_scan_release,
};
