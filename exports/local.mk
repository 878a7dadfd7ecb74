# SPDX-License-Identifier: Apache-2.0
# Exports of sessions in the formats of other tools.
noinst_LIBRARIES += libexports.a
libexports_a_SOURCES = \
	exports/callgrind.c \
	exports/chrome.c \
	exports/cobertura.c \
	exports/export.c exports/export.h \
	exports/export-form.c exports/export-form.h \
	exports/firefox.c \
	exports/folded.c \
	exports/lcov.c \
	exports/perf-script.c \
	exports/speedscope.c \
	exports/stack-view.c exports/stack-view.h \
	exports/timed.c exports/timed.h
EXTRA_DIST += exports/pprof.proto exports/otlp.proto

# What libexports needs in addition to the project's libraries.
exports_libs = $(ZLIB_LIBS) $(PROTOBUF_C_LIBS)

if HAVE_PROTOBUF_C
libexports_a_SOURCES += \
	exports/address-map.c exports/address-map.h \
	exports/otlp.c \
	exports/packed.c exports/packed.h \
	exports/pprof.c
nodist_libexports_a_SOURCES = exports/otlp.pb-c.c exports/pprof.pb-c.c
libexports_a_CFLAGS = $(AM_CFLAGS) $(PROTOBUF_C_CFLAGS)
BUILT_SOURCES += exports/otlp.pb-c.h exports/pprof.pb-c.h
CLEANFILES += exports/otlp.pb-c.c exports/otlp.pb-c.h exports/pprof.pb-c.c exports/pprof.pb-c.h

exports/%.pb-c.c: exports/%.proto
	$(AM_V_GEN)$(PROTOC_C) -I$(srcdir)/exports --c_out=exports $(srcdir)/exports/$*.proto
exports/%.pb-c.h: exports/%.pb-c.c
	@test -f $@ || { rm -f exports/$*.pb-c.c; $(MAKE) $(AM_MAKEFLAGS) exports/$*.pb-c.c; }
exports/libexports_a-pprof.$(OBJEXT): exports/pprof.pb-c.h
exports/libexports_a-otlp.$(OBJEXT): exports/otlp.pb-c.h
endif

if HAVE_CMOCKA
check_PROGRAMS += exports/test-exports
UNIT_TESTS += exports/test-exports
exports_test_exports_SOURCES = exports/test-exports.c
exports_test_exports_LDADD = libfixture.a libexports.a libprofile.a librecords.a libengine.a libcommon.a \
	$(exports_libs) -lm $(CMOCKA_LIBS)
endif
dist_man_MANS += doc/vigil-export.1
EXTRA_DIST += tests/coverage-reports.bats tests/cobertura.dtd
EXTRA_DIST += tests/exports.bats tests/exports.py tests/wire.py \
	tests/speedscope/CHECKSUMS tests/speedscope/LICENSE tests/speedscope/README tests/speedscope/file-format-schema.json \
	tests/speedscope/index.html tests/speedscope/release.txt tests/speedscope/speedscope-GHPHNKXC.css \
	tests/speedscope/speedscope-Y2522XSH.js

check_PROGRAMS += exports/fuzz-exports
exports_fuzz_exports_SOURCES = exports/fuzz-exports.c $(fuzz_input) $(fuzz_blocks) $(fuzz_driver)
exports_fuzz_exports_LDFLAGS = $(fuzz_link)
exports_fuzz_exports_LDADD = libexports.a libprofile.a librecords.a libengine.a libcommon.a $(exports_libs) -lm
