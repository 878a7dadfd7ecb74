/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A session's newest events for who asks for them while it goes on (ONLINE=ON):
 * sees in the area that somebody asks (agent/transaction-area.h), writes the
 * buffer (events/event-online.h) to a file without a name, and answers with its
 * descriptor. Who may open a descriptor of this process may read it: its owner and root.
 */
#ifndef VIGIL_SESSION_MEASURE_ONLINE_H
#define VIGIL_SESSION_MEASURE_ONLINE_H

#include "events/event-online.h"
#include "events/events.h"
#include "session/measure/area.h"

/* Answers that stay open, for readers who are on their way to them. */
#define ONLINE_ANSWERS 16

struct online {
	bool wanted;
	struct event_online buffer; /* context of event_online_class */
	int fds[ONLINE_ANSWERS];    /* of the last answers, -1 none */
	size_t next;		    /* the oldest of them */
	uint64_t answered;
};

/* size: of the buffer, bytes. */
void online_init(struct online *online, uint64_t size);
/* Nobody is answered any more; also where nobody ever was. */
void online_end(struct online *online, const struct area *area);
/*
 * Answer whoever asks; while the session is open. output: path of its data set, beside which
 * the file is made. -1 when the session cannot go on.
 */
int online_serve(struct online *online, const struct area *area, struct events *events,
		 struct engine *engine, const char *output, struct error *err);

#endif
