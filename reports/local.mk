# SPDX-License-Identifier: Apache-2.0
noinst_LIBRARIES += libreports.a
libreports_a_SOURCES = \
	reports/attribution.c reports/attribution.h \
	reports/context.c \
	reports/device.c reports/device.h \
	reports/device-csv.c \
	reports/device-json.c \
	reports/device-text.c \
	reports/document.c reports/document.h \
	reports/findings.c reports/findings.h \
	reports/keymap.c reports/keymap.h \
	reports/profile.c reports/profile.h reports/profile-data.h \
	reports/profile-load.c \
	reports/profile-take.c \
	reports/report.c reports/report.h reports/report-class.h \
	reports/report-attribution.c \
	reports/report-check.c reports/report-check.h \
	reports/report-files.c \
	reports/report-mep.c \
	reports/report-msd.c \
	reports/report-psu.c \
	reports/report-pup.c \
	reports/report-rdd.c \
	reports/report-tda.c \
	reports/report-tlx.c \
	reports/report-transactions.c \
	reports/report-wss.c \
	reports/report-wtm.c \
	reports/session.c reports/session.h \
	reports/summary.c \
	reports/sums.c reports/sums.h \
	reports/text.c reports/text.h \
	reports/timeline.c reports/timeline.h \
	reports/usage.c reports/usage.h
