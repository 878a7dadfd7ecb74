/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often statements were executed, by the books of a PostgreSQL server with
 * pg_stat_statements (14 to 18): its table in shared memory is read when the
 * server is first seen and when the session ends, or what the server left of
 * it in a file when it was stopped. Statements are summed up by fingerprint.
 *
 * The counts are exact when the first look was before the server let clients
 * in, and the server has neither reset its table nor dropped entries since.
 * Texts of statements and the table that a stopped server leaves are files of
 * the server's user: another ordinary user gets no counts.
 */
#ifndef VIGIL_COLLECTORS_POSTGRES_STATEMENTS_H
#define VIGIL_COLLECTORS_POSTGRES_STATEMENTS_H

#include "vigil/collector.h"

#include <stdbool.h>

struct statements;

/* NULL when there is no memory. */
struct statements *statements_new(void);
/* Whether the table of a server is to be looked for; postmaster: the process id of its first
   process. */
bool statements_wants(struct statements *statements, pid_t postmaster);
/* See to a process of a server that is wanted; folder: its DataDir, major: its version. */
void statements_look(struct statements *statements, const struct vigil_communication *area,
		     pid_t postmaster, const char *folder, unsigned major);
/* The session ends, and a process of a server is still there: read the table of that server. */
void statements_end(struct statements *statements, const struct vigil_communication *area,
		    pid_t postmaster);
/* Tell the counts of all servers that were read to their end (vigil_count); those that are gone are
   read from what they left. Call it until false: there is no more. */
bool statements_tell(struct statements *statements, const struct vigil_communication *area);

#endif
