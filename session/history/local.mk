# SPDX-License-Identifier: Apache-2.0

# The history of steps.
noinst_LIBRARIES += libhistory.a
libhistory_a_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
libhistory_a_SOURCES = \
	session/history/critical-path.c session/history/critical-path.h \
	session/history/database.c session/history/database.h \
	session/history/history-bound.c \
	session/history/history-output.c session/history/history-output.h \
	session/history/history-report.c session/history/history-report.h \
	session/history/history-file.c \
	session/history/history-read.c \
	session/history/history-struct.c \
	session/history/history-write.c \
	session/history/last-nights.c session/history/last-nights.h \
	session/history/night-report.c session/history/night-report.h \
	session/history/nights.c session/history/nights.h \
	session/history/page-trend.c session/history/page-trend.h \
	session/history/scatter.c session/history/scatter.h \
	session/history/step-history.h session/history/step-history-data.h \
	session/history/step-profile.c session/history/step-profile.h \
	session/history/step-trend.c session/history/step-trend.h

# Part of "make bench": the report of a night.
noinst_PROGRAMS += session/history/bench-night
session_history_bench_night_SOURCES = session/history/bench-night.c
session_history_bench_night_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
session_history_bench_night_LDADD = libhistory.a libreports.a libprofile.a librecords.a libengine.a libcommon.a $(SQLITE_LIBS) $(ZLIB_LIBS) $(NAMES_LIBS) -lm

if HAVE_CMOCKA
check_PROGRAMS += session/history/test-critical-path session/history/test-history session/history/test-scatter
UNIT_TESTS += session/history/test-critical-path session/history/test-history session/history/test-scatter
session_history_test_critical_path_SOURCES = session/history/test-critical-path.c
session_history_test_critical_path_LDADD = libhistory.a libcommon.a $(CMOCKA_LIBS) -lm
session_history_test_history_SOURCES = session/history/test-history.c
session_history_test_history_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS) $(CMOCKA_CFLAGS)
session_history_test_history_LDADD = libhistory.a libcommon.a $(SQLITE_LIBS) $(CMOCKA_LIBS) -lm
session_history_test_scatter_SOURCES = session/history/test-scatter.c
session_history_test_scatter_LDADD = libhistory.a libcommon.a $(SQLITE_LIBS) $(CMOCKA_LIBS) -lm
endif
EXTRA_DIST += tests/history.bats tests/history-page.py tests/night-report.bats tests/night-report.py
