# SPDX-License-Identifier: Apache-2.0
# What is known of a program without its help: its executable files, its call stacks, its names.
noinst_LIBRARIES += libprogram.a
libprogram_a_SOURCES = $(program_objects_sources) $(program_unwind_sources) $(program_names_sources)
# What a program that resolves names is linked with.
NAMES_LIBS = $(ELFUTILS_LIBS) $(LZMA_LIBS) $(ZLIB_LIBS) $(DEMANGLE_LIBS) $(ZYDIS_LIBS)

# Executable files and where they are mapped.
program_objects_sources = \
	program/objects/cursor.c program/objects/cursor.h \
	program/objects/frame-header.c program/objects/frame-header.h \
	program/objects/go-functions.c program/objects/go-functions.h \
	program/objects/object.c program/objects/object.h \
	program/objects/object-frames.c \
	program/objects/object-notes.c program/objects/object-notes.h \
	program/objects/object-open.c program/objects/object-open.h \
	program/objects/object-section.c \
	program/objects/object-symbols.c program/objects/object-symbols.h \
	program/objects/object-unpack.c \
	program/objects/preloading.c program/objects/preloading.h \
	program/objects/proc-maps.c program/objects/proc-maps.h \
	program/objects/space.c program/objects/space.h

# From registers and a stack to the addresses that called.
program_unwind_sources = \
	program/unwind/arch.h program/unwind/arch-x86_64.c \
	program/unwind/cfi.c program/unwind/cfi.h \
	program/unwind/cfi-evaluate.c program/unwind/cfi-parse.c program/unwind/cfi-program.c \
	program/unwind/code-table.c program/unwind/code-table.h \
	program/unwind/decode-x86_64.c program/unwind/decode.h \
	program/unwind/recursion.c program/unwind/recursion.h \
	program/unwind/frame-rows.c program/unwind/frame-rows.h \
	program/unwind/routine.c program/unwind/routine.h program/unwind/routine-x86_64.c \
	program/unwind/unwind.c program/unwind/unwind.h \
	program/unwind/unwind-down.c program/unwind/unwind-down.h \
	program/unwind/unwind-arch.h program/unwind/unwind-x86_64.c \
	program/unwind/unwind-search.c program/unwind/unwind-search.h \
	program/unwind/walk.c program/unwind/walk.h

# Names of addresses.
program_names_sources = \
	program/names/debuginfod.c program/names/debuginfod.h \
	program/names/demangle.c program/names/demangle.h \
	program/names/dwarf-open.c program/names/dwarf-open.h \
	program/names/dwarf-unpack.c program/names/dwarf-unpack.h \
	program/names/elf-section.c program/names/elf-section.h \
	program/names/gnucobol.c program/names/gnucobol.h \
	program/names/names-cache.c program/names/names-cache.h \
	program/names/names-cobol.c program/names/names-cobol.h \
	program/names/names-debugfile.c program/names/names-debugfile.h \
	program/names/names-dwarf.c program/names/names-dwarf.h \
	program/names/names-known.c program/names/names-known.h \
	program/names/names-sums.c program/names/names-sums.h \
	program/names/names-lists.c program/names/names-lists.h \
	program/names/names-plt.c \
	program/names/names-ranges.c program/names/names-ranges.h \
	program/names/names-source.c program/names/names-source.h \
	program/names/names-symbols.c program/names/names-symbols.h \
	program/names/die-names.c program/names/die-names.h \
	program/names/names-unit.c program/names/names-unit.h \
	program/names/unit-sections.c program/names/unit-sections.h \
	program/names/names.c program/names/names.h \
	program/names/statements.c program/names/statements.h \
	program/names/unit-language.c program/names/unit-language.h \
	program/names/unit-names.c program/names/unit-names.h \
	program/names/unit-stretches.c

if HAVE_CMOCKA
check_PROGRAMS += program/objects/test-space
UNIT_TESTS += program/objects/test-space
program_objects_test_space_SOURCES = program/objects/test-space.c
program_objects_test_space_LDADD = libprogram.a libcommon.a $(ELFUTILS_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += program/objects/test-object-notes
UNIT_TESTS += program/objects/test-object-notes
program_objects_test_object_notes_SOURCES = program/objects/test-object-notes.c
program_objects_test_object_notes_LDADD = libprogram.a libcommon.a $(ELFUTILS_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += program/objects/test-preloading
UNIT_TESTS += program/objects/test-preloading
program_objects_test_preloading_SOURCES = program/objects/test-preloading.c
program_objects_test_preloading_LDADD = libprogram.a libcommon.a $(ELFUTILS_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += program/objects/test-go-functions
UNIT_TESTS += program/objects/test-go-functions
program_objects_test_go_functions_SOURCES = program/objects/test-go-functions.c
program_objects_test_go_functions_LDADD = libprogram.a libcommon.a $(ELFUTILS_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += program/objects/test-object-symbols
UNIT_TESTS += program/objects/test-object-symbols
program_objects_test_object_symbols_SOURCES = program/objects/test-object-symbols.c
program_objects_test_object_symbols_LDADD = libprogram.a libcommon.a $(ELFUTILS_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += program/unwind/test-cfi
UNIT_TESTS += program/unwind/test-cfi
program_unwind_test_cfi_SOURCES = program/unwind/test-cfi.c program/unwind/test-cfi-damage.c program/unwind/test-cfi-damage.h $(fuzz_input)
program_unwind_test_cfi_LDADD = libprogram.a libcommon.a $(ELFUTILS_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += program/unwind/test-walk
UNIT_TESTS += program/unwind/test-walk
program_unwind_test_walk_SOURCES = program/unwind/test-walk.c
program_unwind_test_walk_LDADD = libprogram.a libcommon.a $(ELFUTILS_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += program/unwind/test-cfi-rules
UNIT_TESTS += program/unwind/test-cfi-rules
program_unwind_test_cfi_rules_SOURCES = program/unwind/test-cfi-rules.c
program_unwind_test_cfi_rules_LDADD = libprogram.a libcommon.a $(ELFUTILS_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += program/unwind/test-unwind
UNIT_TESTS += program/unwind/test-unwind
program_unwind_test_unwind_SOURCES = program/unwind/test-unwind.c program/unwind/test-unwind.h program/unwind/test-unwind-child.c
# It counts what a walk allocates.
program_unwind_test_unwind_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray
program_unwind_test_unwind_LDADD = libprogram.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += program/unwind/test-unwind-down
UNIT_TESTS += program/unwind/test-unwind-down
program_unwind_test_unwind_down_SOURCES = program/unwind/test-unwind-down.c program/unwind/test-unwind.h \
	program/unwind/test-unwind-child.c
program_unwind_test_unwind_down_LDADD = libprogram.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += program/unwind/test-unwind-steps
UNIT_TESTS += program/unwind/test-unwind-steps
program_unwind_test_unwind_steps_SOURCES = program/unwind/test-unwind-steps.c program/unwind/test-unwind.h \
	program/unwind/test-unwind-child.c
program_unwind_test_unwind_steps_LDADD = libprogram.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += program/names/test-names
UNIT_TESTS += program/names/test-names
program_names_test_names_SOURCES = program/names/test-names.c \
	program/names/test-names-subject.c program/names/test-names-subject.h
program_names_test_names_LDADD = libprogram.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += program/names/test-names-cache
UNIT_TESTS += program/names/test-names-cache
program_names_test_names_cache_SOURCES = program/names/test-names-cache.c \
	program/names/test-names-subject.c program/names/test-names-subject.h
program_names_test_names_cache_LDADD = libprogram.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += program/names/test-symbols
UNIT_TESTS += program/names/test-symbols
program_names_test_symbols_SOURCES = program/names/test-symbols.c \
	program/names/test-names-subject.c program/names/test-names-subject.h
program_names_test_symbols_LDADD = libprogram.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += program/names/test-cobol-scan
UNIT_TESTS += program/names/test-cobol-scan
program_names_test_cobol_scan_SOURCES = program/names/test-cobol-scan.c \
	program/names/test-names-subject.c program/names/test-names-subject.h
program_names_test_cobol_scan_LDADD = libprogram.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += program/names/test-functions
UNIT_TESTS += program/names/test-functions
program_names_test_functions_SOURCES = program/names/test-functions.c \
	program/names/test-names-subject.c program/names/test-names-subject.h
program_names_test_functions_LDADD = libprogram.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += program/names/test-statements
UNIT_TESTS += program/names/test-statements
program_names_test_statements_SOURCES = program/names/test-statements.c \
	program/names/test-names-subject.c program/names/test-names-subject.h
program_names_test_statements_LDADD = libprogram.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS)
endif
EXTRA_DIST += program/unwind/test-unwind-target.c program/unwind/test-unwind-hand.S

noinst_PROGRAMS += program/unwind/bench-unwind
program_unwind_bench_unwind_SOURCES = program/unwind/bench-unwind.c program/unwind/test-unwind.h program/unwind/test-unwind-child.c
program_unwind_bench_unwind_LDADD = libprogram.a libcommon.a $(ELFUTILS_LIBS)

check_PROGRAMS += program/unwind/fuzz-cfi
program_unwind_fuzz_cfi_SOURCES = program/unwind/fuzz-cfi.c program/unwind/test-cfi-damage.c program/unwind/test-cfi-damage.h $(fuzz_input) $(fuzz_driver)
program_unwind_fuzz_cfi_LDFLAGS = $(fuzz_link)
program_unwind_fuzz_cfi_LDADD = libprogram.a libcommon.a $(NAMES_LIBS)
check_PROGRAMS += program/objects/fuzz-procfs
program_objects_fuzz_procfs_SOURCES = program/objects/fuzz-procfs.c $(fuzz_input) $(fuzz_driver)
program_objects_fuzz_procfs_LDFLAGS = $(fuzz_link)
program_objects_fuzz_procfs_LDADD = libprogram.a libcommon.a $(NAMES_LIBS)
check_PROGRAMS += program/names/fuzz-names
program_names_fuzz_names_SOURCES = program/names/fuzz-names.c $(fuzz_input) $(fuzz_driver)
program_names_fuzz_names_LDFLAGS = $(fuzz_link)
program_names_fuzz_names_LDADD = libprogram.a libcommon.a $(NAMES_LIBS)
check_PROGRAMS += program/names/fuzz-perfmap
program_names_fuzz_perfmap_SOURCES = program/names/fuzz-perfmap.c $(fuzz_input) $(fuzz_driver)
program_names_fuzz_perfmap_LDFLAGS = $(fuzz_link)
program_names_fuzz_perfmap_LDADD = libprogram.a libcommon.a $(NAMES_LIBS)
check_PROGRAMS += program/names/fuzz-cobol
program_names_fuzz_cobol_SOURCES = program/names/fuzz-cobol.c $(fuzz_input) $(fuzz_driver)
program_names_fuzz_cobol_LDFLAGS = $(fuzz_link)
program_names_fuzz_cobol_LDADD = libprogram.a libcommon.a $(NAMES_LIBS)
