# SPDX-License-Identifier: Apache-2.0
noinst_LIBRARIES += libreports.a
libreports_a_SOURCES = \
	reports/chain-rows.c reports/chain-rows.h \
	reports/collector-tables.c reports/collector-tables.h \
	reports/compare-tables.c reports/compare-tables.h \
	reports/context.c \
	reports/coverage-tables.c reports/coverage-tables.h \
	reports/device.c reports/device.h \
	reports/device-list.c \
	reports/device-csv.c \
	reports/device-html.c \
	reports/device-json.c \
	reports/device-text.c \
	reports/document.c reports/document.h \
	reports/event-columns.c reports/event-columns.h \
	reports/fold.c reports/fold.h \
	reports/listing-columns.c reports/listing-columns.h \
	reports/listing-lines.c reports/listing-lines.h \
	reports/procedure-source.c \
	reports/procedure-sums.c reports/procedure-sums.h \
	reports/name-forms.c reports/name-forms.h \
	reports/report.c reports/report.h reports/report-class.h \
	reports/report-attribution.c \
	reports/report-call-tree.c \
	reports/report-compare.c reports/report-compare.h \
	reports/report-check.c reports/report-check.h \
	reports/report-coverage.c \
	reports/report-coverage-source.c \
	reports/report-event-source.c \
	reports/report-event-sums.c \
	reports/report-event-trace.c \
	reports/report-files.c \
	reports/report-mep.c \
	reports/report-monitor.c reports/report-monitor.h \
	reports/report-msd.c \
	reports/report-pro.c \
	reports/report-procedure.c \
	reports/report-psu.c \
	reports/report-pup.c \
	reports/report-rdd.c \
	reports/report-system-activity.c \
	reports/report-tda.c \
	reports/report-tlx.c \
	reports/report-transactions.c \
	reports/report-wss.c \
	reports/report-wtm.c \
	reports/session-lines.c reports/session-lines.h \
	reports/summary.c \
	reports/text.c reports/text.h \
	reports/tokens.c reports/tokens.h \
	reports/wait-holders.c reports/wait-holders.h \
	reports/wait-columns.c reports/wait-columns.h
include reports/page/local.mk
include reports/print/local.mk

reports_test_libs = libfixture.a libreports.a libprofile.a librecords.a libengine.a libcommon.a $(ZLIB_LIBS) -lm

noinst_PROGRAMS += reports/bench-profile
reports_bench_profile_SOURCES = reports/bench-profile.c
reports_bench_profile_LDADD = $(reports_test_libs)

check_PROGRAMS += reports/test-listing
reports_test_listing_SOURCES = reports/test-listing.c
reports_test_listing_LDADD = $(reports_test_libs)

if HAVE_CMOCKA
check_PROGRAMS += reports/test-reports
UNIT_TESTS += reports/test-reports
reports_test_reports_SOURCES = reports/test-reports.c
reports_test_reports_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)

check_PROGRAMS += reports/test-call-reports
UNIT_TESTS += reports/test-call-reports
reports_test_call_reports_SOURCES = reports/test-call-reports.c
reports_test_call_reports_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)

check_PROGRAMS += reports/test-event-reports
UNIT_TESTS += reports/test-event-reports
reports_test_event_reports_SOURCES = reports/test-event-reports.c
reports_test_event_reports_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)

check_PROGRAMS += reports/test-coverage-reports
UNIT_TESTS += reports/test-coverage-reports
reports_test_coverage_reports_SOURCES = reports/test-coverage-reports.c
reports_test_coverage_reports_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)

check_PROGRAMS += reports/test-rows
UNIT_TESTS += reports/test-rows
reports_test_rows_SOURCES = reports/test-rows.c
reports_test_rows_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)

check_PROGRAMS += reports/test-units
UNIT_TESTS += reports/test-units
reports_test_units_SOURCES = reports/test-units.c
reports_test_units_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)

check_PROGRAMS += reports/test-html
UNIT_TESTS += reports/test-html
reports_test_html_SOURCES = reports/test-html.c
reports_test_html_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)

check_PROGRAMS += reports/test-devices
UNIT_TESTS += reports/test-devices
reports_test_devices_SOURCES = reports/test-devices.c
reports_test_devices_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
endif

SCRIPT_TESTS += tests/reports/listings.t
EXTRA_DIST += tests/reports/listings.t \
	tests/reports/payroll.text.txt tests/reports/payroll.summary.txt tests/reports/payroll.csv.txt \
	tests/reports/payroll.json.txt tests/reports/payroll.procedure.txt \
	tests/reports/payroll.procedure-csv.txt \
	tests/reports/threads.all.txt tests/reports/threads.threads.txt tests/reports/threads.summary.txt \
	tests/reports/empty.plain.txt tests/reports/empty.summary.txt \
	tests/reports/nothing.plain.txt tests/reports/nothing.summary.txt \
	tests/reports/names.brief.txt \
	tests/reports/truncated.text.txt tests/reports/truncated.summary.txt \
	tests/reports/python.plain.txt tests/reports/python.summary.txt \
	tests/reports/database.text.txt tests/reports/database.json.txt tests/reports/database.summary.txt \
	tests/reports/loaded.plain.txt tests/reports/loaded.csv.txt \
	tests/reports/loaded.summary.txt \
	tests/reports/events.plain.txt tests/reports/events.csv.txt tests/reports/events.json.txt \
	tests/reports/events.trace.txt tests/reports/events.summary.txt \
	tests/reports/coverage.plain.txt tests/reports/coverage.csv.txt \
	tests/reports/coverage.json.txt tests/reports/coverage.coverage.txt tests/reports/coverage.summary.txt \
	tests/reports/odd-paths.plain.txt tests/reports/odd-paths.csv.txt \
	tests/reports/activity.activity.txt tests/reports/activity.activity-csv.txt \
	tests/reports/activity.activity-json.txt tests/reports/payroll.activity.txt \
	tests/reports/headers.plain.txt tests/reports/headers.csv.txt tests/reports/headers.summary.txt
dist_man_MANS += doc/vigil-reports.7

check_PROGRAMS += reports/fuzz-reports
reports_fuzz_reports_SOURCES = reports/fuzz-reports.c $(fuzz_input) $(fuzz_blocks) $(fuzz_driver)
reports_fuzz_reports_LDFLAGS = $(fuzz_link)
reports_fuzz_reports_LDADD = $(reports_test_libs)
