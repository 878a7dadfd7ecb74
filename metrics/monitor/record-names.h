/* SPDX-License-Identifier: Apache-2.0 */
/* The names of domains and records of monitor data. */
#ifndef VIGIL_METRICS_MONITOR_RECORD_NAMES_H
#define VIGIL_METRICS_MONITOR_RECORD_NAMES_H

#include "common/compat.h"

/* Returns the name of a domain, such as "User"; "" when it is unknown. */
const char *monitor_domain_name(unsigned domain);
/* Returns the name of a record, such as "MTRDDR", "domain detail"; NULL when it is unknown. */
const char *monitor_record_name(unsigned domain, unsigned number);
const char *monitor_record_title(unsigned domain, unsigned number);

#endif
