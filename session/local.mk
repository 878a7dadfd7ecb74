# SPDX-License-Identifier: Apache-2.0

# Measurement sessions, and what all of session shares.
session_measure_sources = \
	session/paths.c session/paths.h \
	session/measure/area.c session/measure/area.h \
	session/measure/header.c session/measure/header.h \
	session/measure/measure.c session/measure/measure.h \
	session/measure/progress.c session/measure/progress.h
noinst_LIBRARIES += libmeasure.a
libmeasure_a_SOURCES = $(session_measure_sources)

# Commands: everything but main() stands in a library, which the tests link too.
noinst_LIBRARIES += libcommands.a
libcommands_a_SOURCES = \
	session/commands/attach.c \
	session/commands/check.c \
	session/commands/command.h \
	session/commands/control.c \
	session/commands/control-run.c session/commands/control-run.h \
	session/commands/controls.c session/commands/controls.h \
	session/commands/deck.c session/commands/deck.h \
	session/commands/fail.c \
	session/commands/launch.c session/commands/launch.h \
	session/commands/options.c session/commands/options.h \
	session/commands/output.c session/commands/output.h \
	session/commands/report.c \
	session/commands/request.c session/commands/request.h \
	session/commands/run.c \
	session/commands/signals.c session/commands/signals.h \
	session/commands/submit.c
dist_bashcompletion_DATA = session/commands/completion/vigil

if HAVE_CMOCKA
check_PROGRAMS += session/commands/test-options
UNIT_TESTS += session/commands/test-options
session_commands_test_options_SOURCES = session/commands/test-options.c
session_commands_test_options_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
session_commands_test_options_LDADD = libcommands.a libcommon.a $(CMOCKA_LIBS)
endif

bin_PROGRAMS += vigil
vigil_SOURCES = session/commands/main.c
vigil_LDADD = libcommands.a libjob.a libmeasure.a libreports.a libsampler.a libparser.a libcontrol.a \
	libengine.a libcommon.a $(NAMES_LIBS) -lm
# Running jobs.
noinst_LIBRARIES += libjob.a
libjob_a_SOURCES = \
	session/job/abend.c session/job/abend.h \
	session/job/allocate.c session/job/allocate.h \
	session/job/catalog.c session/job/catalog.h \
	session/job/conditions.c session/job/conditions.h \
	session/job/data-sets.c \
	session/job/dispositions.c \
	session/job/environment.c session/job/environment.h \
	session/job/guard.c session/job/guard.h \
	session/job/job.c session/job/job.h \
	session/job/launch.c session/job/launch.h \
	session/job/learned.c session/job/learned.h \
	session/job/lock.c session/job/lock.h \
	session/job/log.c session/job/log.h \
	session/job/measured.c session/job/measured.h \
	session/job/own-cards.c \
	session/job/processes.c session/job/processes.h \
	session/job/program.c session/job/program.h \
	session/job/request.c \
	session/job/runner.h \
	session/job/search.c session/job/search.h \
	session/job/spool.c session/job/spool.h \
	session/job/step.c session/job/step.h \
	session/job/supervise.c session/job/supervise.h

# The utilities: each a program of its own, found by session/job/program.c.
noinst_LIBRARIES += libutility.a
libutility_a_SOURCES = \
	session/utilities/records.c session/utilities/records.h \
	session/utilities/utility.c session/utilities/utility.h
pkglibexec_PROGRAMS += \
	session/utilities/bpxbatch \
	session/utilities/cobol-step \
	session/utilities/idcams \
	session/utilities/iebgener \
	session/utilities/iefbr14 \
	session/utilities/sort \
	session/utilities/vigil
session_utilities_bpxbatch_SOURCES = session/utilities/bpxbatch.c
session_utilities_bpxbatch_LDADD = libutility.a libcommon.a
session_utilities_cobol_step_SOURCES = session/utilities/cobol-step.c
session_utilities_cobol_step_LDADD = libcommon.a
session_utilities_idcams_SOURCES = session/utilities/idcams.c
session_utilities_idcams_LDADD = libutility.a libjob.a libcommon.a
session_utilities_iebgener_SOURCES = session/utilities/iebgener.c
session_utilities_iebgener_LDADD = libutility.a libcommon.a
session_utilities_iefbr14_SOURCES = session/utilities/iefbr14.c
session_utilities_sort_SOURCES = \
	session/utilities/sort.c \
	session/utilities/sort-compare.c session/utilities/sort-compare.h \
	session/utilities/sort-request.c session/utilities/sort-request.h
session_utilities_sort_LDADD = libutility.a libcommon.a
session_utilities_vigil_SOURCES = session/utilities/vigil.c
session_utilities_vigil_LDADD = libcommands.a libutility.a libreports.a libcontrol.a libengine.a \
	libcommon.a $(ZLIB_LIBS) -lm
if !SANITIZERS
# It does nothing, so that starting it is all it costs: no dynamic loading.
session_utilities_iefbr14_LDFLAGS = -all-static
endif

if HAVE_CMOCKA
check_PROGRAMS += session/job/test-job
UNIT_TESTS += session/job/test-job
session_job_test_job_SOURCES = session/job/test-job.c
session_job_test_job_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
session_job_test_job_LDADD = libjob.a libmeasure.a libreports.a libsampler.a libparser.a libcontrol.a \
	libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS) -lm
endif
