# SPDX-License-Identifier: Apache-2.0
# COBOL: transactions by program or by a field of WORKING-STORAGE.
cobol_storage_sources = \
	collectors/cobol-storage.c collectors/cobol-storage.h \
	collectors/cobol-value.c collectors/cobol-value.h
# What is compiled once more for a shared object.
cobol_shared_sources = \
	common/cobol-scan.c common/outside.c common/strbuf.c common/strmap.c common/xalloc.c \
	program/names/dwarf-open.c program/names/elf-section.c program/names/names-source.c common/utf8.c
collectors_LTLIBRARIES += collectors/STRBCOBO.la
collectors_STRBCOBO_la_SOURCES = $(cobol_storage_sources) $(cobol_shared_sources) \
	collectors/cobol.c \
	collectors/cobol-object.c collectors/cobol-object.h \
	collectors/process-table.c collectors/process-table.h
collectors_STRBCOBO_la_CFLAGS = $(VIGIL_CFLAGS)
collectors_STRBCOBO_la_LDFLAGS = $(COLLECTOR_LDFLAGS)
collectors_STRBCOBO_la_LIBADD = $(ELFUTILS_LIBS)

check_PROGRAMS += collectors/cobol-items
collectors_cobol_items_SOURCES = collectors/test-cobol-items.c $(cobol_storage_sources)
collectors_cobol_items_LDADD = libprogram.a libcommon.a
check_PROGRAMS += collectors/fuzz-cobol-storage
collectors_fuzz_cobol_storage_SOURCES = collectors/fuzz-cobol-storage.c $(cobol_storage_sources) $(fuzz_input) $(fuzz_driver)
collectors_fuzz_cobol_storage_LDFLAGS = $(fuzz_link)
collectors_fuzz_cobol_storage_LDADD = libprogram.a libcommon.a
check_PROGRAMS += collectors/fuzz-cobol-object
collectors_fuzz_cobol_object_SOURCES = collectors/fuzz-cobol-object.c collectors/cobol-object.c collectors/cobol-object.h $(fuzz_input) $(fuzz_driver)
collectors_fuzz_cobol_object_LDFLAGS = $(fuzz_link)
collectors_fuzz_cobol_object_LDADD = libprogram.a libcommon.a $(NAMES_LIBS)
