# SPDX-License-Identifier: Apache-2.0
# The data collectors that come with vigil: shared objects, loaded by collector-host. They speak with
# vigil through include/vigil/collector.h alone, and are linked with none of its libraries: what they
# use of common/ and program/ is compiled into them (its functions are not the host's). They include
# nothing else of vigil. Never with sanitizers: the host knows nothing of those.
collectorsdir = $(pkglibdir)/features
collectors_LTLIBRARIES =
COLLECTOR_LDFLAGS = -module -avoid-version -no-undefined -Wl,-z,defs

# What the collectors of interpreters have in common.
interpreter_sources = \
	collectors/interpreter.c collectors/interpreter.h \
	collectors/loop.c collectors/loop.h \
	collectors/pages.c collectors/pages.h \
	collectors/process-table.c collectors/process-table.h

# Python: module, function and line of the Python program.
collectors_LTLIBRARIES += collectors/STRBPYTH.la
collectors_STRBPYTH_la_SOURCES = $(interpreter_sources) \
	collectors/python.c \
	collectors/python-code.c collectors/python-code.h \
	collectors/python-layout.c collectors/python-layout.h \
	collectors/python-text.c
collectors_STRBPYTH_la_CFLAGS = $(VIGIL_CFLAGS)
collectors_STRBPYTH_la_LDFLAGS = $(COLLECTOR_LDFLAGS)

# Perl: package, sub and line of the Perl program.
collectors_LTLIBRARIES += collectors/STRBPERL.la
collectors_STRBPERL_la_SOURCES = $(interpreter_sources) \
	collectors/perl.c \
	collectors/perl-layout.c collectors/perl-layout.h \
	collectors/perl-names.c collectors/perl-names.h \
	collectors/perl-threads.c collectors/perl-threads.h \
	collectors/remember.c collectors/remember.h
collectors_STRBPERL_la_CFLAGS = $(VIGIL_CFLAGS)
collectors_STRBPERL_la_LDFLAGS = $(COLLECTOR_LDFLAGS)

# Calls a collector for a stopped process, without a session.
check_PROGRAMS += collectors/test-collector-drive
collectors_test_collector_drive_SOURCES = collectors/test-collector-drive.c
collectors_test_collector_drive_LDADD = $(ELFUTILS_LIBS) -ldl

# PostgreSQL: the transaction is the query.
collectors_LTLIBRARIES += collectors/STRBPOST.la
collectors_STRBPOST_la_SOURCES = \
	common/fingerprint.c common/fingerprint.h \
	collectors/image.c collectors/image.h \
	collectors/postgres.c \
	collectors/postgres-statements.c collectors/postgres-statements.h
collectors_STRBPOST_la_CFLAGS = $(VIGIL_CFLAGS)
collectors_STRBPOST_la_LDFLAGS = $(COLLECTOR_LDFLAGS)
if HAVE_CMOCKA
check_PROGRAMS += collectors/test-postgres
UNIT_TESTS += collectors/test-postgres
collectors_test_postgres_SOURCES = collectors/test-postgres.c \
	$(collectors_STRBPOST_la_SOURCES)
collectors_test_postgres_LDADD = $(CMOCKA_LIBS)
endif

# The shells: script, function and line.
shell_sources = \
	common/outside.c common/outside.h \
	common/procfs.c common/procfs.h \
	collectors/image.c collectors/image.h \
	collectors/loop.c collectors/loop.h \
	collectors/shell.c collectors/shell.h
collectors_LTLIBRARIES += collectors/STRBBASH.la
collectors_STRBBASH_la_SOURCES = $(shell_sources) collectors/bash.c
collectors_STRBBASH_la_CFLAGS = $(VIGIL_CFLAGS)
collectors_STRBBASH_la_LDFLAGS = $(COLLECTOR_LDFLAGS)
collectors_LTLIBRARIES += collectors/STRBDASH.la
collectors_STRBDASH_la_SOURCES = $(shell_sources) collectors/dash.c \
	collectors/dash-functions.c collectors/dash-functions.h \
	collectors/dash-layout.c collectors/dash-layout.h \
	program/objects/cursor.c program/objects/cursor.h \
	program/objects/frame-header.c program/objects/frame-header.h
collectors_STRBDASH_la_CFLAGS = $(VIGIL_CFLAGS)
collectors_STRBDASH_la_LDFLAGS = $(COLLECTOR_LDFLAGS)
