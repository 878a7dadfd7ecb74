/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of packing bytes as literals: zlib decompresses them. */
#include "common/compat.h"
#include "engine/dataset-format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <zlib.h>

#include <cmocka.h>

/* Packs data, ends the stream, and decompresses it with zlib. Returns the packed size. */
static size_t check(const unsigned char *data, size_t length)
{
	/* The last block: empty, with fixed codes. */
	static const unsigned char end[] = { 3, 0 };
	struct strbuf packed = STRBUF_INIT;
	unsigned char *unpacked = malloc(length + 1);
	z_stream stream = { 0 };
	size_t size;

	dataset_put_literals(&packed, data, length);
	size = packed.length;
	strbuf_add(&packed, end, sizeof(end));
	assert_int_equal(inflateInit2(&stream, -15), Z_OK);
	stream.next_in = (unsigned char *)packed.text;
	stream.avail_in = (uInt)packed.length;
	stream.next_out = unpacked;
	stream.avail_out = (uInt)length + 1;
	assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
	assert_int_equal(stream.total_out, length);
	assert_int_equal(stream.avail_in, 0);
	assert_memory_equal(unpacked, data, length);
	inflateEnd(&stream);
	free(unpacked);
	strbuf_release(&packed);
	return size;
}

/* Lengths around the strides of the loops, and one or few distinct values. */
static void test_few(void **state UNUSED)
{
	unsigned char data[64];

	for (size_t length = 1; length <= sizeof(data); length++) {
		memset(data, (int)length, sizeof(data));
		check(data, length);
		for (size_t i = 0; i < length; i++)
			data[i] = (unsigned char)(i * i);
		check(data, length);
	}
}

/* Every value equally often: the result cannot be shorter than the data. */
static void test_all_values(void **state UNUSED)
{
	unsigned char data[1 << 16];
	size_t size;

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)(i * 167 >> 1);
	size = check(data, sizeof(data));
	assert_true(size >= sizeof(data) && size < sizeof(data) + 512);
}

/*
 * Each value half as often as the one before: the code lengths stay within the
 * limit, and the size is near the optimum.
 */
static void test_skewed(void **state UNUSED)
{
	size_t length = 0, alloc = 4 << 20;
	unsigned char *data = malloc(alloc);
	size_t size;

	for (unsigned value = 0; value < 22; value++)
		for (size_t i = 0; i < (size_t)1 << (21 - value); i++)
			data[length++] = (unsigned char)(200 - value);
	assert_true(length <= alloc);
	size = check(data, length);
	/* Two bits a byte are the optimum. */
	assert_true(size < length / 4 + length / 100);
	free(data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_all_values),
		cmocka_unit_test(test_skewed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
