# SPDX-License-Identifier: Apache-2.0
# What a step is, whoever looks at it.
noinst_LIBRARIES += libstep.a
libstep_a_SOURCES = \
	step/transactions.c step/transactions.h

if HAVE_CMOCKA
step_tests = step/test-transactions
check_PROGRAMS += $(step_tests)
UNIT_TESTS += $(step_tests)
step_test_libraries = libstep.a libengine.a libcommon.a $(CMOCKA_LIBS) $(ZLIB_LIBS)
step_test_transactions_SOURCES = step/test-transactions.c step/test-area.c step/test-area.h
step_test_transactions_LDADD = $(step_test_libraries)
endif
