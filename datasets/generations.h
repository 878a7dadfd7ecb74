/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Generation data groups. Generation n of BASE is the data set BASE.GnnnnV00.
 * After 9999 comes 1: if there are numbers from 9000 on and below 1000, those
 * below 1000 are the newer ones. Relative numbers count from the generations that
 * existed when a job began (a job keeps one generation_group for each base), so
 * that (+1) is the same data set in all its steps. New generations enter the group
 * when the job ends; then those beyond the base's LIMIT leave.
 */
#ifndef VIGIL_DATASETS_GENERATIONS_H
#define VIGIL_DATASETS_GENERATIONS_H

#include "datasets/catalog.h"

/* The generations of a base at one time. */
struct generation_group {
	char *base;
	unsigned *numbers; /* generation numbers, oldest first */
	size_t count, alloc;
	unsigned limit; /* of the base; 0: it has no entry */
	bool empty, scratch;
};

/*
 * Reads the generations of a base. -1: its entry cannot be read. A base without
 * entry and generations is an empty group.
 */
int generation_group_read(struct generation_group *group, const struct catalog *catalog,
			  const char *base, struct error *err);
void generation_group_release(struct generation_group *group);
/*
 * Appends the name of a generation: 0 the newest, -1 the one before, +1 the next
 * one. -1 if there is none.
 */
int generation_name(const struct generation_group *group, int relative, struct strbuf *name);
/* Returns whether dsn is BASE.GnnnnV00; sets its number and the length of the base. */
bool generation_parse(const char *dsn, size_t *base_length, unsigned *number);
/*
 * Returns how many generations leave the group because of its limit after the
 * newest added ones have entered; their names, oldest first, are in names (the
 * caller frees each and names). With EMPTY all earlier ones leave.
 */
size_t generation_roll_off(const struct generation_group *group, size_t added, char ***names);

#endif
