/* SPDX-License-Identifier: Apache-2.0 */
/* Stores record attributes with a data set. */
#include "common/compat.h"
#include "datasets/attributes.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "datasets/folders.h"

#include <ctype.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define ATTRIBUTE "user.vigil.dcb"
#define TEXT_LENGTH 1024

static const char organizations[][3] = { "", "PS", "PO", "IS", "RR" };

bool attributes_empty(const struct attributes *attributes)
{
	return !*attributes->recfm && !attributes->lrecl && !attributes->minimum &&
	       !attributes->block_size && !attributes->organization && !attributes->key_count;
}

size_t attributes_data_length(const struct attributes *attributes)
{
	bool descriptor = attributes->recfm[0] == 'V' && attributes->lrecl > 4;

	return attributes->lrecl - (descriptor ? 4 : 0);
}

/* Reads a number and moves at after it; false if there is none or it is too large. */
static bool take_number(const char **at, unsigned *number)
{
	uint64_t value = 0;
	const char *start = *at;

	for (; isdigit((unsigned char)**at); (*at)++) {
		value = value * 10 + (unsigned)(**at - '0');
		RETURN_IF(value > INT_MAX, false);
	}
	*number = (unsigned)value;
	return *at > start;
}

/* Reads "length:offset[D]". */
static bool take_key(const char **at, struct attributes *attributes)
{
	struct record_key *key = &attributes->keys[attributes->key_count];

	RETURN_IF(attributes->key_count == ATTRIBUTES_KEYS || !take_number(at, &key->length), false);
	RETURN_IF(key->length == 0 || *(*at)++ != ':' || !take_number(at, &key->offset), false);
	key->duplicates = **at == 'D';
	*at += key->duplicates;
	attributes->key_count++;
	return true;
}

static bool take_organization(const char **at, struct attributes *attributes)
{
	for (size_t i = 1; i < ARRAY_SIZE(organizations); i++) {
		if (strncmp(*at, organizations[i], 2) != 0)
			continue;
		attributes->organization = (enum dataset_organization)i;
		*at += 2;
		return true;
	}
	return false;
}

/* Returns whether the text at *at begins with word; if so, moves *at after it. */
static bool take_word(const char **at, const char *word)
{
	size_t length = strlen(word);

	RETURN_IF(strncmp(*at, word, length) != 0, false);
	*at += length;
	return true;
}

/* Reads one "KEYWORD=value". */
static bool take_operand(const char **at, struct attributes *attributes)
{
	if (take_word(at, "DSORG="))
		return take_organization(at, attributes);
	if (take_word(at, "MIN="))
		return take_number(at, &attributes->minimum);
	if (take_word(at, "BLKSIZE="))
		return take_number(at, &attributes->block_size);
	if (take_word(at, "ORDER="))
		return take_number(at, &attributes->order);
	return take_word(at, "KEY=") && take_key(at, attributes);
}

/* Parses the whole line; on an error attributes contain what was read so far. */
static bool parse(struct attributes *attributes, const char *at)
{
	size_t length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

	RETURN_IF(length >= sizeof(attributes->recfm) || at[length] != ',', false);
	memcpy(attributes->recfm, at, length);
	at += length + 1;
	RETURN_IF(!take_number(&at, &attributes->lrecl), false);
	while (*at == ',') {
		at++;
		RETURN_IF(!take_operand(&at, attributes), false);
	}
	return *at == '\0' || (*at == '\n' && at[1] == '\0');
}

bool attributes_parse(struct attributes *attributes, const char *text)
{
	*attributes = (struct attributes){ 0 };
	if (parse(attributes, text))
		return true;
	*attributes = (struct attributes){ 0 };
	return false;
}

void attributes_format(struct strbuf *sb, const struct attributes *attributes)
{
	if (attributes_empty(attributes))
		return;
	strbuf_addf(sb, "%s,%u", attributes->recfm, attributes->lrecl);
	if (attributes->organization)
		strbuf_addf(sb, ",DSORG=%s", organizations[attributes->organization]);
	if (attributes->minimum)
		strbuf_addf(sb, ",MIN=%u", attributes->minimum);
	if (attributes->block_size)
		strbuf_addf(sb, ",BLKSIZE=%u", attributes->block_size);
	for (unsigned i = 0; i < attributes->key_count; i++)
		strbuf_addf(sb, ",KEY=%u:%u%s", attributes->keys[i].length,
			    attributes->keys[i].offset, attributes->keys[i].duplicates ? "D" : "");
	if (attributes->order)
		strbuf_addf(sb, ",ORDER=%u", attributes->order);
}

void attributes_merge(struct attributes *attributes, const struct attributes *others)
{
	if (!*attributes->recfm)
		memcpy(attributes->recfm, others->recfm, sizeof(attributes->recfm));
	if (!attributes->lrecl)
		attributes->lrecl = others->lrecl;
	if (!attributes->minimum)
		attributes->minimum = others->minimum;
	if (!attributes->block_size)
		attributes->block_size = others->block_size;
	if (!attributes->organization)
		attributes->organization = others->organization;
	if (!attributes->order)
		attributes->order = others->order;
	if (attributes->key_count)
		return;
	memcpy(attributes->keys, others->keys, sizeof(attributes->keys));
	attributes->key_count = others->key_count;
}

/* Sets folder to a path's folder; returns the name in it. */
static const char *split_path(struct strbuf *folder, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == path)
		strbuf_addch(folder, '/');
	else if (slash)
		strbuf_add(folder, path, (size_t)(slash - path));
	else
		strbuf_addch(folder, '.');
	return path_base(path);
}

/* Sets folder to FOLDER/.vigil/attributes for a path; returns the name in it. */
static const char *stored_folder(struct strbuf *folder, const char *path)
{
	const char *name = split_path(folder, path);

	strbuf_addstr(folder, "/.vigil/attributes");
	return name;
}

/* Sets beside to the file with a path's attributes if the file system stores none. */
static void stored_path(struct strbuf *beside, const char *path)
{
	const char *name = stored_folder(beside, path);

	strbuf_addf(beside, "/%s", name);
}

/* Reads the attributes that are stored with a path itself. */
static void get_direct(const char *path, struct attributes *attributes)
{
	char value[TEXT_LENGTH + 1];
	ssize_t length = getxattr(path, ATTRIBUTE, value, TEXT_LENGTH);
	struct strbuf beside = STRBUF_INIT, text = STRBUF_INIT;

	*attributes = (struct attributes){ 0 };
	if (length > 0) {
		value[length] = '\0';
		attributes_parse(attributes, value);
		return;
	}
	stored_path(&beside, path);
	if (access(path, F_OK) == 0 && strbuf_read_file(&text, beside.text) == 0)
		attributes_parse(attributes, text.text);
	strbuf_release(&beside);
	strbuf_release(&text);
}

void attributes_get(const char *path, struct attributes *attributes)
{
	struct strbuf folder = STRBUF_INIT;

	get_direct(path, attributes);
	if (!attributes_empty(attributes))
		return;
	split_path(&folder, path);
	get_direct(folder.text, attributes);
	attributes->organization = ORGANIZATION_UNKNOWN;
	strbuf_release(&folder);
}

void attributes_removed(const char *path)
{
	struct strbuf beside = STRBUF_INIT;

	stored_path(&beside, path);
	unlink(beside.text);
	strbuf_release(&beside);
}

/* Stores the line of text in the file next to a path. */
static int set_stored(const char *path, const struct strbuf *text, struct error *err)
{
	struct strbuf folder = STRBUF_INIT;
	const char *name = stored_folder(&folder, path);
	int result = folders_write_file(folder.text, name, text);

	if (result < 0)
		error_errno(err, "the record format of %s cannot be kept in %s", path, folder.text);
	strbuf_release(&folder);
	return result;
}

int attributes_set(const char *path, const struct attributes *attributes, struct error *err)
{
	struct attributes kept = *attributes;
	struct strbuf text = STRBUF_INIT;
	struct stat info;
	int result = 0;

	RETURN_IF(stat(path, &info) < 0, error_errno(err, "%s", path));
	if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
		return 0; /* a device or pipe is not a permanent data set */
	kept.order = 0;
	attributes_format(&text, &kept);
	if (!text.length) {
		removexattr(path, ATTRIBUTE);
		attributes_removed(path);
	} else if (setxattr(path, ATTRIBUTE, text.text, text.length, 0) == 0) {
		attributes_removed(path);
	} else {
		removexattr(path, ATTRIBUTE); /* the old one would take precedence */
		strbuf_addch(&text, '\n');
		result = set_stored(path, &text, err);
	}
	strbuf_release(&text);
	return result;
}

void attributes_moved(const char *from, const char *to)
{
	struct strbuf old = STRBUF_INIT, folder = STRBUF_INIT, text = STRBUF_INIT;
	const char *name;

	attributes_removed(to);
	stored_path(&old, from);
	name = stored_folder(&folder, to);
	if (strbuf_read_file(&text, old.text) == 0 &&
	    folders_write_file(folder.text, name, &text) == 0)
		unlink(old.text);
	strbuf_release(&old);
	strbuf_release(&folder);
	strbuf_release(&text);
}
