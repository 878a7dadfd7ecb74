# SPDX-License-Identifier: Apache-2.0
# Observing a step: the address space and its objects, stacks, names, the sampler itself.
noinst_LIBRARIES += libsampler.a
libsampler_a_SOURCES = $(sampler_unwind_sources) $(sampler_names_sources) $(sampler_core_sources)

# Objects, address-space maps, call-frame tables, the walk.
sampler_unwind_sources = \
	sampler/cfi.c sampler/cfi.h \
	sampler/cfi-evaluate.c sampler/cfi-parse.c sampler/cfi-program.c \
	sampler/decode-x86_64.c sampler/decode.h \
	sampler/object.c sampler/object.h \
	sampler/object-open.c sampler/object-open.h \
	sampler/object-section.c \
	sampler/proc-maps.c sampler/proc-maps.h \
	sampler/routine.c sampler/routine.h \
	sampler/space.c sampler/space.h \
	sampler/unwind.c sampler/unwind.h \
	sampler/unwind-arch.h sampler/unwind-x86_64.c \
	sampler/unwind-search.c sampler/unwind-search.h

# Names of addresses.
sampler_names_sources = sampler/names.h

# The sampler.
sampler_core_sources = sampler/sampler.h

if HAVE_CMOCKA
check_PROGRAMS += sampler/test-unwind
UNIT_TESTS += sampler/test-unwind
EXTRA_DIST += sampler/test-unwind-target.c
sampler_test_unwind_SOURCES = sampler/test-unwind.c sampler/test-unwind.h sampler/test-unwind-child.c
sampler_test_unwind_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_unwind_LDADD = libsampler.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += sampler/test-space
UNIT_TESTS += sampler/test-space
sampler_test_space_SOURCES = sampler/test-space.c
sampler_test_space_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_space_LDADD = libsampler.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += sampler/test-cfi
UNIT_TESTS += sampler/test-cfi
sampler_test_cfi_SOURCES = sampler/test-cfi.c sampler/test-damage.c sampler/test-damage.h
sampler_test_cfi_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_cfi_LDADD = libsampler.a libcommon.a $(CMOCKA_LIBS)

check_PROGRAMS += sampler/test-unwind-steps
UNIT_TESTS += sampler/test-unwind-steps
sampler_test_unwind_steps_SOURCES = sampler/test-unwind-steps.c sampler/test-unwind.h \
	sampler/test-unwind-child.c
sampler_test_unwind_steps_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
sampler_test_unwind_steps_LDADD = libsampler.a libcommon.a $(CMOCKA_LIBS)
endif

noinst_PROGRAMS += sampler/bench-unwind
sampler_bench_unwind_SOURCES = sampler/bench-unwind.c sampler/test-unwind.h sampler/test-unwind-child.c
sampler_bench_unwind_LDADD = libsampler.a libcommon.a

if FUZZERS
noinst_PROGRAMS += sampler/fuzz-cfi
# The sources themselves, so that the fuzzer sees which way they go.
sampler_fuzz_cfi_SOURCES = sampler/fuzz-cfi.c sampler/test-damage.c sampler/test-damage.h \
	$(sampler_unwind_sources)
sampler_fuzz_cfi_CFLAGS = $(AM_CFLAGS) -fsanitize=fuzzer,address,undefined
sampler_fuzz_cfi_LDFLAGS = -fsanitize=fuzzer,address,undefined
sampler_fuzz_cfi_LDADD = libcommon.a
endif
