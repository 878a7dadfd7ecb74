# SPDX-License-Identifier: Apache-2.0

# Compiling and binding COBOL, and the procedures that do both.
pkglibexec_PROGRAMS += utilities/programs/cobol-step utilities/programs/igycrctl utilities/programs/iewl
utilities_programs_cobol_step_SOURCES = utilities/cobol/cobol-step.c
utilities_programs_cobol_step_LDADD = libdatasets.a libcommon.a
utilities_programs_igycrctl_SOURCES = \
	utilities/cobol/cobc.c utilities/cobol/cobc.h \
	utilities/cobol/igycrctl.c
utilities_programs_igycrctl_LDADD = libutility.a libdatasets.a libcommon.a
utilities_programs_iewl_SOURCES = \
	utilities/cobol/cobc.c utilities/cobol/cobc.h \
	utilities/cobol/iewl.c
utilities_programs_iewl_LDADD = libutility.a libdatasets.a libcommon.a
proclibdir = $(pkgdatadir)/proclib
dist_proclib_DATA = \
	utilities/cobol/proclib/IGYWC.jcl \
	utilities/cobol/proclib/IGYWCL.jcl \
	utilities/cobol/proclib/IGYWCLG.jcl
# For a vigil that runs from its build folder, copies are made there.
all-local: proclib/copied
proclib/copied: $(dist_proclib_DATA)
	$(AM_V_GEN)$(MKDIR_P) proclib && cp -f $^ proclib/ && touch $@
CLEANFILES += proclib/*
