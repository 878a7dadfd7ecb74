/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Serves a session's newest events while it runs (ONLINE=ON): sees requests in the
 * area (agent/transaction-area.h), writes the buffer (events/event-online.h) to an
 * unnamed file, and answers with its descriptor. Anyone who may open descriptors
 * of this process may read it: its owner and root.
 */
#ifndef VIGIL_SESSION_MEASURE_ONLINE_H
#define VIGIL_SESSION_MEASURE_ONLINE_H

#include "events/event-online.h"
#include "events/events.h"
#include "session/measure/area.h"

/* Number of answers kept open for readers that have not yet opened them. */
#define ONLINE_ANSWERS 16

struct online {
	bool wanted;
	struct event_online buffer; /* context of event_online_class */
	int fds[ONLINE_ANSWERS];    /* of the last answers, -1: none */
	size_t next;		    /* index of the oldest */
	uint64_t answered;
};

/* size: of the buffer in bytes. */
void online_init(struct online *online, uint64_t size);
/* Stops answering; also allowed if nothing was ever requested. */
void online_end(struct online *online, const struct area *area);
/*
 * Answers pending requests while the session is open. output: path of its data
 * set; the file is created in the same folder. -1: the session cannot continue.
 */
int online_serve(struct online *online, const struct area *area, struct events *events,
		 struct engine *engine, const char *output, struct error *err);

#endif
