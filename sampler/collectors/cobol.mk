# SPDX-License-Identifier: Apache-2.0
# COBOL: transactions by program or by a field of WORKING-STORAGE.
cobol_storage_sources = \
	sampler/collectors/cobol-storage.c sampler/collectors/cobol-storage.h \
	sampler/collectors/cobol-value.c sampler/collectors/cobol-value.h
# What is compiled once more for a shared object.
cobol_shared_sources = \
	common/cobol-scan.c common/strbuf.c common/strmap.c common/xalloc.c \
	program/names/dwarf-open.c program/names/elf-section.c program/names/names-source.c
collectors_LTLIBRARIES += sampler/collectors/STRBCOBO.la
sampler_collectors_STRBCOBO_la_SOURCES = $(cobol_storage_sources) $(cobol_shared_sources) \
	sampler/collectors/cobol.c \
	sampler/collectors/cobol-object.c sampler/collectors/cobol-object.h \
	sampler/collectors/process-table.c sampler/collectors/process-table.h
sampler_collectors_STRBCOBO_la_CFLAGS = $(VIGIL_CFLAGS)
sampler_collectors_STRBCOBO_la_LDFLAGS = $(COLLECTOR_LDFLAGS)
sampler_collectors_STRBCOBO_la_LIBADD = $(ELFUTILS_LIBS)

check_PROGRAMS += sampler/collectors/cobol-items
sampler_collectors_cobol_items_SOURCES = sampler/collectors/test-cobol-items.c $(cobol_storage_sources)
sampler_collectors_cobol_items_LDADD = libsampler.a libprogram.a libcommon.a
check_PROGRAMS += sampler/collectors/fuzz-cobol-storage
sampler_collectors_fuzz_cobol_storage_SOURCES = sampler/collectors/fuzz-cobol-storage.c $(cobol_storage_sources) $(fuzz_input) $(fuzz_driver)
sampler_collectors_fuzz_cobol_storage_LDFLAGS = $(fuzz_link)
sampler_collectors_fuzz_cobol_storage_LDADD = libsampler.a libprogram.a libcommon.a
check_PROGRAMS += sampler/collectors/fuzz-cobol-object
sampler_collectors_fuzz_cobol_object_SOURCES = sampler/collectors/fuzz-cobol-object.c sampler/collectors/cobol-object.c sampler/collectors/cobol-object.h $(fuzz_input) $(fuzz_driver)
sampler_collectors_fuzz_cobol_object_LDFLAGS = $(fuzz_link)
sampler_collectors_fuzz_cobol_object_LDADD = libprogram.a libcommon.a $(NAMES_LIBS)
