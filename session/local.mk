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
vigil_LDADD = libcommands.a libjob.a libdatasets.a libmeasure.a libreports.a libsampler.a libparser.a libcontrol.a \
	libengine.a libcommon.a $(NAMES_LIBS) -lm
# Data sets: shared by jobs and utilities.
noinst_LIBRARIES += libdatasets.a
libdatasets_a_SOURCES = \
	session/datasets/attributes.c session/datasets/attributes.h \
	session/datasets/catalog.c session/datasets/catalog.h \
	session/datasets/entries.c \
	session/datasets/folders.c session/datasets/folders.h \
	session/datasets/generations.c session/datasets/generations.h \
	session/datasets/indexed.c session/datasets/indexed.h session/datasets/indexed-module.h \
	session/datasets/lock.c session/datasets/lock.h \
	session/datasets/records.c session/datasets/records.h \
	session/datasets/records-buffer.c session/datasets/records-buffer.h \
	session/datasets/records-variable.c session/datasets/records-variable.h \
	session/paths.c session/paths.h

# Indexed and relative files, through GnuCOBOL's library: loaded when there is one to open.
if HAVE_LIBCOB
pkglib_LTLIBRARIES += session/datasets/indexed.la
session_datasets_indexed_la_SOURCES = \
	common/xalloc.c common/xalloc.h \
	session/datasets/indexed-module.c session/datasets/indexed-module.h
session_datasets_indexed_la_CFLAGS = $(VIGIL_CFLAGS)
session_datasets_indexed_la_LDFLAGS = -module -avoid-version -export-symbols-regex '^vigil_indexed_module$$'
session_datasets_indexed_la_LIBADD = $(LIBCOB_LIBS)
endif

if HAVE_CMOCKA
check_PROGRAMS += session/datasets/test-catalog
UNIT_TESTS += session/datasets/test-catalog
session_datasets_test_catalog_SOURCES = session/datasets/test-catalog.c
session_datasets_test_catalog_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
session_datasets_test_catalog_LDFLAGS = -Wl,--wrap=getxattr -Wl,--wrap=setxattr
session_datasets_test_catalog_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += session/datasets/test-records
UNIT_TESTS += session/datasets/test-records
session_datasets_test_records_SOURCES = session/datasets/test-records.c
session_datasets_test_records_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
session_datasets_test_records_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += session/datasets/test-indexed
UNIT_TESTS += session/datasets/test-indexed
session_datasets_test_indexed_SOURCES = session/datasets/test-indexed.c
session_datasets_test_indexed_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
session_datasets_test_indexed_LDADD = libdatasets.a libcommon.a $(CMOCKA_LIBS)
endif

# Running jobs.
noinst_LIBRARIES += libjob.a
libjob_a_SOURCES = \
	session/job/abend.c session/job/abend.h \
	session/job/allocate.c session/job/allocate.h \
	session/job/concatenate.c session/job/concatenate.h \
	session/job/conditions.c session/job/conditions.h \
	session/job/data-sets.c session/job/data-sets.h \
	session/job/dispositions.c \
	session/job/environment.c session/job/environment.h \
	session/job/groups.c session/job/groups.h \
	session/job/guard.c session/job/guard.h \
	session/job/jes.h session/job/jesjcl.c session/job/jesysmsg.c \
	session/job/job.c session/job/job.h \
	session/job/launch.c session/job/launch.h \
	session/job/learned.c session/job/learned.h \
	session/job/log.c session/job/log.h \
	session/job/measured.c session/job/measured.h \
	session/job/own-cards.c \
	session/job/parm.c session/job/parm.h \
	session/job/processes.c session/job/processes.h \
	session/job/program.c session/job/program.h \
	session/job/reader.c session/job/reader.h \
	session/job/request.c \
	session/job/reserve.c session/job/reserve.h \
	session/job/runner.h \
	session/job/search.c session/job/search.h \
	session/job/spool.c session/job/spool.h \
	session/job/step.c session/job/step.h \
	session/job/supervise.c session/job/supervise.h

# The utilities: each a program of its own, found by session/job/search.c.
noinst_LIBRARIES += libutility.a
libutility_a_SOURCES = \
	session/utilities/arguments.c \
	session/utilities/dd.c session/utilities/dd.h \
	session/utilities/utility.c session/utilities/utility.h
pkglibexec_PROGRAMS += \
	session/utilities/bpxbatch \
	session/utilities/cobol-step \
	session/utilities/idcams \
	session/utilities/iebcopy \
	session/utilities/iebgener \
	session/utilities/iebupdte \
	session/utilities/iefbr14 \
	session/utilities/iehprogm \
	session/utilities/ikjeft01 \
	session/utilities/sort \
	session/utilities/vigil
session_utilities_bpxbatch_SOURCES = \
	session/utilities/bpxbatch.c \
	session/utilities/preload.c session/utilities/preload.h
session_utilities_bpxbatch_LDADD = libutility.a libdatasets.a libcommon.a
session_utilities_cobol_step_SOURCES = session/utilities/cobol-step.c
session_utilities_cobol_step_LDADD = libcommon.a
session_utilities_idcams_SOURCES = session/utilities/idcams.c
noinst_LIBRARIES += libidcams.a
libidcams_a_SOURCES = \
	session/utilities/idcams.h session/utilities/idcams-tree.h \
	session/utilities/idcams-alter.c \
	session/utilities/idcams-check.c \
	session/utilities/idcams-define.c \
	session/utilities/idcams-delete.c \
	session/utilities/idcams-execute.c \
	session/utilities/idcams-index.c session/utilities/idcams-index.h \
	session/utilities/idcams-listcat.c \
	session/utilities/idcams-listing.c session/utilities/idcams-listing.h \
	session/utilities/idcams-parse.c \
	session/utilities/idcams-print.c \
	session/utilities/idcams-repro.c \
	session/utilities/idcams-scan.c \
	session/utilities/idcams-set.c session/utilities/idcams-set.h \
	session/utilities/idcams-table.c
session_utilities_idcams_LDADD = libidcams.a libutility.a libdatasets.a libcommon.a
if HAVE_CMOCKA
check_PROGRAMS += session/utilities/test-idcams
UNIT_TESTS += session/utilities/test-idcams
session_utilities_test_idcams_SOURCES = session/utilities/test-idcams.c
session_utilities_test_idcams_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
session_utilities_test_idcams_LDADD = libidcams.a libutility.a libdatasets.a libcommon.a $(CMOCKA_LIBS)
endif
if FUZZERS
noinst_PROGRAMS += session/datasets/fuzz-records
session_datasets_fuzz_records_SOURCES = session/datasets/fuzz-records.c
session_datasets_fuzz_records_LDFLAGS = -fsanitize=fuzzer
session_datasets_fuzz_records_LDADD = libdatasets.a libcommon.a
noinst_PROGRAMS += session/utilities/fuzz-idcams
session_utilities_fuzz_idcams_SOURCES = session/utilities/fuzz-idcams.c
session_utilities_fuzz_idcams_LDFLAGS = -fsanitize=fuzzer
session_utilities_fuzz_idcams_LDADD = libidcams.a libutility.a libdatasets.a libcommon.a
endif
session_utilities_iebcopy_SOURCES = \
	session/utilities/iebcopy.c \
	session/utilities/iebcopy-request.c session/utilities/iebcopy-request.h \
	session/utilities/iebcopy-unload.c session/utilities/iebcopy-unload.h \
	session/utilities/members.c session/utilities/members.h
session_utilities_iebcopy_LDADD = libutility.a libdatasets.a libcommon.a
session_utilities_iebgener_SOURCES = \
	session/utilities/iebgener.c \
	session/utilities/iebgener-edit.c session/utilities/iebgener-edit.h \
	session/utilities/iebgener-request.c session/utilities/iebgener-request.h \
	session/utilities/members.c session/utilities/members.h
session_utilities_iebgener_LDADD = libutility.a libdatasets.a libcommon.a
session_utilities_iebupdte_SOURCES = \
	session/utilities/iebupdte.c \
	session/utilities/iebupdte-cards.c session/utilities/iebupdte-cards.h \
	session/utilities/iebupdte-change.c session/utilities/iebupdte-change.h \
	session/utilities/members.c session/utilities/members.h
session_utilities_iebupdte_LDADD = libutility.a libdatasets.a libcommon.a
session_utilities_iefbr14_SOURCES = session/utilities/iefbr14.c
session_utilities_iehprogm_SOURCES = session/utilities/iehprogm.c
session_utilities_iehprogm_LDADD = libutility.a libjob.a libdatasets.a libcommon.a
session_utilities_ikjeft01_SOURCES = \
	session/utilities/ikjeft01.c \
	session/utilities/preload.c session/utilities/preload.h \
	session/utilities/tso-allocate.c \
	session/utilities/tso-copy.c \
	session/utilities/tso-data-sets.c \
	session/utilities/tso-run.c \
	session/utilities/tso-words.c \
	session/utilities/tso.h
session_utilities_ikjeft01_LDADD = libutility.a libjob.a libdatasets.a libcommon.a
# All of SORT but its main program, which its tests link too.
noinst_LIBRARIES += libsort.a
libsort_a_SOURCES = \
	session/utilities/sort-condition.c session/utilities/sort-condition.h \
	session/utilities/sort-date.c session/utilities/sort-date.h \
	session/utilities/sort-edit.c session/utilities/sort-edit.h \
	session/utilities/sort-field.c session/utilities/sort-field.h \
	session/utilities/sort-input.c session/utilities/sort-input.h \
	session/utilities/sort-item.c session/utilities/sort-item.h \
	session/utilities/sort-item-parse.c \
	session/utilities/sort-keys.c session/utilities/sort-keys.h \
	session/utilities/sort-merge.c session/utilities/sort-merge.h \
	session/utilities/sort-order.c session/utilities/sort-order.h \
	session/utilities/sort-outfil.c session/utilities/sort-outfil.h \
	session/utilities/sort-output.c session/utilities/sort-output.h \
	session/utilities/sort-reformat.c session/utilities/sort-reformat.h \
	session/utilities/sort-reformat-parse.c \
	session/utilities/sort-report.c session/utilities/sort-report.h \
	session/utilities/sort-request.c session/utilities/sort-request.h \
	session/utilities/sort-scan.c session/utilities/sort-scan.h \
	session/utilities/sort-sorter.c session/utilities/sort-sorter.h \
	session/utilities/sort-squeeze.c session/utilities/sort-squeeze.h \
	session/utilities/sort-sum.c session/utilities/sort-sum.h \
	session/utilities/sort-symbols.c session/utilities/sort-symbols.h \
	session/utilities/sort-value.c session/utilities/sort-value.h
if HAVE_CMOCKA
check_PROGRAMS += session/utilities/test-sort
UNIT_TESTS += session/utilities/test-sort
session_utilities_test_sort_SOURCES = session/utilities/test-sort.c
session_utilities_test_sort_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
session_utilities_test_sort_LDADD = libsort.a libutility.a libdatasets.a libcommon.a $(CMOCKA_LIBS)
endif
if FUZZERS
noinst_PROGRAMS += session/utilities/fuzz-sort
session_utilities_fuzz_sort_SOURCES = session/utilities/fuzz-sort.c
session_utilities_fuzz_sort_LDFLAGS = -fsanitize=fuzzer
session_utilities_fuzz_sort_LDADD = libsort.a libutility.a libdatasets.a libcommon.a
endif
session_utilities_sort_SOURCES = session/utilities/sort.c
session_utilities_sort_LDADD = libsort.a libutility.a libdatasets.a libcommon.a
session_utilities_vigil_SOURCES = session/utilities/vigil.c
session_utilities_vigil_LDADD = libcommands.a libutility.a libdatasets.a libreports.a libcontrol.a libengine.a \
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
session_job_test_job_LDADD = libjob.a libdatasets.a libmeasure.a libreports.a libsampler.a libparser.a libcontrol.a \
	libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS) -lm
endif

# Compiling and binding COBOL, and the procedures that do both.
pkglibexec_PROGRAMS += session/utilities/igycrctl session/utilities/iewl
session_utilities_igycrctl_SOURCES = \
	session/utilities/cobc.c session/utilities/cobc.h \
	session/utilities/igycrctl.c
session_utilities_igycrctl_LDADD = libutility.a libdatasets.a libcommon.a
session_utilities_iewl_SOURCES = \
	session/utilities/cobc.c session/utilities/cobc.h \
	session/utilities/iewl.c
session_utilities_iewl_LDADD = libutility.a libdatasets.a libcommon.a
proclibdir = $(pkgdatadir)/proclib
dist_proclib_DATA = \
	session/proclib/IGYWC.jcl \
	session/proclib/IGYWCL.jcl \
	session/proclib/IGYWCLG.jcl
# A vigil that runs from its build folder finds copies there.
all-local: proclib/copied
proclib/copied: $(dist_proclib_DATA)
	$(AM_V_GEN)$(MKDIR_P) proclib && cp -f $^ proclib/ && touch $@
CLEANFILES += proclib/*
