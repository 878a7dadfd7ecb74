# SPDX-License-Identifier: Apache-2.0
noinst_LIBRARIES += libreports.a
libreports_a_SOURCES = \
	reports/attribution.c reports/attribution.h \
	reports/keymap.c reports/keymap.h \
	reports/profile.c reports/profile.h reports/profile-data.h \
	reports/profile-load.c \
	reports/profile-take.c \
	reports/timeline.c reports/timeline.h
