/* SPDX-License-Identifier: Apache-2.0 */
/* Named sample data sets in a resource library. */
#include "common/compat.h"
#include "session/library/resource.h"
#include "common/clock.h"
#include "common/path.h"
#include "common/pattern.h"
#include "common/xalloc.h"
#include "engine/dataset.h"
#include "events/coverage-merge.h"
#include "events/event-data-set.h"
#include "profile/session-attributes.h"
#include "records/record-types.h"
#include "reports/text.h"
#include "datasets/folders.h"
#include "session/library/library-index.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/*
 * Longer names are shortened to FILE_NAME_KEPT bytes in file names, leaving space
 * for the suffix and that of a draft.
 */
#define FILE_NAME_MAX 220
#define FILE_NAME_KEPT 200
/*
 * A file that has not changed for this long gets a different mtime with its next
 * change, on any file system.
 */
#define SETTLED_SECONDS 3
/* Longer names are on a separate line of a list. */
#define NAME_WIDTH_MAX 32

static const struct {
	const char *suffix, *word;
} kinds[RESOURCE_KIND_COUNT] = {
	[RESOURCE_EVENTS] = { EVENT_DATA_SET_SUFFIX, "PROFILE" },
	[RESOURCE_CONSOLIDATED] = { EVENT_CONSOLIDATED_SUFFIX, "CONSOLIDATED" },
	[RESOURCE_COVERAGE] = { COVERAGE_DATA_SET_SUFFIX, "COVERAGE" },
};

const char *resource_suffix(enum resource_kind kind)
{
	return kinds[kind].suffix;
}

const char *resource_kind_word(enum resource_kind kind)
{
	return kinds[kind].word;
}

bool resource_is_file(const char *name)
{
	const char *suffix = strrchr(name, '.');

	for (unsigned i = 0; suffix && i < RESOURCE_KIND_COUNT; i++)
		RETURN_IF(strcmp(suffix, kinds[i].suffix) == 0, true);
	return false;
}

bool resource_name_valid(const char *name)
{
	size_t length = strlen(name);

	RETURN_IF(length == 0 || length > RESOURCE_NAME_MAX || name[0] == '.', false);
	for (; *name; name++)
		RETURN_IF(*name == '/' || iscntrl((unsigned char)*name), false);
	return true;
}

/* Returns the value of a variable; NULL if it is not set, or empty. */
static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

char *resource_folder(const char *library, const struct resource_place *place)
{
	const char *chosen = place->option ? place->option : variable("VIGIL_LIBRARY");
	const char *root = place->root ? place->root : variable("VIGIL_ROOT");
	struct strbuf path = STRBUF_INIT;

	root = root ? root : "data";
	if (library && strchr(library, '/'))
		return xstrdup(library);
	if (!library && chosen)
		return xstrdup(chosen);
	strbuf_addf(&path, "%s/%s", root, library ? library : "profiles");
	return strbuf_detach(&path, NULL);
}

void resource_path(const char *folder, const char *name, enum resource_kind kind,
		   struct strbuf *path)
{
	size_t length = strlen(name);

	strbuf_addf(path, "%s/", folder);
	if (length <= FILE_NAME_MAX)
		strbuf_add(path, name, length);
	else
		strbuf_addf(path, "%.*s~%08lx", FILE_NAME_KEPT, name,
			    crc32(0, (const Bytef *)name, (uInt)length));
	strbuf_addstr(path, kinds[kind].suffix);
}

bool resource_find(const char *folder, const char *name, struct strbuf *path)
{
	size_t before = path->length;

	for (unsigned kind = 0; kind < RESOURCE_KIND_COUNT; kind++) {
		resource_path(folder, name, (enum resource_kind)kind, path);
		if (access(path->text, F_OK) == 0)
			return true;
		strbuf_setlen(path, before);
	}
	return false;
}

/*
 * Returns whether the resource at a path was created by a job: it has the job's
 * number, which jobs in other spools may have too, and is not older than the job.
 */
static bool is_of_job(const char *path, const char *job_number, uint64_t job_start)
{
	struct session_attributes attributes;
	struct error err = ERROR_INIT;
	bool same = false;

	if (*job_number && session_attributes_read(path, &attributes, &err) == 0) {
		same = strcmp(session_attributes_text(&attributes, ATTR_JOB_NUMBER), job_number) == 0 &&
		       strtoull(session_attributes_text(&attributes, ATTR_START_WALL), NULL, 10) >= job_start;
		session_attributes_release(&attributes);
	}
	error_release(&err);
	return same;
}

/* Creates the folder, and checks that it may be used. */
static int open_folder(const char *folder, struct error *err)
{
	char *refused;

	RETURN_IF(folders_make(folder) < 0,
		  error_errno(err, "cannot create the resource library %s", folder));
	refused = folders_refuse(folder);
	RETURN_IF(!refused, 0);
	error_set(err, "the resource library %s is not used: %s", folder, refused);
	free(refused);
	return -1;
}

char *resource_create(const struct resource_request *request, struct error *err)
{
	struct strbuf path = STRBUF_INIT, name = STRBUF_INIT;
	struct stat facts;

	RETURN_IF(open_folder(request->folder, err) < 0, NULL);
	strbuf_addstr(&name, request->name);
	resource_path(request->folder, name.text, request->kind, &path);
	for (unsigned next = 2;
	     lstat(path.text, &facts) == 0 && is_of_job(path.text, request->job_number, request->job_start); next++) {
		strbuf_reset(&path);
		strbuf_reset(&name);
		strbuf_addf(&name, "%s.%u", request->name, next);
		resource_path(request->folder, name.text, request->kind, &path);
	}
	strbuf_release(&name);
	if (request->replace || lstat(path.text, &facts) < 0)
		return strbuf_detach(&path, NULL);
	error_set(err, "the resource %s exists already; expected REPLACE=YES, or another name",
		  path.text);
	strbuf_release(&path);
	return NULL;
}

/* Stores the name of the resource in a data set that is copied. */
static enum module_status store_name(struct module *module, enum sync_point point UNUSED,
				  struct snapshot *snapshot, struct error *err UNUSED)
{
	if (snapshot->last)
		snapshot_attribute(snapshot, module->engine, ATTR_RESOURCE, "%s",
				   (const char *)module->context);
	return MODULE_OK;
}

static const struct module_class naming_class = {
	.name = "RESOURCE",
	.summary = "names a data set as a resource",
	.capabilities = MODULE_FILTER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.call = store_name,
};

/* Copies a data set and stores the name of the resource in the copy. */
static int copy(const char *from, const char *to, const char *name, struct error *err)
{
	struct dataset_extractor extractor = { .path = from };
	struct dataset_consumer consumer = { .path = to };
	struct engine *engine = engine_new(&session_records);
	int result = -1;

	if (engine_add(engine, &dataset_extractor_class, &extractor, err) &&
	    engine_add(engine, &naming_class, (void *)(uintptr_t)name, err) &&
	    engine_add(engine, &dataset_consumer_class, &consumer, err))
		result = engine_extract(engine, err);
	engine_free(engine);
	return result;
}

char *resource_save(const char *from, const struct resource_request *request, struct error *err)
{
	char *path = resource_create(request, err);

	RETURN_IF(!path, NULL);
	if (copy(from, path, request->name, err) == 0) {
		resource_written(path);
		return path;
	}
	free(path);
	return NULL;
}

/*
 * Finds the kind that a file's name indicates, and where its suffix begins; false
 * if it has none.
 */
static bool kind_of(const char *name, enum resource_kind *kind, size_t *end)
{
	const char *suffix = strrchr(name, '.');

	for (unsigned i = 0; suffix && i < RESOURCE_KIND_COUNT; i++)
		if (strcmp(suffix, kinds[i].suffix) == 0) {
			*kind = (enum resource_kind)i;
			*end = (size_t)(suffix - name);
			return *end > 0 && name[0] != '.';
		}
	return false;
}

/*
 * Returns the kind of a data set by its content; if that is inconclusive, the kind
 * indicated by its name.
 */
static enum resource_kind kind_held(const struct session_attributes *attributes,
				    enum resource_kind named)
{
	if (attributes->events)
		return RESOURCE_EVENTS;
	if (attributes->sums)
		return RESOURCE_CONSOLIDATED;
	return attributes->coverage ? RESOURCE_COVERAGE : named;
}

/* Whether a file is a sample data set, if that could be determined. */
enum answer { ANSWER_NO, ANSWER_YES, ANSWER_NOT_KNOWN };

/*
 * Returns why a file could not be read as a data set. Damage alone does not cause
 * that: it is not a data set, or may not be readable now.
 */
static enum answer why_unread(const char *path)
{
	return dataset_check_path(path) == 0 ? ANSWER_NO : ANSWER_NOT_KNOWN;
}

/* What a sample data set says of itself, if the file is one; not known: with the reason. */
static enum answer describe(struct resource *resource, struct error *err)
{
	struct session_attributes attributes;
	const char *name;

	RETURN_IF(session_attributes_read(resource->path, &attributes, err) < 0,
		  why_unread(resource->path));
	name = session_attributes_text(&attributes, ATTR_RESOURCE);
	if (strlen(name) > FILE_NAME_MAX && resource_name_valid(name)) {
		free(resource->name);
		resource->name = xstrdup(name);
	}
	resource->program = xstrdup(session_attributes_text(&attributes, ATTR_PROGRAM));
	resource->job = xstrdup(session_attributes_text(&attributes, ATTR_JOB));
	resource->step = xstrdup(session_attributes_text(&attributes, ATTR_STEP));
	resource->events = session_attributes_number(&attributes, ATTR_EVENTS);
	resource->samples = session_attributes_number(&attributes, ATTR_PROCESSED);
	resource->kind = kind_held(&attributes, resource->kind);
	resource->complete = session_attributes_number(&attributes, ATTR_COMPLETE) == 1;
	if (session_attributes_number(&attributes, ATTR_START_WALL))
		resource->start = session_attributes_number(&attributes, ATTR_START_WALL);
	session_attributes_release(&attributes);
	return ANSWER_YES;
}

static void release_one(struct resource *resource)
{
	free(resource->name);
	free(resource->path);
	free(resource->program);
	free(resource->job);
	free(resource->step);
}

/* Copies the facts about a file from the index. */
static void take_facts(struct resource *resource, const struct resource *known)
{
	free(resource->name);
	*resource = (struct resource){
		.name = xstrdup(known->name),
		.path = resource->path,
		.program = xstrdup(known->program),
		.job = xstrdup(known->job),
		.step = xstrdup(known->step),
		.kind = known->kind,
		.events = known->events,
		.samples = known->samples,
		.size = resource->size,
		.start = known->start,
		.complete = known->complete,
	};
}

/*
 * Returns whether facts about a file may be put into the index: it is complete, or
 * has not changed for some seconds, so that its next change will change its mtime.
 */
static bool is_unchanging(const struct resource *resource, const struct stat *facts)
{
	return resource->complete ||
	       (uint64_t)facts->st_mtim.tv_sec + SETTLED_SECONDS <= clock_wall_ns() / NSEC_PER_SEC;
}

/* Find out whether a file is a resource, by the index or from the file; not known: with the reason. */
static enum answer look_up(struct library_index *index, const char *file, const struct stat *facts,
			   struct resource *resource, struct error *err)
{
	const struct library_entry *known = library_index_find(index, file, facts);
	enum answer is;

	if (known) {
		if (known->is_resource)
			take_facts(resource, &known->facts);
		return known->is_resource ? ANSWER_YES : ANSWER_NO;
	}
	is = describe(resource, err);
	/* What cannot be read now (a permission, too many files open, the disk) may be read by the next one. */
	if (is != ANSWER_NOT_KNOWN && is_unchanging(resource, facts))
		library_index_put(index, file, facts, is == ANSWER_YES ? resource : NULL);
	return is;
}

/* Fills in what is known about a file without opening it; false if it cannot be a resource. */
static bool begin_resource(struct resource *resource, const char *folder, const char *file,
			   struct stat *facts)
{
	struct strbuf path = STRBUF_INIT;
	size_t end;

	*resource = (struct resource){ 0 };
	RETURN_IF(!kind_of(file, &resource->kind, &end), false);
	strbuf_addf(&path, "%s/%s", folder, file);
	if (lstat(path.text, facts) < 0 || !S_ISREG(facts->st_mode)) {
		strbuf_release(&path);
		return false;
	}
	resource->path = strbuf_detach(&path, NULL);
	resource->name = xstrndup(file, end);
	resource->size = (uint64_t)facts->st_size;
	resource->start = (uint64_t)facts->st_mtim.tv_sec * NSEC_PER_SEC;
	return true;
}

void resource_written(const char *path)
{
	const char *file = path_base(path);
	char *folder = file == path ? xstrdup(".") : xstrndup(path, (size_t)(file - path) - 1);
	struct error err = ERROR_INIT;
	struct library_index index;
	struct resource resource;
	struct stat facts;

	if (begin_resource(&resource, folder, file, &facts)) {
		library_index_read(&index, folder);
		look_up(&index, file, &facts, &resource, &err);
		error_release(&err);
		library_index_write(&index, folder);
		library_index_release(&index);
		release_one(&resource);
	}
	free(folder);
}

static void add_unread(struct resources *resources, const char *path, const char *reason)
{
	GROW(resources->unread, resources->unread_count + 1, resources->unread_alloc);
	resources->unread[resources->unread_count++] =
		(struct unread_resource){ .path = xstrdup(path), .reason = xstrdup(reason) };
}

/* Add a file of the folder when it is a resource whose name matches. */
static void add_file(struct resources *resources, struct library_index *index,
		     const char *folder, const char *file, const char *pattern)
{
	struct error err = ERROR_INIT;
	struct resource found;
	struct stat facts;
	enum answer is;

	if (!begin_resource(&found, folder, file, &facts))
		return;
	is = look_up(index, file, &facts, &found, &err);
	if (is == ANSWER_NO || (pattern && !pattern_matches(pattern, found.name, 0))) {
		release_one(&found);
	} else if (is == ANSWER_YES) {
		GROW(resources->items, resources->count + 1, resources->alloc);
		resources->items[resources->count++] = found;
	} else {
		add_unread(resources, found.path, error_text(&err));
		release_one(&found);
	}
	error_release(&err);
}

static int compare(const void *left, const void *right)
{
	const struct resource *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	return order ? order : (int)a->kind - (int)b->kind;
}

int resources_list(struct resources *resources, const char *folder, const char *pattern,
		   struct error *err)
{
	DIR *open = opendir(folder);
	struct library_index index;
	struct dirent *entry;

	*resources = (struct resources){ 0 };
	RETURN_IF(!open && errno == ENOENT, 0);
	RETURN_IF(!open, error_errno(err, "cannot read the resource library %s", folder));
	library_index_read(&index, folder);
	while ((entry = readdir(open)))
		add_file(resources, &index, folder, entry->d_name, pattern);
	closedir(open);
	library_index_drop_unseen(&index);
	library_index_write(&index, folder);
	library_index_release(&index);
	if (resources->count)
		qsort(resources->items, resources->count, sizeof(*resources->items), compare);
	return 0;
}

void resources_release(struct resources *resources)
{
	for (size_t i = 0; i < resources->count; i++)
		release_one(&resources->items[i]);
	free(resources->items);
	for (size_t i = 0; i < resources->unread_count; i++) {
		free(resources->unread[i].path);
		free(resources->unread[i].reason);
	}
	free(resources->unread);
	*resources = (struct resources){ 0 };
}

/* Returns the width of the widest name that fits the table. */
static size_t name_width(const struct resources *resources)
{
	size_t width = strlen("RESOURCE");

	for (size_t i = 0; i < resources->count; i++) {
		size_t columns = text_width(resources->items[i].name);

		if (columns > width && columns <= NAME_WIDTH_MAX)
			width = columns;
	}
	return width;
}

/* Appends a field of this width, and a blank. */
static void add_field(struct strbuf *sb, const char *text, size_t width)
{
	struct strbuf clean = STRBUF_INIT;

	text_clean(&clean, *text ? text : "-");
	text_add_field(sb, clean.text, width, false);
	strbuf_addch(sb, ' ');
	strbuf_release(&clean);
}

void resources_print(const struct resources *resources, struct strbuf *sb)
{
	size_t width = name_width(resources);

	strbuf_addf(sb, "%-*s %-12s %-8s %-8s %-12s %-19s %10s %10s %12s COMPLETE\n", (int)width,
		    "RESOURCE", "KIND", "JOB", "STEP", "PROGRAM", "DATE", "EVENTS", "SAMPLES",
		    "BYTES");
	for (size_t i = 0; i < resources->count; i++) {
		const struct resource *one = &resources->items[i];

		if (text_width(one->name) > width) {
			/* The full name is needed to read or delete the resource. */
			text_clean(sb, one->name);
			strbuf_addf(sb, "\n%*s", (int)width + 1, "");
		} else {
			add_field(sb, one->name, width);
		}
		add_field(sb, kinds[one->kind].word, 12);
		add_field(sb, one->job, 8);
		add_field(sb, one->step, 8);
		add_field(sb, one->program, 12);
		clock_format_wall(sb, one->start);
		strbuf_addf(sb, " %10" PRIu64 " %10" PRIu64 " %12" PRIu64 " %s\n", one->events,
			    one->samples, one->size, one->complete ? "YES" : "NO");
	}
}

int resource_delete(const struct resource *resource, struct error *err)
{
	char *folder = xstrdup(resource->path), *slash = strrchr(folder, '/'), *refused;

	*slash = '\0';
	refused = folders_refuse(folder);
	free(folder);
	if (refused) {
		error_set(err, "%s is not deleted: %s", resource->path, refused);
		free(refused);
		return -1;
	}
	/* The index is not sufficient here: the content itself is checked. */
	RETURN_IF(!dataset_is_at(resource->path),
		  error_set(err, "%s is not deleted: it is no longer a sample data set", resource->path));
	RETURN_IF(unlink(resource->path) < 0, error_errno(err, "cannot delete %s", resource->path));
	return 0;
}
