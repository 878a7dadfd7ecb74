/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a sample data set: each snapshot completely, at its end, with one write. */
#include "common/compat.h"
#include "engine/dataset-format.h"
#include "common/destination.h"
#include "common/xalloc.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Maximum values, and additional bytes, of one block; a larger snapshot takes several. */
enum { BLOCK_VALUES = 1 << 18, BLOCK_BYTES = 4 << 20 };

/*
 * Maximum values of sets stored as changes: either all of them fit into one block,
 * or none is stored so.
 */
enum { CHANGES_VALUES = 1 << 20 };

/*
 * One snapshot in WHOLE_EVERY is whole. One in MIDDLE_EVERY builds on the whole
 * one, and those after it build on that one, so that damage affects few others.
 */
enum { WHOLE_EVERY = 64, MIDDLE_EVERY = 4 };

/* Maximum size of an end block. */
enum { END_BYTES = 64 };

/* Maximum number of events in a snapshot's block with other records. */
enum { MANY_WITHIN = 512 };

struct dataset_writer {
	char *path;  /* of the data set, links resolved */
	char *draft; /* the temporary file until it is renamed to path; NULL then */
	int fd;
	uint64_t size; /* bytes of complete blocks in the file */
	uint64_t limit; /* limit of size; 0: none */
	uint64_t blocks;
	const struct strmap *strings;
	size_t string_count;		 /* number of strings in the file */
	bool described[RECORD_TYPES_MAX]; /* types whose description is in the file */
	bool wrote_snapshot;
	bool keep_old; /* rename the file that the draft replaces to PATH.old */
	char *failure; /* why writing failed for good, otherwise NULL */
	struct base {
		uint64_t number; /* 0: none */
		struct snapshot sets;
	} whole, middle;   /* snapshots on which others build */
	uint64_t base_count; /* numbers given to bases so far */
	unsigned step;	   /* snapshots since the last whole one */
	bool described_since; /* types were described since descriptions were last repeated */
	struct strbuf base_copy; /* content of the whole snapshot's sets, to be repeated */
	struct dataset_packer *packer;
	enum dataset_block_type type; /* of the block in progress */
	struct strbuf content;
	size_t literals;       /* number of its leading incompressible bytes */
	struct strbuf out;     /* blocks for the next write */
	uint64_t out_blocks;
};

/*
 * Returns the path for the data set: that of the target when path is a link to a
 * file. An existing file determines the permissions, and must be writable. Returns
 * NULL with the reason when no data set is possible.
 */
static char *resolve_path(const char *path, mode_t *mode, struct error *err)
{
	struct destination place;
	char *resolved = NULL;

	if (destination_find(&place, path, err) == 0) {
		if (place.kind == DESTINATION_NEW || place.kind == DESTINATION_FILE)
			resolved = xstrdup(place.path);
		else if (place.kind == DESTINATION_DESCRIPTOR)
			error_set(err,
				  "%s is open already: a sample data set needs a file of its own",
				  path);
		else
			error_set(err,
				  "%s is not a regular file: a sample data set must be one",
				  path);
	}
	*mode = place.mode;
	destination_release(&place);
	return resolved;
}

/* Creates a new file next to path under a unique name. Returns its descriptor or -1. */
static int create_draft(const char *path, char **draft)
{
	struct strbuf name = STRBUF_INIT;
	int fd = -1;

	for (unsigned attempt = 0; attempt < 100 && fd < 0; attempt++) {
		strbuf_reset(&name);
		strbuf_addf(&name, "%s.%ld-%u", path, (long)getpid(), attempt);
		fd = open(name.text, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd >= 0)
		flock(fd, LOCK_EX | LOCK_NB);
	if (fd >= 0)
		*draft = strbuf_detach(&name, NULL);
	strbuf_release(&name);
	return fd;
}

/*
 * Returns whether the process that wrote a draft has ended: the file is not
 * locked, and the process number is unused.
 */
static bool is_abandoned(int folder, const char *name, const char *digits)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	bool abandoned = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
			 kill((pid_t)strtol(digits, NULL, 10), 0) < 0 && errno == ESRCH;

	if (fd >= 0)
		close(fd);
	return abandoned;
}

/* Removes the drafts PATH.PID-N that killed processes left next to a path. */
static void remove_abandoned(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	char *above = slash ? xstrndup(path, (size_t)(slash - path) + 1) : xstrdup(".");
	DIR *folder = opendir(above);
	size_t length = strlen(base);
	struct dirent *entry;

	free(above);
	if (!folder)
		return;
	while ((entry = readdir(folder))) {
		const char *digits = entry->d_name + length + 1;

		if (strncmp(entry->d_name, base, length) != 0 || entry->d_name[length] != '.' ||
		    !isdigit((unsigned char)*digits) ||
		    digits[strspn(digits, "0123456789")] != '-' ||
		    digits[strspn(digits, "0123456789-")] != '\0')
			continue;
		if (is_abandoned(dirfd(folder), entry->d_name, digits))
			unlinkat(dirfd(folder), entry->d_name, 0);
	}
	closedir(folder);
}

/* Opens the file that will become the data set at path. */
static int open_draft(struct dataset_writer *writer, const char *path, struct error *err)
{
	mode_t mode = 0;

	writer->path = resolve_path(path, &mode, err);
	RETURN_IF(!writer->path, -1);
	remove_abandoned(writer->path);
	writer->fd = create_draft(writer->path, &writer->draft);
	if (writer->fd < 0 || (mode && fchmod(writer->fd, mode) < 0))
		return error_errno(err, "cannot create %s", path);
	return 0;
}

struct dataset_writer *dataset_create(const char *path, const struct strmap *strings,
				      struct error *err)
{
	struct dataset_writer *writer = xcalloc(1, sizeof(*writer));

	strbuf_init(&writer->content);
	strbuf_init(&writer->base_copy);
	strbuf_init(&writer->out);
	writer->fd = -1;
	writer->strings = strings;
	writer->string_count = 1; /* number 0 is the empty string in every file */
	writer->packer = dataset_packer_new();
	if (open_draft(writer, path, err) < 0) {
		dataset_abandon(writer);
		return NULL;
	}
	dataset_put_header(&writer->out);
	return writer;
}

int dataset_keep_private(struct dataset_writer *writer, struct error *err)
{
	return fchmod(writer->fd, S_IRUSR | S_IWUSR) < 0 ? error_errno(err, "%s", writer->path) : 0;
}

void dataset_abandon(struct dataset_writer *writer)
{
	if (!writer)
		return;
	if (writer->draft)
		unlink(writer->draft);
	if (writer->fd >= 0)
		close(writer->fd);
	dataset_packer_free(writer->packer);
	snapshot_release(&writer->whole.sets);
	snapshot_release(&writer->middle.sets);
	strbuf_release(&writer->content);
	strbuf_release(&writer->base_copy);
	strbuf_release(&writer->out);
	free(writer->failure);
	free(writer->draft);
	free(writer->path);
	free(writer);
}

uint64_t dataset_size(const struct dataset_writer *writer)
{
	return writer->size;
}

/* Turns the content into a block of the next write. */
static void close_block(struct dataset_writer *writer, unsigned type)
{
	dataset_put_block(writer->packer, &writer->out, type, &writer->content, writer->literals);
	writer->literals = 0;
	strbuf_reset(&writer->content);
	writer->out_blocks++;
}

/* Appends a text and its length. */
static void put_string(struct strbuf *content, const char *text)
{
	dataset_put_text(content, text, strlen(text));
}

/* Describes one record type. */
static void put_type(struct strbuf *content, const struct record_type *type)
{
	dataset_put_varint(content, type->id);
	put_string(content, type->name);
	dataset_put_varint(content, type->field_count);
	for (size_t i = 0; i < type->field_count; i++) {
		const struct field *field = &type->fields[i];

		dataset_put_varint(content, (unsigned)field->type |
						    (field->optional ? FIELD_OPTIONAL : 0) |
						    (unsigned)field->sense << FIELD_SENSE_SHIFT);
		put_string(content, field->name);
		put_string(content, field->unit);
	}
}

/* Writes the meanings of a type and its fields. */
static void put_meaning(struct strbuf *content, const struct record_type *type)
{
	dataset_put_varint(content, type->id);
	put_string(content, type->meaning);
	dataset_put_varint(content, type->field_count);
	for (size_t i = 0; i < type->field_count; i++)
		put_string(content, type->fields[i].meaning);
}

/*
 * Returns the type of a number if it is to be described now, else NULL: a built-in
 * type with its first records, a module's type as soon as it is registered. So
 * readers see those without records too, and all in the same order.
 */
static const struct record_type *new_type(const struct dataset_writer *writer,
					  const struct snapshot *snapshot, size_t id)
{
	if (writer->described[id])
		return NULL;
	if (id >= RECORD_RUNTIME_FIRST)
		return registry_type(snapshot->types, id);
	return id < snapshot->set_count && snapshot->sets[id] && snapshot->sets[id]->count
		       ? snapshot->sets[id]->type
		       : NULL;
}

/* Writes the meanings of new types; those of the built-in ones are in the manual. */
static void explain_types(struct dataset_writer *writer, const struct snapshot *snapshot)
{
	bool any = false;

	for (size_t id = RECORD_RUNTIME_FIRST; id < snapshot->types->count; id++) {
		const struct record_type *type = new_type(writer, snapshot, id);

		if (!type)
			continue;
		put_meaning(&writer->content, type);
		any = true;
	}
	if (any)
		close_block(writer, BLOCK_MEANINGS);
}

/* Describes the types that are not in the file yet. */
static void describe_types(struct dataset_writer *writer, const struct snapshot *snapshot)
{
	bool any = false;

	for (size_t id = 0; id < snapshot->types->count; id++) {
		const struct record_type *type = new_type(writer, snapshot, id);

		if (!type)
			continue;
		put_type(&writer->content, type);
		any = true;
	}
	if (!any)
		return;
	close_block(writer, BLOCK_TYPES);
	writer->described_since = true;
	explain_types(writer, snapshot);
	for (size_t id = 0; id < snapshot->types->count; id++)
		writer->described[id] = writer->described[id] || new_type(writer, snapshot, id);
}

/* Returns the end of the strings that fit into one block that begins with number first. */
static size_t strings_for_block(const struct strmap *strings, size_t first)
{
	size_t bytes = 0, end = first;

	while (end < strings->count && bytes < DATASET_MAX_TEXT)
		bytes += strlen(strings->texts[end++]);
	return end;
}

/* Writes the new strings. */
static void put_strings(struct dataset_writer *writer)
{
	const struct strmap *strings = writer->strings;

	while (writer->string_count < strings->count) {
		size_t end = strings_for_block(strings, writer->string_count);

		dataset_put_varint(&writer->content, writer->string_count);
		dataset_put_varint(&writer->content, end - writer->string_count);
		for (size_t i = writer->string_count; i < end; i++)
			dataset_put_text(&writer->content, strings->texts[i],
					 strnlen(strings->texts[i], DATASET_MAX_TEXT));
		writer->string_count = end;
		close_block(writer, BLOCK_STRINGS);
	}
}

/* Begins the content of a snapshot block. */
static void open_snapshot(struct dataset_writer *writer, const struct snapshot *snapshot,
			  enum dataset_block_type type)
{
	writer->type = type;
	dataset_put_varint(&writer->content, snapshot->sequence);
	dataset_put_varint(&writer->content, snapshot->time);
}

/* Returns the number of bytes in the byte blocks of one record. */
static size_t bytes_of_row(const struct recordset *set, size_t row)
{
	size_t bytes = 0;

	for (size_t i = 0; i < set->type->field_count; i++) {
		struct field_value value;

		if (set->type->fields[i].type == FIELD_BYTES &&
		    recordset_value(set, row, i, &value))
			bytes += value.bytes.length;
	}
	return bytes;
}

/* Free space in the block in progress. */
struct free_space {
	size_t values, bytes;
};

/* Returns the number of records from first on that fit, and subtracts them from the free space. */
static size_t rows_for_block(const struct recordset *set, size_t first, struct free_space *free_space)
{
	size_t width = set->type->field_count, rows = free_space->values / width;

	if (rows > set->count - first)
		rows = set->count - first;
	for (size_t i = 0; set->bytes.length && i < rows; i++) {
		size_t bytes = bytes_of_row(set, first + i);

		if (bytes > free_space->bytes && free_space->bytes < BLOCK_BYTES)
			rows = i;
		else
			free_space->bytes -= bytes < free_space->bytes ? bytes : free_space->bytes;
	}
	free_space->values -= rows * width;
	return rows;
}

/* Writes one record set; continues in another block when one is full. */
static void put_set(struct dataset_writer *writer, const struct snapshot *snapshot,
		    const struct recordset *set, struct free_space *free_space)
{
	size_t done = 0;

	while (done < set->count) {
		size_t rows = rows_for_block(set, done, free_space);

		if (rows) {
			size_t first_column =
				dataset_put_set(&writer->content, set, done, rows, snapshot->time);

			/* The times of events. */
			if (writer->type == BLOCK_EVENTS)
				writer->literals = first_column;
			done += rows;
			continue;
		}
		close_block(writer, writer->type);
		open_snapshot(writer, snapshot,
			      writer->type == BLOCK_EVENTS ? BLOCK_EVENTS : BLOCK_SNAPSHOT);
		*free_space = (struct free_space){ BLOCK_VALUES, BLOCK_BYTES };
	}
}

/* Returns whether a set may be stored as changes. */
static bool may_change(const struct snapshot *snapshot, size_t id)
{
	const struct recordset *set = snapshot->sets[id];

	return set && set->count && dataset_has_changes(set->type);
}

/* Returns whether a snapshot has such sets, and not too many. */
static bool has_changes(const struct snapshot *snapshot)
{
	size_t values = 0;

	for (size_t id = RECORD_RUNTIME_FIRST; id < snapshot->set_count; id++)
		if (may_change(snapshot, id))
			values += snapshot->sets[id]->count *
				  snapshot->sets[id]->type->field_count;
	return values && values <= CHANGES_VALUES;
}

/* Keeps the sets of a snapshot as a base for others. */
static void keep_base(struct base *base, const struct snapshot *snapshot, uint64_t number)
{
	if (!base->sets.types)
		snapshot_init(&base->sets, snapshot->types);
	snapshot_clear(&base->sets);
	base->number = number;
	for (size_t id = RECORD_RUNTIME_FIRST; id < snapshot->set_count; id++)
		if (may_change(snapshot, id))
			recordset_append(snapshot_set(&base->sets, (unsigned)id),
					 snapshot->sets[id]);
}

/* Appends the sets that may be stored as changes, as changes of base where it has their type. */
static void put_changes(struct strbuf *content, const struct snapshot *snapshot,
			const struct base *base)
{
	for (size_t id = RECORD_RUNTIME_FIRST; id < snapshot->set_count; id++) {
		const struct recordset *set = snapshot->sets[id], *before;

		if (!may_change(snapshot, id))
			continue;
		before = base ? snapshot_records(&base->sets, (unsigned)id) : NULL;
		if (before && before->count && before->type == set->type)
			dataset_put_changes(content, set, before, snapshot->time);
		else
			dataset_put_set(content, set, 0, set->count, snapshot->time);
	}
}

/*
 * Begins a snapshot with sets that build on those of an earlier one, or on which
 * later ones build.
 */
static void open_changes(struct dataset_writer *writer, const struct snapshot *snapshot)
{
	bool whole = writer->step % WHOLE_EVERY == 0, middle = writer->step % MIDDLE_EVERY == 0;
	const struct base *base = NULL;
	uint64_t number = middle ? ++writer->base_count : 0;

	if (!whole)
		base = middle || !writer->middle.number ? &writer->whole : &writer->middle;
	open_snapshot(writer, snapshot, BLOCK_CHANGES);
	dataset_put_varint(&writer->content, number);
	dataset_put_varint(&writer->content, base ? base->number : 0);
	put_changes(&writer->content, snapshot, base);
	if (whole) {
		strbuf_reset(&writer->base_copy);
		strbuf_addbuf(&writer->base_copy, &writer->content);
		writer->middle.number = 0;
	}
	if (middle)
		keep_base(whole ? &writer->whole : &writer->middle, snapshot, number);
	writer->step++;
}

/* Writes a copy of the base of the following snapshots, in case it is damaged. */
static void put_base_copy(struct dataset_writer *writer, const struct registry *types)
{
	if (!writer->base_copy.length)
		return;
	for (size_t id = RECORD_RUNTIME_FIRST; writer->described_since && id < types->count; id++)
		if (writer->described[id])
			put_type(&writer->content, types->types[id]);
	if (writer->described_since)
		close_block(writer, BLOCK_TYPES);
	writer->described_since = false;
	strbuf_addbuf(&writer->content, &writer->base_copy);
	strbuf_reset(&writer->base_copy);
	close_block(writer, BLOCK_BASE_COPY);
}

/* Returns whether a set has so many rows that it goes into separate blocks. */
static bool has_separate_blocks(const struct recordset *set)
{
	return set->type->many && (set->count > MANY_WITHIN || set->bytes.length);
}

/* Writes the sets with many rows, in separate blocks. */
static void put_many(struct dataset_writer *writer, const struct snapshot *snapshot)
{
	for (size_t id = 0; id < snapshot->set_count && id < RECORD_RUNTIME_FIRST; id++) {
		struct free_space free_space = { BLOCK_VALUES, BLOCK_BYTES };

		if (!snapshot->sets[id] || !has_separate_blocks(snapshot->sets[id]))
			continue;
		open_snapshot(writer, snapshot, BLOCK_EVENTS);
		put_set(writer, snapshot, snapshot->sets[id], &free_space);
		close_block(writer, BLOCK_EVENTS);
	}
}

/*
 * Writes all record sets of a snapshot, if possible into one block. More than a
 * few rows of a type with many rows go into separate blocks, which most readers
 * skip.
 */
static void put_snapshot(struct dataset_writer *writer, const struct snapshot *snapshot)
{
	bool changes = has_changes(snapshot);
	struct free_space free_space = { BLOCK_VALUES, BLOCK_BYTES };

	if (changes) {
		put_base_copy(writer, snapshot->types);
		open_changes(writer, snapshot);
	} else {
		open_snapshot(writer, snapshot, BLOCK_SNAPSHOT);
	}
	for (size_t id = 0; id < snapshot->set_count; id++)
		if (snapshot->sets[id] && !has_separate_blocks(snapshot->sets[id]) &&
		    !(changes && may_change(snapshot, id)))
			put_set(writer, snapshot, snapshot->sets[id], &free_space);
	close_block(writer, writer->type);
	put_many(writer, snapshot);
}

/* Writes all of data at the end of the file. */
static int write_all(int fd, const char *data, size_t length)
{
	while (length > 0) {
		ssize_t written = write(fd, data, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -1;
		data += written;
		length -= (size_t)written;
	}
	return 0;
}

/*
 * Does the same as write_all, but at a limit on file sizes it fails with EFBIG
 * instead of the signal that would end the process: the session has more to do
 * than write its file.
 */
static int write_signalless(int fd, const char *data, size_t length)
{
	const struct timespec now = { 0, 0 };
	sigset_t limit, before;
	int result, saved;

	sigemptyset(&limit);
	sigaddset(&limit, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &limit, &before);
	result = write_all(fd, data, length);
	saved = errno;
	if (result < 0 && saved == EFBIG && !sigismember(&before, SIGXFSZ))
		sigtimedwait(&limit, NULL, &now);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = saved;
	return result;
}

/* Keeps the reason why writing failed: no further write is possible. */
static int fail(struct dataset_writer *writer, const char *doing, struct error *err)
{
	struct error why = ERROR_INIT;

	error_errno(&why, "%s sample data set %s failed after %" PRIu64 " bytes", doing,
		    writer->path, writer->size);
	if (!writer->draft)
		strbuf_addstr(&why.text, "; the snapshots before this point can be read");
	writer->failure = strbuf_detach(&why.text, NULL);
	return error_set(err, "%s", writer->failure);
}

/* Writes the collected blocks to the file; on failure the file is truncated to its previous end. */
static int write_out(struct dataset_writer *writer, struct error *err)
{
	if (write_signalless(writer->fd, writer->out.text, writer->out.length) < 0) {
		int saved = errno;
		/* If this fails too, a reader skips the partial block. */
		int cut UNUSED = ftruncate(writer->fd, (off_t)writer->size);

		errno = saved;
		return fail(writer, "writing", err);
	}
	writer->size += writer->out.length;
	writer->blocks += writer->out_blocks;
	writer->out_blocks = 0;
	strbuf_reset(&writer->out);
	return 0;
}

void dataset_limit(struct dataset_writer *writer, uint64_t bytes)
{
	writer->limit = bytes;
}

/* Returns whether the collected blocks, and the end block after them, fit below the limit. */
static bool fits(const struct dataset_writer *writer)
{
	return !writer->limit || writer->size + writer->out.length + END_BYTES <= writer->limit;
}

void dataset_keep_old(struct dataset_writer *writer)
{
	writer->keep_old = true;
}

/*
 * Keeps the file that the draft is about to replace. Until then it has both names,
 * or one where the file system has no links.
 */
static int keep_old(const struct dataset_writer *writer)
{
	struct strbuf old = STRBUF_INIT;
	struct stat facts;
	int result = 0, saved;

	if (!writer->keep_old || lstat(writer->path, &facts) < 0 || !S_ISREG(facts.st_mode))
		return 0;
	strbuf_addf(&old, "%s.old", writer->path);
	if ((unlink(old.text) < 0 && errno != ENOENT) ||
	    (link(writer->path, old.text) < 0 && rename(writer->path, old.text) < 0))
		result = -1;
	saved = errno;
	strbuf_release(&old);
	errno = saved;
	return result;
}

/* Renames the draft to the name of the data set. */
static int publish(struct dataset_writer *writer, struct error *err)
{
	if (!writer->draft)
		return 0;
	if (keep_old(writer) < 0)
		return fail(writer, "keeping the previous one as .old and renaming", err);
	if (rename(writer->draft, writer->path) < 0)
		return fail(writer, "naming", err);
	free(writer->draft);
	writer->draft = NULL;
	return 0;
}

int dataset_write(struct dataset_writer *writer, const struct snapshot *snapshot, struct error *err)
{
	if (writer->failure)
		return error_set(err, "%s", writer->failure);
	if (snapshot_is_empty(snapshot) && writer->wrote_snapshot)
		return 0;
	describe_types(writer, snapshot);
	put_strings(writer);
	put_snapshot(writer, snapshot);
	if (writer->wrote_snapshot && !fits(writer)) {
		strbuf_reset(&writer->out);
		writer->out_blocks = 0;
		return 1;
	}
	RETURN_IF(write_out(writer, err) < 0, -1);
	writer->wrote_snapshot = true;
	return publish(writer, err);
}

/* Returns whether the path of the data set still refers to the file that was written. */
static bool is_same_file(const struct dataset_writer *writer)
{
	struct stat ours, there;

	return fstat(writer->fd, &ours) == 0 && stat(writer->path, &there) == 0 &&
	       ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

/* Writes the end block. */
static int write_end(struct dataset_writer *writer, struct error *err)
{
	if (writer->failure)
		return error_set(err, "%s", writer->failure);
	dataset_put_varint(&writer->content, writer->blocks);
	close_block(writer, BLOCK_END);
	RETURN_IF(write_out(writer, err) < 0, -1);
	RETURN_IF(publish(writer, err) < 0, -1);
	if (!is_same_file(writer))
		return error_set(err,
				 "sample data set %s was removed or replaced by another process "
				 "while it was written",
				 writer->path);
	if (close(writer->fd) < 0) {
		writer->fd = -1;
		return fail(writer, "closing", err);
	}
	writer->fd = -1;
	return 0;
}

int dataset_finish(struct dataset_writer *writer, struct error *err)
{
	int result = write_end(writer, err);

	dataset_abandon(writer);
	return result;
}

/* Which rows of a type to keep, and where to write. */
struct thinning {
	struct dataset_writer *draft; /* writer of the new file */
	dataset_keep keep;
	void *argument;
	struct strbuf content; /* of the block being read */
	struct recordset kept;
};

/* Copies the rows of a set that are to be kept. Returns false when the set is damaged. */
static bool thin_set(struct thinning *thinning, struct dataset_set *set, uint64_t time)
{
	struct recordset *kept = &thinning->kept;
	size_t width = kept->type->field_count;
	uint64_t *values;

	RETURN_IF(set->columns != width, false);
	values = xcalloc((size_t)set->rows + 1, kept->type->size);
	recordset_clear(kept);
	for (size_t i = 0; i < width && set->rows; i++)
		dataset_get_column(&set->data, values + i, width, (size_t)set->rows, time);
	for (size_t row = 0; row < set->rows; row++)
		if (thinning->keep(thinning->argument, values + row * width))
			recordset_add(kept, values + row * width);
	free(values);
	if (kept->count)
		dataset_put_set(&thinning->draft->content, kept, 0, kept->count, time);
	return !set->data.bad;
}

/*
 * Copies the sets of a snapshot block, with rows of the type thinned. Returns
 * false when it is damaged.
 */
static bool thin_snapshot(struct thinning *thinning, bool changes)
{
	struct dataset_cursor cursor =
		dataset_cursor(thinning->content.text, thinning->content.length);
	struct strbuf *out = &thinning->draft->content;
	struct dataset_set set;
	uint64_t time;

	dataset_put_varint(out, dataset_get_varint(&cursor));
	time = dataset_get_varint(&cursor);
	dataset_put_varint(out, time);
	/* Its number as a base, and that of its base. */
	for (int i = 0; changes && i < 2; i++)
		dataset_put_varint(out, dataset_get_varint(&cursor));
	while (cursor.at < cursor.end) {
		const unsigned char *start = cursor.at;

		dataset_get_set(&cursor, &set, changes);
		RETURN_IF(cursor.bad, false);
		if (set.type != thinning->kept.type->id || set.changed)
			strbuf_add(out, start, (size_t)(cursor.at - start));
		else
			RETURN_IF(!thin_set(thinning, &set, time), false);
	}
	return true;
}

/* Copies one block into the new file. */
static int thin_block(struct thinning *thinning, const struct dataset_block *block,
		      const unsigned char *payload, struct error *err)
{
	struct dataset_writer *draft = thinning->draft;

	if (!dataset_unpack(draft->packer, block, payload, &thinning->content))
		return error_set(err, "a block of sample data set %s is damaged", draft->path);
	if (block->type != BLOCK_SNAPSHOT && block->type != BLOCK_CHANGES)
		strbuf_addbuf(&draft->content, &thinning->content);
	else if (!thin_snapshot(thinning, block->type == BLOCK_CHANGES))
		return error_set(err, "a snapshot of sample data set %s is damaged", draft->path);
	close_block(draft, block->type);
	return draft->out.length < DATASET_MAX_TEXT ? 0 : write_out(draft, err);
}

/* Copies all blocks into the new file. */
static int thin_blocks(struct thinning *thinning, struct dataset_reader *reader, struct error *err)
{
	struct dataset_block block;
	const unsigned char *payload;
	int found;

	while ((found = dataset_reader_block(reader, &block, &payload, err)) == 1)
		if (thin_block(thinning, &block, payload, err) < 0)
			return -1;
	return found < 0 ? -1 : write_out(thinning->draft, err);
}

/* Continues with the new file in place of the old one. */
static void take_over(struct dataset_writer *writer, struct dataset_writer *draft)
{
	int fd = writer->fd;

	writer->fd = draft->fd;
	writer->size = draft->size;
	writer->blocks = draft->blocks;
	draft->fd = fd;
}

/* Makes the new file from the blocks of reader and replaces the old one. */
static int thin_file(struct dataset_writer *writer, struct thinning *thinning,
		     struct dataset_reader *reader, struct error *err)
{
	RETURN_IF(thin_blocks(thinning, reader, err) < 0, -1);
	if (thinning->draft->blocks != writer->blocks)
		return error_set(err, "sample data set %s was changed by another process",
				 writer->path);
	RETURN_IF(publish(thinning->draft, err) < 0, -1);
	take_over(writer, thinning->draft);
	return 0;
}

int dataset_thin(struct dataset_writer *writer, const struct record_type *type, dataset_keep keep,
		 void *argument, struct error *err)
{
	struct thinning thinning = { .keep = keep, .argument = argument, .content = STRBUF_INIT };
	struct dataset_reader *reader = NULL;
	int result = -1;

	assert(type->size == type->field_count * sizeof(uint64_t));
	if (writer->failure)
		return error_set(err, "%s", writer->failure);
	if (!writer->wrote_snapshot)
		return 0;
	recordset_init(&thinning.kept, type);
	thinning.draft = dataset_create(writer->path, writer->strings, err);
	if (thinning.draft)
		reader = dataset_reader_new(fcntl(writer->fd, F_DUPFD_CLOEXEC, 0), writer->path,
					    NULL, NULL, err);
	if (reader)
		result = thin_file(writer, &thinning, reader, err);
	if (result < 0)
		error_prefix(err, "thinning the records failed");
	dataset_reader_close(reader);
	dataset_abandon(thinning.draft);
	strbuf_release(&thinning.content);
	recordset_release(&thinning.kept);
	return result;
}
