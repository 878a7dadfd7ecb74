/* SPDX-License-Identifier: Apache-2.0 */
/* DEFINE: clusters, alternate indexes, paths, generation group bases, and other names. */
#include "common/compat.h"
#include "utilities/idcams/set.h"
#include "utilities/idcams/verbs.h"
#include "common/xalloc.h"
#include "datasets/indexed.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_LENGTH 4089 /* default of RECORDSIZE */
#define DEFAULT_KEY 64
#define LONGEST_NAME 44
#define HIGHEST_LIMIT 255
#define LONGEST_KEY 255
#define LONGEST_RECORD 65535 /* limit of GnuCOBOL's indexed files */

/* What DEFINE works on: the keyword groups of the object and of its components. */
struct definition {
	const struct idcams_operand *object, *data, *index;
	const char *name;
	/* Values for what the command does not specify: MODEL's, or the defaults. */
	struct attributes model;
	unsigned average;
	bool reuse;
};

/* Reports an inconsistent definition. Returns -1. */
static int refuse(struct idcams *idcams, const struct definition *definition, const char *why)
{
	utility_message(idcams->utility, SEVERITY_SEVERE, 5624, "%s: %s", definition->name, why);
	return idcams_terminated(idcams);
}

/* Reports that something could not be created. Releases err, returns -1. */
static int failed(struct idcams *idcams, const struct definition *definition, struct error *err)
{
	utility_message(idcams->utility, SEVERITY_SEVERE, 5625, "cannot define %s: %s",
			definition->name, error_text(err));
	error_release(err);
	return idcams_terminated(idcams);
}

/* Returns a keyword of the object or, as IDCAMS allows, of its data component; NULL: not given. */
static const struct idcams_operand *find(const struct definition *definition, const char *keyword)
{
	const struct idcams_operand *found = idcams_find(definition->object->values, keyword);

	if (!found && definition->data)
		found = idcams_find(definition->data->values, keyword);
	return found;
}

/* Returns one of a keyword's two numbers. */
static unsigned number_of(const struct definition *definition, const char *keyword, unsigned number,
			  unsigned otherwise)
{
	const struct idcams_operand *found = find(definition, keyword);

	if (!found)
		return otherwise;
	return (unsigned)strtoul(number ? found->values->next->text : found->values->text, NULL,
				 10);
}

/* Checks that a name is free; -1 after "DUPLICATE DATA SET NAME". */
static int check_free(struct idcams *idcams, const char *name)
{
	RETURN_IF(idcams_name_is_free(idcams, name), 0);
	utility_foreign_message(idcams->utility, "IDC3013I", SEVERITY_SEVERE, 5626,
		      "DUPLICATE DATA SET NAME: %s", name);
	utility_foreign_message(idcams->utility, "IDC3009I", SEVERITY_SEVERE, 0,
		      "** VSAM CATALOG RETURN CODE IS 8 - REASON CODE IS IGG0CLEH-38");
	return idcams_terminated(idcams);
}

/* Returns the current date in the format of an entry. */
static char *today(void)
{
	time_t now = time(NULL);
	struct tm when;
	char text[16] = "";

	if (localtime_r(&now, &when))
		strftime(text, sizeof(text), "%Y-%m-%d", &when);
	return xstrdup(text);
}

/* Writes an entry and releases it. -1 after a message. */
static int write_entry(struct idcams *idcams, const struct definition *definition,
		       struct catalog_entry *entry)
{
	struct error err = ERROR_INIT;
	int result;

	entry->created = today();
	result = catalog_entry_write(&idcams->catalog, definition->name, entry, &err);
	catalog_entry_release(entry);
	return result < 0 ? failed(idcams, definition, &err) : 0;
}

/* Returns the name of a component: the one given, else the object's with a suffix. */
static char *component_name(const struct definition *definition,
			    const struct idcams_operand *component, const char *suffix)
{
	const char *said = component ? idcams_value(component->values, "NAME") : NULL;
	struct strbuf name = STRBUF_INIT;

	if (said)
		return xstrdup(said);
	strbuf_addf(&name, "%.*s%s", (int)(LONGEST_NAME - strlen(suffix)), definition->name,
		    suffix);
	return strbuf_detach(&name, NULL);
}

/* Prints "IDC0512I NAME GENERATED-(D) A.B.DATA" for components without a name. */
static void print_generated(struct idcams *idcams, const struct definition *definition,
			    bool indexed)
{
	const struct {
		const struct idcams_operand *component;
		const char *suffix;
	} components[] = { { definition->data, ".DATA" }, { definition->index, ".INDEX" } };

	for (size_t i = 0; i < (indexed ? 2U : 1U); i++) {
		const struct idcams_operand *component = components[i].component;
		char *name;

		if (component && idcams_value(component->values, "NAME"))
			continue;
		name = component_name(definition, component, components[i].suffix);
		utility_foreign_message(idcams->utility, "IDC0512I", SEVERITY_INFO, 0,
			      "NAME GENERATED-(%c) %s", components[i].suffix[1], name);
		free(name);
	}
}

/* Reads RECORDSIZE and sets the record format that follows from it. */
static int take_lengths(struct idcams *idcams, const struct definition *definition,
			struct attributes *attributes)
{
	unsigned average = number_of(definition, "RECORDSIZE", 0, definition->average);
	unsigned longest = number_of(definition, "RECORDSIZE", 1,
				     (unsigned)attributes_data_length(&definition->model));
	bool variable = average != longest;

	if (longest == 0 || longest > LONGEST_RECORD || average == 0 || average > longest)
		return refuse(idcams, definition,
			      "RECORDSIZE is the average and the largest record length; the "
			      "average is not above the largest, and the largest is at most 65535");
	attributes->lrecl = longest;
	if (attributes->organization != ORGANIZATION_SEQUENTIAL) {
		attributes->minimum = variable ? 1 : 0;
		return 0;
	}
	snprintf(attributes->recfm, sizeof(attributes->recfm), variable ? "VB" : "FB");
	attributes->lrecl += variable ? 4 : 0;
	return 0;
}

/* Reads KEYS. */
static int take_key(struct idcams *idcams, const struct definition *definition,
		    struct attributes *attributes)
{
	struct record_key *key = &attributes->keys[0];

	key->length = number_of(definition, "KEYS", 0, definition->model.keys[0].length);
	key->offset = number_of(definition, "KEYS", 1, definition->model.keys[0].offset);
	attributes->key_count = 1;
	if (key->length == 0 || key->length > LONGEST_KEY || key->offset >= attributes->lrecl ||
	    key->length > attributes->lrecl - key->offset)
		return refuse(idcams, definition,
			      "KEYS is the length of the key, 1 to 255, and its offset; the key is "
			      "within the record");
	if (attributes->minimum)
		attributes->minimum = key->offset + key->length;
	return 0;
}

/* Determines the kind of a cluster. */
static int take_cluster(struct idcams *idcams, const struct definition *definition,
			struct attributes *attributes)
{
	bool nonindexed = find(definition, "NONINDEXED"), numbered = find(definition, "NUMBERED");

	bool indexed = find(definition, "INDEXED");

	if (nonindexed + numbered + indexed > 1)
		return refuse(idcams, definition, "it has more than one organization");
	attributes->organization = nonindexed ? ORGANIZATION_SEQUENTIAL
				   : numbered ? ORGANIZATION_RELATIVE
				   : indexed  ? ORGANIZATION_INDEXED
					      : definition->model.organization;
	RETURN_IF(take_lengths(idcams, definition, attributes) < 0, -1);
	if (attributes->organization == ORGANIZATION_INDEXED)
		return take_key(idcams, definition, attributes);
	if (find(definition, "KEYS"))
		return refuse(idcams, definition, "only INDEXED clusters have KEYS");
	return definition->index ? refuse(idcams, definition, "only INDEXED clusters have an INDEX")
				 : 0;
}

/* Creates the empty file with its attributes. -1 with the reason. */
static int make_file(const char *path, const struct attributes *attributes, struct error *err)
{
	struct indexed_file *file;
	int fd;

	if (attributes->organization == ORGANIZATION_SEQUENTIAL) {
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		RETURN_IF(fd < 0, error_errno(err, "%s cannot be created", path));
		close(fd);
	} else {
		RETURN_IF(indexed_open(&file, path, attributes, INDEXED_OUTPUT, err) < 0, -1);
		RETURN_IF(indexed_close(file, err) < 0, -1);
	}
	return attributes_set(path, attributes, err);
}

/* Prints "IDC0508I DATA ALLOCATION STATUS FOR VOLUME x IS 0". */
static void print_allocation(struct idcams *idcams, const struct definition *definition,
			     bool indexed)
{
	const struct idcams_operand *volumes = find(definition, "VOLUMES");
	const char *volume = volumes && volumes->values ? volumes->values->text : "*";

	utility_foreign_message(idcams->utility, "IDC0508I", SEVERITY_INFO, 0,
		      "DATA ALLOCATION STATUS FOR VOLUME %s IS 0", volume);
	if (indexed)
		utility_foreign_message(idcams->utility, "IDC0509I", SEVERITY_INFO, 0,
			      "INDEX ALLOCATION STATUS FOR VOLUME %s IS 0", volume);
	print_generated(idcams, definition, indexed);
}

/* Copies from MODEL's cluster what the command does not specify. */
static int take_model(struct idcams *idcams, struct definition *definition)
{
	const struct idcams_operand *model = find(definition, "MODEL");
	struct strbuf path = STRBUF_INIT;
	struct catalog_entry entry;
	bool cluster;

	definition->model = (struct attributes){ .lrecl = DEFAULT_LENGTH,
						 .organization = ORGANIZATION_INDEXED,
						 .keys = { { .length = DEFAULT_KEY } } };
	definition->average = DEFAULT_LENGTH;
	RETURN_IF(!model, 0);
	if (catalog_entry_read(&idcams->catalog, model->values->text, &entry, NULL) < 0)
		entry.type = CATALOG_NONE;
	cluster = entry.type == CATALOG_CLUSTER;
	definition->average = entry.average;
	definition->reuse = entry.reuse;
	catalog_entry_release(&entry);
	if (!cluster)
		return refuse(idcams, definition, "MODEL does not name a cluster");
	catalog_file(&idcams->catalog, model->values->text, &path);
	attributes_get(path.text, &definition->model);
	strbuf_release(&path);
	return 0;
}

/* DEFINE CLUSTER. */
static int define_cluster(struct idcams *idcams, struct definition *definition)
{
	struct attributes attributes = { 0 };
	struct catalog_entry entry = { .type = CATALOG_CLUSTER };
	struct strbuf path = STRBUF_INIT;
	struct error err = ERROR_INIT;
	bool indexed;

	RETURN_IF(take_model(idcams, definition) < 0, -1);
	RETURN_IF(take_cluster(idcams, definition, &attributes) < 0, -1);
	indexed = attributes.organization == ORGANIZATION_INDEXED;
	catalog_file(&idcams->catalog, definition->name, &path);
	if (make_file(path.text, &attributes, &err) < 0) {
		catalog_remove(path.text);
		strbuf_release(&path);
		return failed(idcams, definition, &err);
	}
	entry.data = component_name(definition, definition->data, ".DATA");
	if (indexed)
		entry.index = component_name(definition, definition->index, ".INDEX");
	entry.average = number_of(definition, "RECORDSIZE", 0, definition->average);
	entry.reuse =
		find(definition, "REUSE") || (definition->reuse && !find(definition, "NOREUSE"));
	if (write_entry(idcams, definition, &entry) < 0) {
		catalog_remove(path.text);
		strbuf_release(&path);
		return -1;
	}
	strbuf_release(&path);
	print_allocation(idcams, definition, indexed);
	return 0;
}

/* Reads the entry that a keyword names. -1 after a message. */
static int read_related(struct idcams *idcams, const struct definition *definition,
			const char *keyword, struct catalog_entry *entry)
{
	const char *name = idcams_value(definition->object->values, keyword);
	struct error err = ERROR_INIT;

	*entry = (struct catalog_entry){ 0 };
	if (!name) {
		utility_message(idcams->utility, SEVERITY_SEVERE, 5604, "%s: %s is missing",
				definition->name, keyword);
		return idcams_terminated(idcams);
	}
	if (catalog_entry_read(&idcams->catalog, name, entry, &err) < 0)
		return failed(idcams, definition, &err);
	RETURN_IF(entry->type != CATALOG_NONE, 0);
	idcams_not_found(idcams, SEVERITY_SEVERE, name);
	return idcams_terminated(idcams);
}

/*
 * Returns the next number in the order in which a cluster's alternate indexes are
 * defined; 0: the limit is reached.
 */
static unsigned next_number(struct idcams *idcams, const char *cluster)
{
	unsigned highest = 0, indexes = 0;
	char **names;
	size_t count = catalog_dependents(&idcams->catalog, cluster, &names);

	for (size_t i = 0; i < count; i++) {
		struct catalog_entry entry;

		if (catalog_entry_read(&idcams->catalog, names[i], &entry, NULL) < 0)
			continue;
		indexes += entry.type == CATALOG_AIX;
		if (entry.type == CATALOG_AIX && entry.number > highest)
			highest = entry.number;
		catalog_entry_release(&entry);
	}
	catalog_names_free(names, count);
	return indexes < ATTRIBUTES_KEYS - 1 ? highest + 1 : 0;
}

/* Checks an alternate index against its cluster. */
static int check_aix(struct idcams *idcams, const struct definition *definition, const char *base,
		     const struct catalog_entry *index)
{
	struct attributes attributes;
	struct strbuf path = STRBUF_INIT;

	catalog_file(&idcams->catalog, base, &path);
	attributes_get(path.text, &attributes);
	strbuf_release(&path);
	if (attributes.organization != ORGANIZATION_INDEXED)
		return refuse(idcams, definition, "RELATE does not name an INDEXED cluster");
	if (index->number == 0)
		return refuse(idcams, definition, "a cluster has at most 16 alternate indexes");
	if (index->key_length == 0 || index->key_length > LONGEST_KEY ||
	    index->key_offset >= attributes.lrecl ||
	    index->key_length > attributes.lrecl - index->key_offset)
		return refuse(idcams, definition,
			      "KEYS is the length of the key, 1 to 255, and its offset; the key is "
			      "within the record");
	return 0;
}

/* DEFINE ALTERNATEINDEX. */
static int define_aix(struct idcams *idcams, struct definition *definition)
{
	const struct idcams_operand *operands = definition->object->values;
	struct catalog_entry entry = { .type = CATALOG_AIX }, base;

	RETURN_IF(read_related(idcams, definition, "RELATE", &base) < 0, -1);
	catalog_entry_release(&base);
	entry.key_length = number_of(definition, "KEYS", 0, DEFAULT_KEY);
	entry.key_offset = number_of(definition, "KEYS", 1, 0);
	entry.unique = find(definition, "UNIQUEKEY") != NULL;
	entry.upgrade = find(definition, "NOUPGRADE") == NULL;
	entry.number = next_number(idcams, idcams_value(operands, "RELATE"));
	RETURN_IF(check_aix(idcams, definition, idcams_value(operands, "RELATE"), &entry) < 0, -1);
	entry.related = xstrdup(idcams_value(operands, "RELATE"));
	entry.data = component_name(definition, definition->data, ".DATA");
	entry.index = component_name(definition, definition->index, ".INDEX");
	RETURN_IF(write_entry(idcams, definition, &entry) < 0, -1);
	print_allocation(idcams, definition, true);
	return 0;
}

/* DEFINE PATH. */
static int define_path(struct idcams *idcams, struct definition *definition)
{
	struct catalog_entry entry = { .type = CATALOG_PATH }, base;
	bool fits;

	RETURN_IF(read_related(idcams, definition, "PATHENTRY", &base) < 0, -1);
	fits = base.type == CATALOG_AIX || base.type == CATALOG_CLUSTER;
	catalog_entry_release(&base);
	if (!fits)
		return refuse(idcams, definition,
			      "PATHENTRY names neither a cluster nor an alternate index");
	entry.related = xstrdup(idcams_value(definition->object->values, "PATHENTRY"));
	return write_entry(idcams, definition, &entry);
}

/* DEFINE GENERATIONDATAGROUP. */
static int define_gdg(struct idcams *idcams, struct definition *definition)
{
	const struct idcams_operand *operands = definition->object->values;
	struct catalog_entry entry = { .type = CATALOG_GDG };

	entry.limit = idcams_number(operands, "LIMIT", 0, 0);
	entry.empty = idcams_find(operands, "EMPTY") != NULL;
	entry.scratch = idcams_find(operands, "SCRATCH") != NULL;
	if (entry.limit == 0 || entry.limit > HIGHEST_LIMIT)
		return refuse(idcams, definition, "LIMIT is 1 to 255");
	return write_entry(idcams, definition, &entry);
}

/* DEFINE NONVSAM. */
static int define_nonvsam(struct idcams *idcams, struct definition *definition)
{
	struct catalog_entry entry = { .type = CATALOG_NONVSAM };

	return write_entry(idcams, definition, &entry);
}

/* DEFINE ALIAS. */
static int define_alias(struct idcams *idcams, struct definition *definition)
{
	struct catalog_entry entry = { .type = CATALOG_ALIAS }, target;

	RETURN_IF(read_related(idcams, definition, "RELATE", &target) < 0, -1);
	catalog_entry_release(&target);
	entry.related = xstrdup(idcams_value(definition->object->values, "RELATE"));
	return write_entry(idcams, definition, &entry);
}

static const struct {
	const char *keyword;
	int (*define)(struct idcams *idcams, struct definition *definition);
	bool components; /* the object may have DATA and INDEX */
} objects[] = {
	{ "CLUSTER", define_cluster, true },  { "ALTERNATEINDEX", define_aix, true },
	{ "PATH", define_path, false },	      { "GENERATIONDATAGROUP", define_gdg, false },
	{ "NONVSAM", define_nonvsam, false }, { "ALIAS", define_alias, false },
};

/* Checks the name of an object and defines it. */
static void define_object(struct idcams *idcams, struct definition *definition, size_t object)
{
	definition->name = idcams_value(definition->object->values, "NAME");
	if (!definition->name) {
		utility_message(idcams->utility, SEVERITY_SEVERE, 5604,
				"DEFINE %s: NAME is missing", objects[object].keyword);
		idcams_terminated(idcams);
		return;
	}
	if (!objects[object].components && (definition->data || definition->index))
		refuse(idcams, definition, "DATA and INDEX belong to CLUSTER and ALTERNATEINDEX");
	else if (idcams_find(definition->object->values, "NAME")->values->values)
		refuse(idcams, definition, "a member is created by writing it");
	else if (check_free(idcams, definition->name) == 0 &&
		 idcams_lock(idcams, definition->name, true) == 0)
		objects[object].define(idcams, definition);
}

void idcams_define(struct idcams *idcams, const struct idcams_command *command)
{
	struct definition definition = { .data = idcams_find(command->operands, "DATA"),
					 .index = idcams_find(command->operands, "INDEX") };
	size_t object = 0, count = 0;

	if (!idcams_has_root(idcams))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++) {
		const struct idcams_operand *found =
			idcams_find(command->operands, objects[i].keyword);

		if (!found)
			continue;
		definition.object = found;
		object = i;
		count++;
	}
	if (count == 1)
		define_object(idcams, &definition, object);
	else
		utility_message(idcams->utility, SEVERITY_SEVERE, 5604,
				"DEFINE needs one of CLUSTER, ALTERNATEINDEX, PATH, "
				"GENERATIONDATAGROUP, NONVSAM and ALIAS");
}
