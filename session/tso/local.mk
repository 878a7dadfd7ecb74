# SPDX-License-Identifier: Apache-2.0

# IKJEFT01.
pkglibexec_PROGRAMS += session/utilities/ikjeft01
session_utilities_ikjeft01_SOURCES = \
	session/tso/ikjeft01.c \
	session/tso/allocate.c \
	session/tso/copy.c \
	session/tso/data-sets.c \
	session/tso/run.c \
	session/tso/words.c \
	session/tso/tso.h
session_utilities_ikjeft01_LDADD = libutility.a libjob.a libdatasets.a libcommon.a
