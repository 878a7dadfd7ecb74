/* SPDX-License-Identifier: Apache-2.0 */
/* CLU: the machines of the cluster. */
#include "common/compat.h"
#include "metrics/kinds.h"
#include "metrics/metric-scan.h"

static const struct metric_file files[] = {
	{ "/sys/kernel/config/dlm/cluster/comms", METRIC_OTHER },
	{ "/sys/kernel/config/cluster/?/node", METRIC_OTHER },
	{ "/sys/kernel/dlm", METRIC_OTHER },
	{ "/sys/fs/gfs2", METRIC_OTHER },
};

static const struct metric_item items[] = {
	METRIC_SCAN_HEAD("The member or shared resource, as the cluster names it."),
	LEVEL("node", "id", KEY(1, "nodeid"), "Number of the member in the cluster."),
	LEVEL("local", "flag", KEY(1, "local"), "Whether the member is this machine."),
	LEVEL("mark", "id", KEY(1, "mark"), "Mark of its packets; 0: none."),
	TEXT_LEVEL("addresses", "name", KEY(1, "addr_list"), "The first of its addresses."),
	LEVEL("o2cb_node", "id", KEY(2, "num"), "Number of the member (o2cb)."),
	LEVEL("o2cb_local", "flag", KEY(2, "local"), "Whether the member is this machine (o2cb)."),
	TEXT_LEVEL("o2cb_address", "name", KEY(2, "ipv4_address"), "Its address (o2cb)."),
	LEVEL("o2cb_port", "id", KEY(2, "ipv4_port"), "Its port (o2cb)."),
	LEVEL("space", "id", KEY(3, "id"), "Number of a lock space (dlm)."),
	LEVEL("space_without_directory", "flag", KEY(3, "nodir"),
	      "Whether the name of a lock determines the member that manages it (dlm)."),
	LEVEL("space_recovery", "flags", KEY_SCALED(3, "recover_status", METRIC_HEX),
	      "State of the recovery of the space (dlm)."),
	LEVEL("space_recovery_node", "id", KEY(3, "recover_nodeid"),
	      "The member with which the space is being recovered (dlm)."),
	TEXT_LEVEL("shared_id", "name", KEY(4, "id"),
		   "Device number of a shared file system (gfs2)."),
	TEXT_LEVEL("shared_name", "name", KEY(4, "fsname"), "Its name (gfs2)."),
	TEXT_LEVEL("shared_uuid", "name", KEY(4, "uuid"), "Its identifier (gfs2)."),
	LEVEL("shared_frozen", "flag", KEY(4, "freeze"), "Whether it is frozen (gfs2)."),
	LEVEL("shared_journal", "id", KEY(4, "lock_module/jid"),
	      "The journal of this machine (gfs2)."),
	LEVEL("shared_blocked", "flag", KEY(4, "lock_module/block"),
	      "Whether it is waiting for a recovery (gfs2)."),
	LEVEL("shared_recovery", "id", KEY(4, "lock_module/recover_done"),
	      "The journal that was recovered last (gfs2)."),
	LEVEL("shared_withdrawn", "flag", KEY(4, "withdraw"),
	      "Whether this machine has withdrawn from it (gfs2)."),
};

const struct metric_kind cluster_kind = {
	.name = "CLU",
	.record = "clu",
	.summary = "clusters: members, lock spaces, shared file systems; recorded when they change",
	.meaning = "A member or shared resource, when it is first found or has changed.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.absent = "the kernel reports no cluster for this machine: it has no members or lock "
		  "spaces (dlm, o2cb) and no shared file systems (gfs2)",
	.private_size = sizeof(struct metric_scan),
	.read = metric_folder_read,
	.release = metric_scan_release,
};
