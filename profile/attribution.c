/* SPDX-License-Identifier: Apache-2.0 */
/* Answers what a stack means and which place its time is charged to. */
#include "common/compat.h"
#include "profile/attribution.h"
#include "common/path.h"

void attribution_release(struct attribution *attribution)
{
	free(attribution->places);
	free(attribution->parents);
	free(attribution->frames);
	free(attribution->callers);
	free(attribution->vias);
	memset(attribution, 0, sizeof(*attribution));
}

const struct place *attribution_place(const struct attribution *attribution, size_t stack)
{
	if (stack == ATTRIBUTION_NONE)
		return &attribution->places[attribution->place_count];
	return &attribution->places[attribution->frames[stack]];
}

const struct place *attribution_caller(const struct attribution *attribution, size_t stack)
{
	if (stack == ATTRIBUTION_NONE || attribution->callers[stack] == ATTRIBUTION_NONE)
		return NULL;
	return attribution_place(attribution, attribution->callers[stack]);
}

bool attribution_is_service(const struct attribution *attribution, size_t stack)
{
	return attribution_place(attribution, stack)->system ||
	       attribution->callers[stack] != stack;
}

const struct place *attribution_via(const struct attribution *attribution, size_t stack)
{
	if (stack == ATTRIBUTION_NONE || attribution->vias[stack] == ATTRIBUTION_NONE)
		return NULL;
	return attribution_place(attribution, attribution->vias[stack]);
}

const char *attribution_other_file(const char *section, const char *file)
{
	return *section && *file && !path_is_of(file, section) ? path_base(file) : "";
}
