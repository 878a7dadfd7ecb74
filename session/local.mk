# SPDX-License-Identifier: Apache-2.0

# Measurement sessions, and what all of session shares.
session_measure_sources = \
	session/paths.c session/paths.h \
	session/measure/area.c session/measure/area.h \
	session/measure/header.c session/measure/header.h \
	session/measure/measure.c session/measure/measure.h \
	session/measure/progress.c session/measure/progress.h
noinst_LIBRARIES += libmeasure.a
libmeasure_a_SOURCES = $(session_measure_sources)
