/* SPDX-License-Identifier: Apache-2.0 */
/* CTL: the controllers of storage. */
#include "common/compat.h"
#include "metrics/kinds.h"
#include "metrics/metric-scan.h"

static const struct metric_file files[] = {
	{ "/sys/class/scsi_host", METRIC_OTHER },
	{ "/sys/class/nvme", METRIC_OTHER },
	{ "/sys/class/fc_host", METRIC_OTHER },
};

static const struct metric_item items[] = {
	METRIC_SCAN_HEAD("The controller, as the kernel names it."),
	TEXT_LEVEL("driver", "name", KEY(1, "proc_name"), "The driver of a SCSI host."),
	TEXT_LEVEL("scsi_state", "name", KEY(1, "state"), "State of a SCSI host."),
	LEVEL("scsi_queue", "count", KEY(1, "can_queue"),
	      "Commands that a SCSI host accepts at the same time."),
	LEVEL("scsi_unit_queue", "count", KEY(1, "cmd_per_lun"),
	      "Commands that a unit of a SCSI host accepts at the same time."),
	LEVEL("scsi_queues", "count", KEY(1, "nr_hw_queues"), "Hardware queues of a SCSI host."),
	TEXT_LEVEL("nvme_model", "name", KEY(2, "model"), "Model of an NVMe controller."),
	TEXT_LEVEL("nvme_serial", "name", KEY(2, "serial"), "Serial number of an NVMe controller."),
	TEXT_LEVEL("nvme_firmware", "name", KEY(2, "firmware_rev"),
		   "Firmware version of an NVMe controller."),
	TEXT_LEVEL("nvme_state", "name", KEY(2, "state"), "State of an NVMe controller."),
	TEXT_LEVEL("nvme_transport", "name", KEY(2, "transport"),
		   "Transport of an NVMe controller: pcie, tcp, rdma, fc."),
	LEVEL("nvme_queues", "count", KEY(2, "queue_count"), "Queues of an NVMe controller."),
	LEVEL("nvme_node", "id", KEY(2, "numa_node"),
	      "The memory node to which an NVMe controller is attached."),
	TEXT_LEVEL("port_name", "name", KEY(3, "port_name"),
		   "Worldwide name of a Fibre Channel port."),
	TEXT_LEVEL("port_state", "name", KEY(3, "port_state"), "State of a Fibre Channel port."),
	TEXT_LEVEL("port_speed", "name", KEY(3, "speed"), "Speed of a Fibre Channel port."),
};

const struct metric_kind controllers_kind = {
	.name = "CTL",
	.record = "ctl",
	.summary = "storage controllers: SCSI, NVMe, Fibre Channel; recorded when they change",
	.meaning = "A controller, when it is first found or has changed.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.absent = "there are no SCSI, NVMe or Fibre Channel controllers",
	.private_size = sizeof(struct metric_scan),
	.read = metric_folder_read,
	.release = metric_scan_release,
};
