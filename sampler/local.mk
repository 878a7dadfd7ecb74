# SPDX-License-Identifier: Apache-2.0
# Observing one step from outside.
noinst_LIBRARIES += libsampler.a
libsampler_a_SOURCES = $(sampler_core_sources) $(sampler_look_sources) $(sampler_host_sources)

# The sampler.
sampler_core_sources = \
	sampler/prompt.c sampler/prompt.h \
	sampler/answers.c sampler/answers.h \
	sampler/attach.c sampler/attach.h \
	sampler/collect.c sampler/collect.h sampler/collect-data.h \
	sampler/collect-ask.c \
	sampler/collect-choice.c \
	sampler/collect-match.c \
	sampler/collect-messages.c \
	sampler/collect-rows.c \
	sampler/estimate.c sampler/estimate.h \
	sampler/file-busy.c sampler/file-busy.h \
	sampler/short-tasks.c sampler/short-tasks.h \
	sampler/task-stop.c sampler/task-stop.h \
	sampler/name-rows.c sampler/name-rows.h \
	sampler/notes.c sampler/notes.h \
	sampler/observe.c sampler/observe.h \
	sampler/perf.c sampler/perf.h \
	sampler/named-places.c sampler/named-places.h \
	sampler/namer.c sampler/namer.h \
	sampler/residue.c sampler/residue.h \
	sampler/proc.c sampler/proc.h \
	sampler/producers.c sampler/producers.h \
	sampler/query.h \
	sampler/ring.c sampler/ring.h \
	sampler/sampler.c sampler/sampler.h sampler/sampler-data.h \
	sampler/sample-ledger.c sampler/sample-ledger.h \
	sampler/samples.c sampler/samples.h \
	sampler/stack-resolve.c sampler/stack-resolve.h \
	sampler/stacks.c sampler/stacks.h \
	sampler/states.c sampler/states.h \
	sampler/tasks.c sampler/tasks.h \
	sampler/thin.c sampler/thin.h \
	sampler/tick.c sampler/tick.h \
	sampler/step-clock.c sampler/step-clock.h \
	sampler/sched-slice.c sampler/sched-slice.h \
	sampler/resource-usage.c sampler/resource-usage.h \
	sampler/wait-looks.c sampler/wait-looks.h \
	sampler/wait-tally.c sampler/wait-tally.h \
	sampler/waits.c sampler/waits.h

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
check_PROGRAMS += sampler/test-step-clock sampler/test-ring sampler/test-thin sampler/test-observe sampler/test-sampler
UNIT_TESTS += sampler/test-step-clock sampler/test-ring sampler/test-thin sampler/test-observe sampler/test-sampler
sampler_test_step_clock_SOURCES = sampler/test-step-clock.c
sampler_test_step_clock_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_step_clock_LDADD = libsampler.a libprogram.a libcommon.a $(CMOCKA_LIBS)
sampler_test_ring_SOURCES = sampler/test-ring.c
sampler_test_ring_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_ring_LDADD = libsampler.a libprogram.a libcommon.a $(CMOCKA_LIBS)
sampler_test_thin_SOURCES = sampler/test-thin.c
sampler_test_thin_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_thin_LDADD = libsampler.a libprogram.a libengine.a libcommon.a $(CMOCKA_LIBS) $(NAMES_LIBS)
sampler_test_observe_SOURCES = sampler/test-observe.c
sampler_test_observe_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_observe_LDADD = libsampler.a libprogram.a libengine.a libcommon.a $(CMOCKA_LIBS) $(NAMES_LIBS)
check_PROGRAMS += sampler/test-waits
UNIT_TESTS += sampler/test-waits
sampler_test_waits_SOURCES = sampler/test-waits.c
sampler_test_waits_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_waits_LDADD = libsampler.a libprogram.a libengine.a libcommon.a $(CMOCKA_LIBS) $(NAMES_LIBS)
check_PROGRAMS += sampler/test-samples
UNIT_TESTS += sampler/test-samples
sampler_test_samples_SOURCES = sampler/test-samples.c
sampler_test_samples_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_samples_LDADD = libsampler.a libprogram.a libengine.a libcommon.a $(CMOCKA_LIBS) $(NAMES_LIBS)
check_PROGRAMS += sampler/test-resource-usage
UNIT_TESTS += sampler/test-resource-usage
sampler_test_resource_usage_SOURCES = sampler/test-resource-usage.c
sampler_test_resource_usage_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_resource_usage_LDADD = libsampler.a libprogram.a libengine.a libcommon.a $(CMOCKA_LIBS) $(NAMES_LIBS)
check_PROGRAMS += sampler/test-wait-looks
UNIT_TESTS += sampler/test-wait-looks
sampler_test_wait_looks_SOURCES = sampler/test-wait-looks.c
sampler_test_wait_looks_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_wait_looks_LDADD = libsampler.a libprogram.a libengine.a libcommon.a $(CMOCKA_LIBS) $(NAMES_LIBS)
sampler_test_sampler_SOURCES = sampler/test-sampler.c sampler/test-session.c sampler/test-session.h
sampler_test_sampler_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_sampler_LDADD = libsampler.a libprogram.a libengine.a libcommon.a $(CMOCKA_LIBS) $(NAMES_LIBS) -lm
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
sampler_test_collect_LDADD = libsampler.a libprogram.a libengine.a libcommon.a $(CMOCKA_LIBS) $(NAMES_LIBS)
EXTRA_sampler_test_collect_DEPENDENCIES = $(rules_collectors) sampler/host/collector-host$(EXEEXT)
check_PROGRAMS += sampler/test-prompt
UNIT_TESTS += sampler/test-prompt
sampler_test_prompt_SOURCES = sampler/test-prompt.c sampler/test-area.c sampler/test-area.h
sampler_test_prompt_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_prompt_LDADD = libsampler.a libprogram.a libengine.a libcommon.a $(CMOCKA_LIBS) $(NAMES_LIBS)
EXTRA_sampler_test_prompt_DEPENDENCIES = $(rules_collectors) sampler/host/collector-host$(EXEEXT)
endif

# Files, looks at blocked tasks, transactions.
sampler_look_sources = \
	sampler/file-facts.c sampler/file-facts.h \
	sampler/files.c sampler/files.h \
	sampler/probe.c sampler/probe.h \
	sampler/syscalls.c sampler/syscalls.h \
	sampler/transactions.c sampler/transactions.h

if HAVE_CMOCKA
check_PROGRAMS += sampler/test-look
UNIT_TESTS += sampler/test-look
sampler_test_look_SOURCES = sampler/test-look.c
sampler_test_look_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_look_LDADD = libsampler.a libprogram.a libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
endif

if HAVE_CMOCKA
check_PROGRAMS += sampler/test-task-stop
UNIT_TESTS += sampler/test-task-stop
sampler_test_task_stop_SOURCES = sampler/test-task-stop.c
sampler_test_task_stop_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_task_stop_LDADD = libsampler.a libprogram.a libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += sampler/test-answers
UNIT_TESTS += sampler/test-answers
sampler_test_answers_SOURCES = sampler/test-answers.c
sampler_test_answers_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_answers_LDADD = libsampler.a libprogram.a libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += sampler/test-collect-parts
UNIT_TESTS += sampler/test-collect-parts
sampler_test_collect_parts_SOURCES = sampler/test-collect-parts.c
sampler_test_collect_parts_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_collect_parts_LDADD = libsampler.a libprogram.a libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += sampler/test-stack-resolve
UNIT_TESTS += sampler/test-stack-resolve
sampler_test_stack_resolve_SOURCES = sampler/test-stack-resolve.c
sampler_test_stack_resolve_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_stack_resolve_LDADD = libsampler.a libprogram.a libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
EXTRA_sampler_test_stack_resolve_DEPENDENCIES = $(rules_collectors) sampler/host/collector-host$(EXEEXT)
check_PROGRAMS += sampler/test-transactions
UNIT_TESTS += sampler/test-transactions
sampler_test_transactions_SOURCES = sampler/test-transactions.c sampler/test-area.c sampler/test-area.h
sampler_test_transactions_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_transactions_LDADD = libsampler.a libprogram.a libengine.a libcommon.a $(CMOCKA_LIBS)
check_PROGRAMS += sampler/test-named-places
UNIT_TESTS += sampler/test-named-places
sampler_test_named_places_SOURCES = sampler/test-named-places.c
sampler_test_named_places_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_named_places_LDADD = libsampler.a libprogram.a libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += sampler/test-namer
UNIT_TESTS += sampler/test-namer
sampler_test_namer_SOURCES = sampler/test-namer.c
sampler_test_namer_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_namer_LDADD = libsampler.a libprogram.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
agent_test_transaction_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/include
endif

check_PROGRAMS += sampler/fuzz-answers
sampler_fuzz_answers_SOURCES = sampler/fuzz-answers.c $(fuzz_driver)
sampler_fuzz_answers_LDFLAGS = $(fuzz_link)
sampler_fuzz_answers_LDADD = libsampler.a libprogram.a libengine.a libcommon.a $(NAMES_LIBS)

include sampler/host/local.mk
