# SPDX-License-Identifier: Apache-2.0
# What a step is, whoever looks at it.
noinst_LIBRARIES += libstep.a
libstep_a_SOURCES = \
	step/changes.c step/changes.h \
	step/numbers.c step/numbers.h \
	step/step-account.c step/step-account.h \
	step/step-tasks.c step/step-tasks.h \
	step/transaction-history.c step/transaction-history.h \
	step/transactions.c step/transactions.h

if HAVE_CMOCKA
step_tests = step/test-step-tasks step/test-takers step/test-transactions
check_PROGRAMS += $(step_tests)
UNIT_TESTS += $(step_tests)
step_test_libraries = libstep.a librecords.a libengine.a libcommon.a $(CMOCKA_LIBS) $(ZLIB_LIBS)
step_test_step_tasks_LDADD = $(step_test_libraries)
step_test_takers_SOURCES = step/test-takers.c step/test-area.c step/test-area.h
step_test_takers_LDADD = $(step_test_libraries)
step_test_transactions_SOURCES = step/test-transactions.c step/test-area.c step/test-area.h
step_test_transactions_LDADD = $(step_test_libraries)
endif
