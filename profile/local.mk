# SPDX-License-Identifier: Apache-2.0
# One session consolidated, knowing no layout.
noinst_LIBRARIES += libprofile.a
libprofile_a_SOURCES = \
	profile/activity.c profile/activity.h \
	profile/attribution.c profile/attribution.h \
	profile/collector-facts.c profile/collector-facts.h \
	profile/consolidation.c profile/consolidation.h \
	profile/event-trace.c profile/event-trace.h \
	profile/event-usage.c profile/event-usage.h \
	profile/findings.c profile/findings.h \
	profile/id-table.c profile/id-table.h \
	profile/keymap.c profile/keymap.h \
	profile/label.c profile/label.h \
	profile/name-table.c profile/name-table.h \
	profile/note-list.c profile/note-list.h \
	profile/profile.c profile/profile.h profile/profile-load.c \
	profile/pseudo-section.c profile/pseudo-section.h \
	profile/session-attributes.c profile/session-attributes.h \
	profile/session-facts.c profile/session-facts.h \
	profile/share.c profile/share.h \
	profile/source-text.c profile/source-text.h \
	profile/sums.c profile/sums.h \
	profile/timeline.c profile/timeline.h \
	profile/usage.c profile/usage.h

# Synthetic sessions, for the tests and the benchmark.
noinst_LIBRARIES += libfixture.a
libfixture_a_SOURCES = profile/fixture.c profile/fixture.h profile/fixture-events.c \
	profile/fixture-sessions.c

if HAVE_CMOCKA
check_PROGRAMS += profile/test-profile
UNIT_TESTS += profile/test-profile
profile_test_profile_SOURCES = profile/test-profile.c
profile_test_profile_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
profile_test_profile_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
check_PROGRAMS += profile/test-consolidation
UNIT_TESTS += profile/test-consolidation
profile_test_consolidation_SOURCES = profile/test-consolidation.c
profile_test_consolidation_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
profile_test_consolidation_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
check_PROGRAMS += profile/test-session-facts
UNIT_TESTS += profile/test-session-facts
profile_test_session_facts_SOURCES = profile/test-session-facts.c
profile_test_session_facts_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
profile_test_session_facts_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
endif
