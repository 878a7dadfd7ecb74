# SPDX-License-Identifier: Apache-2.0

# Requests: from a checked statement to what a session or report is asked to do.
noinst_LIBRARIES += librequests.a
librequests_a_SOURCES = \
	session/requests/carry-out.c session/requests/carry-out.h \
	session/requests/blocks.c \
	session/requests/match.c \
	session/requests/measurement.c \
	session/requests/pool-size.c session/requests/pool-size.h \
	session/requests/queue.c session/requests/queue.h \
	session/requests/reporting.c \
	session/requests/requests.h \
	session/requests/resource.c session/requests/resource.h \
	session/requests/resources.c session/requests/resources.h \
	session/requests/checked-statements.c session/requests/checked-statements.h

if HAVE_CMOCKA
check_PROGRAMS += session/requests/test-requests
UNIT_TESTS += session/requests/test-requests
session_requests_test_requests_SOURCES = session/requests/test-requests.c
session_requests_test_requests_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
session_requests_test_requests_LDADD = librequests.a libdatasets.a libmeasure.a libreports.a libprofile.a libsampler.a libevents.a libprogram.a \
	libparser.a libcontrol.a libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS) -lm
check_PROGRAMS += session/requests/test-resource
UNIT_TESTS += session/requests/test-resource
session_requests_test_resource_SOURCES = session/requests/test-resource.c
session_requests_test_resource_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
session_requests_test_resource_LDADD = librequests.a libdatasets.a libprofile.a libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS) -lm
endif
