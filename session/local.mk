# SPDX-License-Identifier: Apache-2.0

# Measurement sessions, and what all of session shares.
session_measure_sources = \
	session/output.c session/output.h \
	session/paths.c session/paths.h \
	session/measure/area.c session/measure/area.h \
	session/measure/choose-collectors.c session/measure/choose-collectors.h \
	session/measure/gate.c session/measure/gate.h \
	session/measure/header.c session/measure/header.h \
	session/measure/library.c session/measure/library.h \
	session/measure/measure.c session/measure/measure.h \
	session/measure/progress.c session/measure/progress.h
noinst_LIBRARIES += libmeasure.a
libmeasure_a_SOURCES = $(session_measure_sources)

if HAVE_CMOCKA
check_PROGRAMS += session/measure/test-gate
UNIT_TESTS += session/measure/test-gate
session_measure_test_gate_SOURCES = session/measure/test-gate.c
session_measure_test_gate_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
session_measure_test_gate_LDADD = libmeasure.a libcommon.a $(CMOCKA_LIBS)
endif

# Commands: everything but main() stands in a library, which the tests link too.
noinst_LIBRARIES += libcommands.a
libcommands_a_SOURCES = \
	session/commands/attach.c \
	session/commands/check.c \
	session/commands/collectors.c session/commands/collectors.h \
	session/commands/collectors-list.c \
	session/commands/collectors-session.c \
	session/commands/command.h \
	session/commands/consolidate.c \
	session/commands/control.c \
	session/commands/delete.c \
	session/commands/list.c \
	session/commands/control-options.c session/commands/control-options.h \
	session/commands/deck.c session/commands/deck.h \
	session/commands/fail.c \
	session/commands/options.c session/commands/options.h \
	session/commands/pause.c \
	session/commands/profile-options.c session/commands/profile-options.h \
	session/commands/read.c \
	session/commands/report.c \
	session/commands/run.c \
	session/commands/session-command.c session/commands/session-command.h \
	session/commands/signals.c session/commands/signals.h \
	session/commands/start.c \
	session/commands/start-command.c session/commands/start-command.h \
	session/commands/submit.c \
	session/commands/switch-collecting.c session/commands/switch-collecting.h \
	agent/transaction-write.c agent/transaction-write.h
dist_bashcompletion_DATA = session/commands/completion/vigil

if HAVE_CMOCKA
check_PROGRAMS += session/commands/test-options
UNIT_TESTS += session/commands/test-options
session_commands_test_options_SOURCES = session/commands/test-options.c
session_commands_test_options_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
session_commands_test_options_LDADD = libcommands.a libmeasure.a libcommon.a $(CMOCKA_LIBS)
endif

bin_PROGRAMS += vigil
vigil_SOURCES = session/commands/main.c
vigil_LDADD = libcommands.a libjob.a librequests.a libdatasets.a libmeasure.a libreports.a libprofile.a libsampler.a libevents.a libprogram.a libparser.a libcontrol.a \
	libengine.a libcommon.a $(NAMES_LIBS) -lm

include session/datasets/local.mk
include session/requests/local.mk
include session/job/local.mk
