/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of the sample data set: what is written is read back.
 *
 * 	test-dataset golden PATH	writes the golden file of the present format
 */
#include "common/compat.h"
#include "engine/test-recording.h"
#include "common/xalloc.h"
#include "records/record-types.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* A temporary folder for each test. */
struct place {
	char folder[64];
	char path[96];
	struct error err;
};

static int make_place(void **state)
{
	struct place *place = xcalloc(1, sizeof(*place));

	error_init(&place->err);
	snprintf(place->folder, sizeof(place->folder), "/tmp/test-dataset.XXXXXX");
	assert_non_null(mkdtemp(place->folder));
	snprintf(place->path, sizeof(place->path), "%s/step.vprf", place->folder);
	*state = place;
	return 0;
}

/* Removes the folder: a test must leave nothing in it but the data set. */
static int drop_place(void **state)
{
	struct place *place = *state;

	unlink(place->path);
	assert_int_equal(rmdir(place->folder), 0);
	error_release(&place->err);
	free(place);
	return 0;
}

/* Computes the rows of a session. */
static void expect_session(const struct session *session, struct rows *rows)
{
	rows_init(rows);
	for (size_t i = 0; i < session->count; i++)
		rows_add(rows, &session->snapshots[i], &session->strings);
}

/* Asserts that rows are equal to those expected. */
static void assert_rows(const struct rows *rows, const struct rows *expected)
{
	struct strbuf difference = STRBUF_INIT;

	rows_compare(rows, expected, &difference);
	assert_string_equal(difference.text, "");
	strbuf_release(&difference);
}

/* Asserts that a file holds a whole session. */
static void assert_file(struct place *place, const struct session *session)
{
	struct rows rows, expected;
	struct dataset_status status;

	expect_session(session, &expected);
	rows_init(&rows);
	assert_int_equal(rows_read(&rows, place->path, &status, &place->err), 0);
	assert_rows(&rows, &expected);
	assert_true(status.complete);
	assert_int_equal(status.damaged_blocks, 0);
	assert_int_equal(status.unknown_blocks, 0);
	assert_int_equal(status.skipped_bytes, 0);
	assert_string_equal(status.version, "1.2");
	rows_release(&rows);
	rows_release(&expected);
}

static void every_type_comes_back(void **state)
{
	struct place *place = *state;

	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct session session;

		session_make(&session, seed, 1 + seed % 7, seed % 5 ? 20 : 300);
		assert_int_equal(session_write(&session, place->path, true, &place->err), 0);
		assert_file(place, &session);
		session_release(&session);
	}
}

/* Makes a session of one snapshot without rows. */
static void make_empty(struct session *session)
{
	session_make(session, 1, 1, 0);
}

static void a_snapshot_of_many_rows_takes_several_blocks(void **state)
{
	struct place *place = *state;
	struct session session;
	struct recordset *samples;
	uint64_t random = 4711;

	make_empty(&session);
	samples = snapshot_set(&session.snapshots[0], RECORD_SAMPLE);
	for (uint64_t i = 0; i < 150001; i++)
		recordset_add(samples, &(struct record_sample){ .time = i * 1000,
								.task = random_next(&random) % 9,
								.stack = i % 977 });
	assert_int_equal(session_write(&session, place->path, true, &place->err), 0);
	assert_file(place, &session);
	session_release(&session);
}

static void rows_that_are_all_equal_come_back(void **state)
{
	struct place *place = *state;
	struct session session;
	struct record_wait wait = { .time = 5000000000000, .task = 3, .count = 1 };

	make_empty(&session);
	for (unsigned i = 0; i < 20011; i++)
		recordset_add(snapshot_set(&session.snapshots[0], RECORD_WAIT), &wait);
	for (uint64_t i = 0; i < 20011; i++)
		recordset_add(snapshot_set(&session.snapshots[0], RECORD_STACK),
			      &(struct record_stack){ i + 1, i, i + 1, 0 });
	assert_int_equal(session_write(&session, place->path, true, &place->err), 0);
	assert_file(place, &session);
	session_release(&session);
}

static void a_session_without_snapshots_is_whole(void **state)
{
	struct place *place = *state;
	struct session session;

	session_make(&session, 1, 0, 0);
	assert_int_equal(session_write(&session, place->path, true, &place->err), 0);
	assert_file(place, &session);
	session_release(&session);
}

static void many_and_long_strings_come_back(void **state)
{
	struct place *place = *state;
	struct session session;
	char *text = xmalloc(DATASET_MAX_TEXT);

	make_empty(&session);
	memset(text, 'x', DATASET_MAX_TEXT);
	for (unsigned i = 0; i < 40; i++) {
		struct record_attribute row;

		text[i] = 'y';
		row.key = strmap_put_n(&session.strings, text, i * 20000);
		row.value = strmap_put_n(&session.strings, text, i + 1);
		recordset_add(snapshot_set(&session.snapshots[0], RECORD_ATTRIBUTE), &row);
	}
	assert_int_equal(session_write(&session, place->path, true, &place->err), 0);
	assert_file(place, &session);
	free(text);
	session_release(&session);
}

static void a_string_too_long_is_cut(void **state)
{
	struct place *place = *state;
	struct session session;
	struct rows rows;
	struct dataset_status status;
	char *text = xmalloc(DATASET_MAX_TEXT + 10);
	const struct record_attribute *row;

	make_empty(&session);
	memset(text, 'x', DATASET_MAX_TEXT + 10);
	recordset_add(snapshot_set(&session.snapshots[0], RECORD_ATTRIBUTE),
		      &(struct record_attribute){ .value = strmap_put_n(&session.strings, text,
									DATASET_MAX_TEXT + 10) });
	assert_int_equal(session_write(&session, place->path, true, &place->err), 0);
	rows_init(&rows);
	assert_int_equal(rows_read(&rows, place->path, &status, &place->err), 0);
	row = recordset_get(&rows.sets[RECORD_ATTRIBUTE], 0);
	assert_int_equal(strlen(strmap_text(&rows.strings, (uint32_t)row->value)),
			 DATASET_MAX_TEXT);
	free(text);
	rows_release(&rows);
	session_release(&session);
}

/* Keeps the samples of odd tasks. */
static bool keep_odd(void *argument, const void *row)
{
	const struct record_sample *sample = row;

	++*(size_t *)argument;
	return sample->task % 2;
}

/* Removes from the first count snapshots the samples that keep_odd rejects. */
static size_t drop_even(struct session *session, size_t count)
{
	size_t seen = 0;

	for (size_t i = 0; i < count; i++) {
		struct recordset *samples = snapshot_set(&session->snapshots[i], RECORD_SAMPLE);
		struct recordset kept;

		recordset_init(&kept, samples->type);
		for (size_t row = 0; row < samples->count; row++)
			if (keep_odd(&seen, recordset_get(samples, row)))
				recordset_add(&kept, recordset_get(samples, row));
		recordset_release(samples);
		*samples = kept;
	}
	return seen;
}

static void thinning_drops_samples_and_nothing_else(void **state)
{
	struct place *place = *state;
	struct session session;
	struct dataset_writer *writer;
	size_t seen = 0;
	uint64_t size;

	session_make(&session, 99, 11, 200);
	writer = dataset_create(place->path, &session.strings, &place->err);
	assert_non_null(writer);
	assert_int_equal(dataset_thin(writer, &record_types[RECORD_SAMPLE], keep_odd, &seen, &place->err), 0);
	assert_int_equal(seen, 0);
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(dataset_write(writer, &session.snapshots[i], &place->err), 0);
	size = dataset_size(writer);
	assert_int_equal(dataset_thin(writer, &record_types[RECORD_SAMPLE], keep_odd, &seen, &place->err), 0);
	assert_true(dataset_size(writer) < size);
	for (size_t i = 7; i < 11; i++)
		assert_int_equal(dataset_write(writer, &session.snapshots[i], &place->err), 0);
	size = dataset_size(writer);
	assert_int_equal(dataset_finish(writer, &place->err), 0);
	assert_int_equal(seen, drop_even(&session, 7));
	assert_file(place, &session);
	session_release(&session);
}

static void thinning_that_fails_leaves_the_old_file(void **state)
{
	struct place *place = *state;
	struct session session;
	struct dataset_writer *writer;
	struct stat status;
	size_t seen = 0;
	int fd;

	session_make(&session, 5, 3, 50);
	writer = dataset_create(place->path, &session.strings, &place->err);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(dataset_write(writer, &session.snapshots[i], &place->err), 0);
	/* The file is damaged meanwhile: the samples cannot be read back. */
	fd = open(place->path, O_WRONLY);
	assert_int_equal(stat(place->path, &status), 0);
	assert_int_equal(pwrite(fd, "\xff", 1, status.st_size - 1), 1);
	close(fd);
	assert_int_equal(dataset_thin(writer, &record_types[RECORD_SAMPLE], keep_odd, &seen, &place->err), -1);
	assert_non_null(strstr(error_text(&place->err), "thinning the records failed: "));
	assert_int_equal(dataset_size(writer), status.st_size);
	assert_int_equal(dataset_write(writer, &session.snapshots[2], &place->err), 0);
	assert_int_equal(dataset_finish(writer, &place->err), 0);
	session_release(&session);
}

static void a_file_is_replaced_once_a_snapshot_is_whole(void **state)
{
	struct place *place = *state;
	struct session before, after;
	struct dataset_writer *writer;

	session_make(&before, 17, 2, 9);
	session_make(&after, 18, 2, 9);
	assert_int_equal(session_write(&before, place->path, true, &place->err), 0);
	writer = dataset_create(place->path, &after.strings, &place->err);
	assert_file(place, &before);
	dataset_abandon(writer);
	assert_file(place, &before);
	writer = dataset_create(place->path, &after.strings, &place->err);
	assert_int_equal(dataset_write(writer, &after.snapshots[0], &place->err), 0);
	assert_int_equal(dataset_write(writer, &after.snapshots[1], &place->err), 0);
	assert_int_equal(dataset_finish(writer, &place->err), 0);
	assert_file(place, &after);
	session_release(&before);
	session_release(&after);
}

static void each_snapshot_is_in_the_file_once_written(void **state)
{
	struct place *place = *state;
	struct session session;
	struct dataset_writer *writer;

	session_make(&session, 23, 5, 9);
	writer = dataset_create(place->path, &session.strings, &place->err);
	for (size_t i = 0; i < session.count; i++) {
		struct dataset_status status;
		struct rows rows;

		assert_int_equal(dataset_write(writer, &session.snapshots[i], &place->err), 0);
		rows_init(&rows);
		assert_int_equal(rows_read(&rows, place->path, &status, &place->err), 0);
		assert_int_equal(rows.snapshots, i + 1);
		assert_int_equal(status.bytes, dataset_size(writer));
		assert_false(status.complete);
		rows_release(&rows);
	}
	dataset_abandon(writer);
	session_release(&session);
}

static uint64_t file_size(const char *path)
{
	struct stat facts;

	assert_int_equal(stat(path, &facts), 0);
	return (uint64_t)facts.st_size;
}

/*
 * For each limit: what does not fit is not in the file, what fits is, and a first
 * snapshot always is.
 */
static void a_file_is_never_larger_than_its_limit(void **state)
{
	struct place *place = *state;
	struct session session;
	uint64_t whole;

	session_make(&session, 31, 6, 12);
	assert_int_equal(session_write(&session, place->path, true, &place->err), 0);
	whole = file_size(place->path);
	for (uint64_t limit = 1; limit < whole + 100; limit += 1 + whole / 60) {
		struct dataset_writer *writer =
			dataset_create(place->path, &session.strings, &place->err);
		struct dataset_status status;
		struct rows rows;
		size_t written = 0;
		int result = 0;

		dataset_limit(writer, limit);
		while (written < session.count && result == 0)
			if ((result = dataset_write(writer, &session.snapshots[written], &place->err)) == 0)
				written++;
		assert_int_equal(result, written < session.count ? 1 : 0);
		assert_int_equal(dataset_finish(writer, &place->err), 0);
		assert_in_range(written, 1, session.count);
		assert_true(written == 1 || file_size(place->path) <= limit);
		/* The size of the whole file, plus space for any end block, is enough. */
		assert_true(written == session.count || limit < whole + 64);
		rows_init(&rows);
		assert_int_equal(rows_read(&rows, place->path, &status, &place->err), 0);
		assert_int_equal(rows.snapshots, written);
		assert_true(status.complete);
		rows_release(&rows);
	}
	session_release(&session);
}

static void a_link_leads_to_the_file(void **state)
{
	struct place *place = *state;
	struct session session;
	struct stat status;
	char link[128];

	session_make(&session, 3, 2, 9);
	assert_int_equal(session_write(&session, place->path, true, &place->err), 0);
	session_release(&session);
	snprintf(link, sizeof(link), "%s/link", place->folder);
	assert_int_equal(symlink("step.vprf", link), 0);
	session_make(&session, 4, 2, 9);
	assert_int_equal(session_write(&session, link, true, &place->err), 0);
	assert_file(place, &session);
	assert_int_equal(lstat(link, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	unlink(link);
	session_release(&session);
}

static void a_file_that_may_not_be_written_is_not_replaced(void **state)
{
	struct place *place = *state;
	struct session before;
	struct stat status;
	bool root = geteuid() == 0;

	session_make(&before, 17, 2, 9);
	assert_int_equal(session_write(&before, place->path, true, &place->err), 0);
	assert_int_equal(chmod(place->path, 0444), 0);
	/* Root may write it nevertheless. */
	if (root) {
		assert_int_equal(chown(place->folder, 65534, 65534), 0);
		assert_int_equal(seteuid(65534), 0);
	}
	assert_null(dataset_create(place->path, &before.strings, &place->err));
	if (root)
		assert_int_equal(seteuid(0), 0);
	assert_non_null(strstr(error_text(&place->err), "cannot replace "));
	assert_non_null(strstr(error_text(&place->err), ": Permission denied"));
	assert_int_equal(chmod(place->path, 0640), 0);
	assert_int_equal(session_write(&before, place->path, true, &place->err), 0);
	assert_int_equal(stat(place->path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0640);
	session_release(&before);
}

static void a_file_taken_away_is_noticed(void **state)
{
	struct place *place = *state;
	struct session session;
	struct dataset_writer *first, *second;

	session_make(&session, 17, 2, 9);
	first = dataset_create(place->path, &session.strings, &place->err);
	second = dataset_create(place->path, &session.strings, &place->err);
	assert_int_equal(dataset_write(first, &session.snapshots[0], &place->err), 0);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(dataset_write(second, &session.snapshots[i], &place->err), 0);
	assert_int_equal(dataset_finish(first, &place->err), -1);
	assert_non_null(strstr(error_text(&place->err), "was removed or replaced"));
	assert_int_equal(dataset_finish(second, &place->err), 0);
	assert_file(place, &session);
	session_release(&session);
}

/* Creates a file PATH.PID-0. */
static void make_draft(const struct place *place, long pid, char name[160])
{
	int fd;

	snprintf(name, 160, "%s.%ld-0", place->path, pid);
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
	assert_true(fd >= 0);
	close(fd);
}

static void drafts_of_killed_processes_are_removed(void **state)
{
	struct place *place = *state;
	struct session session;
	struct dataset_writer *living;
	char dead[160], mine[160], other[160];
	pid_t gone = fork();

	if (gone == 0)
		_exit(0);
	assert_int_equal(waitpid(gone, NULL, 0), gone);
	session_make(&session, 17, 2, 9);
	living = dataset_create(place->path, &session.strings, &place->err);
	make_draft(place, gone, dead);
	make_draft(place, getppid(), mine); /* its process is alive */
	snprintf(other, sizeof(other), "%s.%ld-0.txt", place->path, (long)gone);
	assert_int_equal(close(open(other, O_WRONLY | O_CREAT, 0666)), 0);
	assert_int_equal(session_write(&session, place->path, true, &place->err), 0);
	assert_int_equal(access(dead, F_OK), -1);
	assert_int_equal(access(mine, F_OK), 0);
	assert_int_equal(access(other, F_OK), 0);
	/* The draft of the live writer still exists and becomes the data set. */
	assert_int_equal(dataset_write(living, &session.snapshots[0], &place->err), 0);
	assert_int_equal(dataset_write(living, &session.snapshots[1], &place->err), 0);
	assert_int_equal(dataset_finish(living, &place->err), 0);
	assert_file(place, &session);
	unlink(mine);
	unlink(other);
	session_release(&session);
}

static void an_engine_copies_a_data_set(void **state)
{
	struct place *place = *state;
	struct session session;
	char copy[128];
	struct dataset_extractor extractor = { .path = place->path };
	struct dataset_consumer consumer = { .path = copy };
	struct engine *engine = engine_new(&session_records);

	snprintf(copy, sizeof(copy), "%s/copy.vprf", place->folder);
	session_make(&session, 31, 6, 40);
	assert_int_equal(session_write(&session, place->path, true, &place->err), 0);
	assert_non_null(engine_add(engine, &dataset_extractor_class, &extractor, &place->err));
	assert_non_null(engine_add(engine, &dataset_consumer_class, &consumer, &place->err));
	assert_int_equal(engine_extract(engine, &place->err), 0);
	assert_true(extractor.status.complete);
	assert_null(consumer.writer);
	assert_int_equal(rename(copy, place->path), 0);
	assert_file(place, &session);
	engine_free(engine);
	session_release(&session);
}

/* What a reader found in the data set of the next test. */
struct seen {
	uint64_t calls, events, sums, sequence;
};

static int see(void *argument, const struct snapshot *snapshot, const struct strmap *strings UNUSED)
{
	struct seen *seen = argument;

	seen->calls++;
	seen->sequence = snapshot->sequence;
	seen->events += snapshot_records(snapshot, RECORD_EVENT)->count;
	seen->sums += snapshot_records(snapshot, RECORD_EVENT_SUM)->count;
	return 0;
}

/* Reads a data set without its events. */
static void see_passing(const char *path, struct seen *seen, struct dataset_status *status)
{
	struct error err = ERROR_INIT;
	struct snapshot snapshot;
	struct registry types;
	struct strmap strings;
	struct dataset_reader *reader;

	memset(seen, 0, sizeof(*seen));
	strmap_init(&strings);
	registry_init(&types, &session_records);
	snapshot_init(&snapshot, &types);
	reader = dataset_reader_open(path, &strings, &types, &err);
	assert_non_null(reader);
	dataset_reader_skip_events(reader);
	while (dataset_reader_snapshot(reader, &snapshot, &err) == 1) {
		see(seen, &snapshot, &strings);
		snapshot_clear(&snapshot);
	}
	*status = *dataset_reader_status(reader);
	dataset_reader_close(reader);
	snapshot_release(&snapshot);
	registry_release(&types);
	strmap_release(&strings);
}

/* If a snapshot has many events, they are in separate blocks and can be skipped. */
static void events_can_be_passed_over(void **state)
{
	struct place *place = *state;
	struct dataset_status status;
	struct snapshot snapshot;
	struct registry types;
	struct strmap strings;
	struct dataset_writer *writer;
	struct seen seen = { 0 };

	strmap_init(&strings);
	registry_init(&types, &session_records);
	snapshot_init(&snapshot, &types);
	writer = dataset_create(place->path, &strings, &place->err);
	assert_non_null(writer);
	for (uint64_t number = 1; number <= 2; number++) {
		snapshot_clear(&snapshot);
		snapshot.sequence = number;
		for (uint64_t i = 0; i < (number == 1 ? 512 : 40000); i++)
			recordset_add(snapshot_set(&snapshot, RECORD_EVENT),
				      &(struct record_event){ .time = i, .task = 1, .site = i % 7 });
		recordset_add(snapshot_set(&snapshot, RECORD_EVENT_SUM),
			      &(struct record_event_sum){ .site = number, .hits = 1 });
		assert_int_equal(dataset_write(writer, &snapshot, &place->err), 0);
	}
	assert_int_equal(dataset_finish(writer, &place->err), 0);
	snapshot_release(&snapshot);
	registry_release(&types);
	strmap_release(&strings);
	strmap_init(&strings);
	assert_int_equal(dataset_read(place->path, &session_records, &strings, see, &seen, &status, &place->err), 0);
	strmap_release(&strings);
	assert_true(status.complete);
	assert_int_equal(seen.events, 40512);
	assert_int_equal(seen.sums, 2);
	assert_int_equal(seen.calls, 4);
	see_passing(place->path, &seen, &status);
	assert_true(status.complete);
	assert_int_equal(status.damaged_blocks + status.unknown_blocks, 0);
	assert_int_equal(status.passed_events, 2);
	assert_int_equal(seen.events, 512);
	assert_int_equal(seen.sums, 2);
	assert_int_equal(seen.calls, 2);
}

static void the_copy_of_a_cut_data_set_says_so(void **state)
{
	struct place *place = *state;
	struct session session;
	char copy[128];
	struct dataset_extractor extractor = { .path = place->path };
	struct dataset_consumer consumer = { .path = copy };
	struct engine *engine = engine_new(&session_records);
	struct dataset_status status;
	struct rows rows;
	const struct record_note *note;
	const char *text;

	snprintf(copy, sizeof(copy), "%s/copy.vprf", place->folder);
	session_make(&session, 31, 3, 9);
	assert_int_equal(session_write(&session, place->path, false, &place->err), 0);
	assert_non_null(engine_add(engine, &dataset_extractor_class, &extractor, &place->err));
	assert_non_null(engine_add(engine, &dataset_consumer_class, &consumer, &place->err));
	assert_int_equal(engine_extract(engine, &place->err), 0);
	engine_free(engine);
	rows_init(&rows);
	assert_int_equal(rows_read(&rows, copy, &status, &place->err), 0);
	assert_true(status.complete);
	note = recordset_get(&rows.sets[RECORD_NOTE], rows.sets[RECORD_NOTE].count - 1);
	assert_int_equal(note->number, 4002);
	text = strmap_text(&rows.strings, (uint32_t)note->text);
	assert_memory_equal(text, place->path, strlen(place->path));
	assert_non_null(strstr(text, "its end is missing"));
	rows_release(&rows);
	unlink(copy);
	session_release(&session);
}

static void a_missing_file_fails_the_extraction(void **state)
{
	struct place *place = *state;
	struct dataset_extractor extractor = { .path = place->path };
	struct engine *engine = engine_new(&session_records);

	assert_non_null(engine_add(engine, &dataset_extractor_class, &extractor, &place->err));
	assert_int_equal(engine_extract(engine, &place->err), -1);
	assert_non_null(strstr(error_text(&place->err), "No such file or directory"));
	engine_free(engine);
}

/* Stops after two snapshots. */
static int stop_at_two(void *argument, const struct snapshot *snapshot UNUSED,
		       const struct strmap *strings UNUSED)
{
	return ++*(unsigned *)argument == 2;
}

static void reading_can_be_stopped(void **state)
{
	struct place *place = *state;
	struct session session;
	struct strmap strings;
	struct dataset_status status;
	unsigned calls = 0;

	session_make(&session, 41, 5, 9);
	assert_int_equal(session_write(&session, place->path, true, &place->err), 0);
	strmap_init(&strings);
	assert_int_equal(
		dataset_read(place->path, &session_records, &strings, stop_at_two, &calls, &status, &place->err), 0);
	assert_int_equal(calls, 2);
	strmap_release(&strings);
	session_release(&session);
}

/* Builds the path of a file of the source tree. */
static void source_path(char *path, size_t size, const char *folder, const char *name)
{
	const char *source = getenv("VIGIL_SOURCE");

	snprintf(path, size, "%s/%s/%s", source ? source : "..", folder, name);
}

/* Finds text in the manual from *at on, and advances past it. */
static void assert_in_manual(const char **at, const char *text)
{
	const char *found = strstr(*at, text);

	if (!found)
		fail_msg("vigil-dataset(5) does not have, or not in order: %s", text);
	*at = found + strlen(text);
}

static void the_manual_names_every_field(void **state UNUSED)
{
	struct strbuf manual = STRBUF_INIT;
	char path[4096], text[100];
	const char *at;

	source_path(path, sizeof(path), "doc", "vigil-dataset.5");
	assert_int_equal(strbuf_read_file(&manual, path), 0);
	at = manual.text;
	for (unsigned id = 1; id < RECORD_ID_COUNT; id++) {
		const struct record_type *type = &record_types[id];

		snprintf(text, sizeof(text), ".It Sy %s Pq id %u\n", type->name, id);
		assert_in_manual(&at, text);
		for (size_t i = 0; i < type->field_count; i++) {
			snprintf(text, sizeof(text), "\n.It Va %s Ta %s", type->fields[i].name,
				 type->fields[i].unit);
			assert_in_manual(&at, text);
		}
	}
	strbuf_release(&manual);
}

/* Clears fields added after version 1.0, which a file of that version does not have. */
static void forget_later_fields(struct session *session)
{
	for (size_t i = 0; i < session->count; i++) {
		struct recordset *waits = snapshot_set(&session->snapshots[i], RECORD_WAIT);
		struct recordset *transactions =
			snapshot_set(&session->snapshots[i], RECORD_TRANSACTION);
		struct recordset *stacks = snapshot_set(&session->snapshots[i], RECORD_STACK);
		struct recordset *files = snapshot_set(&session->snapshots[i], RECORD_FILE);
		struct recordset *activity =
			snapshot_set(&session->snapshots[i], RECORD_FILE_ACTIVITY);
		struct recordset *steps = snapshot_set(&session->snapshots[i], RECORD_STEP);

		for (size_t row = 0; row < steps->count; row++)
			((struct record_step *)recordset_get(steps, row))->moved_bytes = 0;
		for (size_t row = 0; row < waits->count; row++) {
			struct record_wait *later = (struct record_wait *)recordset_get(waits, row);

			later->variance = later->laid = later->spread = later->delay_variance = 0;
			later->holder = later->holder_pid = later->holder_stack = 0;
		}
		for (size_t row = 0; row < transactions->count; row++) {
			struct record_transaction *later =
				(struct record_transaction *)recordset_get(transactions, row);

			later->seen = later->told = later->told_exact = 0;
		}
		for (size_t row = 0; row < stacks->count; row++)
			((struct record_stack *)recordset_get(stacks, row))->native = 0;
		for (size_t row = 0; row < files->count; row++)
			((struct record_file *)recordset_get(files, row))->bytes_known =
				((struct record_file *)recordset_get(files, row))->calls_known = 0;
		for (size_t row = 0; row < activity->count; row++)
			((struct record_file_activity *)recordset_get(activity, row))->calls = 0;
	}
}

static void version_1_0_is_read(void **state)
{
	struct place *place = *state;
	struct session session;
	struct rows rows, expected;
	struct dataset_status status;
	char path[4096];

	source_path(path, sizeof(path), "tests/dataset", "version-1.0.vprf");
	session_make_golden(&session);
	forget_later_fields(&session);
	expect_session(&session, &expected);
	rows_init(&rows);
	if (rows_read(&rows, path, &status, &place->err) < 0)
		fail_msg("%s", error_text(&place->err));
	assert_rows(&rows, &expected);
	assert_true(status.complete);
	assert_string_equal(status.version, "1.0");
	rows_release(&rows);
	rows_release(&expected);
	session_release(&session);
}

/* Reads a golden file; sb gets its description. */
static void describe_file(const char *name, struct strbuf *sb)
{
	struct error err = ERROR_INIT;
	struct dataset_status status;
	struct rows rows;
	char path[4096];

	source_path(path, sizeof(path), "tests/dataset", name);
	rows_init(&rows);
	if (rows_read(&rows, path, &status, &err) == 0) {
		strbuf_addf(sb, "%zu rows. ", rows_total(&rows));
		dataset_describe_damage(&status, sb);
	} else {
		const char *after = strstr(error_text(&err), name);

		strbuf_addf(sb, "error: ...%s", after ? after : error_text(&err));
	}
	strbuf_rtrim(sb);
	rows_release(&rows);
	error_release(&err);
}

static void damaged_files_say_what_is_wrong(void **state UNUSED)
{
	struct strbuf said = STRBUF_INIT;
	char path[4096], line[1000];
	unsigned cases = 0;
	FILE *list;

	source_path(path, sizeof(path), "tests/dataset", "damaged.list");
	list = fopen(path, "r");
	assert_non_null(list);
	while (fgets(line, sizeof(line), list)) {
		char *message = strchr(line, '\t');

		if (line[0] == '#')
			continue;
		assert_non_null(message);
		*message++ = '\0';
		message[strcspn(message, "\n")] = '\0';
		strbuf_reset(&said);
		describe_file(line, &said);
		if (strcmp(said.text, message) != 0)
			fail_msg("%s: \"%s\", expected \"%s\"", line, said.text, message);
		cases++;
	}
	assert_true(cases >= 8);
	fclose(list);
	strbuf_release(&said);
}

/* Writes the golden file. */
static int write_golden(const char *path)
{
	struct error err = ERROR_INIT;
	struct session session;
	int result;

	session_make_golden(&session);
	result = session_write(&session, path, true, &err);
	session_release(&session);
	fprintf(stderr, "%s", error_text(&err));
	error_release(&err);
	return result < 0;
}

#define PLACE_TEST(name) cmocka_unit_test_setup_teardown(name, make_place, drop_place)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		PLACE_TEST(every_type_comes_back),
		PLACE_TEST(a_snapshot_of_many_rows_takes_several_blocks),
		PLACE_TEST(rows_that_are_all_equal_come_back),
		PLACE_TEST(a_session_without_snapshots_is_whole),
		PLACE_TEST(many_and_long_strings_come_back),
		PLACE_TEST(a_string_too_long_is_cut),
		PLACE_TEST(thinning_drops_samples_and_nothing_else),
		PLACE_TEST(thinning_that_fails_leaves_the_old_file),
		PLACE_TEST(a_file_is_replaced_once_a_snapshot_is_whole),
		PLACE_TEST(each_snapshot_is_in_the_file_once_written),
		PLACE_TEST(a_file_is_never_larger_than_its_limit),
		PLACE_TEST(a_link_leads_to_the_file),
		PLACE_TEST(a_file_that_may_not_be_written_is_not_replaced),
		PLACE_TEST(a_file_taken_away_is_noticed),
		PLACE_TEST(drafts_of_killed_processes_are_removed),
		PLACE_TEST(an_engine_copies_a_data_set),
		PLACE_TEST(events_can_be_passed_over),
		PLACE_TEST(the_copy_of_a_cut_data_set_says_so),
		PLACE_TEST(a_missing_file_fails_the_extraction),
		PLACE_TEST(reading_can_be_stopped),
		PLACE_TEST(version_1_0_is_read),
		cmocka_unit_test(damaged_files_say_what_is_wrong),
		cmocka_unit_test(the_manual_names_every_field),
	};

	if (argc == 3 && strcmp(argv[1], "golden") == 0)
		return write_golden(argv[2]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
