# SPDX-License-Identifier: Apache-2.0
# Observing a step: the address space and its objects, stacks, names, the sampler itself.
noinst_LIBRARIES += libsampler.a
libsampler_a_SOURCES = $(sampler_unwind_sources) $(sampler_names_sources) $(sampler_core_sources)

# Objects, address-space maps, call-frame tables, the walk.
sampler_unwind_sources = \
	sampler/object.c sampler/object.h \
	sampler/object-open.c sampler/object-open.h \
	sampler/proc-maps.c sampler/proc-maps.h \
	sampler/space.c sampler/space.h \
	sampler/unwind.h

# Names of addresses.
sampler_names_sources = \
	sampler/cobol-scan.c sampler/cobol-scan.h \
	sampler/debuginfod.c sampler/debuginfod.h \
	sampler/demangle.c sampler/demangle.h \
	sampler/gnucobol.c sampler/gnucobol.h \
	sampler/names-cobol.c sampler/names-cobol.h \
	sampler/names-debugfile.c sampler/names-debugfile.h \
	sampler/names-dwarf.c sampler/names-dwarf.h \
	sampler/names-lists.c sampler/names-lists.h \
	sampler/names-plt.c \
	sampler/names-ranges.c \
	sampler/names-routines.c \
	sampler/names-source.c sampler/names-source.h \
	sampler/names-symbols.c sampler/names-symbols.h \
	sampler/names-unit.c sampler/names-unit.h \
	sampler/names.c sampler/names.h \
	sampler/unit-language.c sampler/unit-language.h
# What a program that resolves names is linked with.
NAMES_LIBS = $(ELFUTILS_LIBS) $(LZMA_LIBS) $(ZLIB_LIBS) $(DEMANGLE_LIBS)

# The sampler.
sampler_core_sources = sampler/sampler.h

# The library applications call, and the one put into a step to keep its return code.
lib_LTLIBRARIES += libvigil.la
libvigil_la_SOURCES = sampler/agent/transaction.c common/transaction_area.h
libvigil_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/include
# Never with sanitizers: they are loaded into programs that know nothing of those.
libvigil_la_CFLAGS = $(VIGIL_CFLAGS)
libvigil_la_LDFLAGS = -version-info 0:0:0 -no-undefined
include_vigil_HEADERS += include/vigil/vigil.h
pkgconfig_DATA += include/vigil/vigil.pc
pkglib_LTLIBRARIES += sampler/agent/vigil-step.la
sampler_agent_vigil_step_la_SOURCES = sampler/agent/step.c
sampler_agent_vigil_step_la_CFLAGS = $(VIGIL_CFLAGS)
sampler_agent_vigil_step_la_LDFLAGS = -module -avoid-version -no-undefined

if HAVE_CMOCKA
check_PROGRAMS += sampler/test-names
UNIT_TESTS += sampler/test-names
sampler_test_names_SOURCES = sampler/test-names.c
sampler_test_names_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_names_LDADD = libsampler.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += sampler/agent/test-transaction
UNIT_TESTS += sampler/agent/test-transaction
sampler_agent_test_transaction_SOURCES = sampler/agent/test-transaction.c
sampler_agent_test_transaction_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/include
sampler_agent_test_transaction_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_agent_test_transaction_LDADD = libvigil.la libcommon.a $(CMOCKA_LIBS) -lpthread
endif
SCRIPT_TESTS += tests/step-rc.bats
EXTRA_DIST += tests/step-rc.bats
