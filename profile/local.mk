# SPDX-License-Identifier: Apache-2.0
# One session consolidated, knowing no layout.
noinst_LIBRARIES += libprofile.a
libprofile_a_SOURCES = \
	profile/activity.c profile/activity.h \
	profile/advice.c profile/advice.h \
	profile/advice/advice-arithmetic.c \
	profile/advice/advice-building.c \
	profile/advice/advice-cancel.c \
	profile/advice/advice-calls.c \
	profile/advice/advice-children.c \
	profile/advice/advice-database.c \
	profile/advice/advice-locks.c \
	profile/advice/advice-search.c profile/advice/advice-search.h \
	profile/advice/advice-table.c \
	profile/advice/advice-text-end.c \
	profile/advice/advice-waits.c \
	profile/advice/cobol-searches.c profile/advice/cobol-searches.h \
	profile/advice/cobol-source.c profile/advice/cobol-source.h \
	profile/advice/cobol-statements.c profile/advice/cobol-statements.h \
	profile/attribution.c profile/attribution.h \
	profile/attribution-build.c profile/attribution-build.h \
	profile/attribution-chain.c profile/attribution-chain.h \
	profile/butterfly.c profile/butterfly.h \
	profile/call-chains.c profile/call-chains.h \
	profile/call-places.c profile/call-places.h \
	profile/call-tree.c profile/call-tree.h \
	profile/collector-facts.c profile/collector-facts.h \
	profile/comparison.c profile/comparison.h profile/comparison-data.h \
	profile/comparison-margins.c \
	profile/comparison-rows.c \
	profile/comparison-stacks.c profile/comparison-stacks.h \
	profile/comparison-work.c \
	profile/consolidation.c profile/consolidation.h \
	profile/run-course.c profile/run-course.h \
	profile/coverage.c profile/coverage.h \
	profile/event-trace.c profile/event-trace.h \
	profile/event-files.c profile/event-files.h \
	profile/event-usage.c profile/event-usage.h \
	profile/findings.c profile/findings.h \
	profile/id-table.c profile/id-table.h \
	profile/label.c profile/label.h \
	profile/name-table.c profile/name-table.h \
	profile/alike-files.c profile/alike-files.h \
	profile/note-list.c profile/note-list.h \
	profile/profile.c profile/profile.h profile/profile-load.c \
	profile/pseudo-section.c profile/pseudo-section.h \
	profile/session-attributes.c profile/session-attributes.h \
	profile/session-facts.c profile/session-facts.h \
	profile/share.c profile/share.h \
	profile/source-text.c profile/source-text.h \
	profile/sums.c profile/sums.h \
	profile/system-activity.c profile/system-activity.h \
	profile/timeline.c profile/timeline.h \
	profile/usage.c profile/usage.h \
	profile/wait-variance.c profile/wait-variance.h

# Synthetic sessions, for the tests and the benchmark.
noinst_LIBRARIES += libfixture.a
libfixture_a_SOURCES = profile/fixture.c profile/fixture.h \
	profile/fixture-advice.c profile/fixture-advice.h \
	profile/fixture-coverage.c \
	profile/fixture-events.c \
	profile/fixture-sessions.c \
	profile/fixture-system.c

if HAVE_CMOCKA
check_PROGRAMS += profile/test-profile
UNIT_TESTS += profile/test-profile
profile_test_profile_SOURCES = profile/test-profile.c
profile_test_profile_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
check_PROGRAMS += profile/test-comparison
UNIT_TESTS += profile/test-comparison
profile_test_comparison_SOURCES = profile/test-comparison.c
profile_test_comparison_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
check_PROGRAMS += profile/test-consolidation
UNIT_TESTS += profile/test-consolidation
profile_test_consolidation_SOURCES = profile/test-consolidation.c
profile_test_consolidation_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
check_PROGRAMS += profile/test-activity
UNIT_TESTS += profile/test-activity
profile_test_activity_SOURCES = profile/test-activity.c
profile_test_activity_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
check_PROGRAMS += profile/test-advice-system
UNIT_TESTS += profile/test-advice-system
profile_test_advice_system_SOURCES = profile/test-advice-system.c
profile_test_advice_system_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
check_PROGRAMS += profile/test-advice
UNIT_TESTS += profile/test-advice
profile_test_advice_SOURCES = profile/test-advice.c
profile_test_advice_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
check_PROGRAMS += profile/test-advice-cobol
UNIT_TESTS += profile/test-advice-cobol
profile_test_advice_cobol_SOURCES = profile/test-advice-cobol.c
profile_test_advice_cobol_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
check_PROGRAMS += profile/test-system-activity
UNIT_TESTS += profile/test-system-activity
profile_test_system_activity_SOURCES = profile/test-system-activity.c
profile_test_system_activity_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
check_PROGRAMS += profile/test-coverage-view
UNIT_TESTS += profile/test-coverage-view
profile_test_coverage_view_SOURCES = profile/test-coverage-view.c
profile_test_coverage_view_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
check_PROGRAMS += profile/test-session-facts
UNIT_TESTS += profile/test-session-facts
profile_test_session_facts_SOURCES = profile/test-session-facts.c
profile_test_session_facts_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
check_PROGRAMS += profile/test-call-tree
UNIT_TESTS += profile/test-call-tree
profile_test_call_tree_SOURCES = profile/test-call-tree.c
profile_test_call_tree_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
check_PROGRAMS += profile/test-findings
UNIT_TESTS += profile/test-findings
profile_test_findings_SOURCES = profile/test-findings.c
profile_test_findings_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
check_PROGRAMS += profile/test-share
UNIT_TESTS += profile/test-share
profile_test_share_SOURCES = profile/test-share.c
profile_test_share_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
check_PROGRAMS += profile/test-wait-variance
UNIT_TESTS += profile/test-wait-variance
profile_test_wait_variance_SOURCES = profile/test-wait-variance.c
profile_test_wait_variance_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
check_PROGRAMS += profile/test-run-course
UNIT_TESTS += profile/test-run-course
profile_test_run_course_SOURCES = profile/test-run-course.c
profile_test_run_course_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
endif
