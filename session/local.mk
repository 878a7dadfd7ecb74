# SPDX-License-Identifier: Apache-2.0

# Measurement sessions, and what all of session shares.
session_measure_sources = \
	session/listing-print.c session/listing-print.h \
	session/output.c session/output.h \
	session/painter-load.c session/painter-load.h \
	session/measure/area.c session/measure/area.h \
	session/measure/counting.c session/measure/counting.h \
	session/measure/choose-collectors.c session/measure/choose-collectors.h \
	session/measure/gate.c session/measure/gate.h \
	session/measure/header.c session/measure/header.h \
	session/measure/library.c session/measure/library.h \
	session/measure/measure.c session/measure/measure.h \
	session/measure/online.c session/measure/online.h \
	session/measure/privilege.c session/measure/privilege.h \
	session/measure/progress.c session/measure/progress.h \
	session/measure/recording.c session/measure/recording.h \
	session/measure/replay.c session/measure/replay.h \
	session/measure/request-settings.c session/measure/request-settings.h \
	session/measure/running.c session/measure/running.h \
	session/measure/trace-output.c session/measure/trace-output.h
noinst_LIBRARIES += libmeasure.a
libmeasure_a_SOURCES = $(session_measure_sources)

if HAVE_CMOCKA
check_PROGRAMS += session/measure/test-gate
UNIT_TESTS += session/measure/test-gate
session_measure_test_gate_SOURCES = session/measure/test-gate.c
session_measure_test_gate_LDADD = libmeasure.a libcommon.a $(CMOCKA_LIBS)
check_PROGRAMS += session/measure/test-trace-output
UNIT_TESTS += session/measure/test-trace-output
session_measure_test_trace_output_SOURCES = session/measure/test-trace-output.c
session_measure_test_trace_output_LDADD = libmeasure.a libcommon.a $(CMOCKA_LIBS)
check_PROGRAMS += session/test-listing-print
UNIT_TESTS += session/test-listing-print
session_test_listing_print_SOURCES = session/test-listing-print.c common/test-folder.c common/test-folder.h
session_test_listing_print_LDADD = libmeasure.a $(reports_test_libs) $(NAMES_LIBS) $(CMOCKA_LIBS)
endif

# Collections of system metrics, and extractions.
noinst_LIBRARIES += libcollection.a
libcollection_a_SOURCES = \
	session/collection/collection.c session/collection/collection.h \
	session/collection/data-files.c session/collection/data-files.h \
	session/collection/exposition.c session/collection/exposition.h \
	session/collection/extraction.c session/collection/extraction.h \
	session/collection/file-start.c session/collection/file-start.h \
	session/collection/guests.c session/collection/guests.h \
	session/collection/messages.c session/collection/messages.h \
	session/collection/monitor-files.c session/collection/monitor-files.h \
	session/collection/module-names.c session/collection/module-names.h \
	session/collection/scrape.c session/collection/scrape.h \
	session/collection/stored.c session/collection/stored.h \
	session/collection/when.c session/collection/when.h
libcollection_a_CFLAGS = $(AM_CFLAGS) $(MICROHTTPD_CFLAGS)

if HAVE_CMOCKA
check_PROGRAMS += session/collection/test-data-files
UNIT_TESTS += session/collection/test-data-files
session_collection_test_data_files_SOURCES = session/collection/test-data-files.c
session_collection_test_data_files_LDADD = libcollection.a libmeasure.a libmetrics.a libopened.a librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS) -lm
endif

# Commands: everything but main() stands in a library, which the tests link too.
noinst_LIBRARIES += libcommands.a
libcommands_a_SOURCES = \
	session/commands/attach.c \
	session/commands/check.c \
	session/commands/collect.c \
	session/commands/compare.c \
	session/commands/collectors.c session/commands/collectors.h \
	session/commands/collectors-list.c \
	session/commands/collectors-session.c \
	session/commands/command.h \
	session/commands/consolidate.c \
	session/commands/control.c \
	session/commands/export.c \
	session/commands/delete.c \
	session/commands/extract.c \
	session/commands/import.c \
	session/commands/replay.c \
	session/commands/guest-options.c session/commands/guest-options.h \
	session/commands/history.c \
	session/commands/history-source.c session/commands/history-source.h \
	session/commands/list.c \
	session/commands/modules.c \
	session/commands/night.c \
	session/commands/control-options.c session/commands/control-options.h \
	session/commands/deck.c session/commands/deck.h \
	session/commands/fail.c \
	session/commands/find-session.c session/commands/find-session.h \
	session/commands/online-read.c session/commands/online-read.h \
	session/commands/options.c session/commands/options.h \
	session/commands/pause.c \
	session/commands/profile-options.c session/commands/profile-options.h \
	session/commands/read.c \
	session/commands/report.c \
	session/commands/request.c \
	session/commands/run.c \
	session/commands/run-handler.c session/commands/run-handler.h \
	session/commands/session-command.c session/commands/session-command.h \
	session/commands/script-name.c session/commands/script-name.h \
	session/commands/signals.c session/commands/signals.h \
	session/commands/start.c \
	session/commands/terminal.c session/commands/terminal.h \
	session/commands/start-command.c session/commands/start-command.h \
	session/commands/submit.c \
	session/commands/switch-collecting.c session/commands/switch-collecting.h \
	session/commands/watch.c \
	agent/transaction-write.c agent/transaction-write.h
dist_bashcompletion_DATA = session/commands/completion/vigil

if HAVE_CMOCKA
check_PROGRAMS += session/commands/test-script-name
UNIT_TESTS += session/commands/test-script-name
session_commands_test_script_name_SOURCES = session/commands/test-script-name.c
session_commands_test_script_name_LDADD = libcommands.a libcommon.a $(CMOCKA_LIBS)
check_PROGRAMS += session/commands/test-options
UNIT_TESTS += session/commands/test-options
session_commands_test_options_SOURCES = session/commands/test-options.c
session_commands_test_options_LDADD = libcommands.a libmeasure.a librecords.a libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS) -lm
endif

bin_PROGRAMS += vigil
vigil_SOURCES = session/commands/main.c metrics/opened-metrics.c
vigil_LDADD = libcommands.a libwatch.a libjob.a librequests.a libresources.a libhistory.a librequeststore.a libdatasets.a libimport.a libcollection.a libmeasure.a libexports.a libreports.a libprofile.a libmetrics.a libsampler.a libevents.a libstep.a libprogram.a libparser.a libcontrol.a \
	libopened.a librecords.a libengine.a libcommon.a $(NAMES_LIBS) $(exports_libs) $(ZSTD_LIBS) $(SQLITE_LIBS) -lm

# Variants of recordings, replayed.
check_PROGRAMS += session/measure/replay-variants
session_measure_replay_variants_SOURCES = session/measure/replay-variants.c metrics/opened-metrics.c
session_measure_replay_variants_LDADD = libmeasure.a libprofile.a libmetrics.a libsampler.a libevents.a libstep.a libprogram.a \
	libopened.a librecords.a libengine.a libcommon.a $(NAMES_LIBS) $(ZSTD_LIBS) $(SQLITE_LIBS) -lm

include session/store/local.mk
include session/history/local.mk
include session/requests/local.mk
include session/library/local.mk
include session/job/local.mk
include session/import/local.mk
include session/watch/local.mk
