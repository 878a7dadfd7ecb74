# SPDX-License-Identifier: Apache-2.0

# IDCAMS.
pkglibexec_PROGRAMS += session/utilities/idcams
session_utilities_idcams_SOURCES = session/idcams/idcams.c
noinst_LIBRARIES += libidcams.a
libidcams_a_SOURCES = \
	session/idcams/idcams.h session/idcams/tree.h \
	session/idcams/alter.c \
	session/idcams/check.c \
	session/idcams/define.c \
	session/idcams/delete.c \
	session/idcams/execute.c \
	session/idcams/index.c session/idcams/index.h \
	session/idcams/listcat.c \
	session/idcams/listing.c session/idcams/listing.h \
	session/idcams/parse.c \
	session/idcams/print.c \
	session/idcams/repro.c \
	session/idcams/scan.c \
	session/idcams/set.c session/idcams/set.h \
	session/idcams/table.c
session_utilities_idcams_LDADD = libidcams.a libutility.a libdatasets.a libcommon.a
if HAVE_CMOCKA
check_PROGRAMS += session/idcams/test-idcams
UNIT_TESTS += session/idcams/test-idcams
session_idcams_test_idcams_SOURCES = session/idcams/test-idcams.c
session_idcams_test_idcams_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
session_idcams_test_idcams_LDADD = libidcams.a libutility.a libdatasets.a libcommon.a $(CMOCKA_LIBS)
endif
# With a driver of our own, for tests/idcams.bats.
check_PROGRAMS += session/idcams/fuzz-idcams-run
session_idcams_fuzz_idcams_run_SOURCES = session/idcams/fuzz-idcams.c $(fuzz_driver)
session_idcams_fuzz_idcams_run_LDADD = libidcams.a libutility.a libdatasets.a libcommon.a
if FUZZERS
noinst_PROGRAMS += session/idcams/fuzz-idcams
session_idcams_fuzz_idcams_SOURCES = session/idcams/fuzz-idcams.c
session_idcams_fuzz_idcams_LDFLAGS = -fsanitize=fuzzer
session_idcams_fuzz_idcams_LDADD = libidcams.a libutility.a libdatasets.a libcommon.a
endif
