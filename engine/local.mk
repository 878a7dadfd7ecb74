# SPDX-License-Identifier: Apache-2.0
# Programs that use librecords.a libengine.a link with $(ZLIB_LIBS) too.
noinst_LIBRARIES += libengine.a
libengine_a_SOURCES = \
	engine/dataset.h engine/dataset-format.h \
	engine/dataset-bases.c engine/dataset-bases.h \
	engine/dataset-block.c \
	engine/dataset-changes.c \
	engine/dataset-codec.c \
	engine/dataset-literals.c \
	engine/dataset-modules.c \
	engine/dataset-read.c \
	engine/dataset-sets.c \
	engine/dataset-types.c engine/dataset-types.h \
	engine/dataset-write.c \
	engine/engine.c engine/engine.h engine/engine-records.h engine/module.h \
	engine/record.c engine/record.h \
	engine/registry.c engine/registry.h \
	engine/roster.c engine/roster.h \
	engine/snapshot.c engine/snapshot.h \
	engine/timer.c engine/timer.h \
	engine/watches.c engine/watches.h
libengine_a_CFLAGS = $(AM_CFLAGS) $(SHARED_CFLAGS) $(ZLIB_CFLAGS)

if HAVE_CMOCKA
check_PROGRAMS += engine/test-engine engine/test-operation engine/test-fields
check_PROGRAMS += engine/test-dataset engine/test-damage engine/test-columns engine/test-literals
UNIT_TESTS += engine/test-columns engine/test-literals
UNIT_TESTS += engine/test-engine engine/test-operation engine/test-fields
UNIT_TESTS += engine/test-dataset engine/test-damage
check_PROGRAMS += engine/test-changes
UNIT_TESTS += engine/test-changes
engine_test_changes_SOURCES = engine/test-changes.c
engine_test_changes_LDADD = librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += engine/test-order
UNIT_TESTS += engine/test-order
engine_test_order_SOURCES = engine/test-order.c
engine_test_order_LDADD = librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS)
engine_test_engine_SOURCES = engine/test-engine.c
engine_test_engine_LDADD = librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS)
engine_test_operation_SOURCES = engine/test-operation.c
engine_test_operation_LDADD = librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS)
engine_test_columns_SOURCES = engine/test-columns.c
engine_test_columns_LDADD = librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS)
engine_test_literals_SOURCES = engine/test-literals.c
engine_test_literals_LDADD = librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS)
engine_test_fields_SOURCES = engine/test-fields.c
engine_test_fields_LDADD = librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS)
engine_test_dataset_SOURCES = engine/test-dataset.c \
	engine/test-recording.c engine/test-recording.h
engine_test_dataset_LDADD = librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS)
engine_test_damage_SOURCES = engine/test-damage.c engine/fuzz-dataset.c $(fuzz_blocks) $(fuzz_input) \
	engine/test-recording.c engine/test-recording.h
engine_test_damage_LDADD = librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS)
endif

# Part of "make bench": bytes and processor time a sample.
noinst_PROGRAMS += engine/bench-dataset
engine_bench_dataset_SOURCES = engine/bench-dataset.c
engine_bench_dataset_LDADD = librecords.a libengine.a libcommon.a $(ZLIB_LIBS)
# And a day of a thousand metrics.
noinst_PROGRAMS += engine/bench-day
engine_bench_day_SOURCES = engine/bench-day.c
engine_bench_day_LDADD = librecords.a libengine.a libcommon.a $(ZLIB_LIBS)

check_PROGRAMS += engine/fuzz-dataset
engine_fuzz_dataset_SOURCES = engine/fuzz-dataset.c $(fuzz_blocks) $(fuzz_input) $(fuzz_driver)
engine_fuzz_dataset_LDFLAGS = $(fuzz_link)
engine_fuzz_dataset_LDADD = librecords.a libengine.a libcommon.a $(ZLIB_LIBS)

EXTRA_DIST += tests/dataset/damaged.list tests/dataset/make-damaged.py \
	tests/dataset/content-damaged.vprf \
	tests/dataset/cut-between-blocks.vprf \
	tests/dataset/cut-in-header.vprf \
	tests/dataset/cut-in-snapshot.vprf \
	tests/dataset/empty.vprf \
	tests/dataset/foreign-bytes.vprf \
	tests/dataset/head-damaged.vprf \
	tests/dataset/header-damaged.vprf \
	tests/dataset/later-version.vprf \
	tests/dataset/no-end.vprf \
	tests/dataset/not-a-data-set.vprf \
	tests/dataset/snapshot-damaged.vprf \
	tests/dataset/snapshot-missing.vprf \
	tests/dataset/strings-damaged.vprf \
	tests/dataset/types-damaged.vprf \
	tests/dataset/unknown-block.vprf \
	tests/dataset/version-1.0.vprf \
	tests/dataset/version-1.1.vprf \
	tests/dataset/version-1.2.vprf
