/* SPDX-License-Identifier: Apache-2.0 */
/* Prints reports to their target, whole or not at all. */
#include "common/compat.h"
#include "session/listing-print.h"
#include "session/painter-load.h"

int listing_add(const struct profile *profile, const struct report_options *options,
		const struct output *output, struct error *err)
{
	return report_print(profile, options, output->stream, err);
}

int listing_print(const struct profile *profile, struct report_options *options,
		  const struct output_target *target, struct error *err)
{
	struct output output;
	unsigned number;

	RETURN_IF(painter_give(options, &number, err) < 0, -1);
	RETURN_IF(output_begin(&output, target, err) < 0, -1);
	if (listing_add(profile, options, &output, err) == 0)
		return output_commit(&output, err);
	output_abandon(&output);
	return -1;
}
