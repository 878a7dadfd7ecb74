/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A module that publishes the newest snapshot as OpenMetrics text: in a file that
 * is replaced atomically, and over HTTP. A file that cannot be written is reported
 * once; the collection continues, and each snapshot tries again.
 */
#ifndef VIGIL_SESSION_COLLECTION_EXPOSITION_H
#define VIGIL_SESSION_COLLECTION_EXPOSITION_H

#include "engine/engine.h"
#include "metrics/present.h"
#include "session/collection/messages.h"
#include "session/collection/scrape.h"

struct exposition {
	const char *path;      /* NULL: no file */
	struct scrape *scrape; /* NULL: no port */
	const struct message_sink *sink;
	/* Private to the module. */
	struct present_records present;
	bool failed; /* the last file could not be written */
};
extern const struct module_class exposition_class;

#endif
