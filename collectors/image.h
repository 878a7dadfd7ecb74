/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A collector's knowledge of the executable file of a process: numbers found once
 * for each file (addresses of variables, versions), and where the file is loaded
 * in each process. A forked process costs one look at its mappings and at the
 * start of the file in its memory.
 */
#ifndef VIGIL_COLLECTORS_IMAGE_H
#define VIGIL_COLLECTORS_IMAGE_H

#include "vigil/collector.h"

#include <stdbool.h>

#define IMAGE_FACTS 40
#define IMAGE_PRIVATE 4
/* The last two facts are set before examine: the range of the file's code, relative to base. */
#define IMAGE_CODE (IMAGE_FACTS - 2)
#define IMAGE_CODE_END (IMAGE_FACTS - 1)

struct image {
	uint64_t base; /* address of the file's start in the process */
	uint64_t facts[IMAGE_FACTS];
	uint64_t private_values[IMAGE_PRIVATE]; /* private to the collector, per process; initially 0 */
};

/*
 * Fills the facts (initially 0) of the executable loaded at base; addresses are
 * stored relative to base. Returns false if it is not a program of this collector.
 */
typedef bool image_examine(const struct vigil_communication *area, uint64_t base,
			   uint64_t facts[IMAGE_FACTS]);

struct images;

/* Returns NULL if there is no memory. */
struct images *images_new(void);
/*
 * Returns the image of the task's program, NULL if it has none or examine refused
 * it. Valid until the next call.
 */
struct image *images_find(struct images *images, const struct vigil_communication *area,
			  image_examine *examine);
/*
 * Returns whether the process still has the image: in a process that has ended, an
 * unreadable value is not 0.
 */
bool image_is_alive(const struct vigil_communication *area, const struct image *image);
/*
 * Fills facts with the addresses, relative to base, of count symbols of the task's
 * program; 0 if not found.
 */
void image_symbols(const struct vigil_communication *area, uint64_t base, const char *const names[],
		   size_t count, uint64_t *facts);
/* Returns the address in the process of a fact that is an address, 0 if it is unknown. */
uint64_t image_address(const struct image *image, size_t fact);

#endif
