/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the table of pg_stat_statements. */
#include "common/compat.h"
#include "collectors/postgres-statements.h"
#include "common/fingerprint.h"

#include <signal.h>
#include <sys/stat.h>

#define SERVERS 8
#define FOLDER_MAX 1024
/*
 * Number of attempts to find the module in a server: its first process loads it
 * late, others have it from their start.
 */
#define TRIES 400
#define FIRST_VERSION 14
#define LAST_VERSION 18
/* A table with more entries or buckets is not valid. */
#define ENTRIES_MAX 200000
/* File names: of the module, and below the server's folder. */
#define LIBRARY "pg_stat_statements.so"
#define FUNCTION "pg_stat_statements_info"
#define TEXTS "pg_stat_tmp/pgss_query_texts.stat"
#define LEFT "pg_stat/pg_stat_statements.stat"

/*
 * dynahash.c: offsets in HTAB, and in HASHHDR after its free lists, the same in
 * all these versions.
 */
#define HTAB_SIZE 96
#define HTAB_KEY_SIZE 72
#define HTAB_SEGMENT_SIZE 80
#define HTAB_SEGMENT_SHIFT 88
#define HEADER_BUCKETS 784
#define HEADER_KEY_SIZE 800
#define HEADER_ENTRY_SIZE 808
#define HEADER_SIZE 816
/* An element consists of the address of the next one, the hash value and the entry. */
#define ELEMENT_ENTRY 16
/*
 * pgssEntry: user, database, query, top level; then the counters, calls first,
 * those of plans before those of executions.
 */
#define KEY_SIZE 24
#define KEY_TOP_LEVEL 16
#define ENTRY_CALLS 32
#define ENTRY_MAX 1024
/* pgssSharedState: the number of times that entries were dropped, and when the table was reset. */
#define SHARED_STATISTICS 48

struct entry {
	unsigned char key[KEY_SIZE];
	uint64_t calls;
	uint64_t text; /* position in the file of texts, or number of the text in the file that a
		        * stopped server left */
	uint32_t length;
};

struct table {
	struct entry *entries;
	size_t count, alloc;
	uint64_t dropped, reset;
	char *texts; /* of all entries */
	size_t texts_size;
};

struct server {
	pid_t postmaster;
	unsigned major;
	char folder[FOLDER_MAX];
	bool read;	 /* first is filled */
	bool from_start; /* and was read before any client connected */
	bool ended;	 /* last is filled */
	bool summed;	 /* and was counted */
	unsigned tries;
	struct timespec since;
	size_t entry_size;
	struct table first, last;
};

struct counted {
	char name[FINGERPRINT_SIZE];
	uint64_t count;
	bool exact;
};

struct statements {
	struct server servers[SERVERS];
	size_t server_count;
	struct counted *counted;
	size_t counted_count, counted_alloc, reported_count;
};

struct statements *statements_new(void)
{
	return calloc(1, sizeof(struct statements));
}

/* Returns a number of size bytes. */
static uint64_t number_at(const unsigned char *bytes, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, bytes, size);
	return value;
}

/*
 * Returns the number of bytes of an entry after its counters: position of the
 * text, its length, and what follows.
 */
static size_t tail_size(unsigned major)
{
	return major >= 17 ? 40 : 24;
}

static void table_clear(struct table *table)
{
	free(table->entries);
	free(table->texts);
	*table = (struct table){ 0 };
}

/* Adds an entry as it is in memory or in a file; returns false if it is not valid. */
static bool keep_entry(struct table *table, const unsigned char *bytes, size_t size, unsigned major)
{
	const unsigned char *tail = bytes + size - tail_size(major);
	struct entry *entry, *more;

	if (table->count == table->alloc) {
		table->alloc = table->alloc ? table->alloc * 2 : 256;
		more = realloc(table->entries, table->alloc * sizeof(*more));
		RETURN_IF(!more, false);
		table->entries = more;
	}
	entry = &table->entries[table->count];
	memcpy(entry->key, bytes, KEY_SIZE);
	entry->calls = number_at(bytes + ENTRY_CALLS, 8);
	entry->text = number_at(tail, 8);
	entry->length = (uint32_t)number_at(tail + 8, 4);
	/* What functions execute counts for the statement that called them. */
	if (bytes[KEY_TOP_LEVEL] == 1)
		table->count++;
	return bytes[KEY_TOP_LEVEL] <= 1;
}

/*
 * Finds the variables that the module's function accesses first, pgss and
 * pgss_hash: cmpq $0, displacement.
 */
static bool find_variables(const struct vigil_communication *area, uint64_t variables[2])
{
	uint64_t start = vigil_symbol_address(area, LIBRARY, FUNCTION);
	unsigned char code[128];
	size_t found = 0;

	RETURN_IF(!start || vigil_read(area, start, code, sizeof(code)) != sizeof(code), false);
	for (size_t i = 0; i + 8 <= sizeof(code) && found < 2; i++) {
		int32_t distance;

		if (memcmp(code + i, "\x48\x83\x3d", 3) != 0 || code[i + 7] != 0)
			continue;
		memcpy(&distance, code + i + 3, sizeof(distance));
		variables[found++] = start + i + 8 + (uint64_t)(int64_t)distance;
	}
	return found == 2;
}

/* Layout of a table, determined before its entries are read. */
struct layout {
	uint64_t directory, segment_size;
	uint32_t buckets, segment_shift;
	size_t entry_size;
};

/* Reads the heads of a hash table; returns false if its layout is not the expected one. */
static bool find_layout(const struct vigil_communication *area, uint64_t table, struct layout *layout)
{
	unsigned char head[HTAB_SIZE], shared[HEADER_SIZE];

	RETURN_IF(vigil_read(area, table, head, sizeof(head)) != sizeof(head), false);
	RETURN_IF(vigil_read(area, number_at(head, 8), shared, sizeof(shared)) != sizeof(shared),
		  false);
	*layout = (struct layout){
		.directory = number_at(head + 8, 8),
		.segment_size = number_at(head + HTAB_SEGMENT_SIZE, 8),
		.segment_shift = (uint32_t)number_at(head + HTAB_SEGMENT_SHIFT, 4),
		.buckets = (uint32_t)number_at(shared + HEADER_BUCKETS, 4),
		.entry_size = (size_t)number_at(shared + HEADER_ENTRY_SIZE, 8),
	};
	return number_at(head + HTAB_KEY_SIZE, 8) == KEY_SIZE &&
	       number_at(shared + HEADER_KEY_SIZE, 8) == KEY_SIZE && layout->segment_shift < 20 &&
	       layout->segment_size == UINT64_C(1) << layout->segment_shift &&
	       layout->buckets < ENTRIES_MAX && layout->entry_size > 128 &&
	       layout->entry_size <= ENTRY_MAX;
}

/* Reads the entries of a bucket, element by element; returns false if they are not plausible. */
static bool read_bucket(const struct vigil_communication *area, const struct layout *layout,
			uint64_t element, unsigned major, struct table *table)
{
	unsigned char bytes[ELEMENT_ENTRY + ENTRY_MAX];
	size_t size = ELEMENT_ENTRY + layout->entry_size;

	for (size_t i = 0; element && i < ENTRIES_MAX; i++) {
		RETURN_IF(vigil_read(area, element, bytes, size) != size, false);
		RETURN_IF(!keep_entry(table, bytes + ELEMENT_ENTRY, layout->entry_size, major),
			  false);
		element = number_at(bytes, 8);
	}
	return element == 0;
}

/*
 * Reads the table in shared memory; returns false if there is none, or it changed
 * too much meanwhile.
 */
static bool read_table(const struct vigil_communication *area, struct server *server,
		       struct table *table)
{
	uint64_t variables[2], shared, hash;
	unsigned char statistics[16];
	struct layout layout;

	RETURN_IF(!find_variables(area, variables), false);
	shared = vigil_pointer(area, variables[0]);
	hash = vigil_pointer(area, variables[1]);
	RETURN_IF(!shared || !hash || !find_layout(area, hash, &layout), false);
	RETURN_IF(vigil_read(area, shared + SHARED_STATISTICS, statistics, sizeof(statistics)) !=
			  sizeof(statistics),
		  false);
	table->dropped = number_at(statistics, 8);
	table->reset = number_at(statistics + 8, 8);
	server->entry_size = layout.entry_size;
	for (uint32_t bucket = 0; bucket <= layout.buckets; bucket++) {
		uint64_t segment = vigil_pointer(
			area, layout.directory + (bucket >> layout.segment_shift) * 8);
		uint64_t element = vigil_pointer(
			area, segment + (bucket & (layout.segment_size - 1)) * 8);

		RETURN_IF(!segment || !read_bucket(area, &layout, element, server->major, table),
			  false);
	}
	return true;
}

/* Reads a whole file below the server's folder; returns NULL if it is not readable. */
static char *read_file(const struct server *server, const char *name, size_t *size,
		       struct timespec *changed)
{
	char path[FOLDER_MAX + 64];
	char *bytes = NULL;
	struct stat status;
	FILE *stream;

	snprintf(path, sizeof(path), "%s/%s", server->folder, name);
	stream = fopen(path, "re");
	RETURN_IF(!stream, NULL);
	if (fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode) &&
	    status.st_size < (off_t)1 << 28)
		bytes = malloc((size_t)status.st_size + 1);
	if (bytes) {
		*size = fread(bytes, 1, (size_t)status.st_size, stream);
		bytes[*size] = '\0';
		*changed = status.st_mtim;
	}
	fclose(stream);
	return bytes;
}

/* Returns whether the server still reports that it does not accept clients. */
static bool is_starting(const struct server *server)
{
	struct timespec changed;
	size_t size;
	char *text = read_file(server, "postmaster.pid", &size, &changed), *line = text;
	bool starting;

	for (int i = 1; line && i < 8; i++) {
		line = strchr(line, '\n');
		line += line != NULL;
	}
	/* The eighth line is written when the server is ready, or says so. */
	starting = text && (!line || strncmp(line, "ready", 5) != 0);
	free(text);
	return starting;
}

/* Returns the server with this first process, a new one if there is space; else NULL. */
static struct server *server_of(struct statements *statements, pid_t postmaster)
{
	struct server *server;

	for (size_t i = 0; i < statements->server_count; i++)
		if (statements->servers[i].postmaster == postmaster)
			return &statements->servers[i];
	RETURN_IF(statements->server_count == SERVERS, NULL);
	server = &statements->servers[statements->server_count++];
	server->postmaster = postmaster;
	return server;
}

bool statements_needs_table(struct statements *statements, pid_t postmaster)
{
	const struct server *server = server_of(statements, postmaster);

	return server && !server->read && server->tries < TRIES;
}

void statements_find_table(struct statements *statements, const struct vigil_communication *area,
		     pid_t postmaster, const char *folder, unsigned major)
{
	struct server *server = server_of(statements, postmaster);

	if (!server)
		return;
	server->tries = major < FIRST_VERSION || major > LAST_VERSION ? TRIES : server->tries + 1;
	if (server->tries == TRIES)
		return;
	server->major = major;
	snprintf(server->folder, sizeof(server->folder), "%s", folder);
	if (!read_table(area, server, &server->first)) {
		table_clear(&server->first);
		return;
	}
	clock_gettime(CLOCK_REALTIME, &server->since);
	/* Checked after the table was read: nothing was executed before it. */
	server->from_start = is_starting(server);
	server->read = true;
}

void statements_end(struct statements *statements, const struct vigil_communication *area,
		    pid_t postmaster)
{
	struct server *server = server_of(statements, postmaster);
	struct timespec changed;

	if (!server || !server->read || server->ended)
		return;
	table_clear(&server->last);
	if (!read_table(area, server, &server->last))
		return;
	server->last.texts = read_file(server, TEXTS, &server->last.texts_size, &changed);
	server->ended = server->last.texts != NULL;
}

/* Takes the entries of the table that a stopped server left: each is followed by its text. */
static bool parse_stopped_table(struct server *server, struct table *table)
{
	const unsigned char *bytes = (const unsigned char *)table->texts;
	size_t at = 12, size = server->entry_size;
	uint32_t count = (uint32_t)number_at(bytes + 8, 4);

	for (uint32_t i = 0; i < count; i++) {
		size_t before = table->count;
		uint32_t length;

		RETURN_IF(at + size > table->texts_size, false);
		RETURN_IF(!keep_entry(table, bytes + at, size, server->major), false);
		length = (uint32_t)number_at(bytes + at + size - tail_size(server->major) + 8, 4);
		at += size;
		RETURN_IF(length >= table->texts_size - at || bytes[at + length] != '\0', false);
		if (table->count > before)
			table->entries[before].text = at;
		at += length + 1;
	}
	RETURN_IF(at + 16 > table->texts_size, false);
	table->dropped = number_at(bytes + at, 8);
	table->reset = number_at(bytes + at + 8, 8);
	return true;
}

/* Reads the table that a server left when it was stopped during this session. */
static void read_stopped_table(struct server *server)
{
	struct table *table = &server->last;
	struct timespec changed;

	table_clear(table);
	table->texts = read_file(server, LEFT, &table->texts_size, &changed);
	server->ended = table->texts && table->texts_size > 12 &&
			(changed.tv_sec > server->since.tv_sec ||
			 (changed.tv_sec == server->since.tv_sec &&
			  changed.tv_nsec >= server->since.tv_nsec)) &&
			parse_stopped_table(server, table);
}

static int compare_entries(const void *one, const void *other)
{
	return memcmp(((const struct entry *)one)->key, ((const struct entry *)other)->key,
		      KEY_SIZE);
}

/* Returns the text of an entry; NULL if it is not at the expected position. */
static const char *text_of(const struct table *table, const struct entry *entry)
{
	RETURN_IF(entry->text >= table->texts_size ||
			  entry->length >= table->texts_size - entry->text ||
			  table->texts[entry->text + entry->length] != '\0',
		  NULL);
	return table->texts + entry->text;
}

/* Adds calls to the count of a statement's fingerprint. */
static void count(struct statements *statements, const char *text, uint64_t calls, bool exact)
{
	char name[FINGERPRINT_SIZE];
	struct counted *more;

	fingerprint(text, name);
	for (size_t i = 0; i < statements->counted_count; i++)
		if (strcmp(statements->counted[i].name, name) == 0) {
			statements->counted[i].count += calls;
			statements->counted[i].exact &= exact;
			return;
		}
	if (statements->counted_count == statements->counted_alloc) {
		statements->counted_alloc += 256;
		more = realloc(statements->counted, statements->counted_alloc * sizeof(*more));
		if (!more)
			return;
		statements->counted = more;
	}
	more = &statements->counted[statements->counted_count++];
	snprintf(more->name, sizeof(more->name), "%s", name);
	more->count = calls;
	more->exact = exact;
}

/* Counts what a server executed between its two tables. */
static void sum_server(struct statements *statements, struct server *server)
{
	struct table *first = &server->first, *last = &server->last;
	bool exact = server->from_start && first->dropped == last->dropped &&
		     first->reset == last->reset;

	qsort(first->entries, first->count, sizeof(*first->entries), compare_entries);
	for (size_t i = 0; i < last->count; i++) {
		const struct entry *entry = &last->entries[i], *before;
		const char *text = text_of(last, entry);
		uint64_t calls = entry->calls;

		before = bsearch(entry, first->entries, first->count, sizeof(*entry),
				 compare_entries);
		if (before && before->calls <= calls)
			calls -= before->calls;
		if (text && calls)
			count(statements, text, calls, exact);
	}
}

static bool is_gone(pid_t pid)
{
	return kill(pid, 0) < 0 && errno == ESRCH;
}

bool statements_report(struct statements *statements, const struct vigil_communication *area)
{
	for (size_t i = 0; i < statements->server_count; i++) {
		struct server *server = &statements->servers[i];

		if (server->read && !server->ended && is_gone(server->postmaster))
			read_stopped_table(server);
		if (!server->ended || server->summed)
			continue;
		server->summed = true;
		sum_server(statements, server);
		statements->reported_count = 0; /* sums have changed: report again */
	}
	for (; statements->reported_count < statements->counted_count; statements->reported_count++) {
		const struct counted *counted = &statements->counted[statements->reported_count];

		RETURN_IF(vigil_count(area, counted->name, counted->count, counted->exact) < 0,
			  true);
	}
	return false;
}
