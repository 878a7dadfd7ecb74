# SPDX-License-Identifier: Apache-2.0
# Observing a step: the address space and its objects, stacks, names, the sampler itself.
noinst_LIBRARIES += libsampler.a
libsampler_a_SOURCES = $(sampler_unwind_sources) $(sampler_names_sources) $(sampler_core_sources) \
	$(sampler_look_sources)

# Objects, address-space maps, call-frame tables, the walk.
sampler_unwind_sources = \
	sampler/object.c sampler/object.h \
	sampler/object-open.c sampler/object-open.h \
	sampler/proc-maps.c sampler/proc-maps.h \
	sampler/space.c sampler/space.h \
	sampler/unwind.h

# Names of addresses.
sampler_names_sources = sampler/names.h

# The sampler.
sampler_core_sources = \
	sampler/arch-x86_64.c sampler/arch.h \
	sampler/core.h \
	sampler/estimate.c \
	sampler/name-rows.c \
	sampler/notes.c \
	sampler/observe.c \
	sampler/perf.c sampler/perf.h \
	sampler/pool.c sampler/pool.h \
	sampler/present.c sampler/present.h \
	sampler/proc.c \
	sampler/producers.c \
	sampler/ring.c sampler/ring.h \
	sampler/sampler.c sampler/sampler.h \
	sampler/samples.c \
	sampler/stacks.c sampler/stacks.h \
	sampler/states.c \
	sampler/tasks.c sampler/tasks.h \
	sampler/thin.c sampler/thin.h \
	sampler/tick.c \
	sampler/timeline.c sampler/timeline.h \
	sampler/usage.c \
	sampler/waits.c

# Files, looks at blocked tasks, transactions.
sampler_look_sources = \
	sampler/file-facts.c sampler/file-facts.h \
	sampler/files.c sampler/files.h \
	sampler/probe.c sampler/probe.h \
	sampler/syscalls.c sampler/syscalls.h \
	sampler/transactions.c sampler/transactions.h
EXTRA_DIST += sampler/test-look.c
