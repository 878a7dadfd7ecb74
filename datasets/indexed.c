/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the module that calls GnuCOBOL's library, and translates its file statuses to messages. */
#include "common/compat.h"
#include "datasets/indexed.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "datasets/btree.h"
#include "datasets/indexed-module.h"
#include "datasets/file-names.h"
#include "datasets/replacing.h"
#include "datasets/rounds.h"
#include "datasets/update-mark.h"
#include "common/paths.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define STATUS_OK 0
#define STATUS_DUPLICATE 2 /* an alternate key that other records have too */
#define STATUS_END 10
#define STATUS_OUT_OF_ORDER 21
#define STATUS_KEY_EXISTS 22
#define STATUS_NOT_FOUND 23
#define STATUS_BEYOND 24
#define STATUS_LENGTH 44

/*
 * GnuCOBOL's library keeps pages of each key in memory, and hangs without a
 * message if it cannot write one. So SPACE_PER_KEY bytes must be free for each key;
 * this is checked each time CHECK_INTERVAL bytes were written.
 */
#define SPACE_PER_KEY (1 << 20)
#define CHECK_INTERVAL (1 << 16)

struct indexed_file {
	const struct indexed_module *module;
	struct module_file *file;
	char *path;
	size_t longest;
	size_t required_space; /* bytes that must be free in the file system; 0: the library detects a lack
		      * of space itself */
	size_t until_check; /* bytes that may be written before the next check */
	/* Detects by their primary key records that are read twice. */
	struct record_key key; /* the primary key; length 0: a relative file */
	struct rounds rounds;
	/* Checks that records ascend by the key by which they are read. */
	struct record_key keys[ATTRIBUTES_KEYS], order;
	unsigned key_count;
	char *last;  /* previous key, order.length bytes; NULL: none yet */
	bool marked; /* the file has our update mark */
};

static const struct {
	int status;
	const char *text;
} sentences[] = {
	{ 4, "the record length differs from that of the file's records" },
	{ 14, "the record number is too large" },
	{ 21, "the key is not above the previous one" },
	{ 22, "the key exists already" },
	{ 23, "there is no such record" },
	{ 24, "the record number is too large" },
	{ 30, "the file cannot be read or written, or is not a GnuCOBOL file" },
	{ 35, "the file of an alternate key, next to it, does not exist" },
	{ 37, "the file cannot be used: permission denied" },
	{ 39, "the file's keys or records differ from its attributes" },
	{ 44, "the record is too long or too short" },
	{ 48, "the file cannot be written" },
	{ 49, "the file cannot be changed" },
	{ 51, "the record is locked by another program" },
	{ 61, "the file is locked by another program" },
	{ 91, "GnuCOBOL's library has no support for such files" },
};

/* Sets err to the meaning of a file status. Returns -1. */
static int status_error(const char *path, int status, struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(sentences); i++)
		if (sentences[i].status == status)
			return error_set(err, "%s: %s (file status %02d)", path, sentences[i].text,
					 status);
	return error_set(err, "%s: file status %02d", path, status);
}

/* Returns the module, loaded at the first call; NULL with the reason. */
static const struct indexed_module *load(struct error *err)
{
	static const struct indexed_module *module;
	char *path;
	void *library;

	if (module)
		return module;
	path = paths_indexed_module();
	if (!path) {
		error_set(err, "this vigil was built without GnuCOBOL (package libcob4-dev or "
			       "libcob5-dev), which indexed and relative files need");
		return NULL;
	}
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	free(path);
	if (library)
		module = dlsym(library, INDEXED_MODULE);
	if (!module)
		error_set(err,
			  "GnuCOBOL's library, which indexed and relative files need, cannot be "
			  "loaded (package libcob4 or libcob5): %s",
			  dlerror());
	return module;
}

/* Checks that the keys lie within the records and that the organization has what it needs. */
static int check_attributes(const char *path, const struct attributes *attributes,
			    struct error *err)
{
	size_t longest = attributes_data_length(attributes);
	size_t shortest = attributes->minimum ? attributes->minimum : longest;

	RETURN_IF(longest == 0, error_set(err, "%s: its record length is not known", path));
	RETURN_IF(shortest > longest,
		  error_set(err, "%s: its shortest record has %zu bytes, its longest %zu", path,
			    shortest, longest));
	RETURN_IF(attributes->organization == ORGANIZATION_RELATIVE, 0);
	RETURN_IF(attributes->key_count == 0, error_set(err, "%s: its keys are not known", path));
	for (unsigned i = 0; i < attributes->key_count; i++) {
		const struct record_key *key = &attributes->keys[i];

		RETURN_IF(key->length == 0 || key->offset > longest ||
				  key->length > longest - key->offset,
			  error_set(err,
				    "%s: key %u, of %u bytes at offset %u, is not within records "
				    "of %zu bytes",
				    path, i, key->length, key->offset, longest));
	}
	return 0;
}

/* Returns an absolute path, because the library searches names without a folder elsewhere. */
static char *absolute(const char *path)
{
	struct strbuf sb = STRBUF_INIT;
	char *here;

	if (*path == '/')
		return xstrdup(path);
	here = getcwd(NULL, 0);
	strbuf_addf(&sb, "%s/%s", here ? here : "", path);
	free(here);
	return strbuf_detach(&sb, NULL);
}

/* Detects errors beforehand for which the library would only return a common status. */
static int check_file(const char *path, enum indexed_mode mode, struct error *err)
{
	struct stat info;

	if (stat(path, &info) < 0)
		return mode == INDEXED_OUTPUT && errno == ENOENT
			       ? 0
			       : error_errno(err, "%s cannot be opened", path);
	RETURN_IF(S_ISDIR(info.st_mode), error_set(err, "%s is a folder", path));
	RETURN_IF(access(path, mode == INDEXED_INPUT ? R_OK : R_OK | W_OK) < 0,
		  error_errno(err, "%s cannot be opened", path));
	return 0;
}

/*
 * Returns whether a file has pages that btree_check can read, which are in this
 * machine's byte order.
 */
static bool has_pages(const char *path)
{
	const uint32_t expected = 0x53162;
	uint32_t magic = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool found = fd >= 0 && pread(fd, &magic, sizeof(magic), 12) == (ssize_t)sizeof(magic);

	if (fd >= 0)
		close(fd);
	return found && magic == expected;
}

/*
 * Refuses a file whose last update was incomplete, which would read as if it were
 * whole. A file that is read completely is also checked for pages missing for
 * another reason.
 */
static int check_whole(const char *path, enum indexed_mode mode, struct error *err)
{
	struct strbuf who = STRBUF_INIT;
	int result = 0;

	if (update_mark_stale(path, &who))
		result = error_set(err,
				   "%s may be damaged: %s ended while it was open for update; "
				   "VERIFY of IDCAMS examines it",
				   path, who.text);
	else if (mode == INDEXED_INPUT && has_pages(path) && !update_mark_active(path))
		result = btree_check(path, err);
	strbuf_release(&who);
	return result;
}

/* Resets the checks: reading starts at another record. */
static void reset_checks(struct indexed_file *file)
{
	loop_detector_reset(&file->rounds);
	free(file->last);
	file->last = NULL;
}

/* Returns 1, or -1 if the record is not after the previous one by its key. */
static int check_order(struct indexed_file *file, const char *data, size_t length,
		       struct error *err)
{
	const struct record_key *order = &file->order;
	int compared = 1;

	if (order->length == 0 || order->offset + order->length > length)
		return 1;
	if (file->last)
		compared = memcmp(data + order->offset, file->last, order->length);
	else
		file->last = xcalloc(1, order->length);
	RETURN_IF(compared < 0 || (compared == 0 && !order->duplicates),
		  error_set(err, "%s: the file is damaged: its keys do not ascend", file->path));
	memcpy(file->last, data + order->offset, order->length);
	return 1;
}

/* Returns 1, or -1 if this record has been read before. */
static int check_round(struct indexed_file *file, const char *data, size_t length,
		       struct error *err)
{
	const char *key = data + file->key.offset;

	if (file->key.length == 0 || file->key.offset + file->key.length > length)
		return 1;
	RETURN_IF(loop_detector_seen(&file->rounds, key, file->key.length),
		  error_set(err, "%s: the file is damaged: its records repeat", file->path));
	return 1;
}

/*
 * Removes files __db.NAME, under which Berkeley DB creates files and waits forever
 * for those that a killed program left. The caller has the lock of the file, so no
 * other process is creating it.
 */
static void remove_leftovers(const char *path, unsigned keys)
{
	const char *name = path_base(path);
	struct strbuf left = STRBUF_INIT;

	for (unsigned key = 0; key < keys; key++) {
		strbuf_reset(&left);
		strbuf_add(&left, path, (size_t)(name - path));
		strbuf_addstr(&left, "__db.");
		file_names_add(&left, name, key);
		unlink(left.text);
	}
	strbuf_release(&left);
}

/* Records the keys of an open indexed file, and marks it unless it is open for input. */
static void start_indexed(struct indexed_file *file, const struct attributes *attributes,
		      enum indexed_mode mode)
{
	memcpy(file->keys, attributes->keys, sizeof(file->keys));
	file->key_count = attributes->key_count;
	file->key = file->order = attributes->keys[0];
	file->marked = mode != INDEXED_INPUT;
	if (file->marked)
		update_mark_set(file->path);
}

int indexed_open(struct indexed_file **file, const char *path, const struct attributes *attributes,
		 enum indexed_mode mode, struct error *err)
{
	struct attributes lengths = *attributes;
	const struct indexed_module *module;
	struct indexed_file *made;
	int status = 0;

	RETURN_IF(check_attributes(path, attributes, err) < 0, -1);
	replacing_finish(path);
	RETURN_IF(check_file(path, mode, err) < 0, -1);
	RETURN_IF(mode != INDEXED_OUTPUT && check_whole(path, mode, err) < 0, -1);
	module = load(err);
	RETURN_IF(!module, -1);
	made = xcalloc(1, sizeof(*made));
	made->module = module;
	made->path = absolute(path);
	made->longest = attributes_data_length(attributes);
	made->required_space = attributes->key_count * SPACE_PER_KEY;
	lengths.lrecl = (unsigned)made->longest;
	if (!lengths.minimum)
		lengths.minimum = lengths.lrecl;
	if (mode == INDEXED_OUTPUT && attributes->organization == ORGANIZATION_INDEXED)
		remove_leftovers(made->path, attributes->key_count);
	made->file = module->open(made->path, &lengths, mode, &status);
	if (made->file) {
		if (attributes->organization == ORGANIZATION_INDEXED)
			start_indexed(made, attributes, mode);
		reset_checks(made);
		*file = made;
		return 0;
	}
	status_error(path, status, err);
	free(made->path);
	free(made);
	return -1;
}

/* Returns 1, or -1 if a record cannot be the next one of an undamaged file. */
static int check_read(struct indexed_file *file, const char *data, size_t length, struct error *err)
{
	RETURN_IF(check_order(file, data, length, err) < 0, -1);
	return check_round(file, data, length, err);
}

int indexed_read_next(struct indexed_file *file, const char **data, size_t *length,
		      uint64_t *number, struct error *err)
{
	int status = file->module->read_next(file->file, data, length, number);

	RETURN_IF(status == STATUS_OK || status == STATUS_DUPLICATE,
		  check_read(file, *data, *length, err));
	return status == STATUS_END ? 0 : status_error(file->path, status, err);
}

int indexed_start(struct indexed_file *file, unsigned key, const void *bytes, size_t length,
		  uint64_t number, struct error *err)
{
	int status = file->module->start(file->file, key, bytes, length, number);

	reset_checks(file);
	if (key < file->key_count)
		file->order = file->keys[key];
	RETURN_IF(status == STATUS_OK, 1);
	return status == STATUS_NOT_FOUND ? 0 : status_error(file->path, status, err);
}

/* Returns -1 if the file system is almost full; some do not report their size. */
static int check_space(struct indexed_file *file, size_t length, struct error *err)
{
	struct statvfs space;

	if (file->required_space == 0 || file->until_check > length) {
		file->until_check -= file->required_space ? length : 0;
		return 0;
	}
	file->until_check = CHECK_INTERVAL;
	if (statvfs(file->path, &space) < 0 || space.f_blocks == 0 || space.f_frsize == 0 ||
	    space.f_bavail >= file->required_space / space.f_frsize)
		return 0;
	errno = ENOSPC;
	return error_errno(err, "%s cannot be written", file->path);
}

int indexed_write(struct indexed_file *file, const char *data, size_t length, uint64_t number,
		  bool replace, struct error *err)
{
	int status;

	if (length > file->longest) {
		error_set(err, "%s: a record has %zu bytes, the longest may have %zu", file->path,
			  length, file->longest);
		return 1;
	}
	RETURN_IF(check_space(file, length, err) < 0, -1);
	status = file->module->write(file->file, data, length, number, replace);
	RETURN_IF(status == STATUS_OK || status == STATUS_DUPLICATE, 0);
	status_error(file->path, status, err);
	return status == STATUS_OUT_OF_ORDER || status == STATUS_KEY_EXISTS ||
			       status == STATUS_BEYOND || status == STATUS_LENGTH
		       ? 1
		       : -1;
}

int indexed_close(struct indexed_file *file, struct error *err)
{
	int status = file->module->close(file->file), result = 0;

	if (status != STATUS_OK)
		result = status_error(file->path, status, err);
	else if (file->marked)
		update_mark_clear(file->path);
	loop_detector_reset(&file->rounds);
	free(file->last);
	free(file->path);
	free(file);
	return result;
}
