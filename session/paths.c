/* SPDX-License-Identifier: Apache-2.0 */
/* Where vigil's own helper files are. */
#include "common/compat.h"
#include "session/paths.h"
#include "common/strbuf.h"

#include <libgen.h>
#include <unistd.h>

/* The first of: name below the folder this program was started from, installed; NULL if neither. */
static char *built_or_installed(const char *built, const char *installed)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	struct strbuf path = STRBUF_INIT;

	if (length > 0) {
		self[length] = '\0';
		strbuf_addf(&path, "%s/%s", dirname(self), built);
		if (access(path.text, R_OK) == 0)
			return strbuf_detach(&path, NULL);
		strbuf_reset(&path);
	}
	strbuf_addstr(&path, installed);
	if (access(path.text, R_OK) == 0)
		return strbuf_detach(&path, NULL);
	strbuf_release(&path);
	return NULL;
}

char *paths_utilities(void)
{
	char *found = built_or_installed("session/utilities", VIGIL_LIBEXECDIR);
	struct strbuf path = STRBUF_INIT;

	if (found)
		return found;
	strbuf_addstr(&path, VIGIL_LIBEXECDIR);
	return strbuf_detach(&path, NULL);
}

char *paths_step_library(void)
{
	return built_or_installed("sampler/agent/.libs/vigil-step.so",
				  VIGIL_LIBDIR "/vigil/vigil-step.so");
}

char *paths_indexed_module(void)
{
	return built_or_installed("../datasets/.libs/indexed.so", VIGIL_LIBDIR "/vigil/indexed.so");
}

char *paths_collectors(void)
{
	return built_or_installed("sampler/collectors/.libs", VIGIL_LIBDIR "/vigil/collectors");
}

char *paths_collector_host(void)
{
	return built_or_installed("sampler/host/collector-host",
				  VIGIL_LIBEXECDIR "/collector-host");
}

char *paths_procedures(void)
{
	return built_or_installed("proclib", VIGIL_DATADIR "/proclib");
}
