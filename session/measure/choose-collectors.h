/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the data collectors that are called for a program
 * (sampler_config.choose).
 *
 * Order: those that come with vigil, found by name, then those named by the
 * request; the user's collector found by the program's name, first in the library
 * path; the user's collectors named by the request (DCC), in its order. Each is
 * called once: what the request names is not found a second time. The step's first
 * process has two names, that of its file and that of the step's program.
 */
#ifndef VIGIL_SESSION_MEASURE_CHOOSE_COLLECTORS_H
#define VIGIL_SESSION_MEASURE_CHOOSE_COLLECTORS_H

#include "common/diag.h"
#include "sampler/sampler-config.h"
#include "session/measure/library.h"

/* The data collector operands of a request; all borrowed. */
struct collector_request {
	const char *const *names; /* DCC */
	size_t name_count;
	const char *const *parameters; /* DCCPARM, in the order of names; may be fewer */
	size_t parameter_count;
	const char *const *libraries; /* folders of DCCLIB */
	size_t library_count;
	const char *const *map_programs;
	size_t map_program_count;
};

struct collectors;

/*
 * Searches the library path; refused files and names that are not found are
 * warnings in diags. subject: name of the step's program as given; it and the
 * request are borrowed.
 */
struct collectors *collectors_new(const struct collector_request *request, const char *subject,
				  struct diag_list *diags);
void collectors_free(struct collectors *collectors);
/* Implements sampler_config.choose; argument is a struct collectors. */
size_t collectors_choose(void *argument, const char *program, bool first,
			 const struct sampler_collector **list);
/* Sets the collector members of the sampler's configuration. */
void collectors_configure(struct collectors *collectors, struct sampler_config *config);
const struct library_path *collectors_path(const struct collectors *collectors);
/* Returns the path of the program that hosts collectors; NULL: not installed. */
const char *collectors_host(const struct collectors *collectors);

#endif
