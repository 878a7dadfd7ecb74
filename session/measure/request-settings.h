/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A request as a list of settings, by name, so that it can be written down and made
 * again. Events (PROFILER) are not among them.
 */
#ifndef VIGIL_SESSION_MEASURE_REQUEST_SETTINGS_H
#define VIGIL_SESSION_MEASURE_REQUEST_SETTINGS_H

#include "session/measure/measure.h"
#include "sampler/recording/tape.h"

/* Called for each setting: text is its name, b its number, data its text if it has one. */
typedef void (*setting_each)(void *argument, const struct tape_entry *setting);

void request_settings_each(const struct measure_request *request, setting_each each, void *argument);

/* A request that is made of settings, and owns all that it points to. */
struct made_request {
	struct measure_request request;
	char **texts;
	size_t text_count, text_alloc;
	struct sampler_file *files;
	size_t file_alloc;
	const char **lists[4];
	size_t list_allocs[4];
};

void made_request_init(struct made_request *made);
void made_request_release(struct made_request *made);
/* Adds a setting; a name that is not known is passed over. */
void made_request_set(struct made_request *made, const struct tape_entry *setting);

#endif
