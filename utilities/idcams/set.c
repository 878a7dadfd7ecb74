/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the data sets of a command and reads the records that it selects. */
#include "common/compat.h"
#include "utilities/idcams/set.h"
#include "common/xalloc.h"
#include "datasets/entries.h"
#include "datasets/update-mark.h"

void idcams_set_release(struct idcams_set *set)
{
	free(set->dsn);
	dd_release(&set->dd);
	catalog_entry_release(&set->entry);
	*set = (struct idcams_set){ 0 };
}

bool idcams_set_is_cluster(const struct idcams_set *set)
{
	return set->entry.type == CATALOG_CLUSTER ||
	       set->dd.attributes.organization == ORGANIZATION_INDEXED ||
	       set->dd.attributes.organization == ORGANIZATION_RELATIVE;
}

/* Resolves a name to the data set it stands for, and reads its entry. */
static void resolve(struct idcams *idcams, struct idcams_set *set, const char *name)
{
	struct strbuf target = STRBUF_INIT;

	catalog_resolve(&idcams->catalog, name, &target, &set->key);
	set->dsn = strbuf_detach(&target, NULL);
	catalog_entry_read(&idcams->catalog, set->dsn, &set->entry, NULL);
}

/* Finds a data set by name. */
static int find_named(struct idcams *idcams, struct idcams_set *set,
		      const struct idcams_operand *name, bool must_exist, bool exclusive)
{
	struct strbuf path = STRBUF_INIT;

	*set = (struct idcams_set){ .name = name->text };
	RETURN_IF(!idcams_has_root(idcams), -1);
	resolve(idcams, set, name->text);
	catalog_file(&idcams->catalog, set->dsn, &path);
	if (name->values)
		strbuf_addf(&path, "/%s", name->values->text);
	attributes_get(path.text, &set->dd.attributes);
	set->dd.path = strbuf_detach(&path, NULL);
	set->dd.name = set->name;
	if (must_exist && !catalog_exists(set->dd.path))
		idcams_not_found(idcams, SEVERITY_SEVERE, set->name);
	else if (!name->values && catalog_is_folder(set->dd.path))
		utility_message(idcams->utility, SEVERITY_SEVERE, 5618,
				"%s is partitioned: name a member", set->name);
	else if (idcams_lock(idcams, set->dsn, exclusive) == 0)
		return 0;
	idcams_set_release(set);
	return -1;
}

/* Finds the data set of a DD: the one the job gives, else from the file's name in the root. */
static void find_dsn(struct idcams *idcams, struct idcams_set *set)
{
	const char *name = utility_dsn(set->name), *slash = strrchr(set->dd.path, '/');
	size_t length = idcams->catalog.root ? strlen(idcams->catalog.root) : 0;

	if (!name && slash && length == (size_t)(slash - set->dd.path) &&
	    strncmp(set->dd.path, idcams->catalog.root, length) == 0)
		name = slash + 1;
	if (length > 0 && name && catalog_name_valid(name))
		resolve(idcams, set, name);
}

/*
 * Takes a cluster's attributes from its file: the DD was allocated before the
 * step's BLDINDEX and may be out of date.
 */
static void use_file_attributes(struct idcams_set *set)
{
	struct attributes kept;

	attributes_get(set->dd.path, &kept);
	if (kept.organization == ORGANIZATION_INDEXED)
		set->dd.attributes = kept;
}

int idcams_set_find(struct idcams *idcams, struct idcams_set *set,
		    const struct idcams_operand *operands, const char *file_keyword,
		    const char *name_keyword, bool must_exist, bool exclusive)
{
	const struct idcams_operand *file = idcams_find(operands, file_keyword);
	const struct idcams_operand *name = idcams_find(operands, name_keyword);

	if (!file == !name)
		return utility_message(idcams->utility, SEVERITY_SEVERE, 5554,
				       "expected either %s or %s", file_keyword, name_keyword);
	if (name)
		return find_named(idcams, set, name->values, must_exist, exclusive);
	*set = (struct idcams_set){ .name = file->values->text };
	if (!dd_find(&set->dd, set->name)) {
		utility_foreign_message(idcams->utility, "IDC3300I", SEVERITY_SEVERE, 5554,
			      "ERROR OPENING %s: THE STEP HAS NO SUCH DD", set->name);
		return -1;
	}
	find_dsn(idcams, set);
	use_file_attributes(set);
	return 0;
}

int idcams_count(const char *path, const struct attributes *attributes, unsigned key,
		 uint64_t *count, struct error *err)
{
	struct record_reader *reader;
	struct record record;
	int got;

	*count = 0;
	RETURN_IF(record_reader_open(&reader, path, attributes, err) < 0, -1);
	got = key ? record_reader_start(reader, key, "", 0, 0, err) : 1;
	while (got > 0) {
		got = record_read(reader, &record, err);
		*count += got > 0;
	}
	record_reader_close(reader);
	return got;
}

/* Checks that the operands that select records fit the file's organization; -1 after a message. */
static int check_range(struct idcams *idcams, const struct idcams_input *input,
		       const struct idcams_operand *operands)
{
	static const char *const by_key[] = { "FROMKEY", "TOKEY" };
	static const char *const by_number[] = { "FROMNUMBER", "TONUMBER" };
	enum record_form form = record_reader_form(input->reader);

	for (size_t i = 0; i < 2; i++) {
		const char *wrong = NULL;

		if (form != RECORD_INDEXED && idcams_find(operands, by_key[i]))
			wrong = by_key[i];
		if (form != RECORD_RELATIVE && idcams_find(operands, by_number[i]))
			wrong = by_number[i];
		if (wrong)
			return utility_message(idcams->utility, SEVERITY_SEVERE, 5619,
					       "%s does not fit the organization of %s", wrong,
					       input->set.name);
	}
	return 0;
}

/* Stores the end of the range. */
static void take_end(struct idcams_input *input, const struct idcams_operand *operands)
{
	const struct idcams_operand *to = idcams_find(operands, "TOKEY");

	input->to = to ? to->values : NULL;
	input->to_number = idcams_number(operands, "TONUMBER", 0, 0);
	input->bounded = idcams_find(operands, "COUNT") != NULL;
	input->count = idcams_number(operands, "COUNT", 0, 0);
}

/* Returns the length of a key operand without the '*' of a partial key. */
static size_t key_length(const struct idcams_operand *key)
{
	return key->length - (!key->quoted && key->length > 0 && key->text[key->length - 1] == '*');
}

/* Positions at the first record. 1: positioned, 0: no such record, -1 with the reason. */
static int position(const struct idcams_input *input, const struct idcams_operand *operands,
		    struct error *err)
{
	const struct idcams_operand *from = idcams_find(operands, "FROMKEY");
	unsigned number = idcams_number(operands, "FROMNUMBER", 0, 0);
	unsigned key = input->set.key;

	if (from)
		return record_reader_start(input->reader, key, from->values->text,
					   key_length(from->values), 0, err);
	if (number)
		return record_reader_start(input->reader, 0, NULL, 0, number, err);
	return key ? record_reader_start(input->reader, key, "", 0, 0, err) : 1;
}

/* Skips the records of SKIP and reads the first one. 1: read, 0: none, -1 with the reason. */
static int read_first(struct idcams_input *input, const struct idcams_operand *operands, bool *any,
		      struct error *err)
{
	unsigned skip = idcams_number(operands, "SKIP", 0, 0);
	int got = position(input, operands, err);

	*any = false;
	if (got <= 0)
		return got;
	do {
		got = record_read(input->reader, &input->first, err);
		*any |= got > 0;
	} while (got > 0 && skip-- > 0);
	return got;
}

/* Reports that a file cannot be opened or read. */
static int open_failed(struct idcams *idcams, const char *name, struct error *err)
{
	utility_foreign_message(idcams->utility, "IDC3300I", SEVERITY_SEVERE, 5620, "ERROR OPENING %s: %s",
		      name, error_text(err));
	error_release(err);
	return -1;
}

/* Reads a record ahead to find out whether there is one. */
static int start_reading(struct idcams *idcams, struct idcams_input *input,
			 const struct idcams_operand *operands)
{
	bool any,
		selected = idcams_find(operands, "FROMKEY") || idcams_find(operands, "FROMNUMBER");
	struct error err = ERROR_INIT;
	int got = read_first(input, operands, &any, &err);

	if (got < 0)
		return open_failed(idcams, input->set.name, &err);
	input->ahead = got > 0;
	if (got > 0)
		return 0;
	input->ended = true;
	if (!any && !selected && idcams_set_is_cluster(&input->set)) {
		utility_foreign_message(idcams->utility, "IDC3300I", SEVERITY_SEVERE, 5621,
			      "ERROR OPENING %s: IT HAS NO RECORDS", input->set.name);
		return utility_foreign_message(idcams->utility, "IDC3351I", SEVERITY_SEVERE, 0,
				     "** VSAM OPEN RETURN CODE IS 160");
	}
	if (any || selected)
		utility_message(idcams->utility, SEVERITY_WARNING, 5622,
				"%s has no record where the range begins", input->set.name);
	return 0;
}

int idcams_check_whole(struct idcams *idcams, const struct idcams_set *set)
{
	struct strbuf who = STRBUF_INIT;
	int result = 0;

	if (update_mark_stale(set->dd.path, &who))
		result = utility_message(
			idcams->utility, SEVERITY_SEVERE, 5642,
			"%s may be damaged: %s ended while it was open for update; VERIFY "
			"examines it",
			set->name, who.text);
	strbuf_release(&who);
	return result;
}

int idcams_input_open(struct idcams *idcams, struct idcams_input *input,
		      const struct idcams_command *command)
{
	const struct idcams_operand *operands = command->operands;
	struct error err = ERROR_INIT;
	int result;

	*input = (struct idcams_input){ 0 };
	RETURN_IF(idcams_set_find(idcams, &input->set, operands, "INFILE", "INDATASET", true,
				  false) < 0,
		  -1);
	result = idcams_check_whole(idcams, &input->set);
	if (result < 0) {
		idcams_input_close(input);
		return -1;
	}
	result = record_reader_open(&input->reader, input->set.dd.path, &input->set.dd.attributes,
				    &err);
	if (result < 0)
		open_failed(idcams, input->set.name, &err);
	else if (check_range(idcams, input, operands) < 0)
		result = -1;
	else
		result = start_reading(idcams, input, operands);
	take_end(input, operands);
	if (result < 0)
		idcams_input_close(input);
	return result;
}

/* Returns whether a record is beyond TOKEY or TONUMBER. */
static bool beyond_end(const struct idcams_input *input, const struct record *record)
{
	const struct record_key *key = &input->set.dd.attributes.keys[input->set.key];
	size_t length;

	if (input->to_number)
		return record->number > input->to_number;
	if (!input->to)
		return false;
	length = key_length(input->to) < key->length ? key_length(input->to) : key->length;
	return key->offset + length <= record->length &&
	       memcmp(record->data + key->offset, input->to->text, length) > 0;
}

/* Reports that the requested range ends beyond the last record. */
static void report_range_end(struct idcams *idcams, const struct idcams_input *input)
{
	if ((input->bounded && input->count > 0) || input->to_number > 0)
		utility_foreign_message(idcams->utility, "IDC11462I", SEVERITY_WARNING, 5623,
			      "REQUESTED RANGE END BEYOND END OF DATA SET");
}

int idcams_input_read(struct idcams *idcams, struct idcams_input *input, struct record *record)
{
	struct error err = ERROR_INIT;
	int got = 1;

	if (input->bounded && input->count == 0)
		return 0;
	if (input->ahead)
		*record = input->first;
	else
		got = input->ended ? 0 : record_read(input->reader, record, &err);
	input->ahead = false;
	if (got < 0) {
		utility_message(idcams->utility, SEVERITY_SEVERE, 5555, "cannot read %s: %s",
				input->set.name, error_text(&err));
		error_release(&err);
		return -1;
	}
	if (got == 0)
		report_range_end(idcams, input);
	if (got == 0 || beyond_end(input, record))
		return 0;
	input->count -= input->bounded;
	input->records++;
	if (input->to_number > 0 && input->to_number == record->number) {
		input->to_number = 0;
		input->ended = true;
	}
	return 1;
}

void idcams_input_close(struct idcams_input *input)
{
	record_reader_close(input->reader);
	idcams_set_release(&input->set);
	*input = (struct idcams_input){ 0 };
}
