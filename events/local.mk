# SPDX-License-Identifier: Apache-2.0
# What programs tell themselves: the monitor's side.
noinst_LIBRARIES += libevents.a
libevents_a_SOURCES = \
	events/changes.c events/changes.h \
	events/decoder.c events/decoder.h \
	events/event-consolidate.c events/event-consolidate.h \
	events/event-data-set.c events/event-data-set.h \
	events/event-request.h \
	events/event-sampling.c events/event-sampling.h \
	events/events.c events/events.h \
	events/filter.c events/filter.h \
	events/pool.c events/pool.h \
	events/sites.c events/sites.h \
	events/task-rows.c events/task-rows.h

if HAVE_CMOCKA
check_PROGRAMS += events/test-events
UNIT_TESTS += events/test-events
events_test_events_SOURCES = events/test-events.c
events_test_events_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
events_test_events_LDADD = libevents.a libprogram.a libengine.a libcommon.a $(CMOCKA_LIBS) $(NAMES_LIBS)
check_PROGRAMS += events/test-event-filters
UNIT_TESTS += events/test-event-filters
events_test_event_filters_SOURCES = events/test-event-filters.c
events_test_event_filters_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
events_test_event_filters_LDADD = libevents.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS) -lm
endif
