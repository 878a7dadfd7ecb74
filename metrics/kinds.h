/* SPDX-License-Identifier: Apache-2.0 */
/* All producers of system metrics, each in a separate file. */
#ifndef VIGIL_METRICS_KINDS_H
#define VIGIL_METRICS_KINDS_H

#include "metrics/metric.h"

extern const struct metric_kind adapters_kind, cgroup_kind, cluster_kind, cluster_links_kind,
	controllers_kind, cpu_kind, descriptions_kind, devices_kind, disks_kind, file_systems_kind,
	header_kind, inet_kind, interrupts_kind, locks_kind, memory_kind, module_list_kind,
	network_kind, nfs_mounts_kind, nfs_operations_kind, own_kind, page_cache_kind,
	parameters_kind, partition_kind, pressure_kind, process_services_kind, processes_kind,
	services_kind, shared_texts_kind, system_kind, task_statistics_kind, transactions_kind,
	volume_cache_kind;

#endif
