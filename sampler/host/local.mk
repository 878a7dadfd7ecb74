# SPDX-License-Identifier: Apache-2.0
# Part of libsampler: the sampler's side of a data collector's process, and reading names from its
# object without loading it.
sampler_host_sources = \
	sampler/host/aliases.c sampler/host/aliases.h \
	sampler/host/client.c sampler/host/client.h \
	sampler/host/protocol.h

# collector-host, the process in which a data collector runs. It uses only sched-slice.c of libsampler.
pkglibexec_PROGRAMS += sampler/host/collector-host
sampler_host_collector_host_SOURCES = \
	sampler/host/access.c sampler/host/access.h \
	sampler/host/answer.c sampler/host/answer.h \
	sampler/host/guarded-read.c sampler/host/guarded-read.h \
	sampler/host/host.c \
	sampler/host/load.c sampler/host/load.h \
	sampler/host/process.c sampler/host/process.h \
	sampler/host/symbol-files.c sampler/host/symbol-files.h
sampler_host_collector_host_LDADD = libsampler.a libprogram.a libcommon.a

# Collectors for the tests, built as users build theirs.
fault_collectors = identifier version name short_prefix no_section many_sections full_sections \
	wild_sections wild_programs many_programs no_entry unresolved crash nothing
test_collectors = tests/collectors/ask.so $(fault_collectors:%=tests/collectors/fault-%.so)
check_DATA += $(test_collectors)
CLEANFILES += $(test_collectors)
EXTRA_DIST += tests/collectors/ask.c tests/collectors/fault.c
build_collector = $(AM_V_CC)$(MKDIR_P) tests/collectors && $(CC) -shared -fPIC -O2 -g \
	-I'$(top_srcdir)/include'
tests/collectors/fault-%.so: $(top_srcdir)/tests/collectors/fault.c include/vigil/collector.h
	$(build_collector) -DFAULT="$$(echo $* | tr a-z A-Z)" -o $@ $<
tests/collectors/%.so: $(top_srcdir)/tests/collectors/%.c include/vigil/collector.h
	$(build_collector) -o $@ $<

if HAVE_CMOCKA
check_PROGRAMS += sampler/host/test-host
UNIT_TESTS += sampler/host/test-host
sampler_host_test_host_SOURCES = sampler/host/test-host.c sampler/host/test-host.h sampler/host/test-host-drive.c
sampler_host_test_host_LDADD = libsampler.a libprogram.a libcommon.a $(CMOCKA_LIBS) -lelf
EXTRA_sampler_host_test_host_DEPENDENCIES = $(test_collectors) sampler/host/collector-host$(EXEEXT)
endif

# Tests of faulty collectors in a whole session.
EXTRA_DIST += tests/collectors-safety.bats tests/programs/switcher.c tests/collectors/STRBBAD.c \
	tests/collectors/STRBGOOD.c tests/collectors/STRBSWIT.c
