/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record types for the contents of monitor data; their names are those of the
 * records. A field beyond the end of a short record is missing.
 */
#ifndef VIGIL_METRICS_MONITOR_MONITOR_TYPES_H
#define VIGIL_METRICS_MONITOR_MONITOR_TYPES_H

#include "engine/record.h"

/* The number of records of each kind, a record an interval. */
struct monitor_count {
	uint64_t id, domain, number, name, known, records, bytes, shortest, longest;
};
/* D1R4. */
struct monitor_system {
	uint64_t time, system, level, ipl, termination, machine, model, serial, partition, length;
};
/* D1R9. */
struct monitor_sample_profile {
	uint64_t time, interval, rate, domains, rate_domains, pages, length;
};
/* D1R1. */
struct monitor_event_profile {
	uint64_t time, domains, pages, length;
};
/* D1R14, a list with all its parts joined. */
struct monitor_detail {
	uint64_t list, time, profile, domain, domain_name, status, covers, flags, items, counted,
		records, complete;
};
struct monitor_item {
	uint64_t list, number, item;
};
/* D10R1 and D10R2 of other products. */
struct monitor_application {
	uint64_t user, time, product, product_bytes, event, offset, length;
	struct record_bytes data;
};

/* The user ids in the lists that vigil writes. */
struct monitor_user {
	uint64_t item, number, name;
};
struct monitor_device {
	uint64_t item, major, minor, name;
};

extern const struct record_type monitor_user_type, monitor_device_type;
extern const struct record_type monitor_count_type, monitor_system_type,
	monitor_sample_profile_type, monitor_event_profile_type, monitor_detail_type,
	monitor_item_type, monitor_application_type;

#endif
