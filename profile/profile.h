/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A session's data in memory, consolidated: everything the reports read.
 * Loading goes through a sample data set block by block; memory grows with
 * the number of distinct stacks, tasks and files, not with samples.
 */
#ifndef VIGIL_PROFILE_PROFILE_H
#define VIGIL_PROFILE_PROFILE_H

#include "engine/dataset.h"

struct profile;

struct profile *profile_load(const char *path, struct error *err);
void profile_free(struct profile *profile);
/* What was missing in the file; "" when nothing was. */
const char *profile_damage(const struct profile *profile);
/* An ATTRIBUTE by key, "" when it is not there. */
const char *profile_attribute(const struct profile *profile, const char *key);
uint64_t profile_attribute_number(const struct profile *profile, const char *key);

#endif
