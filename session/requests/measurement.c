/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a request into the request of a measurement session. */
#include "common/compat.h"
#include "session/requests/requests.h"
#include "common/xalloc.h"
#include "datasets/entries.h"

/* Returns whether a name given to DCCLIB is a path. */
static bool is_path(const char *name, bool relative)
{
	return name[0] == '/' || (relative && (strchr(name, '/') || catalog_is_folder(name)));
}

char *request_library(const char *name, const struct request_libraries *libraries,
		      struct error *err)
{
	struct strbuf path = STRBUF_INIT;

	RETURN_IF(!name, NULL);
	RETURN_IF(is_path(name, libraries->relative), xstrdup(name));
	if (!catalog_name_valid(name))
		error_set(err, "it is neither an absolute path nor the name of a data set");
	else if (libraries->data_set(libraries->argument, name, &path, err) == 0)
		return strbuf_detach(&path, NULL);
	strbuf_release(&path);
	return NULL;
}

/*
 * Appends the path of a data set below the root that the environment names (struct
 * request_libraries).
 */
static int find_data_set(void *argument UNUSED, const char *dsn, struct strbuf *path,
			 struct error *err)
{
	const char *root = getenv("VIGIL_ROOT"), *map = getenv("VIGIL_MAP");
	struct strbuf target = STRBUF_INIT;
	struct catalog catalog;
	unsigned key;

	if (!root || !*root)
		root = "data";
	if (!catalog_is_folder(root))
		return error_set(err, "there is no folder %s", root);
	RETURN_IF(catalog_open(&catalog, root, map, err) < 0, -1);
	catalog_resolve(&catalog, dsn, &target, &key);
	catalog_file(&catalog, target.text, path);
	catalog_release(&catalog);
	strbuf_release(&target);
	return 0;
}

char *request_shell_library(const char *name)
{
	const struct request_libraries libraries = { .relative = true, .data_set = find_data_set };
	struct error err = ERROR_INIT;
	char *folder = request_library(name, &libraries, &err);

	error_release(&err);
	return folder || !name ? folder : xstrdup(name);
}

/* Copies the data collectors that a request names. */
static void ask_collectors(struct collector_request *collectors,
			   const struct control_request *request, char *const *library)
{
	*collectors = (struct collector_request){
		.names = (const char *const *)request->collectors,
		.name_count = request->collector_count,
		.parameters = (const char *const *)request->parameters,
		.parameter_count = request->parameter_count,
		.libraries = (const char *const *)library,
		.library_count = *library ? 1 : 0,
		.map_programs = (const char *const *)request->map_programs,
		.map_program_count = request->map_program_count,
	};
}

void request_measure(struct measure_request *measure, const struct control_request *request,
		     char *const *library)
{
	if (request->samples)
		measure->samples = request->samples;
	if (request->cost > 0)
		measure->cost = request->cost;
	if (request->metrics != CONTROL_SWITCH_NOT_GIVEN)
		measure->no_metrics = request->metrics == CONTROL_SWITCH_OFF;
	if (request->record != CONTROL_SWITCH_NOT_GIVEN) {
		measure->record_beside = request->record == CONTROL_SWITCH_ON;
		measure->record_objects |= request->record_objects;
	}
	if (request->session_minutes)
		measure->session_minutes = request->session_minutes;
	if (request->limit_given || request->no_limit) {
		measure->limit_given = request->limit_given;
		measure->no_limit = request->no_limit;
		measure->limit = request->limit;
		measure->limit_stops = request->action == CONTROL_STOP;
	}
	ask_collectors(&measure->collectors, request, library);
}
