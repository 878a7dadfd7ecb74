/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report on monitor data of z/VM: the domain detail record field by
 * field, the configuration, and how many records there were of each kind.
 *
 * A consumer gathers it from records, which it knows by the names of their
 * types and fields only: mtrddr, mtrddritem, mtrsys, mtrspr, mtrepr, aplsdt
 * and monrec (vigil-monitor(5)). Of what is told again only the newest stays,
 * so its memory does not grow with the file.
 */
#ifndef VIGIL_REPORTS_REPORT_MONITOR_H
#define VIGIL_REPORTS_REPORT_MONITOR_H

#include "engine/engine.h"
#include "reports/report.h"

struct monitor_facts;

struct monitor_report {
	const char *path;	     /* as it is shown */
	uint64_t damages;	     /* places that were told; set before printing */
	struct monitor_facts *facts; /* what was gathered; owned */
};

/* Gathers; the context is a struct monitor_report, zeroes but for the path. */
extern const struct module_class monitor_report_class;
/* Print what was gathered on the device of the options; -1 with err. */
int monitor_report_print(const struct monitor_report *report, const struct report_options *options,
			 FILE *stream, struct error *err);
void monitor_report_release(struct monitor_report *report);

#endif
