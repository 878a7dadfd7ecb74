/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the clock, the code page and short names. */
#include "common/compat.h"
#include "common/clock.h"
#include "metrics/monitor/ebcdic.h"
#include "metrics/monitor/record-names.h"
#include "metrics/monitor/short-names.h"
#include "metrics/monitor/tod.h"

#include <iconv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Checks the conversion in both directions, exactly. */
static void is_time(uint64_t tod, uint64_t ns)
{
	uint64_t value = 0;

	assert_true(tod_to_ns(tod, 0, &value));
	assert_int_equal(value, ns);
	assert_true(tod_from_ns(ns, 0, &value));
	assert_int_equal(value, tod);
}

static void test_known_times(void **state UNUSED)
{
	/* 2000-01-01, from the architecture's table of such values. */
	is_time(UINT64_C(0xb361183f48000000), UINT64_C(946684800) * NSEC_PER_SEC);
	/* 1972-01-01, when leap seconds began. */
	is_time(UINT64_C(0x8126d60e46000000), UINT64_C(63072000) * NSEC_PER_SEC);
	/* The first time that can be represented, and the unit before the wrap. */
	is_time(UINT64_C(0x8000000000000000), UINT64_C(42811013685248000));
	is_time(UINT64_C(0xfffffffffffff000), UINT64_C(2294610827370495000));
	/* Bit 51 is a microsecond. */
	is_time(UINT64_C(0xb361183f48001000), UINT64_C(946684800) * NSEC_PER_SEC + 1000);
}

static void test_wrap(void **state UNUSED)
{
	/* 2042-09-17 23:53:47.370496: there the clock is 0, which means no time. */
	const uint64_t wrap = UINT64_C(2294610827370496000);
	uint64_t value = 0;

	assert_false(tod_to_ns(0, 0, &value));
	assert_true(tod_from_ns(wrap, 0, &value));
	assert_int_equal(value, 1);
	assert_true(tod_to_ns(value, 0, &value));
	assert_int_equal(value, wrap);
	is_time(0x1000, wrap + 1000);
	/* The last one is in 2114; after it, and before 1971-05-11, there is none. */
	is_time(UINT64_C(0x7ffffffffffff000), UINT64_C(4546410641055743000));
	assert_false(tod_from_ns(UINT64_C(4546410641055744000), 0, &value));
	assert_false(tod_from_ns(UINT64_C(42811013685247999), 0, &value));
	/* So the clock of the beginning of 1970 is one after the wrap. */
	assert_true(tod_to_ns(TOD_UNIX_EPOCH, 0, &value));
	assert_true(value > wrap);
}

static void test_every_nanosecond(void **state UNUSED)
{
	uint64_t ns = UINT64_C(1795428954200181000), tod, before = 0, back;

	for (unsigned i = 0; i < 2000; i++, ns++) {
		assert_true(tod_from_ns(ns, 0, &tod));
		assert_true(tod > before);
		assert_true(tod_to_ns(tod, 0, &back));
		assert_int_equal(back, ns);
		before = tod;
	}
}

static void test_leap_seconds(void **state UNUSED)
{
	uint64_t tod, ahead, ns;

	assert_true(tod_from_ns(UINT64_C(1500000000) * NSEC_PER_SEC, 0, &tod));
	assert_true(tod_from_ns(UINT64_C(1500000000) * NSEC_PER_SEC, 27, &ahead));
	assert_int_equal(ahead - tod, (uint64_t)27 * 1000000 << 12);
	assert_true(tod_to_ns(ahead, 27, &ns));
	assert_int_equal(ns, UINT64_C(1500000000) * NSEC_PER_SEC);
	assert_true(tod_to_ns(ahead, 0, &ns));
	assert_int_equal(ns, UINT64_C(1500000027) * NSEC_PER_SEC);
	assert_true(tod_to_ns(tod, -3, &ns));
	assert_int_equal(ns, UINT64_C(1500000003) * NSEC_PER_SEC);
}

static void test_code_page(void **state UNUSED)
{
	static const struct {
		unsigned char byte;
		unsigned character;
	} known[] = {
		{ 0x40, ' ' }, { 0xc1, 'A' },  { 0xc9, 'I' },  { 0xd1, 'J' }, { 0xe2, 'S' },
		{ 0xe9, 'Z' }, { 0xf0, '0' },  { 0xf9, '9' },  { 0x7b, '#' }, { 0x7c, '@' },
		{ 0x5b, '$' }, { 0x6d, '_' },  { 0x81, 'a' },  { 0xba, '[' }, { 0xbb, ']' },
		{ 0xb0, '^' }, { 0x4a, 0xa2 }, { 0x5f, 0xac },
	};
	unsigned char byte;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		assert_int_equal(ebcdic_character(known[i].byte), known[i].character);
	for (unsigned i = 0; i < 256; i++) {
		assert_true(ebcdic_byte(ebcdic_character((unsigned char)i), &byte));
		assert_int_equal(byte, i);
	}
	assert_false(ebcdic_byte(0x20ac, &byte));
}

/* Compares with the system's table, if it has one. */
static void test_code_page_of_system(void **state UNUSED)
{
	iconv_t table = iconv_open("ISO-8859-1", "IBM037");

	if (table == (iconv_t)-1)
		skip();
	for (unsigned i = 0; i < 256; i++) {
		char in = (char)i, out = 0, *from = &in, *to = &out;
		size_t in_left = 1, out_left = 1;

		assert_int_equal(iconv(table, &from, &in_left, &to, &out_left), 0);
		assert_int_equal((unsigned char)out, ebcdic_character((unsigned char)i));
	}
	iconv_close(table);
}

static void test_fields(void **state UNUSED)
{
	static const unsigned char maint[8] = { 0xd4, 0xc1, 0xc9, 0xd5, 0xe3, 0x40, 0x40, 0x40 };
	static const unsigned char odd[4] = { 0xc1, 0x01, 0xd0, 0x00 };
	unsigned char field[8];
	struct strbuf text = STRBUF_INIT;

	assert_true(ebcdic_put(field, sizeof(field), "MAINT"));
	assert_memory_equal(field, maint, sizeof(field));
	ebcdic_get(&text, field, sizeof(field));
	assert_string_equal(text.text, "MAINT");
	assert_false(ebcdic_put(field, sizeof(field), "TOO LONG NAME"));
	assert_false(ebcdic_put(field, sizeof(field), "\xe2\x82\xac"));
	strbuf_reset(&text);
	ebcdic_get(&text, odd, sizeof(odd));
	assert_string_equal(text.text, "A\\01}");
	strbuf_reset(&text);
	assert_true(ebcdic_put(field, sizeof(field), "\xc3\xa4"));
	ebcdic_get(&text, field, sizeof(field));
	assert_string_equal(text.text, "\xc3\xa4");
	strbuf_release(&text);
}

static void is_user(struct short_names *names, uint32_t number, const char *name, const char *id)
{
	assert_string_equal(short_names_user(names, number, name)->id, id);
}

static void test_users(void **state UNUSED)
{
	struct strbuf collided = STRBUF_INIT;
	struct short_names names = { .collided = &collided };

	is_user(&names, 0, "root", "ROOT");
	is_user(&names, 33, "www-data", "WWW-DATA");
	is_user(&names, 1000, "christopher", "CHRIS#RS");
	is_user(&names, 1001, "christopherus", "CHRIS#RT");
	is_user(&names, 2000, "m\xc3\xbcller", "M__L#1JK");
	is_user(&names, 42, "", "#16");
	is_user(&names, UINT32_MAX - 1, "averylongname", "#1Z141Z2");
	assert_int_equal(names.collisions, 0);
	/* The same user keeps its id; another with the same letters gets another. */
	is_user(&names, 0, "root", "ROOT");
	is_user(&names, 3000, "Root", "ROOT#2BC");
	assert_int_equal(names.collisions, 1);
	assert_string_equal(collided.text, "root and Root would both be ROOT: Root is ROOT#2BC");
	assert_int_equal(names.user_count, 8);
	for (size_t i = 0; i < names.user_count; i++)
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(names.users[i].id, names.users[j].id);
	short_names_release(&names);
	strbuf_release(&collided);
}

static void is_device(struct short_names *names, uint32_t major, uint32_t minor, uint32_t id)
{
	assert_int_equal(short_names_device(names, major, minor, "disk")->id, id);
}

static void test_devices(void **state UNUSED)
{
	struct strbuf collided = STRBUF_INIT;
	struct short_names names = { .collided = &collided };

	is_device(&names, 8, 0, 0x0800);
	is_device(&names, 254, 17, 0xfe11);
	is_device(&names, 259, 0, 0xf000);
	is_device(&names, 8, 256, 0xf001);
	is_device(&names, 8, 0, 0x0800);
	assert_int_equal(names.collisions, 0);
	/* A device whose real number is assigned to another. */
	is_device(&names, 240, 1, 0xf002);
	assert_int_equal(names.collisions, 1);
	assert_non_null(strstr(collided.text, "F001"));
	short_names_release(&names);
	strbuf_release(&collided);
}

static void test_too_many_devices(void **state UNUSED)
{
	struct short_names names = { 0 };

	for (uint32_t i = 0; i < 0x1000; i++)
		assert_non_null(short_names_device(&names, 300, i, ""));
	assert_null(short_names_device(&names, 300, 0x1000, ""));
	assert_int_equal(names.left_out, 1);
	assert_non_null(short_names_device(&names, 8, 0, ""));
	short_names_release(&names);
}

static void test_record_names(void **state UNUSED)
{
	assert_string_equal(monitor_record_name(1, 14), "MTRDDR");
	assert_string_equal(monitor_record_title(1, 14), "domain detail");
	assert_null(monitor_record_name(12, 3));
	assert_string_equal(monitor_domain_name(10), "Appldata");
	assert_string_equal(monitor_domain_name(12), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_times),	 cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_every_nanosecond), cmocka_unit_test(test_leap_seconds),
		cmocka_unit_test(test_code_page),	 cmocka_unit_test(test_code_page_of_system),
		cmocka_unit_test(test_fields),		 cmocka_unit_test(test_users),
		cmocka_unit_test(test_devices),		 cmocka_unit_test(test_too_many_devices),
		cmocka_unit_test(test_record_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
