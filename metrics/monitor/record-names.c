/* SPDX-License-Identifier: Apache-2.0 */
/* Names of domains, and of the records that vigil knows by name. */
#include "common/compat.h"
#include "metrics/monitor/record-names.h"

static const char *const domains[] = {
	"System", "Monitor", "Scheduler",	"Storage", "User",     "Processor",
	"I/O",	  "Seek",    "Virtual Network", "ISFC",	   "Appldata", "SSI",
};

static const struct known {
	unsigned domain, number;
	const char *name, *title;
} records[] = {
	{ 0, 1, "SYTSYP", "system data of a processor" },
	{ 0, 2, "SYTPRP", "processor data of a processor" },
	{ 0, 3, "SYTRSG", "real storage" },
	{ 0, 8, "SYTUSR", "users" },
	{ 0, 19, "SYTSYG", "system data" },
	{ 1, 1, "MTREPR", "event profile" },
	{ 1, 2, "MTRECM", "MONITOR EVENT command" },
	{ 1, 3, "MTRSUS", "event data suspended" },
	{ 1, 4, "MTRSYS", "system configuration" },
	{ 1, 5, "MTRPRP", "processor configuration" },
	{ 1, 7, "MTRMEM", "memory configuration" },
	{ 1, 9, "MTRSPR", "sample profile" },
	{ 1, 10, "MTRSCM", "MONITOR SAMPLE command" },
	{ 1, 11, "MTREND", "interval end" },
	{ 1, 12, "MTRSOS", "event data begins to be suspended" },
	{ 1, 13, "MTREOF", "end of frame" },
	{ 1, 14, "MTRDDR", "domain detail" },
	{ 1, 15, "MTRUSR", "user logged on" },
	{ 1, 25, "MTRSSI", "SSI configuration" },
	{ 1, 31, "MTRSRV", "service level" },
	{ 3, 1, "STORSG", "storage management" },
	{ 3, 2, "STORSP", "storage management of a processor" },
	{ 4, 2, "USELOF", "user logged off" },
	{ 4, 3, "USEACT", "user activity" },
	{ 4, 9, "USEATE", "user activity at the end of a transaction" },
	{ 5, 3, "PRCPRP", "processor data" },
	{ 6, 3, "IODDEV", "device activity" },
	{ 7, 1, "SEKSEK", "seek data" },
	{ 10, 1, "APLEDT", "application data at their end" },
	{ 10, 2, "APLSDT", "application data" },
};

const char *monitor_domain_name(unsigned domain)
{
	return domain < ARRAY_SIZE(domains) ? domains[domain] : "";
}

static const struct known *find(unsigned domain, unsigned number)
{
	for (size_t i = 0; i < ARRAY_SIZE(records); i++)
		if (records[i].domain == domain && records[i].number == number)
			return &records[i];
	return NULL;
}

const char *monitor_record_name(unsigned domain, unsigned number)
{
	const struct known *known = find(domain, number);

	return known ? known->name : NULL;
}

const char *monitor_record_title(unsigned domain, unsigned number)
{
	const struct known *known = find(domain, number);

	return known ? known->title : NULL;
}
