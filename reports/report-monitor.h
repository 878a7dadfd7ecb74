/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report on monitor data of z/VM: the domain detail record field by field, the
 * configuration, and how many records of each kind there were.
 *
 * A consumer collects it from records, which it identifies only by the names of
 * their types and fields: mtrddr, mtrddritem, mtrsys, mtrspr, mtrepr, aplsdt and
 * monrec (vigil-monitor(5)). Of repeated records only the newest is kept, so its
 * memory does not grow with the file.
 */
#ifndef VIGIL_REPORTS_REPORT_MONITOR_H
#define VIGIL_REPORTS_REPORT_MONITOR_H

#include "engine/engine.h"
#include "reports/report.h"

struct monitor_facts;

struct monitor_report {
	const char *path;	     /* in the form to be shown */
	uint64_t damages;	     /* number of damaged places that were reported; set before
				      * printing */
	struct monitor_facts *facts; /* collected data; owned */
};

/* Collects the data; its context is a struct monitor_report, all zero except the path. */
extern const struct module_class monitor_report_class;
/* Prints what was collected on the device of the options; returns -1 with err. */
int monitor_report_print(const struct monitor_report *report, const struct report_options *options,
			 FILE *stream, struct error *err);
void monitor_report_release(struct monitor_report *report);

#endif
