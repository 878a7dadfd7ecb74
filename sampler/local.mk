# SPDX-License-Identifier: Apache-2.0
# Observing a step: the address space and its objects, stacks, names, the sampler itself.
noinst_LIBRARIES += libsampler.a
libsampler_a_SOURCES = $(sampler_unwind_sources) $(sampler_names_sources) $(sampler_core_sources) \
	$(sampler_look_sources)

# Objects, address-space maps, call-frame tables, the walk.
sampler_unwind_sources = \
	sampler/cfi.c sampler/cfi.h \
	sampler/cfi-evaluate.c sampler/cfi-parse.c sampler/cfi-program.c \
	sampler/decode-x86_64.c sampler/decode.h \
	sampler/object.c sampler/object.h \
	sampler/object-open.c sampler/object-open.h \
	sampler/object-section.c \
	sampler/proc-maps.c sampler/proc-maps.h \
	sampler/routine.c sampler/routine.h \
	sampler/space.c sampler/space.h \
	sampler/unwind.c sampler/unwind.h \
	sampler/unwind-arch.h sampler/unwind-x86_64.c \
	sampler/unwind-search.c sampler/unwind-search.h

# Names of addresses.
sampler_names_sources = \
	sampler/cobol-scan.c sampler/cobol-scan.h \
	sampler/debuginfod.c sampler/debuginfod.h \
	sampler/demangle.c sampler/demangle.h \
	sampler/gnucobol.c sampler/gnucobol.h \
	sampler/names-cobol.c sampler/names-cobol.h \
	sampler/names-debugfile.c sampler/names-debugfile.h \
	sampler/names-dwarf.c sampler/names-dwarf.h \
	sampler/names-lists.c sampler/names-lists.h \
	sampler/names-plt.c \
	sampler/names-ranges.c \
	sampler/names-routines.c \
	sampler/names-source.c sampler/names-source.h \
	sampler/names-symbols.c sampler/names-symbols.h \
	sampler/names-unit.c sampler/names-unit.h \
	sampler/names.c sampler/names.h \
	sampler/unit-language.c sampler/unit-language.h
# What a program that resolves names is linked with.
NAMES_LIBS = $(ELFUTILS_LIBS) $(LZMA_LIBS) $(ZLIB_LIBS) $(DEMANGLE_LIBS)

# The sampler.
sampler_core_sources = \
	sampler/ahead.c sampler/ahead.h \
	sampler/answers.c \
	sampler/arch-x86_64.c sampler/arch.h \
	sampler/caller.c sampler/caller.h \
	sampler/collect.c sampler/collect.h \
	sampler/collect-match.c \
	sampler/collect-rows.c \
	sampler/core.h \
	sampler/estimate.c \
	sampler/fine.c sampler/fine.h \
	sampler/hold.c sampler/hold.h \
	sampler/name-rows.c \
	sampler/notes.c \
	sampler/observe.c \
	sampler/perf.c sampler/perf.h \
	sampler/places.c sampler/places.h \
	sampler/pool.c sampler/pool.h \
	sampler/present.c sampler/present.h \
	sampler/proc.c \
	sampler/producers.c \
	sampler/ring.c sampler/ring.h \
	sampler/sampler.c sampler/sampler.h \
	sampler/host/aliases.c sampler/host/aliases.h \
	sampler/host/protocol.h \
	sampler/samples.c \
	sampler/stacks.c sampler/stacks.h \
	sampler/states.c \
	sampler/tasks.c sampler/tasks.h \
	sampler/thin.c sampler/thin.h \
	sampler/tick.c \
	sampler/timeline.c sampler/timeline.h \
	sampler/turns.c sampler/turns.h \
	sampler/usage.c \
	sampler/waits.c

# The sampler's own tests, and the programs they and the end-to-end tests measure.
check_PROGRAMS += tests/programs/shares tests/programs/tasks tests/programs/waits
tests_programs_shares_SOURCES = tests/programs/shares.c
tests_programs_tasks_SOURCES = tests/programs/tasks.c
tests_programs_waits_SOURCES = tests/programs/waits.c
tests_programs_shares_CFLAGS = -O2 -g
tests_programs_tasks_CFLAGS = -O2 -g
tests_programs_waits_CFLAGS = -O2 -g
tests_programs_tasks_LDFLAGS = -pthread
tests_programs_waits_LDFLAGS = -pthread
if HAVE_CMOCKA
check_PROGRAMS += sampler/test-timeline sampler/test-ring sampler/test-thin sampler/test-observe sampler/test-sampler
UNIT_TESTS += sampler/test-timeline sampler/test-ring sampler/test-thin sampler/test-observe sampler/test-sampler
sampler_test_timeline_SOURCES = sampler/test-timeline.c
sampler_test_timeline_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_timeline_LDADD = libsampler.a libcommon.a $(CMOCKA_LIBS)
sampler_test_ring_SOURCES = sampler/test-ring.c
sampler_test_ring_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_ring_LDADD = libsampler.a libcommon.a $(CMOCKA_LIBS)
sampler_test_thin_SOURCES = sampler/test-thin.c
sampler_test_thin_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_thin_LDADD = libsampler.a libengine.a libcommon.a $(CMOCKA_LIBS) $(NAMES_LIBS)
sampler_test_observe_SOURCES = sampler/test-observe.c
sampler_test_observe_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_observe_LDADD = libsampler.a libengine.a libcommon.a $(CMOCKA_LIBS) $(NAMES_LIBS)
sampler_test_sampler_SOURCES = sampler/test-sampler.c sampler/test-session.c sampler/test-session.h
sampler_test_sampler_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_sampler_LDADD = libsampler.a libengine.a libcommon.a $(CMOCKA_LIBS) $(NAMES_LIBS)
endif

# Data collectors that do what their test says.
rules_second = -DVARIANT='"SECO"'
rules_list = -DPROGRAMS='"OTHERPRG"'
rules_always = -DPROGRAMS='VIGIL_ALWAYS'
rules_hold = -DFLAGS=VIGIL_HOLD
rules_collectors = tests/collectors/rules.so \
	tests/collectors/rules-second.so tests/collectors/rules-list.so \
	tests/collectors/rules-always.so tests/collectors/rules-hold.so
check_DATA += $(rules_collectors)
CLEANFILES += $(rules_collectors)
EXTRA_DIST += tests/collectors/rules.c
tests/collectors/rules-%.so: $(top_srcdir)/tests/collectors/rules.c include/vigil/collector.h
	$(build_collector) $(rules_$*) -o $@ $<
check_PROGRAMS += tests/programs/busy tests/programs/private tests/programs/signals
tests_programs_signals_SOURCES = tests/programs/signals.c
tests_programs_busy_SOURCES = tests/programs/busy.c
tests_programs_busy_LDFLAGS = -pthread
tests_programs_private_SOURCES = tests/programs/private.c
if HAVE_CMOCKA
check_PROGRAMS += sampler/test-collect
UNIT_TESTS += sampler/test-collect
sampler_test_collect_SOURCES = sampler/test-collect.c sampler/test-trial.c sampler/test-trial.h \
	sampler/test-session.c sampler/test-session.h
sampler_test_collect_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_collect_LDADD = libsampler.a libengine.a libcommon.a $(CMOCKA_LIBS) $(NAMES_LIBS)
EXTRA_sampler_test_collect_DEPENDENCIES = $(rules_collectors) sampler/host/collector-host$(EXEEXT)
check_PROGRAMS += sampler/test-ahead
UNIT_TESTS += sampler/test-ahead
sampler_test_ahead_SOURCES = sampler/test-ahead.c
sampler_test_ahead_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_ahead_LDADD = libsampler.a libengine.a libcommon.a $(CMOCKA_LIBS) $(NAMES_LIBS)
EXTRA_sampler_test_ahead_DEPENDENCIES = $(rules_collectors) sampler/host/collector-host$(EXEEXT)
endif

# Files, looks at blocked tasks, transactions.
sampler_look_sources = \
	sampler/file-facts.c sampler/file-facts.h \
	sampler/files.c sampler/files.h \
	sampler/probe.c sampler/probe.h \
	sampler/syscalls.c sampler/syscalls.h \
	sampler/transactions.c sampler/transactions.h

if HAVE_CMOCKA
check_PROGRAMS += sampler/test-unwind
UNIT_TESTS += sampler/test-unwind
EXTRA_DIST += sampler/test-unwind-target.c
sampler_test_unwind_SOURCES = sampler/test-unwind.c sampler/test-unwind.h sampler/test-unwind-child.c
sampler_test_unwind_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_unwind_LDADD = libsampler.a libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += sampler/test-space
UNIT_TESTS += sampler/test-space
sampler_test_space_SOURCES = sampler/test-space.c
sampler_test_space_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_space_LDADD = libsampler.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += sampler/test-cfi
UNIT_TESTS += sampler/test-cfi
sampler_test_cfi_SOURCES = sampler/test-cfi.c sampler/test-damage.c sampler/test-damage.h
sampler_test_cfi_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_cfi_LDADD = libsampler.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += sampler/test-unwind-steps
UNIT_TESTS += sampler/test-unwind-steps
sampler_test_unwind_steps_SOURCES = sampler/test-unwind-steps.c sampler/test-unwind.h \
	sampler/test-unwind-child.c
sampler_test_unwind_steps_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_unwind_steps_LDADD = libsampler.a libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
endif

# The library applications call, and the one put into a step to keep its return code.
lib_LTLIBRARIES += libvigil.la
libvigil_la_SOURCES = sampler/agent/transaction.c common/transaction_area.h
libvigil_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/include
# Never with sanitizers: they are loaded into programs that know nothing of those.
libvigil_la_CFLAGS = $(VIGIL_CFLAGS)
libvigil_la_LDFLAGS = -version-info 0:0:0 -no-undefined
include_vigil_HEADERS += include/vigil/vigil.h include/vigil/collector.h
pkgconfig_DATA += include/vigil/vigil.pc
bin_SCRIPTS += vigil-config
pkglib_LTLIBRARIES += sampler/agent/vigil-step.la
sampler_agent_vigil_step_la_SOURCES = \
	sampler/agent/cobol-abend.c \
	sampler/agent/cobol-files.c \
	sampler/agent/step.c sampler/agent/step.h
sampler_agent_vigil_step_la_CFLAGS = $(VIGIL_CFLAGS)
sampler_agent_vigil_step_la_LDFLAGS = -module -avoid-version -no-undefined

if HAVE_CMOCKA
check_PROGRAMS += sampler/test-look
UNIT_TESTS += sampler/test-look
sampler_test_look_SOURCES = sampler/test-look.c
sampler_test_look_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_look_LDADD = libsampler.a libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
endif

noinst_PROGRAMS += sampler/bench-unwind
sampler_bench_unwind_SOURCES = sampler/bench-unwind.c sampler/test-unwind.h sampler/test-unwind-child.c
sampler_bench_unwind_LDADD = libsampler.a libcommon.a
if HAVE_CMOCKA
check_PROGRAMS += sampler/test-names
UNIT_TESTS += sampler/test-names
sampler_test_names_SOURCES = sampler/test-names.c \
	sampler/test-names-subject.c sampler/test-names-subject.h
sampler_test_names_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_names_LDADD = libsampler.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += sampler/test-hold
UNIT_TESTS += sampler/test-hold
sampler_test_hold_SOURCES = sampler/test-hold.c
sampler_test_hold_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_hold_LDADD = libsampler.a libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += sampler/test-places
UNIT_TESTS += sampler/test-places
sampler_test_places_SOURCES = sampler/test-places.c
sampler_test_places_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_places_LDADD = libsampler.a libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += sampler/agent/test-transaction
UNIT_TESTS += sampler/agent/test-transaction
sampler_agent_test_transaction_SOURCES = sampler/agent/test-transaction.c
sampler_agent_test_transaction_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/include
sampler_agent_test_transaction_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_agent_test_transaction_LDADD = libvigil.la libcommon.a $(CMOCKA_LIBS) -lpthread
endif
EXTRA_DIST += tests/step-rc.bats

if FUZZERS
noinst_PROGRAMS += sampler/fuzz-cfi
sampler_fuzz_cfi_SOURCES = sampler/fuzz-cfi.c sampler/test-damage.c sampler/test-damage.h
sampler_fuzz_cfi_LDFLAGS = -fsanitize=fuzzer
sampler_fuzz_cfi_LDADD = libsampler.a libengine.a libcommon.a $(NAMES_LIBS)
endif

include sampler/host/local.mk
