# SPDX-License-Identifier: Apache-2.0

# Requests: from a checked statement to what a session or report is asked to do.
noinst_LIBRARIES += librequests.a
librequests_a_SOURCES = \
	session/requests/carry-out.c session/requests/carry-out.h \
	session/requests/blocks.c \
	session/requests/collections.c session/requests/collections.h \
	session/requests/comparing.c session/requests/comparing.h \
	session/requests/dd-path.c session/requests/dd-path.h \
	session/requests/match.c \
	session/requests/measurement.c \
	session/requests/pool-size.c session/requests/pool-size.h \
	session/requests/precedence.c session/requests/precedence.h \
	session/requests/queue.c session/requests/queue.h \
	session/requests/reporting.c \
	session/requests/requests.h \
	session/requests/store-statements.c session/requests/store-statements.h \
	session/requests/store-listing.c session/requests/store-listing.h \
	agent/transaction-write.c agent/transaction-write.h \
	session/requests/checked-statements.c session/requests/checked-statements.h

if HAVE_CMOCKA
check_PROGRAMS += session/requests/test-requests
UNIT_TESTS += session/requests/test-requests
session_requests_test_requests_SOURCES = session/requests/test-requests.c common/test-folder.c common/test-folder.h metrics/opened-metrics.c
session_requests_test_requests_LDADD = librequests.a libresources.a librequeststore.a libdatasets.a libcollection.a libmeasure.a libreports.a libprofile.a libmetrics.a libsampler.a libevents.a libstep.a libprogram.a \
	libparser.a libcontrol.a libopened.a librecords.a libengine.a libcommon.a $(NAMES_LIBS) $(SQLITE_LIBS) $(CMOCKA_LIBS) -lm
endif
