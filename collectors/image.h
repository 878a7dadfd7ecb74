/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a collector knows of the executable file of a process: numbers that
 * are found out once for each file (places of variables, versions), and where
 * the file lies in each process. Forked processes cost one look at their map
 * and at the start of the file in their memory.
 */
#ifndef VIGIL_COLLECTORS_IMAGE_H
#define VIGIL_COLLECTORS_IMAGE_H

#include "vigil/collector.h"

#include <stdbool.h>

#define IMAGE_FACTS 40
#define IMAGE_OWN 4
/* The last two are filled before examine: where the file's code lies, from base. */
#define IMAGE_CODE (IMAGE_FACTS - 2)
#define IMAGE_CODE_END (IMAGE_FACTS - 1)

struct image {
	uint64_t base; /* address of the file's start in the process */
	uint64_t facts[IMAGE_FACTS];
	uint64_t own[IMAGE_OWN]; /* what the collector keeps for this process, 0 at first */
};

/*
 * Fill the facts (0 before) of the executable that lies at base; addresses
 * are kept as distances from base. False: not a program of this collector.
 */
typedef bool image_examine(const struct vigil_communication *area, uint64_t base,
			   uint64_t facts[IMAGE_FACTS]);

struct images;

/* NULL when there is no memory. */
struct images *images_new(void);
/* The image of the task's program, NULL when it has none or examine refused it. Valid until the
   next call. */
struct image *images_find(struct images *images, const struct vigil_communication *area,
			  image_examine *examine);
/* Whether the process still has the image: what could not be read of one that has ended is not 0.
 */
bool image_lives(const struct vigil_communication *area, const struct image *image);
/* Fill facts with the places of count symbols of the task's program, 0 where there is none. */
void image_symbols(const struct vigil_communication *area, uint64_t base, const char *const names[],
		   size_t count, uint64_t *facts);
/* The address in the process of a place that is a fact, 0 when it is unknown. */
uint64_t image_address(const struct image *image, size_t fact);

#endif
