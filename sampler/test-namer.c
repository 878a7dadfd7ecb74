/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the naming thread. */
#include "common/compat.h"
#include "sampler/namer.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct object_list objects;
static struct namer *namer;

static int set_up(void **state UNUSED)
{
	object_list_init(&objects);
	namer = namer_new(NULL, false);
	return 0;
}

static int tear_down(void **state UNUSED)
{
	namer_free(namer);
	object_list_release(&objects);
	return 0;
}

/* Returns the frame of an address of this process, with a number. */
static struct namer_frame frame_at(const void *address, uint32_t index)
{
	struct stat status;
	struct object *object;
	Dl_info info;
	char path[4096];
	int64_t bias;

	assert_true(dladdr(address, &info));
	assert_non_null(realpath(info.dli_fname, path));
	assert_int_equal(stat(path, &status), 0);
	object = object_for_file(&objects, path, status.st_dev, status.st_ino, getpid(),
				 (uint64_t)(uintptr_t)info.dli_fbase);
	assert_true(object_bias(object, 0, &bias));
	return (struct namer_frame){ .index = index,
				     .object = object,
				     .offset = (uint64_t)(uintptr_t)address -
					       (uint64_t)(uintptr_t)info.dli_fbase,
				     .pid = getpid() };
}

/* Waits for the next name. */
static struct namer_result take(void)
{
	struct namer_result result;

	for (int i = 0; !namer_take(namer, &result); i++) {
		assert_true(i < 6000);
		usleep(10000);
	}
	return result;
}

/*
 * Returns an address inside this procedure, far from the start of the object: the
 * names must be looked up.
 */
static void *address_of_procedure(void)
{
	return (char *)(void *)(uintptr_t)&address_of_procedure + 1;
}

static void frames_come_back_named_and_in_order(void **state UNUSED)
{
	const struct namer_frame frames[] = {
		frame_at(address_of_procedure(), 7),
		frame_at((void *)(uintptr_t)&qsort, 3),
	};
	struct namer_result result;

	assert_true(namer_is_idle(namer));
	assert_false(namer_take(namer, &result));
	assert_int_equal(namer_give(namer, frames, ARRAY_SIZE(frames)), ARRAY_SIZE(frames));
	result = take();
	assert_int_equal(result.index, 7);
	assert_ptr_equal(result.object, frames[0].object);
	assert_true(result.count >= 1);
	assert_string_equal(result.levels[0].procedure, "address_of_procedure");
	assert_null(result.note);
	assert_false(namer_is_idle(namer));
	result = take();
	assert_int_equal(result.index, 3);
	assert_ptr_equal(result.object, frames[1].object);
	assert_true(result.count >= 1);
	assert_non_null(strstr(result.levels[0].procedure, "qsort"));
	assert_true(namer_is_idle(namer));
	assert_false(namer_take(namer, &result));
}

static void a_namer_takes_batch_after_batch(void **state UNUSED)
{
	struct namer_frame frames[NAMER_BATCH + 5];

	for (uint32_t i = 0; i < ARRAY_SIZE(frames); i++)
		frames[i] = frame_at(address_of_procedure(), i);
	assert_int_equal(namer_give(namer, frames, ARRAY_SIZE(frames)), NAMER_BATCH);
	for (uint32_t i = 0; i < NAMER_BATCH; i++) {
		assert_false(namer_is_idle(namer));
		assert_int_equal(take().index, i);
	}
	for (uint32_t i = 0; i < 100; i++) {
		struct namer_result result;

		assert_true(namer_is_idle(namer));
		assert_int_equal(namer_give(namer, &frames[i], 1), 1);
		result = take();
		assert_int_equal(result.index, i);
		assert_string_equal(result.levels[0].procedure, "address_of_procedure");
	}
}

/* The thread does not read the sampler's object: neither disturbs the other. */
static void the_object_that_was_given_is_left_alone(void **state UNUSED)
{
	struct namer_frame frame = frame_at(address_of_procedure(), 0);
	struct object before = *frame.object;

	namer_give(namer, &frame, 1);
	take();
	assert_memory_equal(&before, frame.object, sizeof(before));
}

static void why_names_are_missing_comes_with_the_result(void **state UNUSED)
{
	char path[] = "/tmp/vigil-namer-XXXXXX";
	int fd = mkstemp(path);
	struct namer_frame frame = { .index = 1, .offset = 0x1000, .pid = getpid() };
	struct namer_result result;
	struct stat status;

	assert_true(fd >= 0 && write(fd, "no program\n", 11) == 11 && fstat(fd, &status) == 0);
	frame.object = object_for_file(&objects, path, status.st_dev, status.st_ino, getpid(), 0);
	assert_int_equal(namer_give(namer, &frame, 1), 1);
	result = take();
	assert_int_equal(result.count, 0);
	assert_string_equal(result.note, "the file cannot be read as an ELF file");
	assert_null(frame.object->note);
	close(fd);
	unlink(path);
}

/* After the end the caller names the rest, with what the thread has read. */
static void what_is_left_at_the_end_is_named_by_the_caller(void **state UNUSED)
{
	const struct namer_frame frames[] = {
		frame_at(address_of_procedure(), 0),
		frame_at((void *)(uintptr_t)&qsort, 1),
		frame_at((void *)(uintptr_t)&strtod, 2),
	};
	bool named[ARRAY_SIZE(frames)] = { false };
	struct name levels[NAMES_MAX_INLINE];
	struct namer_result result;

	namer_give(namer, frames, ARRAY_SIZE(frames));
	namer_stop(namer);
	while (namer_take(namer, &result)) {
		assert_true(result.count >= 1);
		named[result.index] = true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(frames); i++)
		assert_true(named[i] || namer_resolve(namer, &frames[i], levels) >= 1);
	assert_true(namer_resolve(namer, &frames[0], levels) >= 1);
	assert_string_equal(levels[0].procedure, "address_of_procedure");
	assert_int_equal(namer_give(namer, frames, 1), 0);
}

/* A namer that was given nothing has no thread, and names frames nevertheless. */
static void frames_are_named_without_a_thread(void **state UNUSED)
{
	struct namer_frame frame = frame_at(address_of_procedure(), 0);
	struct name levels[NAMES_MAX_INLINE];

	namer_stop(namer);
	assert_true(namer_resolve(namer, &frame, levels) >= 1);
	assert_string_equal(levels[0].procedure, "address_of_procedure");
}

/* If there is no descriptor for a twin, the caller keeps the frame and can name it. */
static void an_object_without_a_twin_is_left_to_the_caller(void **state UNUSED)
{
	struct namer_frame frame = frame_at(address_of_procedure(), 0);
	struct rlimit limit, none;
	struct name levels[NAMES_MAX_INLINE];
	size_t given;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	none = (struct rlimit){ .rlim_cur = 3, .rlim_max = limit.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	given = namer_give(namer, &frame, 1);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_int_equal(given, 0);
	assert_true(namer_is_idle(namer));
	namer_stop(namer);
	assert_true(namer_resolve(namer, &frame, levels) >= 1);
	assert_string_equal(levels[0].procedure, "address_of_procedure");
}

/* The vDSO has no file: its image, copied from memory, serves both. */
static void an_image_from_memory_is_named(void **state UNUSED)
{
	struct namer_frame frame = frame_at(address_of_procedure(), 0);
	struct object *file = frame.object;

	assert_true(object_load(file));
	close(file->fd);
	file->fd = -1;
	assert_int_equal(namer_give(namer, &frame, 1), 1);
	assert_string_equal(take().levels[0].procedure, "address_of_procedure");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(frames_come_back_named_and_in_order, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_namer_takes_batch_after_batch, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_object_that_was_given_is_left_alone, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(why_names_are_missing_comes_with_the_result, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_is_left_at_the_end_is_named_by_the_caller,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(frames_are_named_without_a_thread, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(an_object_without_a_twin_is_left_to_the_caller,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_image_from_memory_is_named, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("sampler/namer", tests, NULL, NULL);
}
