# SPDX-License-Identifier: Apache-2.0

# The request store.
noinst_LIBRARIES += librequeststore.a
librequeststore_a_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
librequeststore_a_SOURCES = \
	session/store/local-time.c session/store/local-time.h \
	session/store/request-claim.c \
	session/store/request-edit.c \
	session/store/request-find.c \
	session/store/request-list.c \
	session/store/request-rows.c \
	session/store/request-running.c \
	session/store/request-send.c \
	session/store/request-settle.c \
	session/store/request-store.c session/store/request-store.h \
	session/store/request-store-data.h \
	session/store/schedule.c session/store/schedule.h \
	session/store/store-query.c

# Part of "make bench": a step's look-up.
noinst_PROGRAMS += session/store/bench-store
session_store_bench_store_SOURCES = session/store/bench-store.c
session_store_bench_store_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
session_store_bench_store_LDADD = librequeststore.a libcontrol.a libcommon.a $(SQLITE_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += session/store/test-schedule session/store/test-request-store session/store/test-running
UNIT_TESTS += session/store/test-schedule session/store/test-request-store session/store/test-running
session_store_test_schedule_SOURCES = session/store/test-schedule.c
session_store_test_schedule_LDADD = librequeststore.a libcontrol.a libcommon.a $(SQLITE_LIBS) $(CMOCKA_LIBS)
session_store_test_request_store_SOURCES = session/store/test-request-store.c common/test-folder.c common/test-folder.h session/store/test-statement.c session/store/test-statement.h
session_store_test_request_store_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS) $(CMOCKA_CFLAGS)
session_store_test_request_store_LDADD = librequeststore.a libcontrol.a libcommon.a $(SQLITE_LIBS) $(CMOCKA_LIBS)
session_store_test_running_SOURCES = session/store/test-running.c common/test-folder.c common/test-folder.h session/store/test-statement.c session/store/test-statement.h
session_store_test_running_LDADD = librequeststore.a libcontrol.a libcommon.a $(SQLITE_LIBS) $(CMOCKA_LIBS)
endif
EXTRA_DIST += tests/requests.bats
