# SPDX-License-Identifier: Apache-2.0
# The three numbers at the end of the run are prove's.
check-local:
	CMOCKA_MESSAGE_OUTPUT=TAP VIGIL_BUILD='$(abs_top_builddir)' VIGIL_SOURCE='$(abs_top_srcdir)' \
	BATS='$(BATS)' COBC='$(COBC)' \
	$(PROVE) --verbose --merge --timer --exec '$(top_srcdir)/tests/run-one' \
		$(TESTS_ONLY) $(if $(TESTS_ONLY),,$(UNIT_TESTS) $(addprefix $(top_srcdir)/,$(SCRIPT_TESTS) $(REPEATED_TESTS)))

SCRIPT_TESTS += tests/house.t
EXTRA_DIST += tests/run-one tests/house.t tests/circles.py tests/sanitizers.t tests/user.t tests/demo
# Last: they repeat the others under other conditions.
REPEATED_TESTS = tests/sanitizers.t tests/user.t
unit-tests: $(check_PROGRAMS)
list-unit-tests:
	@echo $(UNIT_TESTS)
.PHONY: unit-tests list-unit-tests

# "make demo": the payroll, from cards to listing.
demo: all
	@VIGIL_BUILD='$(abs_top_builddir)' VIGIL_SOURCE='$(abs_top_srcdir)' sh '$(top_srcdir)/tests/demo'
clean-local:
	rm -rf demo
.PHONY: demo

# "make bench": figures beside the bounds. Never part of the tests.
noinst_PROGRAMS += tests/bench-step
tests_bench_step_SOURCES = tests/bench-step.c
tests_bench_step_LDADD = libcommon.a
noinst_PROGRAMS += tests/event-counts
tests_event_counts_SOURCES = tests/event-counts.c
tests_event_counts_LDADD = libengine.a libcommon.a $(ZLIB_LIBS)
noinst_PROGRAMS += tests/bench-events
tests_bench_events_SOURCES = tests/bench-events.c
tests_bench_events_LDADD = libevents.a $(reports_test_libs)
EXTRA_DIST += tests/bench.py
bench: all
	VIGIL_BUILD='$(abs_top_builddir)' VIGIL_SOURCE='$(abs_top_srcdir)' python3 $(srcdir)/tests/bench.py
.PHONY: bench

# "make soak": an hour (SOAK_SECONDS) of kills, cancels and full disks; "make fuzz": each fuzz target for FUZZ_SECONDS.
# Never part of the tests.
EXTRA_DIST += tests/soak.py tests/fuzz.py
soak: all
	COBC='$(COBC)' VIGIL_BUILD='$(abs_top_builddir)' VIGIL_SOURCE='$(abs_top_srcdir)' python3 $(srcdir)/tests/soak.py
fuzz:
	VIGIL_BUILD='$(abs_top_builddir)' VIGIL_SOURCE='$(abs_top_srcdir)' python3 $(srcdir)/tests/fuzz.py
.PHONY: soak fuzz

SCRIPT_TESTS += tests/profile.bats
EXTRA_DIST += tests/profile.bats tests/profile.py
EXTRA_DIST += tests/programs/shares.c tests/programs/waits.c tests/programs/tasks.c \
	tests/programs/keyed.cob tests/programs/ledger.cob tests/programs/updates.cob tests/programs/sleeper.cob

# The corpus of the fuzz targets, and short runs of those of the parsers.
SCRIPT_TESTS += tests/fuzz.t
EXTRA_DIST += tests/fuzz.t tests/corpus

# Running jobs, end to end.
EXTRA_DIST += tests/jobs.bash tests/ordinary.bash
EXTRA_DIST += tests/sort.bats tests/programs/stuck.c
EXTRA_DIST += tests/signs.bats
SCRIPT_TESTS += tests/untimed.t
EXTRA_DIST += tests/untimed.t tests/one-list tests/submit.bats tests/joblog.bats tests/language.bats tests/programs.bats tests/updates.bats tests/compile.bats
EXTRA_DIST += tests/catalog.bats tests/idcams.bats tests/libraries.bats tests/tso.bats
SCRIPT_TESTS += tests/manual-lint.t tests/manual-tables.t
EXTRA_DIST += tests/manual-lint.t tests/manual-tables.t tests/commands.bats tests/event-reports.bats tests/programs/xprof.cob
EXTRA_DIST += tests/iebgener.bats
EXTRA_DIST += tests/blocks.bats
# A whole night of five jobs, four times.
EXTRA_DIST += tests/night.bats tests/night.py tests/programs/nightdump.cob

# For those who write data collectors.
EXTRA_DIST += tests/config.bats
SCRIPT_TESTS += tests/collectors.bats
EXTRA_DIST += tests/collectors.bats tests/programs/busy.c tests/programs/private.c tests/programs/signals.c
EXTRA_DIST += tests/collectors-find.bats tests/collectors/find-named.c tests/collectors/find-work.c
SCRIPT_TESTS += tests/collectors-cobol.bats
EXTRA_DIST += tests/collectors-cobol.bats tests/cobol-items.py \
	tests/programs/cobitems.cob tests/programs/cobitem2.cpy \
	tests/programs/cobtran.cob tests/programs/COBTRANB.cob tests/programs/spend.c
SCRIPT_TESTS += tests/collectors-reports.bats
EXTRA_DIST += tests/collectors-reports.bats tests/collectors/memory.c tests/programs/memory.c tests/programs/archive.py
SCRIPT_TESTS += tests/collectors-examples.bats
# Collectors for interpreters.
SCRIPT_TESTS += tests/collectors-python.bats tests/collectors-perl.bats
EXTRA_DIST += tests/collectors-python.bats tests/collectors-perl.bats tests/collector-stacks.py \
	sampler/collectors/test-python-layout.c sampler/collectors/test-perl-layout.c \
	tests/programs/shares.py tests/programs/remade.py tests/programs/stacks.py tests/programs/ways.py \
	tests/programs/forms.pl tests/programs/here.pl tests/programs/remade.pl tests/programs/stacks.pl tests/programs/shares.pl tests/programs/ways.pl
EXTRA_DIST += tests/collectors-examples.bats tests/collectors/hundred.c
# Data collectors on the real thing.
SCRIPT_TESTS += tests/collectors-postgres.bats tests/collectors-shell.bats
EXTRA_DIST += tests/collectors-postgres.bats tests/collectors-shell.bats tests/server-times.py
# Events of programs.
EXTRA_DIST += tests/events.bats tests/programs/calls.c tests/programs/traced.c tests/programs/EVENTS.cob
