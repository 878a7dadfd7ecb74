# SPDX-License-Identifier: Apache-2.0
# What programs tell themselves: the monitor's side.
noinst_LIBRARIES += libevents.a
libevents_a_SOURCES = \
	events/addresses.c events/addresses.h \
	events/contexts.c events/contexts.h \
	events/code-scan.c events/code-scan.h \
	events/coverage-collect.c events/coverage-collect.h \
	events/coverage-events.c events/coverage-events.h \
	events/coverage-merge.c events/coverage-merge.h \
	events/coverage-plan.c events/coverage-plan.h \
	events/coverage-plant.c events/coverage-plant.h \
	events/coverage-served.c events/coverage-served.h \
	events/coverage-server.c events/coverage-server.h \
	events/decoder.c events/decoder.h \
	events/event-consolidate.c events/event-consolidate.h \
	events/event-data-set.c events/event-data-set.h \
	events/event-lines.c events/event-lines.h \
	events/event-online.c events/event-online.h \
	events/event-request.c events/event-request.h \
	events/event-sampling.c events/event-sampling.h \
	events/events.c events/events.h \
	events/filter.c events/filter.h \
	events/known.c events/known.h \
	events/objects.c events/objects.h \
	events/patch-plan.c events/patch-plan.h \
	events/patch-sites.c events/patch-sites.h \
	events/library-events.c events/library-events.h \
	events/pool.c events/pool.h \
	events/pool-chunks.c events/pool-chunks.h \
	events/silence.c events/silence.h \
	events/settle.c events/settle.h \
	events/run-time.c events/run-time.h \
	events/sites.c events/sites.h \
	events/tallies.c events/tallies.h \
	events/task-rows.c events/task-rows.h

if HAVE_CMOCKA
events_tests = events/test-events events/test-patch events/test-event-filters events/test-library-events \
	events/test-event-lines events/test-event-online events/test-event-runs events/test-tallies events/test-images events/test-turns events/test-chunks \
	events/test-coverage-collect
check_PROGRAMS += $(events_tests)
UNIT_TESTS += $(events_tests)
events_test_libraries = libevents.a libstep.a libprogram.a librecords.a libengine.a libcommon.a $(CMOCKA_LIBS) $(NAMES_LIBS) $(ZLIB_LIBS) -lm
events_test_events_SOURCES = events/test-events.c events/test-monitor.c events/test-monitor.h step/test-area.c step/test-area.h
events_test_events_LDADD = $(events_test_libraries)
events_test_patch_LDADD = $(events_test_libraries)
events_test_event_filters_LDADD = $(events_test_libraries)
events_test_library_events_LDADD = $(events_test_libraries)
events_test_event_lines_LDADD = $(events_test_libraries)
events_test_event_online_LDADD = $(events_test_libraries)
events_test_event_runs_SOURCES = events/test-event-runs.c events/test-monitor.c events/test-monitor.h common/test-folder.c common/test-folder.h
events_test_event_runs_LDADD = $(events_test_libraries)
events_test_tallies_SOURCES = events/test-tallies.c events/test-monitor.c events/test-monitor.h
events_test_tallies_LDADD = $(events_test_libraries)
events_test_images_SOURCES = events/test-images.c events/test-monitor.c events/test-monitor.h
events_test_images_LDADD = $(events_test_libraries)
events_test_turns_LDADD = $(events_test_libraries) -lpthread
events_test_chunks_LDADD = $(events_test_libraries) -lpthread
events_test_coverage_collect_SOURCES = events/test-coverage-collect.c program/names/test-names-subject.c
events_test_coverage_collect_LDADD = $(events_test_libraries) -lpthread
endif
