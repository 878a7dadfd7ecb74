/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which data collectors are called for a program (sampler_config.choose).
 *
 * In this order: those that come with vigil, found by name and then as the
 * request names them; the user's that is found by the program's name, the
 * first of the library path; the user's that the request names (DCC), in its
 * order. Each once: what the request names is not found a second time. The
 * step's first process has two names, its file's and the step's program.
 */
#ifndef VIGIL_SESSION_MEASURE_CHOOSE_COLLECTORS_H
#define VIGIL_SESSION_MEASURE_CHOOSE_COLLECTORS_H

#include "common/diag.h"
#include "sampler/sampler-config.h"
#include "session/measure/library.h"

/* What a request says of data collectors; all borrowed. */
struct collector_request {
	const char *const *names; /* DCC */
	size_t name_count;
	const char *const *parameters; /* DCCPARM, of the names in their order; may be fewer */
	size_t parameter_count;
	const char *const *libraries; /* folders: DCCLIB */
	size_t library_count;
	const char *const *map_programs;
	size_t map_program_count;
};

struct collectors;

/*
 * Look along the library path; what was refused, and names that are not
 * found, are warnings in diags. subject is the step's program as it was
 * named; it and the request are borrowed.
 */
struct collectors *collectors_new(const struct collector_request *request, const char *subject,
				  struct diag_list *diags);
void collectors_free(struct collectors *collectors);
/* A sampler_config.choose; argument is a struct collectors. */
size_t collectors_choose(void *argument, const char *program, bool first,
			 const struct sampler_collector **list);
/* The sampler's share of it. */
void collectors_configure(struct collectors *collectors, struct sampler_config *config);
const struct library_path *collectors_path(const struct collectors *collectors);
/* The program they run in, NULL when it is not installed. */
const char *collectors_host(const struct collectors *collectors);

#endif
