# SPDX-License-Identifier: Apache-2.0
# The engine for others: a shared library that has the engine in it and shows include/vigil/engine.h.
opened_sources = \
	engine/modules/apart.c engine/modules/apart.h \
	engine/modules/built-in.h \
	engine/modules/forked.c engine/modules/forked.h \
	engine/modules/frames.c engine/modules/frames.h \
	engine/modules/hosted.c engine/modules/hosted.h \
	engine/modules/module-bridge.c engine/modules/module-bridge.h \
	engine/modules/module-call.c engine/modules/module-call.h \
	engine/modules/module-clock.c engine/modules/module-clock.h \
	engine/modules/module-forms.c engine/modules/module-forms.h \
	engine/modules/module-library.c engine/modules/module-library.h \
	engine/modules/module-messages.c engine/modules/module-messages.h \
	engine/modules/module-operation.c engine/modules/module-operation.h \
	engine/modules/module-privileges.c engine/modules/module-privileges.h \
	engine/modules/module-services.c engine/modules/module-services.h \
	engine/modules/opened-data.h engine/modules/opened-engine.c \
	engine/modules/views.c engine/modules/views.h
# It is made of the objects that vigil has, too: those archives, whole, and behind them what they need (libtool puts LIBADD
# before them). It shows what engine/modules/opened-engine.c defines.
noinst_LIBRARIES += libopened.a
libopened_a_SOURCES = $(opened_sources)
libopened_a_CFLAGS = $(AM_CFLAGS) $(SHARED_CFLAGS)
lib_LTLIBRARIES += libvigil-engine.la
comma = ,
space = $(empty) $(empty)
opened_archives = libopened.a libmetrics.a librecords.a libengine.a libcommon.a
libvigil_engine_la_SOURCES = metrics/opened-metrics.c
libvigil_engine_la_CFLAGS = $(AM_CFLAGS) $(SHARED_CFLAGS)
libvigil_engine_la_LDFLAGS = -version-info 0:0:0 -no-undefined \
	-Wl,--whole-archive,$(subst $(space),$(comma),$(opened_archives)),--no-whole-archive $(opened_needs:-l%=-Wl,-l%)
opened_needs = $(ZLIB_LIBS) -lm
EXTRA_libvigil_engine_la_DEPENDENCIES = $(opened_archives)
include_vigil_HEADERS += include/vigil/module.h include/vigil/engine.h
pkgconfig_DATA += include/vigil/vigil-engine.pc

if HAVE_CMOCKA
check_PROGRAMS += engine/modules/test-opened-engine engine/modules/test-opened-faults engine/modules/test-opened-order
UNIT_TESTS += engine/modules/test-opened-engine engine/modules/test-opened-faults engine/modules/test-opened-order
engine_modules_test_opened_engine_SOURCES = engine/modules/test-opened-engine.c \
	engine/modules/test-parts.c engine/modules/test-parts.h
engine_modules_test_opened_engine_LDADD = libvigil-engine.la libcommon.a $(CMOCKA_LIBS)
engine_modules_test_opened_faults_SOURCES = engine/modules/test-opened-faults.c \
	engine/modules/test-parts.c engine/modules/test-parts.h
engine_modules_test_opened_faults_LDADD = libvigil-engine.la libcommon.a $(CMOCKA_LIBS)
engine_modules_test_opened_order_SOURCES = engine/modules/test-opened-order.c \
	engine/modules/test-parts.c engine/modules/test-parts.h
engine_modules_test_opened_order_LDADD = libvigil-engine.la libcommon.a $(CMOCKA_LIBS)
endif

# Part of "make bench": a call of a module here, and in a process of its own.
noinst_LTLIBRARIES += engine/modules/bench-modules.la
engine_modules_bench_modules_la_SOURCES = engine/modules/bench-modules.c
engine_modules_bench_modules_la_CFLAGS = $(VIGIL_CFLAGS)
engine_modules_bench_modules_la_LDFLAGS = -module -avoid-version -rpath /nowhere
noinst_PROGRAMS += engine/modules/bench-apart
engine_modules_bench_apart_SOURCES = engine/modules/bench-apart.c
engine_modules_bench_apart_LDADD = libvigil-engine.la libcommon.a
