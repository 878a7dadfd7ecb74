/* SPDX-License-Identifier: Apache-2.0 */
/* Locations of vigil's helper files. */
#include "common/compat.h"
#include "common/paths.h"
#include "common/procfs.h"
#include "common/strbuf.h"
#include "common/xalloc.h"

#include <libgen.h>
#include <unistd.h>

/*
 * Returns the prefix before the installed folder in the path of this program, for
 * a tree that was installed below another folder (DESTDIR) and is used there; ""
 * if there is none.
 */
static const char *staging_prefix(char *folder)
{
	static const char *const folders[] = { VIGIL_BINDIR, VIGIL_LIBEXECDIR };
	size_t length = strlen(folder);

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		size_t end = strlen(folders[i]);

		if (length > end && strcmp(folder + length - end, folders[i]) == 0) {
			folder[length - end] = '\0';
			return folder;
		}
	}
	return "";
}

/* Returns folder/name as a new text if it is readable, else NULL. */
static char *join_readable(const char *folder, const char *between, const char *name)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s%s%s", folder, between, name);
	if (access(path.text, R_OK) == 0)
		return strbuf_detach(&path, NULL);
	strbuf_release(&path);
	return NULL;
}

/*
 * Returns the first that exists of: name in the build folder that this program was
 * started from, installed; NULL if neither does.
 */
static char *built_or_installed(const char *built, const char *installed)
{
	char self[PATH_MAX], *found = NULL, *folder;

	if (procfs_program(PROCFS_SELF, self, sizeof(self))) {
		folder = dirname(self);
		found = join_readable(folder, "/", built);
		if (!found)
			found = join_readable(staging_prefix(folder), "", installed);
	}
	return found ? found : join_readable("", "", installed);
}

char *paths_utilities(void)
{
	char *found = built_or_installed("utilities/programs", VIGIL_LIBEXECDIR);
	struct strbuf path = STRBUF_INIT;

	if (found)
		return found;
	strbuf_addstr(&path, VIGIL_LIBEXECDIR);
	return strbuf_detach(&path, NULL);
}

char *paths_step_library(void)
{
	return built_or_installed("agent/.libs/vigil-step.so",
				  VIGIL_LIBDIR "/vigil/vigil-step.so");
}

char *paths_files_library(void)
{
	return built_or_installed("agent/.libs/vigil-files.so",
				  VIGIL_LIBDIR "/vigil/vigil-files.so");
}

char *paths_handler_library(void)
{
	return built_or_installed("agent/.libs/vigil-handler.so",
				  VIGIL_LIBDIR "/vigil/vigil-handler.so");
}

char *paths_events_library(void)
{
	return built_or_installed("agent/.libs/vigil-events.so",
				  VIGIL_LIBDIR "/vigil/vigil-events.so");
}

char *paths_coverage_library(void)
{
	return built_or_installed("agent/.libs/vigil-coverage.so",
				  VIGIL_LIBDIR "/vigil/vigil-coverage.so");
}

char *paths_indexed_module(void)
{
	return built_or_installed(
		"../../datasets/.libs/indexed.so", VIGIL_LIBDIR "/vigil/indexed.so");
}

char *paths_print_module(void)
{
	return built_or_installed("reports/print/.libs/vigil-print.so", VIGIL_LIBDIR "/vigil/vigil-print.so");
}

char *paths_collectors(void)
{
	return built_or_installed("collectors/.libs", VIGIL_LIBDIR "/vigil/features");
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

char *paths_names_cache(void)
{
	const char *asked = getenv("VIGIL_NAMES_CACHE"), *base = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	struct strbuf path = STRBUF_INIT;

	if (asked && *asked)
		return strcasecmp(asked, "off") == 0 ? NULL : xstrdup(asked);
	if (geteuid() == 0)
		return xstrdup("/var/cache/vigil");
	if (base && base[0] == '/')
		strbuf_addf(&path, "%s/vigil", base);
	else if (home && home[0] == '/')
		strbuf_addf(&path, "%s/.cache/vigil", home);
	else
		return NULL;
	return strbuf_detach(&path, NULL);
}
