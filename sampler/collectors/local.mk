# SPDX-License-Identifier: Apache-2.0
# The data collectors that come with vigil: shared objects on include/vigil/collector.h alone,
# loaded by collector-host. Never with sanitizers: the host knows nothing of those.
collectorsdir = $(pkglibdir)/collectors
collectors_LTLIBRARIES =
COLLECTOR_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/include
COLLECTOR_LDFLAGS = -module -avoid-version -no-undefined

# PostgreSQL: the transaction is the query.
collectors_LTLIBRARIES += sampler/collectors/STRBPOST.la
sampler_collectors_STRBPOST_la_SOURCES = \
	sampler/collectors/fingerprint.c sampler/collectors/fingerprint.h \
	sampler/collectors/image.c sampler/collectors/image.h \
	sampler/collectors/postgres.c
sampler_collectors_STRBPOST_la_CPPFLAGS = $(COLLECTOR_CPPFLAGS)
sampler_collectors_STRBPOST_la_CFLAGS = $(VIGIL_CFLAGS)
sampler_collectors_STRBPOST_la_LDFLAGS = $(COLLECTOR_LDFLAGS)
if HAVE_CMOCKA
check_PROGRAMS += sampler/collectors/test-fingerprint
UNIT_TESTS += sampler/collectors/test-fingerprint
sampler_collectors_test_fingerprint_SOURCES = sampler/collectors/test-fingerprint.c \
	sampler/collectors/fingerprint.c sampler/collectors/fingerprint.h
sampler_collectors_test_fingerprint_CPPFLAGS = $(COLLECTOR_CPPFLAGS)
sampler_collectors_test_fingerprint_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_collectors_test_fingerprint_LDADD = $(CMOCKA_LIBS)
endif

# The shells: script, function and line.
shell_sources = \
	sampler/collectors/image.c sampler/collectors/image.h \
	sampler/collectors/shell.c sampler/collectors/shell.h
collectors_LTLIBRARIES += sampler/collectors/STRBBASH.la
sampler_collectors_STRBBASH_la_SOURCES = $(shell_sources) sampler/collectors/bash.c
sampler_collectors_STRBBASH_la_CPPFLAGS = $(COLLECTOR_CPPFLAGS)
sampler_collectors_STRBBASH_la_CFLAGS = $(VIGIL_CFLAGS)
sampler_collectors_STRBBASH_la_LDFLAGS = $(COLLECTOR_LDFLAGS)
collectors_LTLIBRARIES += sampler/collectors/STRBDASH.la
sampler_collectors_STRBDASH_la_SOURCES = $(shell_sources) sampler/collectors/dash.c \
	sampler/collectors/dash-functions.c sampler/collectors/dash-functions.h \
	sampler/collectors/dash-layout.c sampler/collectors/dash-layout.h
sampler_collectors_STRBDASH_la_CPPFLAGS = $(COLLECTOR_CPPFLAGS)
sampler_collectors_STRBDASH_la_CFLAGS = $(VIGIL_CFLAGS)
sampler_collectors_STRBDASH_la_LDFLAGS = $(COLLECTOR_LDFLAGS)
