/* SPDX-License-Identifier: Apache-2.0 */
/* Finds and loads libraries of modules, and registers their modules. */
#include "common/compat.h"
#include "engine/modules/module-library.h"
#include "common/trust.h"
#include "common/xalloc.h"
#include "engine/modules/forked.h"
#include "engine/modules/module-call.h"
#include "engine/modules/views.h"
#include "records/record-types.h"

#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <unistd.h>

/* Size of the part of the structures that every version has. */
#define LIST_SIZE sizeof(struct vigil_module_list)
#define MODULE_SIZE sizeof(struct vigil_module)

/* Calls visit for each folder searched, until it returns true. Returns whether it did. */
static bool each_folder(const struct vigil_engine *opened,
			bool (*visit)(void *argument, const char *folder), void *argument)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	struct strbuf path = STRBUF_INIT;
	bool found = false;

	strbuf_addf(&path, "%s:", opened->folders);
	if (getenv("VIGIL_MODULES"))
		strbuf_addf(&path, "%s:", getenv("VIGIL_MODULES"));
	if (data && data[0] == '/')
		strbuf_addf(&path, "%s/vigil/modules:", data);
	else if (home)
		strbuf_addf(&path, "%s/.local/share/vigil/modules:", home);
	strbuf_addstr(&path, "/usr/local/lib/vigil/modules:" VIGIL_LIBDIR "/vigil/modules:");
	for (char *folder = path.text, *end; !found && (end = strchr(folder, ':'));
	     folder = end + 1) {
		*end = '\0';
		found = folder[0] == '/' && visit(argument, folder);
	}
	strbuf_release(&path);
	return found;
}

/* A library that is searched by its name. */
struct wanted {
	const char *name;
	char *found; /* its real path */
};

static bool look_in(void *argument, const char *folder)
{
	struct wanted *wanted = argument;
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%s.so", folder, wanted->name);
	wanted->found = realpath(path.text, NULL);
	strbuf_release(&path);
	return wanted->found;
}

/* Returns the file for a library's name, NULL when there is none. */
static char *find_library(const struct vigil_engine *opened, const char *name)
{
	struct wanted wanted = { .name = name };

	if (strchr(name, '/'))
		return realpath(name, NULL);
	each_folder(opened, look_in, &wanted);
	return wanted.found;
}

/* State of listing the libraries. */
struct listing {
	void (*each)(void *argument, const char *path);
	void *argument;
	struct strmap names; /* the names already listed */
};

static int is_library(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 3 && entry->d_name[0] != '.' &&
	       strcmp(entry->d_name + length - 3, ".so") == 0;
}

static bool list_folder(void *argument, const char *folder)
{
	struct listing *listing = argument;
	struct dirent **entries = NULL;
	int count = scandir(folder, &entries, is_library, alphasort);

	for (int i = 0; i < count; i++) {
		uint32_t before = (uint32_t)listing->names.count;
		struct strbuf path = STRBUF_INIT;

		strmap_put(&listing->names, entries[i]->d_name);
		strbuf_addf(&path, "%s/%s", folder, entries[i]->d_name);
		if (listing->names.count > before)
			listing->each(listing->argument, path.text);
		strbuf_release(&path);
		free(entries[i]);
	}
	free(entries);
	return false;
}

void library_each(const struct vigil_engine *opened, void (*each)(void *argument, const char *path),
		  void *argument)
{
	struct listing listing = { .each = each, .argument = argument };

	strmap_init(&listing.names);
	each_folder(opened, list_folder, &listing);
	strmap_release(&listing.names);
}

/* Checks that the list of a library can be used. */
static int check_list(const struct vigil_module_list *list, struct error *err)
{
	if (!list)
		return error_set(err,
				 "it has no symbol vigil_modules; define it with VIGIL_MODULES "
				 "of <vigil/module.h>");
	if (memcmp(list->identifier, VIGIL_MODULE_IDENTIFIER, sizeof(VIGIL_MODULE_IDENTIFIER)) != 0)
		return error_set(err, "its vigil_modules does not begin with the identifying "
				      "constant; define it with VIGIL_MODULES of <vigil/module.h>");
	if (list->version < 1 || list->version > VIGIL_MODULE_VERSION)
		return error_set(err,
				 "it was built for version %u of the interface, this is version %u",
				 list->version, VIGIL_MODULE_VERSION);
	if (list->size < LIST_SIZE || !list->modules || !list->modules[0])
		return error_set(err, "its list has the wrong size or no modules");
	return 0;
}

static void *load_file(const char *path, struct error *err)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const char *why = handle ? NULL : dlerror();

	if (!handle)
		error_set(err, "it cannot be loaded (%s)", why ? why : "unknown reason");
	return handle;
}

/* In a separate process: loads the library, and calls VIGIL_LOAD of its modules. */
static void try_library(void *argument, int fd)
{
	const char *path = ((const char *const *)argument)[0];
	const char *parameter = ((const char *const *)argument)[1];
	struct vigil_engine *trial = xcalloc(1, sizeof(*trial));
	const struct vigil_module_list *list;
	void *handle = load_file(path, NULL);

	registry_init(&trial->types, &session_records);
	list = handle ? dlsym(handle, "vigil_modules") : NULL;
	if (list && check_list(list, NULL) == 0)
		for (size_t i = 0; list->modules[i]; i++)
			library_take(trial, list->modules[i], path, parameter, NULL);
	if (write(fd, "", 1) < 0)
		_exit(1);
}

/*
 * Tests in a separate process whether a library can be loaded safely. Returns -1
 * with how that process ended.
 */
static int try_first(const struct vigil_engine *opened, const char *path, const char *parameter,
		     struct error *err)
{
	const char *trial[] = { path, parameter };
	struct forked forked;
	struct strbuf how = STRBUF_INIT;
	char done;
	bool whole;

	RETURN_IF(forked_start(&forked, try_library, trial, err) < 0, -1);
	whole = forked_wait(&forked, opened->options.patience) && read(forked.fd, &done, 1) == 1;
	forked_end(&forked, &how);
	if (!whole)
		error_set(err, "loading it fails: %s", how.text);
	strbuf_release(&how);
	return whole ? 0 : -1;
}

/* Loads a trusted file. */
static const struct vigil_module_list *open_file(struct vigil_engine *opened, const char *path,
						 const char *parameter, void **handle,
						 struct error *err)
{
	const struct vigil_module_list *list;

	RETURN_IF(try_first(opened, path, parameter, err) < 0, NULL);
	*handle = load_file(path, err);
	RETURN_IF(!*handle, NULL);
	list = dlsym(*handle, "vigil_modules");
	RETURN_IF(check_list(list, err) == 0, list);
	dlclose(*handle);
	return NULL;
}

const struct vigil_module_list *library_open(struct vigil_engine *opened, const char *name,
					     const char *parameter, const char **path,
					     struct error *err)
{
	char *found = find_library(opened, name), *refusal = found ? trust_refuse(found) : NULL;
	const struct vigil_module_list *list = NULL;
	void *handle;

	if (!found)
		error_set(err, "there is no library %s", name);
	else if (refusal)
		error_set(err, "library %s is not trusted: %s", found, refusal);
	else if (!(list = open_file(opened, found, parameter, &handle, err)))
		error_prefix(err, "library %s", found);
	free(refusal);
	if (!list) {
		free(found);
		return NULL;
	}
	GROW(opened->libraries, opened->library_count + 1, opened->library_alloc);
	opened->libraries[opened->library_count++] = (struct loaded_library){ found, handle };
	*path = found;
	return list;
}

/* Returns whether a name is valid: upper-case letters, digits, and word separators. */
static bool is_name(const char *name)
{
	size_t length = name ? strnlen(name, VIGIL_MODULE_NAME_MAX + 1) : 0;

	for (size_t i = 0; i < length; i++)
		if (!isupper((unsigned char)name[i]) && !isdigit((unsigned char)name[i]) &&
		    !strchr("._-$#@", name[i]))
			return false;
	return length > 0 && length <= VIGIL_MODULE_NAME_MAX;
}

/* Checks the structure of a module. */
static int check_module(const struct vigil_engine *opened, const struct vigil_module *module,
			struct error *err)
{
	static const char *const reserved[] = { "TIMER", "DATASET", "DATASET.READER" };

	if (!module || module->size < MODULE_SIZE)
		return error_set(err, "a module was built with a header of another size");
	if (!is_name(module->name))
		return error_set(err, "a module's name is not 1 to %d upper-case characters",
				 VIGIL_MODULE_NAME_MAX);
	if (module->version < 1 || module->version > VIGIL_MODULE_VERSION)
		return error_set(err,
				 "module %s was built for version %u of the interface, this is "
				 "version %u",
				 module->name, module->version, VIGIL_MODULE_VERSION);
	if (!module->call)
		return error_set(err, "module %s has no function to call", module->name);
	for (size_t i = 0; i < ARRAY_SIZE(reserved); i++)
		if (strcmp(module->name, reserved[i]) == 0)
			return error_set(err,
					 "module %s has a name that is reserved for the engine",
					 module->name);
	for (size_t i = 0; i < opened->count; i++)
		if (strcmp(opened->registered_module[i]->module->name, module->name) == 0)
			return error_set(err, "module %s already exists", module->name);
	return 0;
}

/* Registers a type of a module; NULL with err. */
static const struct record_type *take_type(struct vigil_engine *opened,
					   const struct vigil_record_type *given, struct error *err)
{
	const struct record_type *type;
	struct record_type made;

	RETURN_IF(views_make_type(given, &made, err) < 0, NULL);
	if (registry_find(&opened->types, made.name)) {
		error_set(err, "record type %s already exists, but a module needs one of its own",
			  made.name);
		type = NULL;
	} else {
		type = registry_add(&opened->types, &made, err);
	}
	free((struct field *)made.fields);
	return type;
}

/* Registers the types of a module. */
static int take_types(struct registered_module *registered_module, struct error *err)
{
	const struct vigil_private *mine = &registered_module->mine;

	if (mine->type)
		registered_module->type = take_type(registered_module->opened, mine->type, err);
	if (mine->private_type)
		registered_module->private_type = take_type(registered_module->opened, mine->private_type, err);
	return (mine->type && !registered_module->type) || (mine->private_type && !registered_module->private_type) ? -1
											    : 0;
}

struct registered_module *library_take(struct vigil_engine *opened, const struct vigil_module *module,
			   const char *path, const char *parameter, struct error *err)
{
	struct registered_module *registered_module;
	int status;

	RETURN_IF(check_module(opened, module, err) < 0, NULL);
	registered_module = xcalloc(1, sizeof(*registered_module));
	registered_module->opened = opened;
	registered_module->module = module;
	registered_module->library = xstrdup(path);
	registered_module->parameter = xstrdup(parameter ? parameter : "");
	registered_module->mine = (struct vigil_private){ .size = sizeof(registered_module->mine),
					      .name = module->name,
					      .parameter = registered_module->parameter };
	strbuf_init(&registered_module->last_error);
	status = module_call(registered_module, VIGIL_LOAD, NULL);
	if (status != VIGIL_OK)
		error_set(err, "module %s: %s", module->name,
			  registered_module->last_error.length ? registered_module->last_error.text : "it has nothing to do");
	else if (take_types(registered_module, err) < 0)
		status = error_prefix(err, "module %s", module->name);
	if (status != VIGIL_OK) {
		strbuf_release(&registered_module->last_error);
		free(registered_module->library);
		free(registered_module->parameter);
		free(registered_module);
		return NULL;
	}
	registered_module->mine.record_id = registered_module->type ? registered_module->type->id : 0;
	registered_module->at_load = registered_module->mine;
	GROW(opened->registered_module, opened->count + 1, opened->alloc);
	opened->registered_module[opened->count++] = registered_module;
	return registered_module;
}

void library_close(struct vigil_engine *opened)
{
	while (opened->count > 0) {
		struct registered_module *registered_module = opened->registered_module[--opened->count];

		module_call(registered_module, VIGIL_UNLOAD, NULL);
		strbuf_release(&registered_module->last_error);
		free(registered_module->library);
		free(registered_module->parameter);
		free(registered_module);
	}
	free(opened->registered_module);
	for (size_t i = 0; i < opened->library_count; i++) {
		dlclose(opened->libraries[i].handle);
		free(opened->libraries[i].path);
	}
	free(opened->libraries);
}
