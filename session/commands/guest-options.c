/* SPDX-License-Identifier: Apache-2.0 */
/* Options for third-party modules. */
#include "common/compat.h"
#include "session/commands/guest-options.h"
#include "session/collection/collection.h"

int guest_options_take(const struct guest_options *options, struct guest_request *request)
{
	*request = (struct guest_request){ .libraries = options->libraries.items,
					   .count = options->libraries.count,
					   .folders = options->folders };
	if (options->patience && !collect_parse_interval(options->patience, &request->patience))
		return command_fail(EXIT_USAGE, "'%s' is not a time for a call: 0.01 to 86400 "
						"seconds",
				    options->patience);
	return EXIT_OK;
}
