# SPDX-License-Identifier: Apache-2.0

# Compiling and binding COBOL, and the procedures that do both.
pkglibexec_PROGRAMS += session/utilities/cobol-step session/utilities/igycrctl session/utilities/iewl
session_utilities_cobol_step_SOURCES = session/cobol/cobol-step.c
session_utilities_cobol_step_LDADD = libcommon.a
session_utilities_igycrctl_SOURCES = \
	session/cobol/cobc.c session/cobol/cobc.h \
	session/cobol/igycrctl.c
session_utilities_igycrctl_LDADD = libutility.a libdatasets.a libcommon.a
session_utilities_iewl_SOURCES = \
	session/cobol/cobc.c session/cobol/cobc.h \
	session/cobol/iewl.c
session_utilities_iewl_LDADD = libutility.a libdatasets.a libcommon.a
proclibdir = $(pkgdatadir)/proclib
dist_proclib_DATA = \
	session/cobol/proclib/IGYWC.jcl \
	session/cobol/proclib/IGYWCL.jcl \
	session/cobol/proclib/IGYWCLG.jcl
# A vigil that runs from its build folder finds copies there.
all-local: proclib/copied
proclib/copied: $(dist_proclib_DATA)
	$(AM_V_GEN)$(MKDIR_P) proclib && cp -f $^ proclib/ && touch $@
CLEANFILES += proclib/*
