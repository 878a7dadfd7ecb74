# SPDX-License-Identifier: Apache-2.0
# Code that runs inside a measured program, and the layouts of the memory it shares; its rule is in
# agent/agent.h, and tests/agent-rule checks it.
# The library applications call, and the one put into a step to keep its return code.
lib_LTLIBRARIES += libvigil.la
libvigil_la_SOURCES = agent/application/transaction.c agent/application/user-event.c agent/transaction-write.c agent/transaction-write.h \
	agent/agent.h agent/transaction-area.h
# Never with sanitizers: they are loaded into programs that know nothing of those.
libvigil_la_CFLAGS = $(VIGIL_CFLAGS)
libvigil_la_LDFLAGS = -version-info 0:0:0 -no-undefined
include_vigil_HEADERS += include/vigil/vigil.h include/vigil/collector.h
pkgconfig_DATA += include/vigil/vigil.pc
bin_SCRIPTS += vigil-config
pkglib_LTLIBRARIES += agent/vigil-step.la
agent_vigil_step_la_SOURCES = \
	agent/agent-next.h agent/agent-text.c agent/agent-text.h agent/agent.h \
	agent/step/cobol-abend.c \
	agent/step/cobol-ending.c agent/step/cobol-ending.h \
	agent/step/cobol-files.c \
	agent/step/cobol-lines.c agent/step/cobol-lines.h \
	agent/step/cobol-mark.c agent/step/cobol-mark.h \
	agent/step/cobol-notes.c agent/step/cobol-notes.h \
	agent/cobol-runtime.c agent/cobol-runtime.h \
	agent/file-own.h \
	agent/step/return-code.c agent/step-area.h
agent_vigil_step_la_CFLAGS = $(VIGIL_CFLAGS) -fvisibility=hidden
agent_vigil_step_la_LDFLAGS = -module -avoid-version -no-undefined
# Counts what programs read and write, by file: preloaded into steps that are measured.
pkglib_LTLIBRARIES += agent/vigil-files.la
agent_vigil_files_la_SOURCES = \
	agent/agent.h agent/agent-next.h agent/file-area.h agent/files/file-calls.c agent/files/file-count.c agent/files/file-count.h agent/file-own.h
agent_vigil_files_la_CFLAGS = $(VIGIL_CFLAGS) -fvisibility=hidden
agent_vigil_files_la_LDFLAGS = -module -avoid-version -no-undefined
# Event handlers: preloaded where PROFILE(ON,...) is in effect.
include_vigil_HEADERS += include/vigil/handler.h
pkglib_LTLIBRARIES += agent/vigil-handler.la
agent_vigil_handler_la_SOURCES = \
	agent/agent-next.h agent/agent-text.c agent/agent-text.h agent/agent.h agent/handler/handler.h \
	agent/cobol-runtime.c agent/cobol-runtime.h \
	agent/handler/handler-begin.c agent/handler/handler-call.c agent/handler/handler-conditions.c agent/handler/handler-end.c agent/handler/handler-names.c \
	agent/handler/handler-hooks.c agent/handler/handler-processes.c agent/handler/handler-threads.c
agent_vigil_handler_la_CFLAGS = $(VIGIL_CFLAGS) -fvisibility=hidden -fexceptions
agent_vigil_handler_la_LDFLAGS = -module -avoid-version -no-undefined

# What is put into a step whose events are asked for.
pkglib_LTLIBRARIES += agent/vigil-events.la
agent_vigil_events_la_SOURCES = \
	agent/agent-text.c agent/agent-text.h \
	agent/agent.h agent/agent-next.h agent/agent-wait.h agent/wait-area.h agent/event-area.h agent/event-filter-area.h agent/event-program-area.h \
	agent/cobol-runtime.c agent/cobol-runtime.h \
	agent/events/event-blocked.h \
	agent/events/event-cobol.c \
	agent/events/event-database.c agent/events/event-database.h \
	agent/events/event-functions.c agent/events/event-functions.h \
	agent/events/event-jumps.c \
	agent/events/event-kept.c agent/events/event-kept.h \
	agent/events/event-lane.c agent/events/event-lane.h \
	agent/events/event-library.c agent/events/event-library.h \
	agent/events/event-library-calls.c \
	agent/events/event-libpq.c \
	agent/events/event-names.c agent/events/event-names.h agent/events/event-noted.h \
	agent/events/event-python.c agent/events/event-python.h agent/events/event-python-data.h \
	agent/events/event-python-code.c agent/events/event-python-monitoring.c agent/events/event-python-profile.c \
	agent/events/event-objects.c agent/events/event-objects.h agent/event-objects-area.h \
	agent/events/event-patch.c agent/events/event-patch.h agent/event-patch-area.h agent/events/event-patch-call.c \
	agent/events/event-chunks.c agent/events/event-chunks.h agent/event-chunk-set.h \
	agent/events/event-signals.c \
	agent/events/event-sources.c agent/events/event-sources.h \
	agent/events/event-spawn.c \
	agent/events/event-sqlite.c \
	agent/events/event-state.c agent/events/event-state.h \
	agent/events/event-tally.c agent/events/event-tally.h agent/event-tally-area.h \
	agent/events/event-tasks.c \
	agent/events/event-threads.c agent/events/event-threads.h \
	agent/events/event-write.c \
	agent/transaction-write.c agent/transaction-write.h agent/transaction-area.h
agent_vigil_events_la_CFLAGS = $(VIGIL_CFLAGS) -fvisibility=hidden
# What is called where any register may be in use.
noinst_LTLIBRARIES += agent/libkept.la
agent_libkept_la_SOURCES = agent/events/event-calls.c agent/events/event-frames.c agent/events/event-frames.h
agent_libkept_la_CFLAGS = $(VIGIL_CFLAGS) -fvisibility=hidden $(GENERAL_REGISTERS)
agent_vigil_events_la_LIBADD = agent/libkept.la
agent_vigil_events_la_LDFLAGS = -module -avoid-version -no-undefined

# Coverage by places, where INIT COVERAGE=ON asks for it: initialized before all others.
pkglib_LTLIBRARIES += agent/vigil-coverage.la
agent_vigil_coverage_la_SOURCES = \
	agent/agent.h agent/agent-next.h agent/coverage-area.h agent/coverage/coverage-processor.h agent/coverage/coverage-agent.h \
	agent/coverage/coverage-ask.c agent/coverage/coverage-begin.c agent/coverage/coverage-look.c agent/coverage/coverage-objects.c agent/coverage/coverage-rebind.c \
	agent/coverage/coverage-signals.c agent/coverage/coverage-trap.c agent/coverage/coverage-write.c \
	agent/transaction-write.c agent/transaction-write.h agent/transaction-area.h
agent_vigil_coverage_la_CFLAGS = $(VIGIL_CFLAGS) -fvisibility=hidden
agent_vigil_coverage_la_LDFLAGS = -module -avoid-version -no-undefined -Wl,-z,initfirst

if HAVE_CMOCKA
check_PROGRAMS += agent/test-agent-text agent/events/test-begins agent/application/test-transaction
UNIT_TESTS += agent/test-agent-text agent/events/test-begins agent/application/test-transaction
agent_test_agent_text_SOURCES = agent/test-agent-text.c agent/agent-text.c
agent_test_agent_text_LDADD = $(CMOCKA_LIBS)
agent_events_test_begins_LDADD = $(CMOCKA_LIBS)
agent_application_test_transaction_SOURCES = agent/application/test-transaction.c
agent_application_test_transaction_LDADD = libvigil.la $(CMOCKA_LIBS) -lpthread
endif
EXTRA_DIST += tests/agent-rule tests/step-rc.bats
