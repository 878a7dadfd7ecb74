# SPDX-License-Identifier: Apache-2.0

# Data sets: shared by jobs and utilities.
noinst_LIBRARIES += libdatasets.a
libdatasets_a_SOURCES = \
	datasets/attributes.c datasets/attributes.h \
	datasets/btree.c datasets/btree.h \
	datasets/catalog.c datasets/catalog.h \
	datasets/entries.c datasets/entries.h \
	datasets/folders.c datasets/folders.h \
	datasets/generations.c datasets/generations.h \
	datasets/indexed.c datasets/indexed.h datasets/indexed-module.h \
	datasets/leftovers.c datasets/leftovers.h \
	datasets/lock.c datasets/lock.h \
	datasets/records.c datasets/records.h \
	datasets/records-buffer.c datasets/records-buffer.h \
	datasets/records-variable.c datasets/records-variable.h \
	datasets/file-names.h \
	datasets/replacing.c datasets/replacing.h \
	datasets/rounds.c datasets/rounds.h \
	datasets/signs.c datasets/signs.h \
	datasets/update-mark.c datasets/update-mark.h

# Indexed and relative files, through GnuCOBOL's library: loaded when there is one to open.
if HAVE_LIBCOB
pkglib_LTLIBRARIES += datasets/indexed.la
datasets_indexed_la_SOURCES = \
	common/xalloc.c common/xalloc.h \
	datasets/indexed-module.c datasets/indexed-module.h
datasets_indexed_la_CFLAGS = $(VIGIL_CFLAGS)
datasets_indexed_la_LDFLAGS = -module -avoid-version -export-symbols-regex '^vigil_indexed_module$$'
datasets_indexed_la_LIBADD = $(LIBCOB_LIBS)
endif

if HAVE_CMOCKA
check_PROGRAMS += datasets/test-catalog
UNIT_TESTS += datasets/test-catalog
datasets_test_catalog_SOURCES = datasets/test-catalog.c
datasets_test_catalog_LDFLAGS = -Wl,--wrap=getxattr -Wl,--wrap=setxattr
datasets_test_catalog_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += datasets/test-folders
UNIT_TESTS += datasets/test-folders
datasets_test_folders_SOURCES = datasets/test-folders.c
datasets_test_folders_LDFLAGS = -Wl,--wrap=openat -Wl,--wrap=syscall
datasets_test_folders_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += datasets/test-lock
UNIT_TESTS += datasets/test-lock
datasets_test_lock_SOURCES = datasets/test-lock.c
datasets_test_lock_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += datasets/test-records
UNIT_TESTS += datasets/test-records
datasets_test_records_SOURCES = datasets/test-records.c
datasets_test_records_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += datasets/test-replacing
UNIT_TESTS += datasets/test-replacing
datasets_test_replacing_SOURCES = datasets/test-replacing.c
datasets_test_replacing_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += datasets/test-rounds
UNIT_TESTS += datasets/test-rounds
datasets_test_rounds_SOURCES = datasets/test-rounds.c
datasets_test_rounds_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += datasets/test-signs
UNIT_TESTS += datasets/test-signs
datasets_test_signs_SOURCES = datasets/test-signs.c
datasets_test_signs_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += datasets/test-indexed
UNIT_TESTS += datasets/test-indexed
datasets_test_indexed_SOURCES = datasets/test-indexed.c
datasets_test_indexed_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)
endif

check_PROGRAMS += datasets/fuzz-records
datasets_fuzz_records_SOURCES = datasets/fuzz-records.c $(fuzz_input) $(fuzz_driver)
datasets_fuzz_records_LDFLAGS = $(fuzz_link)
datasets_fuzz_records_LDADD = libdatasets.a libcommon.a
check_PROGRAMS += datasets/fuzz-catalog
datasets_fuzz_catalog_SOURCES = datasets/fuzz-catalog.c $(fuzz_input) $(fuzz_driver)
datasets_fuzz_catalog_LDFLAGS = $(fuzz_link)
datasets_fuzz_catalog_LDADD = libdatasets.a libcommon.a
check_PROGRAMS += datasets/fuzz-btree
datasets_fuzz_btree_SOURCES = datasets/fuzz-btree.c $(fuzz_input) $(fuzz_driver)
datasets_fuzz_btree_LDFLAGS = $(fuzz_link)
datasets_fuzz_btree_LDADD = libdatasets.a libcommon.a
