# SPDX-License-Identifier: Apache-2.0
# The data collectors that come with vigil: shared objects, loaded by collector-host. They speak with
# vigil through include/vigil/collector.h alone, and are linked with none of its libraries: what they
# use of common/ and program/ is compiled into them (its functions are not the host's). They include
# nothing else of vigil. Never with sanitizers: the host knows nothing of those.
collectorsdir = $(pkglibdir)/features
collectors_LTLIBRARIES =
COLLECTOR_LDFLAGS = -module -avoid-version -no-undefined

# What the collectors of interpreters have in common.
interpreter_sources = \
	sampler/collectors/interpreter.c sampler/collectors/interpreter.h \
	sampler/collectors/loop.c sampler/collectors/loop.h \
	sampler/collectors/pages.c sampler/collectors/pages.h \
	sampler/collectors/process-table.c sampler/collectors/process-table.h

# Python: module, function and line of the Python program.
collectors_LTLIBRARIES += sampler/collectors/STRBPYTH.la
sampler_collectors_STRBPYTH_la_SOURCES = $(interpreter_sources) \
	sampler/collectors/python.c \
	sampler/collectors/python-code.c sampler/collectors/python-code.h \
	sampler/collectors/python-layout.c sampler/collectors/python-layout.h \
	sampler/collectors/python-text.c
sampler_collectors_STRBPYTH_la_CFLAGS = $(VIGIL_CFLAGS)
sampler_collectors_STRBPYTH_la_LDFLAGS = $(COLLECTOR_LDFLAGS)

# Perl: package, sub and line of the Perl program.
collectors_LTLIBRARIES += sampler/collectors/STRBPERL.la
sampler_collectors_STRBPERL_la_SOURCES = $(interpreter_sources) \
	sampler/collectors/perl.c \
	sampler/collectors/perl-layout.c sampler/collectors/perl-layout.h \
	sampler/collectors/perl-names.c sampler/collectors/perl-names.h \
	sampler/collectors/perl-threads.c sampler/collectors/perl-threads.h \
	sampler/collectors/remember.c sampler/collectors/remember.h
sampler_collectors_STRBPERL_la_CFLAGS = $(VIGIL_CFLAGS)
sampler_collectors_STRBPERL_la_LDFLAGS = $(COLLECTOR_LDFLAGS)

# Calls a collector for a stopped process, without a session.
check_PROGRAMS += sampler/collectors/test-collector-drive
sampler_collectors_test_collector_drive_SOURCES = sampler/collectors/test-collector-drive.c
sampler_collectors_test_collector_drive_LDADD = $(ELFUTILS_LIBS) -ldl

# PostgreSQL: the transaction is the query.
collectors_LTLIBRARIES += sampler/collectors/STRBPOST.la
sampler_collectors_STRBPOST_la_SOURCES = \
	common/fingerprint.c common/fingerprint.h \
	sampler/collectors/image.c sampler/collectors/image.h \
	sampler/collectors/postgres.c \
	sampler/collectors/postgres-statements.c sampler/collectors/postgres-statements.h
sampler_collectors_STRBPOST_la_CFLAGS = $(VIGIL_CFLAGS)
sampler_collectors_STRBPOST_la_LDFLAGS = $(COLLECTOR_LDFLAGS)
if HAVE_CMOCKA
check_PROGRAMS += sampler/collectors/test-postgres
UNIT_TESTS += sampler/collectors/test-postgres
sampler_collectors_test_postgres_SOURCES = sampler/collectors/test-postgres.c \
	$(sampler_collectors_STRBPOST_la_SOURCES)
sampler_collectors_test_postgres_LDADD = $(CMOCKA_LIBS)
endif

# The shells: script, function and line.
shell_sources = \
	common/procfs.c common/procfs.h \
	sampler/collectors/image.c sampler/collectors/image.h \
	sampler/collectors/loop.c sampler/collectors/loop.h \
	sampler/collectors/shell.c sampler/collectors/shell.h
collectors_LTLIBRARIES += sampler/collectors/STRBBASH.la
sampler_collectors_STRBBASH_la_SOURCES = $(shell_sources) sampler/collectors/bash.c
sampler_collectors_STRBBASH_la_CFLAGS = $(VIGIL_CFLAGS)
sampler_collectors_STRBBASH_la_LDFLAGS = $(COLLECTOR_LDFLAGS)
collectors_LTLIBRARIES += sampler/collectors/STRBDASH.la
sampler_collectors_STRBDASH_la_SOURCES = $(shell_sources) sampler/collectors/dash.c \
	sampler/collectors/dash-functions.c sampler/collectors/dash-functions.h \
	sampler/collectors/dash-layout.c sampler/collectors/dash-layout.h \
	program/objects/cursor.c program/objects/cursor.h \
	program/objects/frame-header.c program/objects/frame-header.h
sampler_collectors_STRBDASH_la_CFLAGS = $(VIGIL_CFLAGS)
sampler_collectors_STRBDASH_la_LDFLAGS = $(COLLECTOR_LDFLAGS)
