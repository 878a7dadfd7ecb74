/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts of executed statements, as kept by a PostgreSQL server with
 * pg_stat_statements (14 to 18): its table in shared memory is read when the
 * server is first seen and when the session ends; if the server was stopped, the
 * file that it left is read instead. Statements are summed up by fingerprint.
 *
 * The counts are exact if the first read was before the server accepted clients,
 * and the server has neither reset its table nor dropped entries since. The texts
 * of statements and the table that a stopped server leaves are files of the
 * server's user: another unprivileged user gets no counts.
 */
#ifndef VIGIL_COLLECTORS_POSTGRES_STATEMENTS_H
#define VIGIL_COLLECTORS_POSTGRES_STATEMENTS_H

#include "vigil/collector.h"

#include <stdbool.h>

struct statements;

/* Returns NULL if there is no memory. */
struct statements *statements_new(void);
/*
 * Returns whether the table of a server still has to be looked for; postmaster:
 * pid of its first process.
 */
bool statements_needs_table(struct statements *statements, pid_t postmaster);
/*
 * Looks for the table through a process of a server for which statements_needs_table is
 * true; folder: its DataDir, major: its version.
 */
void statements_find_table(struct statements *statements, const struct vigil_communication *area,
		     pid_t postmaster, const char *folder, unsigned major);
/* Reads the table of a server through one of its processes, at the end of the session. */
void statements_end(struct statements *statements, const struct vigil_communication *area,
		    pid_t postmaster);
/*
 * Reports the counts of all servers that were read to their end (vigil_count);
 * those that were stopped are read from the files they left. To be called until it
 * returns false: no more.
 */
bool statements_report(struct statements *statements, const struct vigil_communication *area);

#endif
