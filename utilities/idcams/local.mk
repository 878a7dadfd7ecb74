# SPDX-License-Identifier: Apache-2.0

# IDCAMS.
pkglibexec_PROGRAMS += utilities/programs/idcams
utilities_programs_idcams_SOURCES = utilities/idcams/idcams.c
noinst_LIBRARIES += libidcams.a
libidcams_a_SOURCES = \
	utilities/idcams/idcams.h utilities/idcams/tree.h \
	utilities/idcams/alter.c \
	utilities/idcams/idcams-check.c \
	utilities/idcams/define.c \
	utilities/idcams/delete.c \
	utilities/idcams/execute.c \
	utilities/idcams/index.c utilities/idcams/index.h \
	utilities/idcams/listcat.c \
	utilities/idcams/listing.c utilities/idcams/listing.h \
	utilities/idcams/parse.c \
	utilities/idcams/print.c \
	utilities/idcams/repro.c \
	utilities/idcams/idcams-scan.c \
	utilities/idcams/set.c utilities/idcams/set.h \
	utilities/idcams/table.c \
	utilities/idcams/verb.c utilities/idcams/verb.h \
	utilities/idcams/verbs.h
utilities_programs_idcams_LDADD = libidcams.a libutility.a libdatasets.a libcommon.a
if HAVE_CMOCKA
check_PROGRAMS += utilities/idcams/test-idcams
UNIT_TESTS += utilities/idcams/test-idcams
utilities_idcams_test_idcams_SOURCES = utilities/idcams/test-idcams.c
utilities_idcams_test_idcams_LDADD = libidcams.a libutility.a libdatasets.a libcommon.a $(CMOCKA_LIBS)
endif
check_PROGRAMS += utilities/idcams/fuzz-idcams
utilities_idcams_fuzz_idcams_SOURCES = utilities/idcams/fuzz-idcams.c $(fuzz_driver)
utilities_idcams_fuzz_idcams_LDFLAGS = $(fuzz_link)
utilities_idcams_fuzz_idcams_LDADD = libidcams.a libutility.a libdatasets.a libcommon.a
