# SPDX-License-Identifier: Apache-2.0
# Recordings of other programs, made sample data sets.
noinst_LIBRARIES += libimport.a
libimport_a_SOURCES = \
	session/import/import.c session/import/import.h \
	session/import/import-input.c session/import/import-input.h \
	session/import/import-notes.c session/import/import-notes.h \
	session/import/imported.c session/import/imported.h \
	session/import/imported-file.c session/import/imported-file.h \
	session/import/imported-names.c session/import/imported-names.h \
	session/import/imported-objects.c session/import/imported-objects.h \
	session/import/imported-tasks.c session/import/imported-tasks.h \
	session/import/perf-import.c session/import/perf-import.h \
	session/import/perf-stacks.c session/import/perf-stacks.h \
	session/import/perf-survey.c session/import/perf-survey.h \
	session/import/perf-text.c session/import/perf-text.h \
	session/import/sample-pace.c session/import/sample-pace.h \
	session/import/survey-processes.c session/import/survey-processes.h \
	session/import/text-import.c session/import/text-import.h \
	session/import/text-stacks.c session/import/text-stacks.h \
	session/import/perf-data/perf-recording.c session/import/perf-data/perf-recording.h \
	session/import/perf-data/perf-format.h \
	session/import/perf-data/perf-header.c session/import/perf-data/perf-header.h \
	session/import/perf-data/perf-order.c session/import/perf-data/perf-order.h \
	session/import/perf-data/perf-record.c session/import/perf-data/perf-record.h \
	session/import/perf-data/perf-unpack.c session/import/perf-data/perf-unpack.h
libimport_a_CFLAGS = $(AM_CFLAGS) $(ZSTD_CFLAGS)

dist_man_MANS += doc/vigil-import.1
EXTRA_DIST += tests/import.bats tests/perf-compare.py tests/perf-file.py
EXTRA_DIST += tests/perf/README tests/perf/calls.data tests/perf/calls.txt tests/perf/dwarf.data tests/perf/pipe.data \
	tests/perf/packed.data tests/perf/switches.data tests/perf/switches.txt

if HAVE_CMOCKA
check_PROGRAMS += session/import/test-import
UNIT_TESTS += session/import/test-import
session_import_test_import_SOURCES = session/import/test-import.c $(fuzz_input)
session_import_test_import_LDADD = libimport.a libcollection.a libsampler.a libstep.a libprogram.a librecords.a libengine.a libcommon.a \
	$(NAMES_LIBS) $(ZSTD_LIBS) $(CMOCKA_LIBS) -lm
endif

# Any bytes as recordings.
import_fuzz_shared = session/import/test-imported.c session/import/test-imported.h $(fuzz_input) $(fuzz_driver)
import_fuzz_libraries = libimport.a libcollection.a libprofile.a libsampler.a libstep.a libprogram.a librecords.a libengine.a libcommon.a \
	$(NAMES_LIBS) $(ZSTD_LIBS) -lm
check_PROGRAMS += session/import/fuzz-perf-data session/import/fuzz-perf-text
session_import_fuzz_perf_data_SOURCES = session/import/fuzz-perf-data.c $(import_fuzz_shared)
session_import_fuzz_perf_data_LDFLAGS = $(fuzz_link)
session_import_fuzz_perf_data_LDADD = $(import_fuzz_libraries)
session_import_fuzz_perf_text_SOURCES = session/import/fuzz-perf-text.c $(import_fuzz_shared)
session_import_fuzz_perf_text_LDFLAGS = $(fuzz_link)
session_import_fuzz_perf_text_LDADD = $(import_fuzz_libraries)
