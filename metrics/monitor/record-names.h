/* SPDX-License-Identifier: Apache-2.0 */
/* What domains and records of monitor data are called. */
#ifndef VIGIL_METRICS_MONITOR_RECORD_NAMES_H
#define VIGIL_METRICS_MONITOR_RECORD_NAMES_H

#include "common/compat.h"

/* "User"; "" for a domain that vigil does not know. */
const char *monitor_domain_name(unsigned domain);
/* "MTRDDR", "domain detail"; NULL for a record that vigil does not know. */
const char *monitor_record_name(unsigned domain, unsigned number);
const char *monitor_record_title(unsigned domain, unsigned number);

#endif
