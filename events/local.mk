# SPDX-License-Identifier: Apache-2.0
# Events of the step's programs: from the pool to records.
noinst_LIBRARIES += libevents.a
libevents_a_SOURCES = \
	events/event-consolidate.c events/event-consolidate.h \
	events/event-data-set.c events/event-data-set.h \
	events/event-request.h \
	events/event-sampling.c events/event-sampling.h

if HAVE_CMOCKA
check_PROGRAMS += events/test-event-filters
UNIT_TESTS += events/test-event-filters
events_test_event_filters_SOURCES = events/test-event-filters.c
events_test_event_filters_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
events_test_event_filters_LDADD = libevents.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS) -lm
endif
