/* SPDX-License-Identifier: Apache-2.0 */
/* Text forms by name. */
#include "common/compat.h"
#include "metrics/outputs.h"

static const char *const names[] = { "LIST", "LISTALL", "CSV", "JSON", "MONWRITE" };

bool text_form_known(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcasecmp(names[i], name) == 0)
			return true;
	return false;
}

struct module *text_form_add(struct engine *engine, struct text_form *form, const char *name,
			     FILE *stream, const struct selection *selection, struct error *err)
{
	form->list = (struct text_list){ .stream = stream, .selection = selection };
	form->timeline = (struct timeline){ .stream = stream, .selection = selection };
	form->json = (struct json_lines){ .stream = stream, .selection = selection };
	form->monitor = (struct monitor_output){ .stream = stream,
						 .selection = selection,
						 .live = form->monitor.live };
	if (strcasecmp(name, "MONWRITE") == 0)
		return engine_add(engine, &monitor_output_class, &form->monitor, err);
	if (strcasecmp(name, "CSV") == 0)
		return engine_add(engine, &timeline_class, &form->timeline, err);
	if (strcasecmp(name, "JSON") == 0)
		return engine_add(engine, &json_lines_class, &form->json, err);
	form->list.all = strcasecmp(name, "LISTALL") == 0;
	return engine_add(engine, &text_list_class, &form->list, err);
}
