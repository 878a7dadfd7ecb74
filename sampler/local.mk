# SPDX-License-Identifier: Apache-2.0
# Observes one step from outside.
noinst_LIBRARIES += libsampler.a
libsampler_a_SOURCES = $(sampler_core_sources) $(sampler_look_sources) $(sampler_host_sources) $(sampler_recording_sources)

# What a session learned, written down and answered again.
sampler_recording_sources = \
	sampler/recording/player.c sampler/recording/player.h \
	sampler/recording/player-answers.c sampler/recording/player-data.h \
	sampler/recording/player-memory.c \
	sampler/recording/recorder.c sampler/recording/recorder.h \
	sampler/recording/tape.c sampler/recording/tape.h \
	sampler/recording/tape-area.c sampler/recording/tape-area.h \
	sampler/recording/tape-file.c sampler/recording/tape-file.h \
	sampler/recording/tape-memory.c sampler/recording/tape-memory.h \
	sampler/recording/tape-sample.h \
	sampler/recording/tape-view.c sampler/recording/tape-view.h \
	sampler/recording/tape-visits.c sampler/recording/tape-visits.h

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
	sampler/cost-watch.c sampler/cost-watch.h \
	sampler/duty.c sampler/duty.h \
	sampler/estimate.c sampler/estimate.h \
	sampler/file-busy.c sampler/file-busy.h \
	sampler/kernel-looks.c sampler/kernel-looks.h sampler/task-kernel.h \
	sampler/page-look.c sampler/page-look.h \
	sampler/mode-probe.c sampler/mode-probe.h \
	sampler/file-counts.c sampler/file-counts.h \
	sampler/short-tasks.c sampler/short-tasks.h \
	sampler/task-stop.c sampler/task-stop.h \
	sampler/name-rows.c sampler/name-rows.h \
	sampler/notes.c sampler/notes.h \
	sampler/observe.c sampler/observe.h \
	sampler/perf.c sampler/perf.h \
	sampler/named-places.c sampler/named-places.h \
	sampler/namer.c sampler/namer.h \
	sampler/namer-notes.c sampler/namer-notes.h \
	sampler/residue.c sampler/residue.h \
	sampler/proc.c sampler/proc.h \
	sampler/producers.c sampler/producers.h \
	sampler/query.h \
	sampler/ring.c sampler/ring.h \
	sampler/sampler.c sampler/sampler.h sampler/sampler-config.h sampler/sampler-data.h \
	sampler/sample-ledger.c sampler/sample-ledger.h \
	sampler/samples.c sampler/samples.h \
	sampler/stack-resolve.c sampler/stack-resolve.h \
	sampler/stacks.c sampler/stacks.h \
	sampler/states.c sampler/states.h \
	sampler/wait-delay.c sampler/wait-delay.h \
	sampler/switching.c sampler/switching.h \
	sampler/losses.c sampler/losses.h \
	sampler/tasks.c sampler/tasks.h \
	sampler/task-anchors.h sampler/task-duty.h sampler/task-looks.h sampler/task-prompt.h sampler/task-samples.h sampler/task-short.h sampler/task-waits.h \
	sampler/thin.c sampler/thin.h \
	sampler/tick.c sampler/tick.h \
	sampler/step-clock.c sampler/step-clock.h \
	sampler/stolen.c sampler/stolen.h \
	sampler/sched-slice.c sampler/sched-slice.h \
	sampler/resource-usage.c sampler/resource-usage.h \
	sampler/wait-looks.c sampler/wait-looks.h \
	sampler/switch-places.c sampler/switch-places.h \
	sampler/fault-files.c sampler/fault-files.h \
	sampler/wait-estimates.c sampler/wait-estimates.h \
	sampler/wait-tally.c sampler/wait-tally.h \
	sampler/waits.c sampler/waits.h \
	sampler/windows.c sampler/windows.h

# Tests of the sampler, and the programs that they and the end-to-end tests measure.
sampler_tests =
sampler_test_libraries = libsampler.a libstep.a libprogram.a librecords.a libengine.a libcommon.a $(CMOCKA_LIBS) $(NAMES_LIBS)
check_PROGRAMS += tests/programs/brood tests/programs/shares tests/programs/tasks tests/programs/waits
tests_programs_brood_SOURCES = tests/programs/brood.c
tests_programs_shares_SOURCES = tests/programs/shares.c
tests_programs_tasks_SOURCES = tests/programs/tasks.c
tests_programs_waits_SOURCES = tests/programs/waits.c
tests_programs_shares_CFLAGS = -O2 -g
tests_programs_brood_CFLAGS = -O2 -g
tests_programs_tasks_CFLAGS = -O2 -g
tests_programs_waits_CFLAGS = -O2 -g
tests_programs_tasks_LDFLAGS = -pthread
tests_programs_waits_LDFLAGS = -pthread
if HAVE_CMOCKA
sampler_tests += sampler/test-step-clock sampler/test-ring sampler/test-thin sampler/test-observe sampler/test-sampler \
	sampler/test-sampler-live
sampler_test_step_clock_LDADD = $(sampler_test_libraries)
sampler_test_ring_LDADD = $(sampler_test_libraries)
sampler_test_thin_LDADD = $(sampler_test_libraries)
sampler_test_observe_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/recording/test-tape sampler/recording/test-view
sampler_recording_test_view_LDADD = $(sampler_test_libraries)
sampler_recording_test_tape_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/test-cost-watch
sampler_test_cost_watch_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/test-wait-delay
sampler_test_wait_delay_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/test-switching
sampler_test_switching_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/test-losses
sampler_test_losses_LDADD = $(sampler_test_libraries) -lm
sampler_tests += sampler/test-stolen
sampler_test_stolen_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/test-waits
sampler_test_waits_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/test-samples
sampler_test_samples_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/test-states
sampler_test_states_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/test-resource-usage
sampler_test_resource_usage_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/test-fault-files
sampler_test_fault_files_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/test-wait-tally
sampler_test_wait_tally_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/test-wait-estimates
sampler_test_wait_estimates_LDADD = $(sampler_test_libraries) -lm
sampler_tests += sampler/test-mode-probe
sampler_test_mode_probe_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/test-timer-lateness
sampler_test_timer_lateness_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/test-page-look
sampler_test_page_look_LDADD = $(sampler_test_libraries) -lm
sampler_tests += sampler/test-kernel-looks
sampler_test_kernel_looks_LDADD = $(sampler_test_libraries) -lm
sampler_tests += sampler/test-wait-looks
sampler_test_wait_looks_LDADD = $(sampler_test_libraries)
sampler_measure_sources = sampler/test-measure.c sampler/test-measure.h sampler/test-session.c sampler/test-session.h
sampler_test_sampler_SOURCES = sampler/test-sampler.c $(sampler_measure_sources)
sampler_test_sampler_LDADD = $(sampler_test_libraries)
sampler_test_sampler_live_SOURCES = sampler/test-sampler-live.c $(sampler_measure_sources)
sampler_test_sampler_live_LDADD = $(sampler_test_libraries) -lm
endif

# Data collectors whose behaviour the tests control by parameters.
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
sampler_trial_sources = sampler/test-trial.c sampler/test-trial.h sampler/test-session.c sampler/test-session.h
sampler_tests += sampler/test-collect sampler/test-collect-faults
sampler_test_collect_SOURCES = sampler/test-collect.c $(sampler_trial_sources)
sampler_test_collect_LDADD = $(sampler_test_libraries)
EXTRA_sampler_test_collect_DEPENDENCIES = $(rules_collectors) sampler/host/collector-host$(EXEEXT)
sampler_test_collect_faults_SOURCES = sampler/test-collect-faults.c $(sampler_trial_sources)
sampler_test_collect_faults_LDADD = $(sampler_test_libraries)
EXTRA_sampler_test_collect_faults_DEPENDENCIES = $(rules_collectors) sampler/host/collector-host$(EXEEXT)
sampler_tests += sampler/test-prompt
sampler_test_prompt_SOURCES = sampler/test-prompt.c step/test-area.c step/test-area.h
sampler_test_prompt_LDADD = $(sampler_test_libraries)
EXTRA_sampler_test_prompt_DEPENDENCIES = $(rules_collectors) sampler/host/collector-host$(EXEEXT)
endif

# Files, looks at blocked tasks, transactions.
sampler_look_sources = \
	sampler/file-facts.c sampler/file-facts.h \
	sampler/files.c sampler/files.h \
	sampler/probe.c sampler/probe.h \
	sampler/syscalls.c sampler/syscalls.h

if HAVE_CMOCKA
sampler_tests += sampler/test-look sampler/test-files sampler/test-file-counts
sampler_test_file_counts_LDADD = $(sampler_test_libraries)
sampler_test_look_LDADD = $(sampler_test_libraries)
sampler_test_files_LDADD = $(sampler_test_libraries)
endif

if HAVE_CMOCKA
sampler_tests += sampler/test-task-stop
sampler_test_task_stop_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/test-answers
sampler_test_answers_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/test-collect-parts
sampler_test_collect_parts_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/test-stack-resolve
sampler_test_stack_resolve_LDADD = $(sampler_test_libraries)
EXTRA_sampler_test_stack_resolve_DEPENDENCIES = $(rules_collectors) sampler/host/collector-host$(EXEEXT)
sampler_tests += sampler/test-named-places
sampler_test_named_places_LDADD = $(sampler_test_libraries)
sampler_tests += sampler/test-namer
sampler_test_namer_LDADD = $(sampler_test_libraries)
endif

check_PROGRAMS += $(sampler_tests) sampler/fuzz-answers
UNIT_TESTS += $(sampler_tests)
sampler_fuzz_answers_SOURCES = sampler/fuzz-answers.c $(fuzz_driver)
sampler_fuzz_answers_LDFLAGS = $(fuzz_link)
sampler_fuzz_answers_LDADD = libsampler.a libstep.a libprogram.a librecords.a libengine.a libcommon.a $(NAMES_LIBS)

include sampler/host/local.mk
