# SPDX-License-Identifier: Apache-2.0
# System metrics: one file a producer.
noinst_LIBRARIES += libmetrics.a
libmetrics_a_SOURCES = \
	metrics/metric.c metrics/metric.h \
	metrics/metric-rows.c metrics/metric-rows.h \
	metrics/metric-text.c metrics/metric-text.h \
	metrics/metrics.c metrics/metrics.h metrics/kinds.h \
	metrics/metric-folder.c metrics/metric-scan.c metrics/metric-scan.h \
	metrics/adapters.c \
	metrics/cgroup.c metrics/cgroup-v1.c metrics/cgroup-v1.h \
	metrics/cluster.c \
	metrics/cluster-links.c \
	metrics/collection-header.c \
	metrics/controllers.c \
	metrics/cpu.c \
	metrics/descriptions.c \
	metrics/devices.c \
	metrics/disk-mounts.c metrics/disk-mounts.h \
	metrics/disks.c \
	metrics/file-systems.c \
	metrics/inet.c \
	metrics/interrupts.c \
	metrics/link-statistics.c metrics/link-statistics.h \
	metrics/locks.c \
	metrics/managed-transactions.c \
	metrics/memory.c \
	metrics/module-list.c \
	metrics/mount-statistics.c metrics/mount-statistics.h \
	metrics/nfs-mounts.c \
	metrics/nfs-operations.c \
	metrics/network.c \
	metrics/page-cache.c \
	metrics/parameters.c \
	metrics/partition.c \
	metrics/pressure.c \
	metrics/process-services.c \
	metrics/process-watch.c metrics/process-watch.h \
	metrics/processes.c \
	metrics/queue-statistics.c metrics/queue-statistics.h \
	metrics/route-netlink.c metrics/route-netlink.h \
	metrics/services.c \
	metrics/shared-texts.c metrics/shared-texts.h \
	metrics/text-sharing.c \
	metrics/task-statistics.c metrics/task-statistics.h \
	metrics/system.c \
	metrics/volume-cache.c \
	metrics/own-cost.c \
	metrics/outputs.h metrics/json-lines.c metrics/live-table.c metrics/text-form.c metrics/text-list.c metrics/timeline-csv.c \
	metrics/openmetrics.c metrics/openmetrics.h \
	metrics/present.c metrics/present.h \
	metrics/selection.c metrics/selection.h \
	metrics/time-range.c
libmetrics_a_CFLAGS = $(AM_CFLAGS) $(SHARED_CFLAGS)

# vigil-metrics(7) is made from the tables of the producers.
noinst_PROGRAMS += metrics/make-manual
metrics_make_manual_SOURCES = metrics/make-manual.c
metrics_make_manual_LDADD = libmetrics.a librecords.a libengine.a libcommon.a $(ZLIB_LIBS) -lm

if HAVE_CMOCKA
metrics_test_machine = metrics/test-machine.c metrics/test-machine.h
check_PROGRAMS += metrics/test-metrics
UNIT_TESTS += metrics/test-metrics
metrics_test_metrics_SOURCES = metrics/test-metrics.c $(metrics_test_machine)
metrics_test_metrics_LDADD = libmetrics.a librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS) -lm
check_PROGRAMS += metrics/test-services
UNIT_TESTS += metrics/test-services
metrics_test_services_SOURCES = metrics/test-services.c $(metrics_test_machine)
metrics_test_services_LDADD = libmetrics.a librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS) -lm
check_PROGRAMS += metrics/test-collection
UNIT_TESTS += metrics/test-collection
metrics_test_collection_SOURCES = metrics/test-collection.c $(metrics_test_machine)
metrics_test_collection_LDADD = libmetrics.a librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS) -lm
check_PROGRAMS += metrics/test-watch
UNIT_TESTS += metrics/test-watch
metrics_test_watch_SOURCES = metrics/test-watch.c $(metrics_test_machine)
metrics_test_watch_LDADD = libmetrics.a librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS) -lm
check_PROGRAMS += metrics/test-trees
UNIT_TESTS += metrics/test-trees
metrics_test_trees_SOURCES = metrics/test-trees.c $(metrics_test_machine)
metrics_test_trees_LDADD = libmetrics.a librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS) -lm
check_PROGRAMS += metrics/test-extraction
UNIT_TESTS += metrics/test-extraction
metrics_test_extraction_SOURCES = metrics/test-extraction.c
metrics_test_extraction_LDADD = libmetrics.a librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS) -lm
check_PROGRAMS += metrics/test-openmetrics
UNIT_TESTS += metrics/test-openmetrics
metrics_test_openmetrics_SOURCES = metrics/test-openmetrics.c
metrics_test_openmetrics_LDADD = libmetrics.a librecords.a libengine.a libcommon.a $(ZLIB_LIBS) $(CMOCKA_LIBS) -lm
endif
EXTRA_DIST += tests/procfs-record.py tests/procfs-expected.py
