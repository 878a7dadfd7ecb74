# SPDX-License-Identifier: Apache-2.0
noinst_LIBRARIES += libcommon.a
libcommon_a_SOURCES = \
	common/clock.c common/clock.h \
	common/cobol-scan.c common/cobol-scan.h \
	common/compat.h \
	common/destination.c common/destination.h \
	common/diag.c common/diag.h \
	common/error.c common/error.h \
	common/fingerprint.c common/fingerprint.h \
	common/chance.h common/hash.h \
	common/in-order.c common/in-order.h \
	common/idmap.c common/idmap.h \
	common/json.c common/json.h \
	common/keymap.c common/keymap.h \
	common/object-kind.h \
	common/outside.c common/outside.h \
	common/path.h \
	common/paths.c common/paths.h \
	common/margin.c common/margin.h \
	common/probability.c common/probability.h \
	common/pattern.c common/pattern.h \
	common/procfs.c common/procfs.h \
	common/procfs-file.c common/procfs-file.h \
	common/lower-bound.h \
	common/strbuf.c common/strbuf.h \
	common/similar.c common/similar.h \
	common/strmap.c common/strmap.h \
	common/trust.c common/trust.h \
	common/varint.h \
	common/utf8.c common/utf8.h \
	common/xalloc.c common/xalloc.h
libcommon_a_CFLAGS = $(AM_CFLAGS) $(SHARED_CFLAGS)

if HAVE_CMOCKA
check_PROGRAMS += common/test-common
UNIT_TESTS += common/test-common
common_test_common_SOURCES = common/test-common.c
common_test_common_LDADD = libcommon.a $(CMOCKA_LIBS)
check_PROGRAMS += common/test-pattern
UNIT_TESTS += common/test-pattern
common_test_pattern_SOURCES = common/test-pattern.c
common_test_pattern_LDADD = libcommon.a $(CMOCKA_LIBS)
check_PROGRAMS += common/test-margin
UNIT_TESTS += common/test-margin
common_test_margin_SOURCES = common/test-margin.c
common_test_margin_LDADD = libcommon.a $(CMOCKA_LIBS) -lm
check_PROGRAMS += common/test-outside
UNIT_TESTS += common/test-outside
common_test_outside_SOURCES = common/test-outside.c
common_test_outside_LDADD = libcommon.a $(CMOCKA_LIBS) -lpthread
check_PROGRAMS += common/test-procfs
UNIT_TESTS += common/test-procfs
common_test_procfs_SOURCES = common/test-procfs.c
common_test_procfs_LDADD = libcommon.a $(CMOCKA_LIBS) -lpthread
check_PROGRAMS += common/test-fingerprint
UNIT_TESTS += common/test-fingerprint
common_test_fingerprint_SOURCES = common/test-fingerprint.c
common_test_fingerprint_LDADD = libcommon.a $(CMOCKA_LIBS)
endif
check_PROGRAMS += common/fuzz-fingerprint
common_fuzz_fingerprint_SOURCES = common/fuzz-fingerprint.c $(fuzz_driver)
common_fuzz_fingerprint_LDFLAGS = $(fuzz_link)
common_fuzz_fingerprint_LDADD = libcommon.a
# Recorded parts of /proc and /sys: what tests read instead of the system.
EXTRA_DIST += tests/procfs tests/procfs-machine.py
