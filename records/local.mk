# SPDX-License-Identifier: Apache-2.0
# The records of a measurement session: what observes and what reports meet here and nowhere else.
noinst_LIBRARIES += librecords.a
librecords_a_SOURCES = \
	records/coverage-sums.c records/coverage-sums.h \
	records/event-clock.h \
	records/event-codes.c records/event-codes.h \
	records/event-run-writer.c records/event-run-writer.h \
	records/event-runs.c records/event-runs.h \
	records/event-sites.c records/event-sites.h \
	records/event-sums.c records/event-sums.h \
	records/record-types.c records/record-types.h
librecords_a_CFLAGS = $(AM_CFLAGS) $(SHARED_CFLAGS)

if HAVE_CMOCKA
check_PROGRAMS += records/test-event-codes records/test-coverage-sums
UNIT_TESTS += records/test-event-codes records/test-coverage-sums
records_test_event_codes_SOURCES = records/test-event-codes.c
records_test_event_codes_LDADD = librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS)
records_test_coverage_sums_SOURCES = records/test-coverage-sums.c
records_test_coverage_sums_LDADD = librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS)
endif
