# SPDX-License-Identifier: Apache-2.0

pkglibexec_PROGRAMS += session/utilities/sort
# All of SORT but its main program, which its tests link too.
noinst_LIBRARIES += libsort.a
libsort_a_SOURCES = \
	session/sort/condition.c session/sort/condition.h \
	session/sort/date.c session/sort/date.h \
	session/sort/edit.c session/sort/edit.h \
	session/sort/field.c session/sort/field.h \
	session/sort/input.c session/sort/input.h \
	session/sort/item.c session/sort/item.h \
	session/sort/item-parse.c \
	session/sort/keys.c session/sort/keys.h \
	session/sort/merge.c session/sort/merge.h \
	session/sort/order.c session/sort/order.h \
	session/sort/outfil.c session/sort/outfil.h \
	session/sort/output.c session/sort/output.h \
	session/sort/reformat.c session/sort/reformat.h \
	session/sort/reformat-parse.c \
	session/sort/report.c session/sort/report.h \
	session/sort/request.c session/sort/request.h \
	session/sort/scan.c session/sort/scan.h \
	session/sort/sorter.c session/sort/sorter.h \
	session/sort/squeeze.c session/sort/squeeze.h \
	session/sort/sum.c session/sort/sum.h \
	session/sort/symbols.c session/sort/symbols.h \
	session/sort/value.c session/sort/value.h
if HAVE_CMOCKA
check_PROGRAMS += session/sort/test-sort
UNIT_TESTS += session/sort/test-sort
session_sort_test_sort_SOURCES = session/sort/test-sort.c
session_sort_test_sort_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
session_sort_test_sort_LDADD = libsort.a libutility.a libdatasets.a libcommon.a $(CMOCKA_LIBS)
endif
if FUZZERS
noinst_PROGRAMS += session/sort/fuzz-sort
session_sort_fuzz_sort_SOURCES = session/sort/fuzz-sort.c
session_sort_fuzz_sort_LDFLAGS = -fsanitize=fuzzer
session_sort_fuzz_sort_LDADD = libsort.a libutility.a libdatasets.a libcommon.a
endif
session_utilities_sort_SOURCES = session/sort/sort.c
session_utilities_sort_LDADD = libsort.a libutility.a libdatasets.a libcommon.a
