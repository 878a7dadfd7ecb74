# SPDX-License-Identifier: Apache-2.0
# All tests are run by one runner (tests/runner/__main__.py). TESTS_ONLY selects test files, TESTS_NAMED (a regular
# expression) tests of .bats files, TIERS the kinds. Names of programs are cached for later sessions in a private
# folder of the tests.
BATS_TESTS = $(wildcard $(top_srcdir)/tests/*.bats)
TIERS = exact,live
runner = VIGIL_BUILD='$(abs_top_builddir)' VIGIL_SOURCE='$(abs_top_srcdir)' BATS='$(BATS)' COBC='$(COBC)' \
	python3 -B '$(top_srcdir)/tests/runner'
every_test = $(UNIT_TESTS) $(SCRIPT_TESTS) $(patsubst $(top_srcdir)/%,%,$(BATS_TESTS))
check-local:
	@$(runner) --tiers '$(TIERS)' --filter '$(TESTS_NAMED)' $(or $(TESTS_ONLY),$(every_test))
list-tests:
	@$(runner) --list $(or $(TESTS_ONLY),$(every_test))
# "make steady": runs the tests again and again, every second time on a busy machine, and reports those that were not
# steady. Takes hours.
steady: all unit-tests
	@VIGIL_BUILD='$(abs_top_builddir)' VIGIL_SOURCE='$(abs_top_srcdir)' BATS='$(BATS)' COBC='$(COBC)' \
		python3 -B '$(top_srcdir)/tests/runner/steady.py' --tiers '$(TIERS)' --filter '$(TESTS_NAMED)' $(or $(TESTS_ONLY),$(every_test))
.PHONY: list-tests steady

SCRIPT_TESTS += tests/house.t tests/circles.t tests/runner.t tests/sanitizers.t
EXTRA_DIST += tests/house.t tests/circles.t tests/runner.t tests/circles.py tests/sanitizers.t tests/demo tests/unsteady \
	tests/runner/__main__.py tests/runner/plan.py tests/runner/supervisor.py tests/runner/processes.py \
	tests/runner/verdicts.py tests/runner/machine.py tests/runner/user_copy.py tests/runner/steady.py
unit-tests: $(check_PROGRAMS) $(check_DATA)
# All that tests use. Like automake's "all", a second make once the generated sources exist.
tested: $(BUILT_SOURCES) config.h
	@$(MAKE) $(AM_MAKEFLAGS) all-am unit-tests
built-sources: $(BUILT_SOURCES)
list-unit-tests:
	@echo $(UNIT_TESTS)
.PHONY: tested unit-tests list-unit-tests built-sources

# "make demo": the payroll, from cards to listing.
demo: all
	@VIGIL_BUILD='$(abs_top_builddir)' VIGIL_SOURCE='$(abs_top_srcdir)' sh '$(top_srcdir)/tests/demo'
clean-local:
	rm -rf tests/names
	rm -rf demo
.PHONY: demo

# "make bench": measured figures and their bounds. Never part of the tests.
noinst_PROGRAMS += tests/bench-step
tests_bench_step_SOURCES = tests/bench-step.c
tests_bench_step_LDADD = libcommon.a
noinst_PROGRAMS += tests/bench-processes
tests_bench_processes_SOURCES = tests/bench-processes.c
tests_bench_processes_LDADD = libcommon.a
noinst_PROGRAMS += tests/event-counts
tests_event_counts_SOURCES = tests/event-counts.c
tests_event_counts_LDADD = librecords.a libengine.a libcommon.a $(ZLIB_LIBS)
noinst_PROGRAMS += tests/coverage-lines
tests_coverage_lines_SOURCES = tests/coverage-lines.c
tests_coverage_lines_LDADD = librecords.a libengine.a libcommon.a $(ZLIB_LIBS)
noinst_PROGRAMS += tests/bench-events
tests_bench_events_SOURCES = tests/bench-events.c
tests_bench_events_LDADD = libevents.a libstep.a $(reports_test_libs)
EXTRA_DIST += tests/bench.py tests/bench_programs.py tests/bench_table.py
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

# "make truth": measures programs that know their own times and reports how many printed rows contain them within
# their margins. Takes minutes.
EXTRA_DIST += tests/truth.py tests/truth_rows.py tests/truth/truth.h tests/truth/truth.c tests/truth/mix.c tests/truth/mix.py \
	tests/truth/TRUTHMIX.cob tests/truth/marks.c
truth: all
	COBC='$(COBC)' VIGIL_BUILD='$(abs_top_builddir)' VIGIL_SOURCE='$(abs_top_srcdir)' python3 $(srcdir)/tests/truth.py
.PHONY: truth

# The library of recordings of such programs, and "make recordings", which records them anew, as root.
SCRIPT_TESTS += tests/recordings.t
EXTRA_DIST += tests/recordings.t tests/recordings tests/truth/mix.go tests/truth/native.py
recordings: all
	VIGIL_BUILD='$(abs_top_builddir)' VIGIL_SOURCE='$(abs_top_srcdir)' python3 $(srcdir)/tests/recordings/make.py
.PHONY: recordings

# "make variants": replays ten million (VARIANTS) damaged variants of small recordings. Takes hours.
EXTRA_DIST += tests/variants.py
variants: all session/measure/replay-variants
	VIGIL_BUILD='$(abs_top_builddir)' VIGIL_SOURCE='$(abs_top_srcdir)' python3 $(srcdir)/tests/variants.py
.PHONY: variants

# "make compare-truth": what vigil compare reports for runs whose differences are known. Takes minutes.
EXTRA_DIST += tests/compare-truth.py tests/compare-page.py tests/compare/work.c tests/compare/pauses.c tests/compare/CMPWORK.cob
compare-truth: all
	COBC='$(COBC)' VIGIL_BUILD='$(abs_top_builddir)' VIGIL_SOURCE='$(abs_top_srcdir)' python3 $(srcdir)/tests/compare-truth.py
.PHONY: compare-truth
EXTRA_DIST += tests/compare.bats

EXTRA_DIST += tests/extract.bats tests/replay.bats
EXTRA_DIST += tests/monitor.bats tests/monitor/mtrddr.tsv tests/monitor/synthetic-monwrite.py
EXTRA_DIST += tests/files.bats
EXTRA_DIST += tests/findings.bats tests/findings.bash tests/findings.py tests/programs/faults.c
EXTRA_DIST += tests/findings-cobol.bats tests/programs/digits.cob \
	tests/programs/prices.cob tests/programs/again.cob tests/programs/ANEW.cob \
	tests/programs/texts.c tests/programs/built.cob tests/programs/built.py
EXTRA_DIST += tests/findings-system.bats tests/programs/blocks.c tests/programs/convoy.c
EXTRA_DIST += tests/places.bats tests/programs/places.c tests/programs/held.c tests/programs/cold.c tests/programs/last-words.c
EXTRA_DIST += tests/profile.bats tests/profile.py
EXTRA_DIST += tests/call-tree.bats tests/call-tree.py tests/programs/call-tree.c tests/programs/CALLTREE.cob \
	tests/programs/chains.cc tests/programs/chains-other.cc
EXTRA_DIST += tests/cost.bats tests/cost.py tests/programs/costly.c tests/programs/pingpong.c
EXTRA_DIST += tests/programs/adopted.py tests/programs/ddbytes.cob tests/programs/brood.c tests/programs/shares.c tests/programs/waits.c tests/programs/tasks.c tests/programs/crowd.c tests/programs/idle.c \
	tests/programs/turns.c tests/programs/bracket.c tests/programs/removed.sh \
	tests/programs/keyed.cob tests/programs/ledger.cob tests/programs/updates.cob tests/programs/sleeper.cob

# The corpus of the fuzz targets, and short runs of those of the parsers.
SCRIPT_TESTS += tests/fuzz.t
EXTRA_DIST += tests/fuzz.t tests/corpus

# Running jobs, end to end.
EXTRA_DIST += tests/bats-rules.py tests/background.bash tests/compiled.bash tests/jobs.bash tests/ordinary.bash tests/live.bash tests/profiler.bash tests/twin_rows.py tests/trace.bash tests/waiting.bash
EXTRA_DIST += tests/sort.bats tests/programs/stuck.c
EXTRA_DIST += tests/signs.bats tests/silent.bats tests/terminal.bats tests/terminal.py
EXTRA_DIST += tests/rotation.bats tests/openmetrics.bats tests/openmetrics.py
EXTRA_DIST += tests/modules.bats tests/modules-commands.bats tests/modules/needy.c tests/modules/private.c tests/modules/unprepared.c tests/modules/bad.c tests/modules/bad-list.c tests/modules/bad-others.c tests/modules/chooses.c
EXTRA_DIST += tests/submit.bats tests/joblog.bats tests/language.bats tests/programs.bats tests/updates.bats tests/compile.bats
EXTRA_DIST += tests/catalog.bats tests/idcams.bats tests/libraries.bats tests/tso.bats
SCRIPT_TESTS += tests/manual-lint.t tests/manual-tables.t
EXTRA_DIST += tests/manual-lint.t tests/manual-tables.t tests/commands.bats tests/event-reports.bats tests/programs/xprof.cob
EXTRA_DIST += tests/iebgener.bats
SCRIPT_TESTS += tests/page-vendor.t
EXTRA_DIST += tests/page-vendor.t tests/page.bats tests/print.bats tests/page.py tests/print.py tests/browser.py tests/programs/spin.c
EXTRA_DIST += tests/blocks.bats tests/online.bats tests/tracing.bats tests/filters.bats
# A whole night of five jobs, four times.
EXTRA_DIST += tests/night.bats tests/night.py tests/programs/nightdump.cob

# For authors of data collectors.
EXTRA_DIST += tests/config.bats
EXTRA_DIST += tests/metrics.bats tests/live-table.py tests/metrics-truth.py
EXTRA_DIST += tests/activity.bats tests/activity.py
EXTRA_DIST += tests/handler.bats tests/handlers/checks.c tests/handlers/hooked.c tests/handlers/raiser.c
EXTRA_DIST += tests/collectors.bats tests/programs/busy.c tests/programs/private.c tests/programs/signals.c
EXTRA_DIST += tests/collectors-find.bats tests/collectors/find-named.c tests/collectors/find-work.c
EXTRA_DIST += tests/collectors-transactions.bats tests/programs/orders.c tests/programs/alternate.c tests/collectors/orders.c
EXTRA_DIST += tests/collectors-cobol.bats tests/cobol-items.py \
	tests/programs/cobitems.cob tests/programs/cobitem2.cpy \
	tests/programs/cobtran.cob tests/programs/COBTRANB.cob tests/programs/spend.c
EXTRA_DIST += tests/collectors-reports.bats tests/collectors/memory.c tests/programs/memory.c tests/programs/merged.c tests/programs/archive.py
EXTRA_DIST += tests/names.bats tests/names.py tests/programs/named.hpp tests/programs/named.cpp \
	tests/programs/named-other.cpp tests/programs/named.cob tests/programs/namedcpy.cpy tests/programs/opens.cob \
	tests/programs/names.hpp tests/programs/names-unit.cpp tests/programs/names-main.cpp
EXTRA_DIST += tests/go.bats tests/programs/shares.go
# Collectors for interpreters.
EXTRA_DIST += tests/collectors-python.bats tests/collectors-perl.bats tests/collector-stacks.py tests/collector-native.py \
	collectors/test-python-layout.c collectors/test-perl-layout.c \
	tests/programs/lost-stack.S tests/programs/shares.py tests/programs/remade.py tests/programs/stacks.py tests/programs/ways.py \
	tests/programs/forms.pl tests/programs/here.pl tests/programs/remade.pl tests/programs/stacks.pl tests/programs/shares.pl tests/programs/short.pl \
	tests/programs/ways.pl
EXTRA_DIST += tests/collectors-examples.bats tests/collectors/hundred.c
# Data collectors on real servers.
EXTRA_DIST += tests/collectors-postgres.bats tests/collectors-shell.bats tests/programs/waits.sh tests/server-times.py
# Statement coverage.
EXTRA_DIST += tests/coverage.bats tests/programs/covered.c tests/programs/plugged.c tests/programs/stirred.c tests/programs/thrown.cc \
	tests/programs/coverpay.cob tests/programs/covertax.cpy
# Events of programs.
EXTRA_DIST += tests/event-torture.bats tests/programs/torture.cc tests/programs/torture-ends.c tests/programs/TORTURE.cob \
	tests/programs/switcher.c
EXTRA_DIST += tests/tallies.bats tests/programs/tallied.c
EXTRA_DIST += tests/python-events.bats tests/programs/script.py tests/programs/traced.py
EXTRA_DIST += tests/patched.bats tests/programs/patched.c tests/programs/rethrown.cc tests/programs/plugin.c tests/programs/patched-asm.S tests/programs/nameless.c
EXTRA_DIST += tests/calls.bats tests/programs/sqlite.c tests/programs/libpq.c \
	tests/programs/leaving.cc tests/programs/leaving.h tests/programs/leaving-library.c
EXTRA_DIST += tests/events.bats tests/programs/calls.c tests/programs/forked.c tests/programs/traced.c tests/programs/EVENTS.cob \
	tests/event-storm.bats tests/programs/producers.c tests/programs/storm.c tests/programs/readings.c
