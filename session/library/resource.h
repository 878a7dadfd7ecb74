/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resources: sample data sets that have a name in a resource library, which is
 * a folder. This is the one place that knows their suffixes, and how a name
 * becomes a file: NAME.vprf; a name too long for a file has its first part, a
 * '~' and a checksum instead, and is whole in the data set (ATTR_RESOURCE).
 *
 * Only files that are sample data sets by their content are ever listed or
 * deleted; LIST knows what their content is from the library's index. For root the library must be a folder that nobody else can change
 * (datasets/folders.h).
 */
#ifndef VIGIL_SESSION_LIBRARY_RESOURCE_H
#define VIGIL_SESSION_LIBRARY_RESOURCE_H

#include "common/error.h"

#define RESOURCE_NAME_MAX 253

enum resource_kind {
	RESOURCE_EVENTS,       /* .vprf: each event or sample by itself */
	RESOURCE_CONSOLIDATED, /* .vprc: sums */
	RESOURCE_COVERAGE,     /* .vcvf */
	RESOURCE_KIND_COUNT
};

/* Returns the suffix of a kind, with its period. */
const char *resource_suffix(enum resource_kind kind);
/* Returns the word for a kind: "PROFILE", "CONSOLIDATED", "COVERAGE". */
const char *resource_kind_word(enum resource_kind kind);
/* Returns whether a file's name has one of the suffixes. */
bool resource_is_file(const char *name);
/*
 * Returns whether a text is a name: 1 to RESOURCE_NAME_MAX bytes, no slash, no
 * period first, no control character.
 */
bool resource_name_valid(const char *name);

/* Where libraries are looked up. */
struct resource_place {
	const char *root;   /* of the data sets; NULL: VIGIL_ROOT, or "data" */
	const char *option; /* a folder that the command line names; NULL none */
};

/*
 * Returns the folder of a library as RESOURCE-LIB names it: a path, when it has a
 * slash, or the name of a folder below the root. NULL: the option's, what
 * VIGIL_LIBRARY names, or "profiles" below the root. The caller frees it.
 */
char *resource_folder(const char *library, const struct resource_place *place);
/* Appends the path of a resource. */
void resource_path(const char *folder, const char *name, enum resource_kind kind,
		   struct strbuf *path);

/*
 * Appends the path of the resource of a name that is there: of the first kind that
 * there is. false: there is none.
 */
bool resource_find(const char *folder, const char *name, struct strbuf *path);

/* What a new resource is to be. */
struct resource_request {
	const char *folder, *name;
	enum resource_kind kind;
	bool replace;
	const char *job_number; /* whose resource of that name is no obstacle; "" none's */
	uint64_t job_start;	/* when that job began: wall clock, ns */
};

/*
 * Returns the path a new resource is to be written to; the caller frees it. The
 * folder is made when it is missing. Where the same job has made a resource of
 * that name, "NAME.2", "NAME.3" and so on is meant. NULL with the reason: one is
 * there that is not to be replaced, or none can be.
 */
char *resource_create(const struct resource_request *request, struct error *err);

/*
 * Makes a resource of the data set at a path, which becomes its name's. The path
 * it was written to; the caller frees it. NULL with the reason, as
 * resource_create.
 */
char *resource_save(const char *from, const struct resource_request *request, struct error *err);

/* A resource that is there; texts are owned. */
struct resource {
	char *name, *path, *program, *job, *step;
	enum resource_kind kind;
	uint64_t events, samples;
	uint64_t size;	/* bytes */
	uint64_t start; /* wall clock, ns; of the file when the data set does not say */
	bool complete;
};

struct resources {
	struct resource *items;
	size_t count, alloc;
};

/*
 * The resources of a folder whose names match a pattern (NULL: all), by name and kind. A folder
 * that is not there has none. -1 with the reason when it cannot be read. No data set is opened that
 * the library's index knows (library-index.h); what it did not know is put into it.
 */
int resources_list(struct resources *resources, const char *folder, const char *pattern,
		   struct error *err);
void resources_release(struct resources *resources);
/* A resource was written to its path: what it is is kept in the index of its library. */
void resource_written(const char *path);
/* Appends the list as a table, a line each. */
void resources_print(const struct resources *resources, struct strbuf *sb);
/* Deletes one; -1 with the reason. */
int resource_delete(const struct resource *resource, struct error *err);

#endif
