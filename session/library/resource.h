/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resources: named sample data sets in a resource library, which is a folder. Only
 * this code knows their suffixes, and how a name becomes a file: NAME.vprf; a name
 * that is too long for a file is shortened and followed by '~' and a checksum, and
 * is stored in full in the data set (ATTR_RESOURCE). Only files whose content is a
 * sample data set are ever listed or deleted; LIST takes this from the library's
 * index. For root the library must be a folder that no other user can change
 * (datasets/folders.h).
 */
#ifndef VIGIL_SESSION_LIBRARY_RESOURCE_H
#define VIGIL_SESSION_LIBRARY_RESOURCE_H

#include "common/error.h"

#define RESOURCE_NAME_MAX 253

enum resource_kind {
	RESOURCE_EVENTS,       /* .vprf: individual events or samples */
	RESOURCE_CONSOLIDATED, /* .vprc: sums */
	RESOURCE_COVERAGE,     /* .vcvf */
	RESOURCE_KIND_COUNT
};

/* Returns the suffix of a kind, including the period. */
const char *resource_suffix(enum resource_kind kind);
/* Returns the word for a kind: "PROFILE", "CONSOLIDATED", "COVERAGE". */
const char *resource_kind_word(enum resource_kind kind);
/* Returns whether a file's name has one of the suffixes. */
bool resource_is_file(const char *name);
/*
 * Returns whether a text is a valid name: 1 to RESOURCE_NAME_MAX bytes, no slash,
 * no leading period, no control character.
 */
bool resource_name_valid(const char *name);

/* Where libraries are searched. */
struct resource_place {
	const char *root;   /* root of the data sets; NULL: VIGIL_ROOT, or "data" */
	const char *option; /* a folder from the command line; NULL: none */
};

/*
 * Returns the folder of a library as RESOURCE-LIB names it: a path if it has a
 * slash, else the name of a folder below the root. NULL: the folder of the option,
 * else VIGIL_LIBRARY, else "profiles" below the root. The caller frees it.
 */
char *resource_folder(const char *library, const struct resource_place *place);
/* Appends the path of a resource. */
void resource_path(const char *folder, const char *name, enum resource_kind kind,
		   struct strbuf *path);

/*
 * Appends the path of the existing resource with a name, of the first kind that
 * exists; false: there is none.
 */
bool resource_find(const char *folder, const char *name, struct strbuf *path);

/* A resource to be created. */
struct resource_request {
	const char *folder, *name;
	enum resource_kind kind;
	bool replace;
	const char *job_number; /* the job; its own resource of that name is no obstacle; "": no
				 * job */
	uint64_t job_start;	/* ns since 1970: start of that job */
};

/*
 * Returns the path to which a new resource is to be written; the caller frees it.
 * The folder is created if missing. If the same job has already created a resource
 * with the name, "NAME.2", "NAME.3" and so on is used. NULL with the reason: one
 * exists that must not be replaced, or none can be created.
 */
char *resource_create(const struct resource_request *request, struct error *err);

/*
 * Copies the data set at a path to a new resource. Returns the path it was written
 * to; the caller frees it. NULL with the reason, as resource_create.
 */
char *resource_save(const char *from, const struct resource_request *request, struct error *err);

/* An existing resource; texts are owned. */
struct resource {
	char *name, *path, *program, *job, *step;
	enum resource_kind kind;
	uint64_t events, samples;
	uint64_t size;	/* bytes */
	uint64_t start; /* ns since 1970; mtime of the file if the data set does not record it */
	bool complete;
};

/* A file with a resource's suffix that could not be read; texts are owned. */
struct unread_resource {
	char *path, *reason;
};

struct resources {
	struct resource *items;
	size_t count, alloc;
	struct unread_resource *unread; /* may be resources; not among the items */
	size_t unread_count, unread_alloc;
};

/*
 * The resources of a folder whose names match a pattern (NULL: all), by name and kind. A folder
 * that is not there has none. -1 with the reason when it cannot be read. Files that cannot be read
 * now are in unread (where a pattern is given, those whose file names match it). No data set is opened that
 * the library's index knows (library-index.h); what it did not know is put into it.
 */
int resources_list(struct resources *resources, const char *folder, const char *pattern,
		   struct error *err);
void resources_release(struct resources *resources);
/* Records a newly written resource in the index of its library. */
void resource_written(const char *path);
/* Appends the list as a table, one line each. */
void resources_print(const struct resources *resources, struct strbuf *sb);
/* Deletes a resource; -1 with the reason. */
int resource_delete(const struct resource *resource, struct error *err);

#endif
