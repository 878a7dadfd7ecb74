# SPDX-License-Identifier: Apache-2.0
# The three numbers at the end of the run are prove's.
check-local: $(check_PROGRAMS) all
	CMOCKA_MESSAGE_OUTPUT=TAP VIGIL_BUILD='$(abs_top_builddir)' VIGIL_SOURCE='$(abs_top_srcdir)' \
	BATS='$(BATS)' COBC='$(COBC)' \
	$(PROVE) --verbose --merge --exec '$(top_srcdir)/tests/run-one' \
		$(TESTS_ONLY) $(if $(TESTS_ONLY),,$(UNIT_TESTS) $(addprefix $(top_srcdir)/,$(SCRIPT_TESTS)))

SCRIPT_TESTS += tests/house.t
EXTRA_DIST += tests/run-one tests/house.t
