/* SPDX-License-Identifier: Apache-2.0 */
/* LISTCAT: lists catalogue entries and what belongs to them. */
#include "common/compat.h"
#include "utilities/idcams/listing.h"
#include "common/xalloc.h"
#include "datasets/entries.h"
#include "datasets/generations.h"
#include "utilities/idcams/set.h"
#include "utilities/idcams/verbs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#define FIELD_WIDTH 24
#define FIELDS_LINE 4 /* fields per line */

enum detail { DETAIL_NAME, DETAIL_HISTORY, DETAIL_ALL };

/* The kinds of entry, in the order of the totals. */
enum kind {
	KIND_AIX,
	KIND_ALIAS,
	KIND_CLUSTER,
	KIND_DATA,
	KIND_GDG,
	KIND_INDEX,
	KIND_NONVSAM,
	KIND_PATH,
	KIND_COUNT,
};

static const struct {
	const char *keyword, *total, *head;
	enum catalog_type type; /* NONE: a component of another entry */
} kinds[KIND_COUNT] = {
	[KIND_AIX] = { "ALTERNATEINDEX", "AIX", "AIX ----------", CATALOG_AIX },
	[KIND_ALIAS] = { "ALIAS", "ALIAS", "ALIAS ---------", CATALOG_ALIAS },
	[KIND_CLUSTER] = { "CLUSTER", "CLUSTER", "CLUSTER -------", CATALOG_CLUSTER },
	[KIND_DATA] = { "DATA", "DATA", "   DATA -------", CATALOG_NONE },
	[KIND_GDG] = { "GENERATIONDATAGROUP", "GDG", "GDG BASE ------", CATALOG_GDG },
	[KIND_INDEX] = { "INDEX", "INDEX", "   INDEX ------", CATALOG_NONE },
	[KIND_NONVSAM] = { "NONVSAM", "NONVSAM", "NONVSAM -------", CATALOG_NONVSAM },
	[KIND_PATH] = { "PATH", "PATH", "PATH ----------", CATALOG_PATH },
};

/* State of a LISTCAT. */
struct listcat {
	struct idcams *idcams;
	struct idcams_listing listing;
	enum detail detail;
	bool wanted[KIND_COUNT];
	size_t totals[KIND_COUNT];
	char **names; /* all names of the catalogue */
	struct catalog_entry *entries;
	size_t count;
};

#define LINE(listcat, ...) idcams_listing_line(&(listcat)->listing, __VA_ARGS__)

static enum kind kind_of(enum catalog_type type)
{
	for (enum kind kind = 0; kind < KIND_COUNT; kind++)
		if (kinds[kind].type == type)
			return kind;
	return KIND_NONVSAM;
}

/* Appends "KEYLEN-----------------5". */
static void add_field(struct strbuf *sb, const char *name, const char *value)
{
	size_t used = strlen(name) + strlen(value);

	strbuf_addstr(sb, name);
	strbuf_addchars(sb, '-', used < FIELD_WIDTH ? FIELD_WIDTH - used : 1);
	strbuf_addstr(sb, value);
	strbuf_addstr(sb, "     ");
}

static void add_number(struct strbuf *sb, const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	add_field(sb, name, text);
}

/* Returns "2026.325" from an entry's date, or from the file's creation time. */
static void creation_date(struct listcat *listcat, const char *name,
			  const struct catalog_entry *entry, char text[16])
{
	struct strbuf path = STRBUF_INIT;
	struct statx info;
	struct tm when = { 0 };
	time_t born;

	snprintf(text, 16, "0000.000");
	if (entry->created &&
	    sscanf(entry->created, "%d-%d-%d", &when.tm_year, &when.tm_mon, &when.tm_mday) == 3) {
		when.tm_year -= 1900;
		when.tm_mon -= 1;
		when.tm_hour = 12;
		if (mktime(&when) != -1)
			strftime(text, 16, "%Y.%j", &when);
		return;
	}
	catalog_file(&listcat->idcams->catalog, name, &path);
	if (statx(AT_FDCWD, path.text, 0, STATX_BTIME, &info) == 0 && info.stx_mask & STATX_BTIME) {
		born = (time_t)info.stx_btime.tv_sec;
		if (localtime_r(&born, &when))
			strftime(text, 16, "%Y.%j", &when);
	}
	strbuf_release(&path);
}

/* Prints the line with the name, and the history if requested. */
static void print_head(struct listcat *listcat, enum kind kind, const char *name,
		       const struct catalog_entry *entry)
{
	struct strbuf line = STRBUF_INIT;
	char date[16];

	listcat->totals[kind]++;
	LINE(listcat, "%s %s", kinds[kind].head, name);
	LINE(listcat, "     IN-CAT --- %s", listcat->idcams->catalog.root);
	if (listcat->detail >= DETAIL_HISTORY) {
		creation_date(listcat, name, entry, date);
		LINE(listcat, "     HISTORY");
		add_field(&line, "DATASET-OWNER", "(NULL)");
		add_field(&line, "CREATION", date);
		LINE(listcat, "       %s", line.text);
	}
	strbuf_release(&line);
}

/* Prints "CLUSTER--A.B" among the associations. */
static void print_association(struct listcat *listcat, const char *kind, const char *name)
{
	struct strbuf head = STRBUF_INIT;

	strbuf_addf(&head, "       %s--", kind);
	while (head.length < 16)
		strbuf_addch(&head, '-');
	LINE(listcat, "%s%s", head.text, name);
	strbuf_release(&head);
}

/* Returns whether a name is a generation that is in its base's group. */
static bool is_generation(const char *name, const struct catalog_entry *entry, const char *base)
{
	size_t length;
	unsigned number;

	return generation_parse(name, &length, &number) && strlen(base) == length &&
	       strncmp(name, base, length) == 0 && !entry->rolled_off;
}

/* Returns the base of a generation if it is in the catalogue; NULL: it is not. */
static const char *find_base(const struct listcat *listcat, const char *name,
			     const struct catalog_entry *entry)
{
	for (size_t i = 0; i < listcat->count; i++)
		if (listcat->entries[i].type == CATALOG_GDG &&
		    is_generation(name, entry, listcat->names[i]))
			return listcat->names[i];
	return NULL;
}

/* Returns whether an entry is defined directly over a name. */
static bool depends(const struct catalog_entry *entry, const char *name)
{
	return entry->related && strcmp(entry->related, name) == 0;
}

/* Prints the alternate indexes, paths and aliases of an entry. */
static void print_dependents(struct listcat *listcat, const char *name)
{
	for (size_t i = 0; i < listcat->count; i++)
		if (depends(&listcat->entries[i], name))
			print_association(listcat, kinds[kind_of(listcat->entries[i].type)].total,
					  listcat->names[i]);
}

/* Prints the generations of a base. */
static void print_generations(struct listcat *listcat, const char *base)
{
	struct generation_group group;

	if (generation_group_read(&group, &listcat->idcams->catalog, base, NULL) < 0)
		return;
	for (size_t i = 0; i < group.count; i++) {
		struct strbuf name = STRBUF_INIT;

		generation_name(&group, (int)i - (int)group.count + 1, &name);
		print_association(listcat, "NONVSAM", name.text);
		strbuf_release(&name);
	}
	generation_group_release(&group);
}

/* Prints the line above the associations, which says so when there are none. */
static void print_associations_head(struct listcat *listcat, const char *name,
				    const struct catalog_entry *entry)
{
	struct generation_group group = { 0 };
	bool any = entry->data || entry->related || find_base(listcat, name, entry);

	for (size_t i = 0; i < listcat->count && !any; i++)
		any = depends(&listcat->entries[i], name);
	if (entry->type == CATALOG_GDG &&
	    generation_group_read(&group, &listcat->idcams->catalog, name, NULL) == 0)
		any |= group.count > 0;
	LINE(listcat, "     ASSOCIATIONS%s", any ? "" : "--------(NULL)");
	generation_group_release(&group);
}

/* Prints what an entry belongs to, and what belongs to it. */
static void print_associations(struct listcat *listcat, const char *name,
			       const struct catalog_entry *entry)
{
	struct catalog_entry related;

	print_associations_head(listcat, name, entry);
	if (entry->data)
		print_association(listcat, "DATA", entry->data);
	if (entry->index)
		print_association(listcat, "INDEX", entry->index);
	if (entry->related) {
		if (catalog_entry_read(&listcat->idcams->catalog, entry->related, &related, NULL) <
		    0)
			related.type = CATALOG_NONE;
		print_association(listcat, kinds[kind_of(related.type)].total, entry->related);
		catalog_entry_release(&related);
	}
	if (find_base(listcat, name, entry))
		print_association(listcat, "GDG", find_base(listcat, name, entry));
	if (entry->type == CATALOG_GDG)
		print_generations(listcat, name);
	else
		print_dependents(listcat, name);
}

/* Prints the attributes that the entry itself holds. */
static void print_entry_attributes(struct listcat *listcat, const struct catalog_entry *entry)
{
	struct strbuf line = STRBUF_INIT;

	LINE(listcat, "     ATTRIBUTES");
	if (entry->type == CATALOG_GDG) {
		add_number(&line, "LIMIT", entry->limit);
		strbuf_addf(&line, "%s     %s", entry->scratch ? "SCRATCH" : "NOSCRATCH",
			    entry->empty ? "EMPTY" : "NOEMPTY");
	} else if (entry->type == CATALOG_AIX) {
		strbuf_addf(&line, "%s", entry->upgrade ? "UPGRADE" : "NOUPGRADE");
	} else {
		strbuf_addstr(&line, "UPDATE");
	}
	LINE(listcat, "       %s", line.text);
	strbuf_release(&line);
}

/* Prints the attributes and statistics of a data component. */
static void print_data_attributes(struct listcat *listcat, const char *name,
				  const struct catalog_entry *entry)
{
	static const char *const organizations[] = { "", "NONINDEXED", "", "INDEXED", "NUMBERED" };
	const struct record_key *key;
	struct attributes attributes;
	struct strbuf path = STRBUF_INIT, line = STRBUF_INIT, dsn = STRBUF_INIT;
	unsigned number;
	uint64_t records;
	bool readable;

	catalog_resolve(&listcat->idcams->catalog, name, &dsn, &number);
	catalog_file(&listcat->idcams->catalog, dsn.text, &path);
	attributes_get(path.text, &attributes);
	key = &attributes.keys[0];
	LINE(listcat, "     ATTRIBUTES");
	if (entry->type == CATALOG_AIX) {
		add_number(&line, "KEYLEN", entry->key_length);
		add_number(&line, "AXRKP", entry->key_offset);
		strbuf_addf(&line, "%s", entry->unique ? "UNIQUEKEY" : "NONUNIQKEY");
		LINE(listcat, "       %s", line.text);
	} else {
		if (attributes.key_count > 0) {
			add_number(&line, "KEYLEN", key->length);
			add_number(&line, "RKP", key->offset);
		}
		add_number(&line, "AVGLRECL", entry->average);
		add_number(&line, "MAXLRECL", attributes_data_length(&attributes));
		LINE(listcat, "       %s", line.text);
		LINE(listcat, "       %s     %s", organizations[attributes.organization],
		     entry->reuse ? "REUSE" : "NOREUSE");
		readable = idcams_count(path.text, &attributes, 0, &records, NULL) == 0;
		strbuf_reset(&line);
		add_number(&line, "REC-TOTAL", records);
		LINE(listcat, "     STATISTICS");
		LINE(listcat, "       %s", readable ? line.text : "(NOT READABLE)");
	}
	strbuf_release(&path);
	strbuf_release(&line);
	strbuf_release(&dsn);
}

/* Prints a component, from its owner's entry. */
static void print_component(struct listcat *listcat, enum kind kind, const char *component,
			    const char *owner, const struct catalog_entry *entry)
{
	if (!component || !listcat->wanted[kind])
		return;
	print_head(listcat, kind, component, entry);
	if (listcat->detail < DETAIL_ALL)
		return;
	LINE(listcat, "     ASSOCIATIONS");
	print_association(listcat, kinds[kind_of(entry->type)].total, owner);
	if (kind == KIND_DATA)
		print_data_attributes(listcat, owner, entry);
}

/* Lists one name with its components. */
static void print_name(struct listcat *listcat, const char *name, const struct catalog_entry *entry)
{
	enum kind kind = kind_of(entry->type);

	if (listcat->wanted[kind]) {
		print_head(listcat, kind, name, entry);
		if (listcat->detail == DETAIL_ALL) {
			if (entry->type == CATALOG_GDG || entry->type == CATALOG_AIX ||
			    entry->type == CATALOG_PATH)
				print_entry_attributes(listcat, entry);
			print_associations(listcat, name, entry);
		}
	}
	print_component(listcat, KIND_DATA, entry->data, name, entry);
	print_component(listcat, KIND_INDEX, entry->index, name, entry);
}

/* Returns whether a pattern or name selects a name, by the rules of ENTRIES or of LEVEL. */
static bool selects(const char *pattern, bool level, const char *name)
{
	struct strbuf below = STRBUF_INIT;
	bool matches;

	if (!level)
		return catalog_matches(pattern, name);
	strbuf_addf(&below, "%s.**", pattern);
	matches = catalog_matches(below.text, name) && !catalog_matches(pattern, name);
	strbuf_release(&below);
	return matches;
}

/*
 * Lists the generations of a base that ENTRIES names, except those that ENTRIES
 * also names itself.
 */
static void print_with_base(struct listcat *listcat, const char *base, const char *pattern)
{
	for (size_t i = 0; i < listcat->count; i++)
		if (is_generation(listcat->names[i], &listcat->entries[i], base) &&
		    !selects(pattern, false, listcat->names[i]))
			print_name(listcat, listcat->names[i], &listcat->entries[i]);
}

/* Lists what one pattern selects; returns the number of entries. */
static size_t print_matching(struct listcat *listcat, const char *pattern, bool level)
{
	size_t found = 0;

	for (size_t i = 0; i < listcat->count; i++) {
		const char *name = listcat->names[i];
		const struct catalog_entry *entry = &listcat->entries[i];

		if (!pattern || selects(pattern, level, name)) {
			print_name(listcat, name, entry);
			if (pattern && !level && entry->type == CATALOG_GDG)
				print_with_base(listcat, name, pattern);
			found++;
			continue;
		}
		if (entry->data && selects(pattern, level, entry->data)) {
			print_component(listcat, KIND_DATA, entry->data, name, entry);
			found++;
		}
		if (entry->index && selects(pattern, level, entry->index)) {
			print_component(listcat, KIND_INDEX, entry->index, name, entry);
			found++;
		}
	}
	return found;
}

/* Lists what ENTRIES or LEVEL names, or everything. */
static void print_selected(struct listcat *listcat, const struct idcams_operand *operands)
{
	const struct idcams_operand *level = idcams_find(operands, "LEVEL");
	const struct idcams_operand *selection = level ? level : idcams_find(operands, "ENTRIES");

	if (!selection) {
		if (print_matching(listcat, NULL, false) == 0)
			utility_message(listcat->idcams->utility, SEVERITY_WARNING, 5557,
					"no data set was found");
		return;
	}
	for (const struct idcams_operand *name = selection->values; name; name = name->next) {
		if (print_matching(listcat, name->text, level != NULL) > 0)
			continue;
		utility_foreign_message(listcat->idcams->utility, "IDC3012I", SEVERITY_WARNING, 5557,
			      "ENTRY %s NOT FOUND", name->text);
		utility_foreign_message(listcat->idcams->utility, "IDC1566I", SEVERITY_WARNING, 0,
			      "** %s NOT LISTED", name->text);
	}
}

static void print_totals(struct listcat *listcat)
{
	size_t total = 0;

	LINE(listcat, "         THE NUMBER OF ENTRIES PROCESSED WAS:");
	for (enum kind kind = 0; kind < KIND_COUNT; kind++) {
		struct strbuf line = STRBUF_INIT;

		strbuf_addf(&line, "%s ", kinds[kind].total);
		strbuf_addchars(&line, '-', 20 - line.length);
		LINE(listcat, "                   %s%zu", line.text, listcat->totals[kind]);
		total += listcat->totals[kind];
		strbuf_release(&line);
	}
	LINE(listcat, "                   TOTAL --------------%zu", total);
	LINE(listcat, "         THE NUMBER OF PROTECTED ENTRIES SUPPRESSED WAS 0");
}

/* Reads the keywords of the command. */
static void take_keywords(struct listcat *listcat, const struct idcams_operand *operands)
{
	bool any = false;

	for (enum kind kind = 0; kind < KIND_COUNT; kind++) {
		listcat->wanted[kind] = idcams_find(operands, kinds[kind].keyword) != NULL;
		any |= listcat->wanted[kind];
	}
	for (enum kind kind = 0; kind < KIND_COUNT && !any; kind++)
		listcat->wanted[kind] = true;
	if (idcams_find(operands, "ALL"))
		listcat->detail = DETAIL_ALL;
	else if (idcams_find(operands, "HISTORY") || idcams_find(operands, "VOLUME") ||
		 idcams_find(operands, "ALLOCATION"))
		listcat->detail = DETAIL_HISTORY;
}

/* Reads the whole catalogue; reports and skips entries that cannot be read. */
static void read_catalog(struct listcat *listcat)
{
	const struct catalog *catalog = &listcat->idcams->catalog;
	size_t all = catalog_list(catalog, &listcat->names);

	listcat->entries = xcalloc(all + 1, sizeof(*listcat->entries));
	for (size_t i = 0; i < all; i++) {
		struct error err = ERROR_INIT;

		if (catalog_entry_read(catalog, listcat->names[i],
				       &listcat->entries[listcat->count], &err) == 0) {
			listcat->names[listcat->count++] = listcat->names[i];
		} else {
			utility_message(listcat->idcams->utility, SEVERITY_WARNING, 5641, "%s",
					error_text(&err));
			free(listcat->names[i]);
		}
		error_release(&err);
	}
}

void idcams_listcat(struct idcams *idcams, const struct idcams_command *command)
{
	struct listcat listcat = { .idcams = idcams };

	if (!idcams_has_root(idcams) ||
	    idcams_listing_open(idcams, &listcat.listing, command->operands) < 0)
		return;
	take_keywords(&listcat, command->operands);
	read_catalog(&listcat);
	LINE(&listcat, "%40sLISTING FROM CATALOG -- %s", "", idcams->catalog.root);
	print_selected(&listcat, command->operands);
	print_totals(&listcat);
	idcams_listing_close(&listcat.listing);
	for (size_t i = 0; i < listcat.count; i++)
		catalog_entry_release(&listcat.entries[i]);
	free(listcat.entries);
	catalog_names_free(listcat.names, listcat.count);
}
