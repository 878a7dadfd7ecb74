/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the module that draws. */
#include "common/compat.h"
#include "session/painter-load.h"
#include "reports/device.h"
#include "reports/print/painter.h"
#include "common/paths.h"

#include <dlfcn.h>

/* Opens the module; NULL with the reason. */
static const struct painter *open_module(struct error *err)
{
	char *path = paths_print_module();
	const struct painter *painter;
	void *handle;

	if (!path) {
		error_set(err, "PDF, SVG and PNG cannot be drawn: vigil was built without cairo and pango");
		return NULL;
	}
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	painter = handle ? dlsym(handle, PAINTER_SYMBOL) : NULL;
	free(path);
	if (!painter)
		error_set(err, "PDF, SVG and PNG cannot be drawn: %s", dlerror());
	else if (painter->version != PAINTER_VERSION)
		error_set(err, "PDF, SVG and PNG cannot be drawn: vigil-print.so is of another version of vigil");
	return painter && painter->version == PAINTER_VERSION ? painter : NULL;
}

int painter_give(struct report_options *options, unsigned *number, struct error *err)
{
	const char *reason;

	RETURN_IF(!options->device->drawn, 0);
	*number = PAINTER_MISSING;
	options->painter = open_module(err);
	RETURN_IF(!options->painter, -1);
	*number = PAINTER_NO_FONT;
	reason = options->painter->check();
	return reason ? error_set(err, "PDF, SVG and PNG cannot be drawn: %s", reason) : 0;
}
