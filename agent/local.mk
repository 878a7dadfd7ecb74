# SPDX-License-Identifier: Apache-2.0
# Code that runs inside a measured program, and the layouts of the memory it shares; its rule is in
# agent/agent.h, and tests/agent-rule checks it.
# The library applications call, and the one put into a step to keep its return code.
lib_LTLIBRARIES += libvigil.la
libvigil_la_SOURCES = agent/transaction.c agent/user-event.c agent/transaction-write.c agent/transaction-write.h \
	agent/agent.h agent/transaction-area.h
# Never with sanitizers: they are loaded into programs that know nothing of those.
libvigil_la_CFLAGS = $(VIGIL_CFLAGS)
libvigil_la_LDFLAGS = -version-info 0:0:0 -no-undefined
include_vigil_HEADERS += include/vigil/vigil.h include/vigil/collector.h
pkgconfig_DATA += include/vigil/vigil.pc
bin_SCRIPTS += vigil-config
pkglib_LTLIBRARIES += agent/vigil-step.la
agent_vigil_step_la_SOURCES = \
	agent/agent-text.c agent/agent-text.h agent/agent.h \
	agent/cobol-abend.c \
	agent/cobol-ending.c agent/cobol-ending.h \
	agent/cobol-files.c \
	agent/cobol-lines.c agent/cobol-lines.h \
	agent/cobol-mark.c agent/cobol-mark.h \
	agent/cobol-notes.c agent/cobol-notes.h \
	agent/cobol-runtime.c agent/cobol-runtime.h \
	agent/file-own.h \
	agent/return-code.c agent/step-area.h
agent_vigil_step_la_CFLAGS = $(VIGIL_CFLAGS) -fvisibility=hidden
agent_vigil_step_la_LDFLAGS = -module -avoid-version -no-undefined
# Counts what programs read and write, by file: preloaded into steps that are measured.
pkglib_LTLIBRARIES += agent/vigil-files.la
agent_vigil_files_la_SOURCES = \
	agent/agent.h agent/file-area.h agent/file-calls.c agent/file-count.c agent/file-count.h agent/file-own.h
agent_vigil_files_la_CFLAGS = $(VIGIL_CFLAGS) -fvisibility=hidden
agent_vigil_files_la_LDFLAGS = -module -avoid-version -no-undefined
# Event handlers: preloaded where PROFILE(ON,...) is in effect.
include_vigil_HEADERS += include/vigil/handler.h
pkglib_LTLIBRARIES += agent/vigil-handler.la
agent_vigil_handler_la_SOURCES = \
	agent/agent-text.c agent/agent-text.h agent/agent.h agent/handler.h \
	agent/cobol-runtime.c agent/cobol-runtime.h \
	agent/handler-begin.c agent/handler-call.c agent/handler-conditions.c agent/handler-end.c agent/handler-names.c \
	agent/handler-hooks.c agent/handler-processes.c agent/handler-threads.c
agent_vigil_handler_la_CFLAGS = $(VIGIL_CFLAGS) -fvisibility=hidden -fexceptions
agent_vigil_handler_la_LDFLAGS = -module -avoid-version -no-undefined

# What is put into a step whose events are asked for.
pkglib_LTLIBRARIES += agent/vigil-events.la
agent_vigil_events_la_SOURCES = \
	agent/agent-text.c agent/agent-text.h \
	agent/agent.h agent/agent-wait.h agent/wait-area.h agent/event-area.h agent/event-filter-area.h \
	agent/cobol-runtime.c agent/cobol-runtime.h \
	agent/event-blocked.h \
	agent/event-cobol.c \
	agent/event-database.c agent/event-database.h \
	agent/event-functions.c agent/event-functions.h \
	agent/event-jumps.c \
	agent/event-lane.c agent/event-lane.h \
	agent/event-library.c agent/event-library.h \
	agent/event-library-calls.c \
	agent/event-libpq.c \
	agent/event-names.c agent/event-names.h \
	agent/event-python.c agent/event-python.h agent/event-python-data.h \
	agent/event-python-monitoring.c agent/event-python-profile.c \
	agent/event-objects.c agent/event-objects.h agent/event-objects-area.h \
	agent/event-patch.c agent/event-patch.h agent/event-patch-area.h agent/event-patch-call.c \
	agent/event-room.c agent/event-room.h \
	agent/event-signals.c \
	agent/event-spawn.c \
	agent/event-sqlite.c \
	agent/event-tasks.c \
	agent/event-threads.c agent/event-threads.h \
	agent/transaction-write.c agent/transaction-write.h agent/transaction-area.h
agent_vigil_events_la_CFLAGS = $(VIGIL_CFLAGS) -fvisibility=hidden
# What is called where any register may be in use.
noinst_LTLIBRARIES += agent/libkept.la
agent_libkept_la_SOURCES = agent/event-calls.c agent/event-frames.c agent/event-frames.h
agent_libkept_la_CFLAGS = $(VIGIL_CFLAGS) -fvisibility=hidden $(GENERAL_REGISTERS)
agent_vigil_events_la_LIBADD = agent/libkept.la
agent_vigil_events_la_LDFLAGS = -module -avoid-version -no-undefined

# Coverage by places, where INIT COVERAGE=ON asks for it: initialized before all others.
pkglib_LTLIBRARIES += agent/vigil-coverage.la
agent_vigil_coverage_la_SOURCES = \
	agent/agent.h agent/coverage-area.h agent/coverage-processor.h agent/coverage-agent.h \
	agent/coverage-begin.c agent/coverage-objects.c agent/coverage-rebind.c agent/coverage-signals.c agent/coverage-trap.c \
	agent/transaction-write.c agent/transaction-write.h agent/transaction-area.h
agent_vigil_coverage_la_CFLAGS = $(VIGIL_CFLAGS) -fvisibility=hidden
agent_vigil_coverage_la_LDFLAGS = -module -avoid-version -no-undefined -Wl,-z,initfirst

if HAVE_CMOCKA
check_PROGRAMS += agent/test-agent-text agent/test-transaction
UNIT_TESTS += agent/test-agent-text agent/test-transaction
agent_test_agent_text_SOURCES = agent/test-agent-text.c agent/agent-text.c
agent_test_agent_text_LDADD = $(CMOCKA_LIBS)
agent_test_transaction_SOURCES = agent/test-transaction.c
agent_test_transaction_LDADD = libvigil.la $(CMOCKA_LIBS) -lpthread
endif
EXTRA_DIST += tests/agent-rule tests/step-rc.bats
