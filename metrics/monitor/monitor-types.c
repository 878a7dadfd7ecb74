/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptions of the record types of monitor data. */
#include "common/compat.h"
#include "metrics/monitor/monitor-types.h"

/* One member a line: */
/* clang-format off */
#define FIELD(record, member, kind, unit, sense, meaning) \
	{ #member, FIELD_##kind, unit, SENSE_##sense, true, offsetof(struct monitor_##record, member), meaning }
#define TYPE(record, called, said) \
	const struct record_type monitor_##record##_type = { \
		.name = called, .fields = record##_fields, .field_count = ARRAY_SIZE(record##_fields), \
		.size = sizeof(struct monitor_##record), .meaning = said }

static const struct field count_fields[] = {
	FIELD(count, id, STRING, "name", NONE, "Domain and record, D1R14."),
	FIELD(count, domain, UNSIGNED, "id", NONE, "The domain."),
	FIELD(count, number, UNSIGNED, "id", NONE, "The record in it."),
	FIELD(count, name, STRING, "name", NONE, "Its name, if vigil knows it."),
	FIELD(count, known, UNSIGNED, "enum", NONE, "1: vigil knows its name; 0: it is only counted."),
	FIELD(count, records, UNSIGNED, "count", AMOUNT, "Records in the interval."),
	FIELD(count, bytes, UNSIGNED, "bytes", AMOUNT, "Total bytes of these records."),
	FIELD(count, shortest, UNSIGNED, "bytes", LEVEL, "Length of the shortest record."),
	FIELD(count, longest, UNSIGNED, "bytes", LEVEL, "Length of the longest record."),
};
TYPE(count, "monrec", "Number of monitor records of a type in an interval.");

static const struct field system_fields[] = {
	FIELD(system, time, UNSIGNED, "ns", NONE, "When the record was built, ns since 1970 UTC."),
	FIELD(system, system, STRING, "name", NONE, "System identifier."),
	FIELD(system, level, STRING, "name", NONE, "CP level, as in the record."),
	FIELD(system, ipl, UNSIGNED, "ns", NONE, "When the system was started, ns since 1970 UTC."),
	FIELD(system, termination, UNSIGNED, "ns", NONE, "When it had last ended before that, ns since 1970 UTC."),
	FIELD(system, machine, STRING, "name", NONE, "Machine type."),
	FIELD(system, model, STRING, "name", NONE, "Model."),
	FIELD(system, serial, STRING, "name", NONE, "Serial number."),
	FIELD(system, partition, STRING, "name", NONE, "Logical partition."),
	FIELD(system, length, UNSIGNED, "bytes", NONE, "Bytes of the record."),
};
TYPE(system, "mtrsys", "System configuration, D1R4.");

static const struct field sample_profile_fields[] = {
	FIELD(sample_profile, time, UNSIGNED, "ns", NONE, "When the record was built, ns since 1970 UTC."),
	FIELD(sample_profile, interval, UNSIGNED, "s", NONE, "Interval of samples in seconds."),
	FIELD(sample_profile, rate, UNSIGNED, "10ms", NONE, "High-frequency rate in hundredths of a second."),
	FIELD(sample_profile, domains, STRING, "list", NONE, "Sample domains that are active."),
	FIELD(sample_profile, rate_domains, STRING, "list", NONE, "Active sample domains with high-frequency data."),
	FIELD(sample_profile, pages, UNSIGNED, "pages", NONE, "Pages for configuration records."),
	FIELD(sample_profile, length, UNSIGNED, "bytes", NONE, "Bytes of the record."),
};
TYPE(sample_profile, "mtrspr", "Sample profile, D1R9.");

static const struct field event_profile_fields[] = {
	FIELD(event_profile, time, UNSIGNED, "ns", NONE, "When the record was built, ns since 1970 UTC."),
	FIELD(event_profile, domains, STRING, "list", NONE, "Event domains that are active."),
	FIELD(event_profile, pages, UNSIGNED, "pages", NONE, "Pages for configuration records."),
	FIELD(event_profile, length, UNSIGNED, "bytes", NONE, "Bytes of the record."),
};
TYPE(event_profile, "mtrepr", "Event profile, D1R1.");

static const struct field detail_fields[] = {
	FIELD(detail, list, UNSIGNED, "id", NONE, "Number of the list in the file."),
	FIELD(detail, time, UNSIGNED, "ns", NONE, "When its first record was built, ns since 1970 UTC."),
	FIELD(detail, profile, STRING, "name", NONE, "sample or event."),
	FIELD(detail, domain, UNSIGNED, "id", NONE, "The domain of the list."),
	FIELD(detail, domain_name, STRING, "name", NONE, "The domain by name."),
	FIELD(detail, status, UNSIGNED, "enum", NONE, "MTRDDR_DMSTATUS: 128 all, 64 only those listed, 32 all except those."),
	FIELD(detail, covers, STRING, "name", NONE, "The same as a word: all, only, except."),
	FIELD(detail, flags, UNSIGNED, "flags", NONE, "MTRDDR_CALFLAGS of the last record."),
	FIELD(detail, items, UNSIGNED, "count", NONE, "Items of the list that were found."),
	FIELD(detail, counted, UNSIGNED, "count", NONE, "MTRDDR_DMITEMCT, of all records of the list."),
	FIELD(detail, records, UNSIGNED, "count", NONE, "Records of the list."),
	FIELD(detail, complete, UNSIGNED, "enum", NONE, "1: the list is complete; 0: a part of it is missing."),
};
TYPE(detail, "mtrddr", "Domain detail, D1R14: which users or devices of a domain are monitored.");

static const struct field item_fields[] = {
	FIELD(item, list, UNSIGNED, "id", NONE, "Number of the list in the file."),
	FIELD(item, number, UNSIGNED, "id", NONE, "Number of the item in the list, from 1."),
	FIELD(item, item, STRING, "name", NONE, "A user id, or a device number in hexadecimal."),
};
TYPE(item, "mtrddritem", "An item of the list of a domain detail record.");

static const struct field application_fields[] = {
	FIELD(application, user, STRING, "name", NONE, "The virtual machine that supplied the data."),
	FIELD(application, time, UNSIGNED, "ns", NONE, "When the record was built, ns since 1970 UTC."),
	FIELD(application, product, STRING, "name", NONE, "Product id as EBCDIC."),
	FIELD(application, product_bytes, STRING, "name", NONE, "Product id in hexadecimal."),
	FIELD(application, event, UNSIGNED, "enum", NONE, "1: final data (D10R1); 0: a sample."),
	FIELD(application, offset, UNSIGNED, "bytes", NONE, "Offset of the data in the record."),
	FIELD(application, length, UNSIGNED, "bytes", NONE, "Bytes of the data."),
	FIELD(application, data, BYTES, "bytes", NONE, "The data."),
};
TYPE(application, "aplsdt", "Application data of products other than vigil, D10R1 and D10R2.");

static const struct field user_fields[] = {
	FIELD(user, item, STRING, "name", NONE, "The user id in the lists."),
	FIELD(user, number, UNSIGNED, "id", NONE, "The user number."),
	FIELD(user, name, STRING, "name", NONE, "The user's full name, if it was known."),
};
TYPE(user, "monuser", "The user that a user id represents in a file of vigil.");

static const struct field device_fields[] = {
	FIELD(device, item, STRING, "name", NONE, "The device number in the lists, in hexadecimal."),
	FIELD(device, major, UNSIGNED, "id", NONE, "Major number of the device."),
	FIELD(device, minor, UNSIGNED, "id", NONE, "Minor number of the device."),
	FIELD(device, name, STRING, "name", NONE, "The device, as the kernel names it."),
};
TYPE(device, "mondevice", "The device that a device number represents in a file of vigil.");
