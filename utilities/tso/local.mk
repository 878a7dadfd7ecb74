# SPDX-License-Identifier: Apache-2.0

# IKJEFT01.
pkglibexec_PROGRAMS += utilities/programs/ikjeft01
utilities_programs_ikjeft01_SOURCES = \
	utilities/tso/ikjeft01.c \
	utilities/tso/tso-allocate.c \
	utilities/tso/copy.c \
	utilities/tso/tso-data-sets.c \
	utilities/tso/tso-idcams.c \
	utilities/tso/tso-run.c \
	utilities/tso/words.c \
	utilities/tso/tso.h
utilities_programs_ikjeft01_LDADD = libutility.a libjob.a libdatasets.a libcommon.a
