/* SPDX-License-Identifier: Apache-2.0 */
/* Tests tapes, what records on them and what answers from them. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "sampler/recording/player.h"
#include "sampler/recording/recorder.h"
#include "sampler/recording/tape-area.h"
#include "sampler/recording/tape-file.h"
#include "sampler/recording/tape-memory.h"
#include "sampler/recording/tape-view.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static uint64_t draw(uint64_t *chance)
{
	*chance ^= *chance << 13;
	*chance ^= *chance >> 7;
	*chance ^= *chance << 17;
	return *chance;
}

/* Makes an entry at random; its data and its text are in bytes. */
static struct tape_entry any_entry(uint64_t *chance, char bytes[300])
{
	struct tape_entry entry = {
		.kind = (enum tape_kind)(1 + draw(chance) % (TAPE_KINDS - 1)),
		.a = draw(chance) >> draw(chance) % 64,
		.b = draw(chance) >> draw(chance) % 64,
		.text = "",
		.result = (int64_t)(draw(chance) >> draw(chance) % 64),
	};

	for (size_t i = 0; i < 300; i++)
		bytes[i] = (char)('a' + draw(chance) % 5);
	bytes[draw(chance) % 4] = '\0';
	if (draw(chance) % 2)
		entry.text = bytes;
	if (draw(chance) % 2) {
		entry.data = bytes + 10;
		entry.size = draw(chance) % 280;
	}
	if (entry.result < 0)
		entry.error = (int)(draw(chance) % 200);
	return entry;
}

static void assert_entry(const struct tape_entry *entry, const struct tape_entry *expected)
{
	assert_int_equal(entry->kind, expected->kind);
	assert_int_equal(entry->a, expected->a);
	assert_int_equal(entry->b, expected->b);
	assert_string_equal(entry->text, expected->text);
	assert_int_equal(entry->result, expected->result);
	assert_int_equal(entry->error, expected->error);
	assert_int_equal(entry->size, expected->size);
	assert_memory_equal(entry->data, expected->size ? expected->data : "", entry->size);
}

static void entries_come_back(void **state UNUSED)
{
	struct tape_writer writer;
	struct tape_reader reader;
	struct tape_entry entry, read;
	uint64_t chance = 4711, again = 4711;
	char bytes[300];

	tape_writer_init(&writer);
	tape_reader_init(&reader);
	for (unsigned i = 0; i < 5000; i++) {
		entry = any_entry(&chance, bytes);
		tape_write(&writer, &entry);
	}
	assert_int_equal(writer.entries, 5000);
	tape_feed(&reader, writer.bytes.text, writer.bytes.length);
	for (unsigned i = 0; i < 5000; i++) {
		entry = any_entry(&again, bytes);
		assert_int_equal(tape_read(&reader, &read), 1);
		assert_entry(&read, &entry);
	}
	assert_int_equal(tape_read(&reader, &read), 0);
	tape_reader_release(&reader);
	tape_writer_release(&writer);
}

/* A tape is cut off, or has wrong bytes: entries before are read, and nothing beyond it is touched. */
static void damage_is_found_or_harmless(void **state UNUSED)
{
	struct tape_writer writer;
	struct tape_entry entry;
	uint64_t chance = 815;
	char bytes[300];

	tape_writer_init(&writer);
	for (unsigned i = 0; i < 40; i++) {
		entry = any_entry(&chance, bytes);
		tape_write(&writer, &entry);
	}
	for (unsigned i = 0; i < 20000; i++) {
		size_t length = writer.bytes.length - draw(&chance) % 50;
		unsigned char *copy = xmemdup(writer.bytes.text, length);
		struct tape_reader reader;
		int result;

		for (unsigned j = 0; j < i % 4; j++)
			copy[draw(&chance) % length] = (unsigned char)draw(&chance);
		tape_reader_init(&reader);
		tape_feed(&reader, copy, length);
		while ((result = tape_read(&reader, &entry)) > 0)
			assert_true((const unsigned char *)entry.data >= copy &&
				    (const unsigned char *)entry.data + entry.size <= copy + length);
		assert_true(result == 0 || reader.at == reader.end);
		tape_reader_release(&reader);
		free(copy);
	}
	tape_writer_release(&writer);
}

/* What has changed in parts of an area makes another one equal to it. */
static void changes_of_areas_come_back(void **state UNUSED)
{
	unsigned char real[5000] = { 0 }, copy[5000] = { 0 }, played[5000] = { 0 };
	struct strbuf changes = STRBUF_INIT;
	uint64_t chance = 99;

	for (unsigned i = 0; i < 2000; i++) {
		size_t offset = draw(&chance) % sizeof(real);
		size_t size = draw(&chance) % (sizeof(real) - offset + 1);

		for (unsigned j = 0; j < i % 5; j++)
			real[draw(&chance) % sizeof(real)] = (unsigned char)draw(&chance);
		strbuf_reset(&changes);
		tape_area_take(copy + offset, real + offset, offset, size, &changes);
		assert_memory_equal(copy + offset, real + offset, size);
		assert_true(tape_area_apply(played, sizeof(played), changes.text, changes.length));
		assert_memory_equal(played, copy, sizeof(copy));
		if (changes.length)
			assert_false(tape_area_apply(played, sizeof(played), changes.text, changes.length - 1));
	}
	strbuf_reset(&changes);
	tape_area_take(copy, real, 0, sizeof(real), &changes);
	strbuf_reset(&changes);
	tape_area_take(copy, real, 0, sizeof(real), &changes);
	assert_int_equal(changes.length, 0);
	strbuf_release(&changes);
}

/* A tape in one piece. */
struct tape {
	struct tape_writer writer;
	struct recorder *recorder;
	struct tape_pieces pieces;
	struct player *player;
};

static void begin_recording(struct tape *tape)
{
	*tape = (struct tape){ 0 };
	tape_writer_init(&tape->writer);
	tape->recorder = recorder_new(&tape->writer, &(struct recorder_options){ .objects = false });
	tape_write(&tape->writer, &(struct tape_entry){ .kind = TAPE_SESSION, .text = "", .a = 1 });
	outside_current = recorder_source(tape->recorder);
}

static void begin_playing(struct tape *tape)
{
	struct tape_entry call;

	outside_current = &outside_system;
	tape->pieces.items = &tape->writer.bytes;
	tape->pieces.count = 1;
	tape->player = player_new(&tape->pieces);
	assert_int_equal(player_next(tape->player, &call), 1);
	assert_int_equal(call.a, 1);
	outside_current = player_source(tape->player);
}

static void end(struct tape *tape)
{
	outside_current = &outside_system;
	player_free(tape->player);
	recorder_free(tape->recorder);
	tape_writer_release(&tape->writer);
}

/* What a made session learns. */
struct learned {
	uint64_t clocks[3];
	char text[64], link[64];
	ssize_t length, target, memory;
	int missing, error;
	struct statx status;
	char copy[32];
	bool same;
	pid_t own;
	uint32_t note;
};

static char subject[32] = "memory that is read";

static void learn(struct learned *learned, const char *path)
{
	int fd = outside_open(path, O_RDONLY | O_CLOEXEC);
	uint32_t answer = 7;

	memset(learned, 0, sizeof(*learned));
	learned->clocks[0] = outside_clock(CLOCK_MONOTONIC);
	learned->length = outside_read(fd, learned->text, sizeof(learned->text));
	outside_close(fd);
	learned->missing = outside_open("/nowhere/at/all", O_RDONLY);
	learned->error = errno;
	learned->target = outside_link("/proc/self", learned->link, sizeof(learned->link));
	outside_status(AT_FDCWD, path, 0, &learned->status);
	learned->memory = outside_memory(getpid(), (uint64_t)(uintptr_t)subject, learned->copy,
					 sizeof(learned->copy));
	learned->clocks[1] = outside_clock(CLOCK_REALTIME);
	learned->own = outside_own();
	if (!outside_recall(OUTSIDE_HOST_ANSWERED, &learned->note, sizeof(learned->note))) {
		outside_note(OUTSIDE_HOST_ANSWERED, &answer, sizeof(answer));
		learned->note = answer;
	}
	learned->clocks[2] = outside_clock(CLOCK_MONOTONIC);
}

static void what_was_learned_is_learned_again(void **state UNUSED)
{
	char path[] = "/tmp/vigil-test-tape-XXXXXX";
	int fd = mkstemp(path);
	struct learned first, second;
	struct tape_entry call;
	struct tape tape;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "content", 7), 7);
	begin_recording(&tape);
	learn(&first, path);
	assert_int_equal(first.length, 7);
	assert_int_equal(first.memory, sizeof(first.copy));
	/* By now all of it is gone or different. */
	unlink(path);
	close(fd);
	memcpy(subject, "something else", 15);
	begin_playing(&tape);
	learn(&second, path);
	assert_memory_equal(&second, &first, sizeof(first));
	assert_int_equal(player_differences(tape.player), 0);
	assert_int_equal(player_next(tape.player, &call), 0);
	assert_string_equal(player_difference(tape.player), "");
	end(&tape);
}

/* A session with other options asks in another order, for less, and for more. */
static void other_questions_are_answered_and_counted(void **state UNUSED)
{
	uint64_t second, clocks[3];
	struct tape tape;
	char text[64];
	ssize_t length;
	int fd;

	begin_recording(&tape);
	outside_clock(CLOCK_MONOTONIC);
	fd = outside_open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
	length = outside_read(fd, text, sizeof(text));
	assert_true(length > 0);
	outside_close(fd);
	second = outside_clock(CLOCK_MONOTONIC);
	begin_playing(&tape);
	/* Not the clock, but at once the file; then the clocks, one more than there are. */
	assert_int_equal(outside_open("/proc/self/comm", O_RDONLY | O_CLOEXEC), fd);
	assert_int_equal(outside_read(fd, text, sizeof(text)), length);
	for (unsigned i = 0; i < 3; i++)
		clocks[i] = outside_clock(CLOCK_MONOTONIC);
	assert_int_equal(clocks[0], second);
	assert_true(clocks[1] >= second); /* it does not go back to the first, which was passed over */
	assert_true(clocks[2] > clocks[1]);
	assert_true(player_differences(tape.player) >= 3);
	assert_non_null(strstr(player_difference(tape.player), "in call 1 of the session, entry 1, it asks for a file to open /proc/self/comm"));
	/* What nobody asked for is not there. */
	errno = 0;
	assert_int_equal(outside_open("/proc/self/maps", O_RDONLY), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(outside_read(4711, text, sizeof(text)), -1);
	assert_int_equal(errno, EBADF);
	/* A file that was asked for before is still there. */
	assert_int_equal(outside_open("/proc/self/comm", O_RDONLY | O_CLOEXEC), fd);
	end(&tape);
}

/* A folder that was read to its end has no more entries, whatever is asked. */
static void a_folder_is_read_once(void **state UNUSED)
{
	unsigned char entries[2048];
	struct tape tape;
	unsigned reads = 0;
	int fd;

	begin_recording(&tape);
	fd = outside_open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(outside_entries(fd, entries, sizeof(entries)) > 0);
	/* The end was not read: the recording lacks it. */
	begin_playing(&tape);
	assert_int_equal(outside_open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd);
	while (outside_entries(fd, entries, sizeof(entries)) > 0)
		reads++;
	assert_int_equal(reads, 1);
	assert_int_equal(errno, EBADF);
	end(&tape);
	close(fd);
}

/* Of a kind of event that the recorded session never asked for, a session with other options lacks no answers. */
static void kinds_of_events_that_were_not_known(void **state UNUSED)
{
	struct perf_event_attr known = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(known), .config = PERF_COUNT_SW_DUMMY };
	struct perf_event_attr later = known;
	struct tape_view *view = tape_view_new(false);
	struct tape_entry call;
	struct tape tape;
	uint64_t asked;

	later.config = PERF_COUNT_SW_PAGE_FAULTS_MIN;
	begin_recording(&tape);
	outside_event(&known, 0, -1);
	outside_current = &outside_system;
	tape.pieces = (struct tape_pieces){ .items = &tape.writer.bytes, .count = 1 };
	tape.player = player_new(&tape.pieces);
	assert_true(player_set_view(tape.player, view));
	assert_int_equal(player_next(tape.player, &call), 1);
	outside_current = player_source(tape.player);
	errno = 0;
	assert_int_equal(outside_event(&later, 0, -1), -1);
	assert_int_equal(errno, EACCES);
	assert_int_equal(player_unanswered(tape.player, &asked), 0);
	assert_int_equal(asked, 0);
	outside_event(&known, 0, -1);
	assert_int_equal(player_unanswered(tape.player, &asked), 0);
	/* For another task it might have been asked. */
	assert_int_equal(outside_event(&known, 4711, -1), -1);
	assert_int_equal(player_unanswered(tape.player, &asked), 1);
	assert_int_equal(asked, 2);
	end(&tape);
	tape_view_free(view);
}

/* An area is read as it was when it was brought up to date, not as it has become. */
static void areas_are_seen_as_they_were(void **state UNUSED)
{
	int fd = memfd_create("area", MFD_CLOEXEC);
	char path[64], *area;
	const char *seen;
	struct tape tape;
	size_t size;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(ftruncate(fd, 10000), 0);
	area = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(area, MAP_FAILED);
	begin_recording(&tape);
	seen = outside_share(path, &size);
	assert_non_null(seen);
	assert_int_equal(size, 10000);
	memcpy(area + 5000, "one", 4);
	outside_refresh(seen + 5000, 100);
	memcpy(area + 5000, "two", 4);
	assert_string_equal(seen + 5000, "one");
	outside_refresh(seen + 4000, 2000);
	assert_string_equal(seen + 5000, "two");
	outside_unshare(seen, size);
	begin_playing(&tape);
	seen = outside_share(path, &size);
	assert_int_equal(size, 10000);
	outside_refresh(seen + 5000, 100);
	assert_string_equal(seen + 5000, "one");
	outside_refresh(seen + 4000, 2000);
	assert_string_equal(seen + 5000, "two");
	outside_unshare(seen, size);
	assert_int_equal(player_differences(tape.player), 0);
	end(&tape);
	munmap(area, 10000);
	close(fd);
}

/* A record of the kernel; size must be a multiple of 8. */
static void add_record(struct strbuf *bytes, unsigned type, unsigned size)
{
	struct perf_event_header header = { .type = type, .size = (uint16_t)size };

	strbuf_add(bytes, &header, sizeof(header));
	strbuf_addchars(bytes, 'x', size - sizeof(header));
}

/* A ring of 4096 bytes gets these bytes; returns what the session finds in it. */
static uint64_t head_after(const struct strbuf *bytes)
{
	struct tape tape = { 0 };
	uint64_t head;
	void *ring;

	tape_writer_init(&tape.writer);
	tape_write(&tape.writer, &(struct tape_entry){ .kind = TAPE_SESSION, .text = "", .a = 1 });
	tape_write(&tape.writer, &(struct tape_entry){ .kind = TAPE_RING, .text = "", .a = 5, .b = 4096 });
	tape_write(&tape.writer, &(struct tape_entry){ .kind = TAPE_RING_HEAD, .text = "",
						       .result = (int64_t)bytes->length,
						       .data = bytes->text, .size = bytes->length });
	begin_playing(&tape);
	ring = outside_ring(5, 4096);
	assert_ptr_not_equal(ring, MAP_FAILED);
	head = outside_ring_head(ring);
	assert_true(head <= 4096);
	assert_memory_equal((char *)ring + sysconf(_SC_PAGESIZE), bytes->text, head);
	end(&tape);
	return head;
}

static void rings_have_whole_records_only(void **state UNUSED)
{
	struct strbuf bytes = STRBUF_INIT;

	add_record(&bytes, PERF_RECORD_SWITCH, 32);
	add_record(&bytes, PERF_RECORD_COMM, 64);
	assert_int_equal(head_after(&bytes), 96);
	add_record(&bytes, PERF_RECORD_COMM, 24); /* too short for who and when */
	assert_int_equal(head_after(&bytes), 96);
	strbuf_setlen(&bytes, 96);
	add_record(&bytes, PERF_RECORD_COMM, 64);
	strbuf_setlen(&bytes, 150);
	assert_int_equal(head_after(&bytes), 96);
	strbuf_setlen(&bytes, 96);
	while (bytes.length < 8000)
		add_record(&bytes, PERF_RECORD_SWITCH, 32);
	assert_int_equal(head_after(&bytes), 4096); /* no more than the ring has room for */
	strbuf_release(&bytes);
}

static void put(struct tape *tape, const struct tape_entry *entry)
{
	struct tape_entry whole = *entry;

	whole.text = "";
	tape_write(&tape->writer, &whole);
}

/* A session that passes over an answer gets what the kernel wrote in it with the next one, or in the next call. */
static void what_was_written_is_not_passed_over(void **state UNUSED)
{
	struct strbuf bytes = STRBUF_INIT;
	struct tape tape = { 0 };
	struct tape_entry call;
	void *ring;

	add_record(&bytes, PERF_RECORD_SWITCH, 32);
	tape_writer_init(&tape.writer);
	put(&tape, &(struct tape_entry){ .kind = TAPE_SESSION, .a = 1 });
	put(&tape, &(struct tape_entry){ .kind = TAPE_RING, .a = 5, .b = 4096 });
	for (unsigned i = 0; i < 2; i++) {
		put(&tape, &(struct tape_entry){ .kind = TAPE_RING_HEAD, .data = bytes.text, .size = 32 });
		put(&tape, &(struct tape_entry){ .kind = TAPE_CLOCK, .a = CLOCK_MONOTONIC, .result = 1 + i });
	}
	put(&tape, &(struct tape_entry){ .kind = TAPE_RING_HEAD });
	put(&tape, &(struct tape_entry){ .kind = TAPE_RING_HEAD, .data = bytes.text, .size = 32 });
	put(&tape, &(struct tape_entry){ .kind = TAPE_SESSION, .a = 2 });
	put(&tape, &(struct tape_entry){ .kind = TAPE_RING_HEAD });
	begin_playing(&tape);
	ring = outside_ring(5, 4096);
	assert_int_equal(outside_clock(CLOCK_MONOTONIC), 1);
	assert_int_equal(outside_clock(CLOCK_MONOTONIC), 2);
	assert_int_equal(outside_ring_head(ring), 64);
	assert_int_equal(player_next(tape.player, &call), 1);
	assert_int_equal(outside_ring_head(ring), 96);
	end(&tape);
	strbuf_release(&bytes);
}

/* Of a stack only addresses of code and of the stack stay. */
static void stacks_lose_their_data(void **state UNUSED)
{
	static const uint64_t stack = 0x7ffc00001000, kept[] = { 0x401234, 0x7ffc00001040, 0x7f1234567890, 0x40ffff,
								 0x500000 };
	static const uint64_t lost[] = { 4711, 0x3131373452454244, 0x400fff, 0x410001, 0xffffffffffffffff,
					 0x500002 };
	static const char maps[] = "00500000-00500001 r-xp 00000000 08:01 7 /bin/x\n"
				   "00600000-00700000 rw-p 00000000 08:01 7 /bin/x\n";
	struct tape_code code = { 0 };
	uint64_t words[16] = { 0 };
	size_t count = 0;

	tape_code_add(&code, 0x405000, 0x410000);
	tape_code_add(&code, 0x401000, 0x406000);
	tape_code_add(&code, 0x300000, 0x300100);
	tape_code_add_maps(&code, maps, sizeof(maps) - 1);
	assert_int_equal(code.count, 3);
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		words[count++] = kept[i];
	for (size_t i = 0; i < ARRAY_SIZE(lost); i++)
		words[count++] = lost[i];
	tape_memory_clear_stack(&code, stack, (unsigned char *)words, sizeof(words));
	for (size_t i = 0; i < count; i++)
		assert_int_equal(words[i], i < ARRAY_SIZE(kept) ? kept[i] : 0);
	tape_code_release(&code);
}

/* A recording in a file, with a limit. */
static void pieces_come_back(void **state UNUSED)
{
	char folder[] = "/tmp/vigil-test-tape-XXXXXX", path[64];
	struct strbuf piece = STRBUF_INIT;
	struct error err = ERROR_INIT;
	struct tape_pieces pieces;
	struct tape_file *file;
	uint64_t chance = 3;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/x.vrec", folder);
	file = tape_file_create(path, 0, &err);
	assert_non_null(file);
	for (size_t size = 1; size < 6000000; size = size * 5 + 3) {
		strbuf_addchars(&piece, (char)('a' + size % 20), size);
		assert_int_equal(tape_file_put(file, &piece, &err), 0);
		assert_int_equal(piece.length, 0);
	}
	assert_int_equal(tape_file_finish(file, &err), 0);
	assert_int_equal(tape_load(path, &pieces, &err), 0);
	assert_int_equal(pieces.lost, 0);
	for (size_t size = 1, i = 0; size < 6000000; size = size * 5 + 3, i++) {
		assert_true(i < pieces.count);
		assert_int_equal(pieces.items[i].length, size);
		assert_int_equal(pieces.items[i].text[size - 1], 'a' + size % 20);
	}
	tape_pieces_release(&pieces);
	/* What does not fit is not in it, and what is before is whole. */
	file = tape_file_create(path, 250000, &err);
	for (unsigned i = 0; i < 4; i++) {
		for (unsigned j = 0; j < 100000; j++)
			strbuf_addch(&piece, (char)draw(&chance));
		assert_int_equal(tape_file_put(file, &piece, &err), i == 2 ? 1 : 0);
		if (i == 2)
			break;
	}
	assert_int_equal(tape_file_finish(file, &err), 0);
	assert_int_equal(tape_load(path, &pieces, &err), 0);
	assert_int_equal(pieces.count, 2);
	tape_pieces_release(&pieces);
	unlink(path);
	strbuf_reset(&piece);
	strbuf_addf(&piece, "%s.old", path);
	unlink(piece.text);
	rmdir(folder);
	strbuf_release(&piece);
	error_release(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_come_back),
		cmocka_unit_test(damage_is_found_or_harmless),
		cmocka_unit_test(changes_of_areas_come_back),
		cmocka_unit_test(what_was_learned_is_learned_again),
		cmocka_unit_test(a_folder_is_read_once),
		cmocka_unit_test(kinds_of_events_that_were_not_known),
		cmocka_unit_test(other_questions_are_answered_and_counted),
		cmocka_unit_test(areas_are_seen_as_they_were),
		cmocka_unit_test(rings_have_whole_records_only),
		cmocka_unit_test(what_was_written_is_not_passed_over),
		cmocka_unit_test(stacks_lose_their_data),
		cmocka_unit_test(pieces_come_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
