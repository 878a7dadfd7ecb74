# SPDX-License-Identifier: Apache-2.0

# Data sets: shared by jobs and utilities.
noinst_LIBRARIES += libdatasets.a
libdatasets_a_SOURCES = \
	session/datasets/attributes.c session/datasets/attributes.h \
	session/datasets/btree.c session/datasets/btree.h \
	session/datasets/catalog.c session/datasets/catalog.h \
	session/datasets/entries.c \
	session/datasets/folders.c session/datasets/folders.h \
	session/datasets/generations.c session/datasets/generations.h \
	session/datasets/indexed.c session/datasets/indexed.h session/datasets/indexed-module.h \
	session/datasets/leftovers.c session/datasets/leftovers.h \
	session/datasets/lock.c session/datasets/lock.h \
	session/datasets/records.c session/datasets/records.h \
	session/datasets/records-buffer.c session/datasets/records-buffer.h \
	session/datasets/records-variable.c session/datasets/records-variable.h \
	session/datasets/file-names.h \
	session/datasets/replacing.c session/datasets/replacing.h \
	session/datasets/rounds.c session/datasets/rounds.h \
	session/datasets/signs.c session/datasets/signs.h \
	session/datasets/update-mark.c session/datasets/update-mark.h \
	session/paths.c session/paths.h

# Indexed and relative files, through GnuCOBOL's library: loaded when there is one to open.
if HAVE_LIBCOB
pkglib_LTLIBRARIES += session/datasets/indexed.la
session_datasets_indexed_la_SOURCES = \
	common/xalloc.c common/xalloc.h \
	session/datasets/indexed-module.c session/datasets/indexed-module.h
session_datasets_indexed_la_CFLAGS = $(VIGIL_CFLAGS)
session_datasets_indexed_la_LDFLAGS = -module -avoid-version -export-symbols-regex '^vigil_indexed_module$$'
session_datasets_indexed_la_LIBADD = $(LIBCOB_LIBS)
endif

if HAVE_CMOCKA
check_PROGRAMS += session/datasets/test-catalog
UNIT_TESTS += session/datasets/test-catalog
session_datasets_test_catalog_SOURCES = session/datasets/test-catalog.c
session_datasets_test_catalog_LDFLAGS = -Wl,--wrap=getxattr -Wl,--wrap=setxattr
session_datasets_test_catalog_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += session/datasets/test-folders
UNIT_TESTS += session/datasets/test-folders
session_datasets_test_folders_SOURCES = session/datasets/test-folders.c
session_datasets_test_folders_LDFLAGS = -Wl,--wrap=openat -Wl,--wrap=syscall
session_datasets_test_folders_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += session/datasets/test-lock
UNIT_TESTS += session/datasets/test-lock
session_datasets_test_lock_SOURCES = session/datasets/test-lock.c
session_datasets_test_lock_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += session/datasets/test-records
UNIT_TESTS += session/datasets/test-records
session_datasets_test_records_SOURCES = session/datasets/test-records.c
session_datasets_test_records_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += session/datasets/test-replacing
UNIT_TESTS += session/datasets/test-replacing
session_datasets_test_replacing_SOURCES = session/datasets/test-replacing.c
session_datasets_test_replacing_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += session/datasets/test-rounds
UNIT_TESTS += session/datasets/test-rounds
session_datasets_test_rounds_SOURCES = session/datasets/test-rounds.c
session_datasets_test_rounds_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += session/datasets/test-signs
UNIT_TESTS += session/datasets/test-signs
session_datasets_test_signs_SOURCES = session/datasets/test-signs.c
session_datasets_test_signs_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += session/datasets/test-indexed
UNIT_TESTS += session/datasets/test-indexed
session_datasets_test_indexed_SOURCES = session/datasets/test-indexed.c
session_datasets_test_indexed_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)
endif

check_PROGRAMS += session/datasets/fuzz-records
session_datasets_fuzz_records_SOURCES = session/datasets/fuzz-records.c $(fuzz_input) $(fuzz_driver)
session_datasets_fuzz_records_LDFLAGS = $(fuzz_link)
session_datasets_fuzz_records_LDADD = libdatasets.a libcommon.a
check_PROGRAMS += session/datasets/fuzz-catalog
session_datasets_fuzz_catalog_SOURCES = session/datasets/fuzz-catalog.c $(fuzz_input) $(fuzz_driver)
session_datasets_fuzz_catalog_LDFLAGS = $(fuzz_link)
session_datasets_fuzz_catalog_LDADD = libdatasets.a libcommon.a
check_PROGRAMS += session/datasets/fuzz-btree
session_datasets_fuzz_btree_SOURCES = session/datasets/fuzz-btree.c $(fuzz_input) $(fuzz_driver)
session_datasets_fuzz_btree_LDFLAGS = $(fuzz_link)
session_datasets_fuzz_btree_LDADD = libdatasets.a libcommon.a
