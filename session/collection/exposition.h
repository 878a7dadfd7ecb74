/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The newest snapshot as OpenMetrics text, as a module: in a file that is
 * replaced as a whole, and over HTTP. A file that cannot be written is told
 * once; the collection goes on, and each snapshot tries anew.
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
	/* The module's own. */
	struct present_records present;
	bool failed; /* the last file could not be written */
};
extern const struct module_class exposition_class;

#endif
