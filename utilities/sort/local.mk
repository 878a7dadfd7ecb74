# SPDX-License-Identifier: Apache-2.0

pkglibexec_PROGRAMS += utilities/programs/sort
# All of SORT except its main program; its tests link this too.
noinst_LIBRARIES += libsort.a
libsort_a_SOURCES = \
	utilities/sort/condition.c utilities/sort/condition.h \
	utilities/sort/date.c utilities/sort/date.h \
	utilities/sort/edit.c utilities/sort/edit.h \
	utilities/sort/field.c utilities/sort/field.h \
	utilities/sort/input.c utilities/sort/input.h \
	utilities/sort/item.c utilities/sort/item.h \
	utilities/sort/item-parse.c \
	utilities/sort/keys.c utilities/sort/keys.h \
	utilities/sort/merge.c utilities/sort/merge.h \
	utilities/sort/order.c utilities/sort/order.h \
	utilities/sort/outfil.c utilities/sort/outfil.h \
	utilities/sort/sort-output.c utilities/sort/sort-output.h \
	utilities/sort/reformat.c utilities/sort/reformat.h \
	utilities/sort/reformat-parse.c \
	utilities/sort/sort-report.c utilities/sort/sort-report.h \
	utilities/sort/sort-request.c utilities/sort/sort-request.h \
	utilities/sort/sort-scan.c utilities/sort/sort-scan.h \
	utilities/sort/sign-check.c utilities/sort/sign-check.h \
	utilities/sort/sorter.c utilities/sort/sorter.h \
	utilities/sort/squeeze.c utilities/sort/squeeze.h \
	utilities/sort/sum.c utilities/sort/sum.h \
	utilities/sort/sort-symbols.c utilities/sort/sort-symbols.h \
	utilities/sort/value.c utilities/sort/value.h
if HAVE_CMOCKA
check_PROGRAMS += utilities/sort/test-sort
UNIT_TESTS += utilities/sort/test-sort
utilities_sort_test_sort_SOURCES = utilities/sort/test-sort.c
utilities_sort_test_sort_LDADD = libsort.a libutility.a libdatasets.a libcommon.a $(CMOCKA_LIBS)
endif
utilities_programs_sort_SOURCES = utilities/sort/sort.c
utilities_programs_sort_LDADD = libsort.a libutility.a libdatasets.a libcommon.a
check_PROGRAMS += utilities/sort/fuzz-sort
utilities_sort_fuzz_sort_SOURCES = utilities/sort/fuzz-sort.c $(fuzz_driver)
utilities_sort_fuzz_sort_LDFLAGS = $(fuzz_link)
utilities_sort_fuzz_sort_LDADD = libsort.a libutility.a libdatasets.a libcommon.a
