# SPDX-License-Identifier: Apache-2.0
# The three numbers at the end of the run are prove's.
check-local: $(check_PROGRAMS) all
	CMOCKA_MESSAGE_OUTPUT=TAP VIGIL_BUILD='$(abs_top_builddir)' VIGIL_SOURCE='$(abs_top_srcdir)' \
	BATS='$(BATS)' COBC='$(COBC)' \
	$(PROVE) --verbose --merge --exec '$(top_srcdir)/tests/run-one' \
		$(TESTS_ONLY) $(if $(TESTS_ONLY),,$(UNIT_TESTS) $(addprefix $(top_srcdir)/,$(SCRIPT_TESTS)))

SCRIPT_TESTS += tests/house.t
EXTRA_DIST += tests/run-one tests/house.t

# "make bench": figures beside the bounds. Never part of the tests.
noinst_PROGRAMS += tests/bench-step
tests_bench_step_SOURCES = tests/bench-step.c
tests_bench_step_LDADD = libcommon.a
EXTRA_DIST += tests/bench.py
bench: all
	VIGIL_BUILD='$(abs_top_builddir)' VIGIL_SOURCE='$(abs_top_srcdir)' python3 $(srcdir)/tests/bench.py
.PHONY: bench

EXTRA_DIST += tests/programs/shares.c tests/programs/waits.c tests/programs/tasks.c
