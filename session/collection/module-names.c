/* SPDX-License-Identifier: Apache-2.0 */
/* Modules by the names that users give. */
#include "common/compat.h"
#include "session/collection/module-names.h"
#include "common/xalloc.h"

char *module_names_upper(const char *name)
{
	char *upper = xstrdup(name);

	for (char *c = upper; *c; c++)
		if (*c >= 'a' && *c <= 'z')
			*c = (char)(*c - 'a' + 'A');
	return upper;
}

int module_names_enable(struct engine *engine, const char *const *names, size_t count,
			const struct message_sink *sink)
{
	static const char *const defaults[] = { "DEFAULT" };
	struct error err = ERROR_INIT;
	int status = EXIT_SUCCESS;

	if (engine_enable(engine, "OWN", &err) < 0 || engine_enable(engine, "COLHDR", &err) < 0)
		status = message_sink_emit(sink, SEVERITY_ERROR, 3503, "%s", error_text(&err));
	if (!count) {
		names = defaults;
		count = 1;
	}
	for (size_t i = 0; i < count && status == EXIT_SUCCESS; i++) {
		char *name = module_names_upper(names[i]);

		if (engine_enable(engine, name, &err) < 0)
			status = message_sink_emit(
				sink, SEVERITY_ERROR, 3506,
				"there is no module %s; 'vigil modules' lists them", name);
		free(name);
	}
	error_release(&err);
	return status;
}
