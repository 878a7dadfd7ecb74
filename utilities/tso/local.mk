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
check_PROGRAMS += utilities/tso/fuzz-tso
utilities_tso_fuzz_tso_SOURCES = utilities/tso/fuzz-tso.c utilities/tso/words.c utilities/tso/tso.h $(fuzz_driver)
utilities_tso_fuzz_tso_LDFLAGS = $(fuzz_link)
utilities_tso_fuzz_tso_LDADD = libutility.a libdatasets.a libcommon.a
