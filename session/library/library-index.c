/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes the index of a resource library. */
#include "common/compat.h"
#include "session/library/library-index.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "datasets/folders.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#define HEAD "VIGIL LIBRARY INDEX 1\n"
#define CHECKSUM "CHECKSUM "
#define CHECKSUM_LENGTH (sizeof(CHECKSUM) - 1 + 8 + 1)
/* About a hundred thousand resources; a longer file was not written by vigil. */
#define INDEX_MAX (64 << 20)
#define FIELDS 14

static uint64_t changed_of(const struct stat *facts)
{
	return clock_timespec_ns(&facts->st_mtim);
}

static void release_facts(struct resource *facts)
{
	free(facts->name);
	free(facts->program);
	free(facts->job);
	free(facts->step);
	*facts = (struct resource){ 0 };
}

/* Returns the entry of a file, created if there is none. */
static struct library_entry *entry_of(struct library_index *index, const char *file)
{
	uint32_t number = strmap_put(&index->files, file);

	if (number >= index->count) {
		GROW(index->entries, number + 1, index->alloc);
		memset(&index->entries[index->count], 0,
		       (number + 1 - index->count) * sizeof(*index->entries));
		index->count = number + 1;
	}
	return &index->entries[number];
}

/* Returns whether the index was written by a user who could also have put other data sets there. */
static bool is_trusted(const char *folder, const struct stat *facts)
{
	char *refused = folders_refuse(folder);
	struct stat around;
	bool refuses = refused != NULL;

	free(refused);
	RETURN_IF(refuses || stat(folder, &around) < 0, false);
	RETURN_IF((facts->st_mode & S_IWOTH) && !(around.st_mode & S_IWOTH), false);
	return !(around.st_mode & S_ISVTX) || facts->st_uid == geteuid() || facts->st_uid == 0 ||
	       facts->st_uid == around.st_uid;
}

/* Appends the whole file; false if there is no valid one. */
static bool read_whole(const char *folder, struct strbuf *text)
{
	struct strbuf path = STRBUF_INIT;
	struct stat facts;
	bool good;
	int fd;

	strbuf_addf(&path, "%s/" LIBRARY_INDEX_NAME, folder);
	fd = open(path.text, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	good = fd >= 0 && fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode) &&
	       facts.st_size <= INDEX_MAX && is_trusted(folder, &facts);
	for (char part[65536]; good;) {
		ssize_t got = read(fd, part, sizeof(part));

		good = got >= 0 && text->length + (size_t)got <= INDEX_MAX;
		if (got <= 0)
			break;
		strbuf_add(text, part, (size_t)got);
	}
	if (fd >= 0)
		close(fd);
	strbuf_release(&path);
	return good;
}

static unsigned long checksum_of(const char *text, size_t length)
{
	return crc32(0, (const Bytef *)text, (uInt)length);
}

/* Returns whether a text is a whole index; if so, removes its checksum. */
static bool is_whole(struct strbuf *text)
{
	size_t length;
	char line[CHECKSUM_LENGTH + 1];

	RETURN_IF(text->length < sizeof(HEAD) - 1 + CHECKSUM_LENGTH, false);
	RETURN_IF(strncmp(text->text, HEAD, sizeof(HEAD) - 1) != 0, false);
	length = text->length - CHECKSUM_LENGTH;
	snprintf(line, sizeof(line), CHECKSUM "%08lx\n", checksum_of(text->text, length));
	RETURN_IF(memcmp(text->text + length, line, CHECKSUM_LENGTH) != 0, false);
	strbuf_setlen(text, length);
	return strlen(text->text) == length;
}

/* Returns the value of an escaped byte; -1 if it is invalid. */
static int escaped(const char *at)
{
	static const char digits[] = "0123456789abcdef";
	const char *high = at[0] ? strchr(digits, at[0]) : NULL;
	const char *low = high && at[1] ? strchr(digits, at[1]) : NULL;
	int value = low ? (int)((high - digits) * 16 + (low - digits)) : -1;

	return value ? value : -1;
}

/* Reverses add_text in place; false if the text is invalid. */
static bool unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		int value = (unsigned char)*text;

		if (*text == '%') {
			value = escaped(text + 1);
			RETURN_IF(value < 0, false);
			text += 2;
		}
		*to++ = (char)value;
	}
	*to = '\0';
	return true;
}

/* Splits a line into its fields; false if their number is wrong. */
static bool divide(char *line, char *fields[FIELDS])
{
	for (size_t i = 0; i < FIELDS; i++) {
		char *tab = strchr(line, '\t');

		RETURN_IF(!tab != (i == FIELDS - 1), false);
		fields[i] = line;
		if (tab)
			*tab = '\0';
		RETURN_IF(!unescape(line), false);
		line = tab ? tab + 1 : line;
	}
	return true;
}

/* Reads decimal numbers; false if one is invalid. */
static bool read_numbers(char *const *fields, uint64_t *const *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *end;

		RETURN_IF(!*fields[i] || fields[i][strspn(fields[i], "0123456789")], false);
		errno = 0;
		*numbers[i] = strtoull(fields[i], &end, 10);
		RETURN_IF(errno || *end, false);
	}
	return true;
}

/* Takes one line; false if it is invalid. */
static bool take_line(struct library_index *index, char *line)
{
	struct library_entry found = { 0 };
	uint64_t held, kind, complete;
	uint64_t *const numbers[] = {
		&found.size,	     &found.changed,	   &found.inode,       &held,	  &kind,
		&found.facts.events, &found.facts.samples, &found.facts.start, &complete,
	};
	char *fields[FIELDS];
	struct library_entry *entry;

	RETURN_IF(!divide(line, fields) || !*fields[0], false);
	RETURN_IF(!read_numbers(fields + 1, numbers, ARRAY_SIZE(numbers)), false);
	RETURN_IF(held > 1 || kind >= RESOURCE_KIND_COUNT || complete > 1, false);
	RETURN_IF(strmap_find(&index->files, fields[0]) != UINT32_MAX, false);
	found.is_resource = held;
	found.facts.kind = (enum resource_kind)kind;
	found.facts.complete = complete;
	found.facts.size = found.size;
	found.facts.name = xstrdup(fields[10]);
	found.facts.program = xstrdup(fields[11]);
	found.facts.job = xstrdup(fields[12]);
	found.facts.step = xstrdup(fields[13]);
	entry = entry_of(index, fields[0]);
	*entry = found;
	return true;
}

void library_index_read(struct library_index *index, const char *folder)
{
	struct strbuf text = STRBUF_INIT;
	char *line, *end;

	*index = (struct library_index){ 0 };
	strmap_init(&index->files);
	if (read_whole(folder, &text) && is_whole(&text)) {
		for (line = text.text + sizeof(HEAD) - 1; (end = strchr(line, '\n'));
		     line = end + 1) {
			*end = '\0';
			if (take_line(index, line))
				continue;
			library_index_release(index); /* discard all entries */
			strmap_init(&index->files);
			break;
		}
	}
	strbuf_release(&text);
}

void library_index_release(struct library_index *index)
{
	for (size_t i = 0; i < index->count; i++)
		release_facts(&index->entries[i].facts);
	free(index->entries);
	strmap_release(&index->files);
	*index = (struct library_index){ 0 };
}

const struct library_entry *library_index_find(struct library_index *index, const char *file,
					       const struct stat *now)
{
	uint32_t number = strmap_find(&index->files, file);
	struct library_entry *entry;

	RETURN_IF(number >= index->count, NULL);
	entry = &index->entries[number];
	RETURN_IF(entry->size != (uint64_t)now->st_size || entry->changed != changed_of(now) ||
			  entry->inode != now->st_ino,
		  NULL);
	entry->seen = true;
	return entry;
}

void library_index_put(struct library_index *index, const char *file, const struct stat *looked_at,
		       const struct resource *resource)
{
	static const struct resource nothing;
	struct library_entry *entry = entry_of(index, file);
	const struct resource *from = resource ? resource : &nothing;

	release_facts(&entry->facts);
	*entry = (struct library_entry){
		.size = (uint64_t)looked_at->st_size,
		.inode = looked_at->st_ino,
		.changed = changed_of(looked_at),
		.is_resource = resource != NULL,
		.seen = true,
		.facts = *from,
	};
	entry->facts.path = NULL;
	entry->facts.name = xstrdup(from->name ? from->name : "");
	entry->facts.program = xstrdup(from->program ? from->program : "");
	entry->facts.job = xstrdup(from->job ? from->job : "");
	entry->facts.step = xstrdup(from->step ? from->step : "");
	index->changed = true;
}

void library_index_drop_unseen(struct library_index *index)
{
	for (size_t i = 0; i < index->count; i++) {
		struct library_entry *entry = &index->entries[i];

		if (entry->seen || !entry->facts.name)
			continue;
		release_facts(&entry->facts);
		index->changed = true;
	}
}

/* Appends a text, with the characters escaped that separate lines and fields. */
static void add_text(struct strbuf *sb, const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == '%' || *text == '\x7f')
			strbuf_addf(sb, "%%%02x", (unsigned char)*text);
		else
			strbuf_addch(sb, *text);
}

static void add_line(struct strbuf *sb, const char *file, const struct library_entry *entry)
{
	const struct resource *facts = &entry->facts;
	const char *const texts[] = { facts->name, facts->program, facts->job, facts->step };

	add_text(sb, file);
	strbuf_addf(sb,
		    "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%d\t%d\t%" PRIu64 "\t%" PRIu64
		    "\t%" PRIu64 "\t%d",
		    entry->size, entry->changed, entry->inode, entry->is_resource, (int)facts->kind,
		    facts->events, facts->samples, facts->start, facts->complete);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		strbuf_addch(sb, '\t');
		add_text(sb, texts[i]);
	}
	strbuf_addch(sb, '\n');
}

/*
 * Returns whether a file of this length may be written: beyond the limit the
 * system would kill the process.
 */
static bool fits(size_t length)
{
	struct rlimit limit;

	RETURN_IF(length > INDEX_MAX, false);
	return getrlimit(RLIMIT_FSIZE, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY ||
	       limit.rlim_cur > length;
}

void library_index_write(const struct library_index *index, const char *folder)
{
	struct strbuf text = STRBUF_INIT;
	char *refused;

	if (!index->changed)
		return;
	refused = folders_refuse(folder);
	strbuf_addstr(&text, HEAD);
	for (uint32_t i = 0; i < index->count; i++)
		if (index->entries[i].facts.name)
			add_line(&text, strmap_text(&index->files, i), &index->entries[i]);
	strbuf_addf(&text, CHECKSUM "%08lx\n", checksum_of(text.text, text.length));
	if (!refused && fits(text.length))
		folders_write_file(folder, LIBRARY_INDEX_NAME,
				   &text); /* if it fails, LIST is just slower */
	free(refused);
	strbuf_release(&text);
}
