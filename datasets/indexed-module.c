/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The module that calls GnuCOBOL's library: what the code does that cobc
 * makes of a program with one file of dynamic access.
 */
#include "common/compat.h"
#include "datasets/indexed-module.h"
#include "common/xalloc.h"

#include <sys/stat.h>

#include <libcob.h>

struct module_file {
	cob_file *file;
	cob_file_key *keys;
	cob_field assign, record, length, status, number;
	cob_field key_fields[ATTRIBUTES_KEYS];
	uint32_t length_value, number_value; /* what the fields of these names hold */
	unsigned char status_text[4];
	unsigned char *area; /* the record area */
	size_t longest, shortest;
	uint64_t next; /* relative: the number of a record that is given none */
};

static const cob_field_attr text_attr = { COB_TYPE_ALPHANUMERIC, 0, 0, 0, NULL };
static const cob_field_attr number_attr = { COB_TYPE_NUMERIC_BINARY, 9, 0, COB_FLAG_REAL_BINARY,
					    NULL };

/* What a COBOL program does first. */
static void enter_library(void)
{
	static cob_module *module;
	static cob_global *global;

	if (module)
		return;
	cob_init(0, NULL);
	cob_module_global_enter(&module, &global, 0, 0, NULL);
	module->module_name = "VIGIL";
	module->module_source = "vigil";
	module->decimal_point = '.';
	module->numeric_separator = ',';
	module->currency_symbol = '$';
}

static cob_field field(void *data, size_t size, const cob_field_attr *attr)
{
	return (cob_field){ size, data, attr };
}

static int status(const struct module_file *file)
{
	return (file->status_text[0] - '0') * 10 + file->status_text[1] - '0';
}

static void describe_keys(struct module_file *file, const struct attributes *attributes)
{
	if (attributes->organization == ORGANIZATION_RELATIVE) {
		file->keys->field = &file->number;
		return;
	}
	for (unsigned i = 0; i < attributes->key_count; i++) {
		const struct record_key *key = &attributes->keys[i];

		file->key_fields[i] = field(file->area + key->offset, key->length, &text_attr);
		file->keys[i].field = &file->key_fields[i];
		file->keys[i].offset = key->offset;
		file->keys[i].tf_duplicates = i > 0 && key->duplicates;
	}
}

/* Fills in what cobc would; path is borrowed until the file is open. */
static void describe(struct module_file *file, const char *path,
		     const struct attributes *attributes, bool sequential)
{
	bool relative = attributes->organization == ORGANIZATION_RELATIVE;
	unsigned keys = relative ? 1 : attributes->key_count;
	cob_file *cob;

	cob_file_malloc(&file->file, &file->keys, (int)keys, 0);
	cob = file->file;
	file->assign = field((void *)(uintptr_t)path, strlen(path), &text_attr);
	file->record = field(file->area, file->longest, &text_attr);
	file->length = field(&file->length_value, sizeof(file->length_value), &number_attr);
	file->number = field(&file->number_value, sizeof(file->number_value), &number_attr);
	file->status = field(file->status_text, 2, &text_attr);
	describe_keys(file, attributes);
	cob->select_name = "FILE";
	cob->file_status = file->status_text;
	cob->assign = &file->assign;
	cob->record = &file->record;
	cob->variable_record = file->shortest < file->longest ? &file->length : NULL;
	cob->record_min = file->shortest;
	cob->record_max = file->longest;
	cob->nkeys = keys;
	cob->keys = file->keys;
	cob->fd = -1;
	cob->organization = relative ? COB_ORG_RELATIVE : COB_ORG_INDEXED;
	cob->access_mode = sequential ? COB_ACCESS_SEQUENTIAL : COB_ACCESS_DYNAMIC;
	cob->flag_select_features = COB_SELECT_FILE_STATUS;
}

static void module_free(struct module_file *file)
{
	cob_file_free(&file->file, &file->keys);
	free(file->area);
	free(file);
}

/* Returns the number behind the last record of a relative file. */
static uint64_t next_number(const char *path, size_t longest)
{
	struct stat info;

	if (stat(path, &info) < 0)
		return 1;
	return (uint64_t)info.st_size / (longest + sizeof(size_t)) + 1;
}

static struct module_file *module_open(const char *path, const struct attributes *attributes,
				       enum indexed_mode mode, int *result)
{
	static const int modes[] = { COB_OPEN_INPUT, COB_OPEN_OUTPUT, COB_OPEN_I_O,
				     COB_OPEN_EXTEND };
	struct module_file *file = xcalloc(1, sizeof(*file));

	enter_library();
	file->longest = attributes->lrecl;
	file->shortest = attributes->minimum;
	file->area = xcalloc(1, file->longest);
	file->next = mode == INDEXED_OUTPUT ? 1 : next_number(path, file->longest);
	memset(file->status_text, '0', sizeof(file->status_text));
	describe(file, path, attributes, mode == INDEXED_EXTEND);
	cob_open(file->file, modes[mode], 0, &file->status);
	*result = status(file);
	if (*result < 10)
		return file;
	module_free(file);
	return NULL;
}

static int module_read_next(struct module_file *file, const char **data, size_t *length,
			    uint64_t *number)
{
	cob_read_next(file->file, &file->status, COB_READ_NEXT);
	*data = (const char *)file->area;
	*length = file->file->variable_record ? file->length_value : file->longest;
	*number = file->file->organization == COB_ORG_RELATIVE ? file->number_value : 0;
	return status(file);
}

/*
 * The library finds a key by where it begins: those before that begin at the
 * same place are put aside for the call.
 */
static void start_at_key(struct module_file *file, unsigned key, cob_field *wanted)
{
	cob_field *aside[ATTRIBUTES_KEYS] = { NULL };

	for (unsigned i = 0; i < key; i++) {
		if (file->keys[i].offset != file->keys[key].offset)
			continue;
		aside[i] = file->keys[i].field;
		file->keys[i].field = NULL;
	}
	cob_start(file->file, COB_GE, wanted, NULL, &file->status);
	for (unsigned i = 0; i < key; i++)
		if (aside[i])
			file->keys[i].field = aside[i];
}

static int module_start(struct module_file *file, unsigned key, const void *bytes, size_t length,
			uint64_t number)
{
	cob_field wanted;

	if (file->file->organization == COB_ORG_RELATIVE) {
		file->number_value = (uint32_t)number;
		if (number > INT_MAX)
			return COB_STATUS_23_KEY_NOT_EXISTS;
		cob_start(file->file, COB_GE, &file->number, NULL, &file->status);
		return status(file);
	}
	if (key >= file->file->nkeys)
		return COB_STATUS_23_KEY_NOT_EXISTS;
	wanted = *file->keys[key].field;
	memset(wanted.data, 0, wanted.size);
	if (length < wanted.size && length > 0)
		wanted.size = length;
	memcpy(wanted.data, bytes, length < wanted.size ? length : wanted.size);
	start_at_key(file, key, &wanted);
	return status(file);
}

/* Puts a record into the record area, filled with blanks. */
static void place(struct module_file *file, const char *data, size_t length)
{
	memcpy(file->area, data, length);
	memset(file->area + length, ' ', file->longest - length);
	file->length_value = (uint32_t)(length < file->shortest ? file->shortest : length);
	file->record.size = file->length_value;
}

static int module_write(struct module_file *file, const char *data, size_t length, uint64_t number,
			bool replace)
{
	bool relative = file->file->organization == COB_ORG_RELATIVE;

	if (!relative && length < file->keys->offset + file->keys->field->size)
		return COB_STATUS_44_RECORD_OVERFLOW;
	if (relative && !number)
		number = file->next;
	if (number > INT_MAX)
		return COB_STATUS_24_KEY_BOUNDARY;
	file->number_value = (uint32_t)number;
	place(file, data, length);
	cob_write(file->file, &file->record, 0, &file->status, 0);
	if (replace && status(file) == COB_STATUS_22_KEY_EXISTS) {
		cob_rewrite(file->file, &file->record, 0, &file->status);
		if (status(file) == COB_STATUS_23_KEY_NOT_EXISTS) /* an alternate key's */
			return COB_STATUS_22_KEY_EXISTS;
	}
	if (relative && status(file) < 10 && number >= file->next)
		file->next = number + 1;
	return status(file);
}

static int module_close(struct module_file *file)
{
	int result;

	cob_close(file->file, &file->status, COB_CLOSE_NORMAL, 0);
	result = status(file);
	module_free(file);
	return result;
}

extern const struct indexed_module vigil_indexed_module;
const struct indexed_module vigil_indexed_module = {
	.open = module_open,
	.read_next = module_read_next,
	.start = module_start,
	.write = module_write,
	.close = module_close,
};
