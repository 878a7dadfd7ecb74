# SPDX-License-Identifier: Apache-2.0
# Monitor data of z/VM, read and written.
libmetrics_a_SOURCES += \
	metrics/monitor/application.c metrics/monitor/application.h \
	metrics/monitor/application-read.c \
	metrics/monitor/domain-detail.c metrics/monitor/domain-detail.h \
	metrics/monitor/ebcdic.c metrics/monitor/ebcdic.h \
	metrics/monitor/frame.c metrics/monitor/frame.h \
	metrics/monitor/layout.h metrics/monitor/monitor.h \
	metrics/monitor/monitor-reader.c metrics/monitor/monitor-writer.c \
	metrics/monitor/monitor-types.c metrics/monitor/monitor-types.h \
	metrics/monitor/monwrite-read.c metrics/monitor/monwrite-read.h \
	metrics/monitor/monwrite-write.c metrics/monitor/monwrite-write.h \
	metrics/monitor/page-stream.c metrics/monitor/page-stream.h \
	metrics/monitor/record-names.c metrics/monitor/record-names.h \
	metrics/monitor/short-names.c metrics/monitor/short-names.h \
	metrics/monitor/tod.c metrics/monitor/tod.h

check_PROGRAMS += metrics/monitor/fuzz-monitor
metrics_monitor_fuzz_monitor_SOURCES = metrics/monitor/fuzz-monitor.c $(fuzz_input) $(fuzz_driver)
metrics_monitor_fuzz_monitor_LDFLAGS = $(fuzz_link)
metrics_monitor_fuzz_monitor_LDADD = libmetrics.a librecords.a libengine.a libcommon.a $(ZLIB_LIBS) -lm

if HAVE_CMOCKA
check_PROGRAMS += metrics/monitor/test-monitor-modules metrics/monitor/test-monitor-parts metrics/monitor/test-monwrite
UNIT_TESTS += metrics/monitor/test-monitor-modules metrics/monitor/test-monitor-parts metrics/monitor/test-monwrite
metrics_monitor_test_monitor_modules_SOURCES = metrics/monitor/test-monitor-modules.c $(fuzz_input)
metrics_monitor_test_monitor_modules_LDADD = libmetrics.a librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS) -lm
metrics_monitor_test_monitor_parts_SOURCES = metrics/monitor/test-monitor-parts.c
metrics_monitor_test_monitor_parts_LDADD = libmetrics.a librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS) -lm
metrics_monitor_test_monwrite_SOURCES = metrics/monitor/test-monwrite.c $(fuzz_input)
metrics_monitor_test_monwrite_LDADD = libmetrics.a librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS) -lm
endif
