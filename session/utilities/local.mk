# SPDX-License-Identifier: Apache-2.0

# The utilities: each a program of its own, found by session/job/search.c.
noinst_LIBRARIES += libutility.a
libutility_a_SOURCES = \
	session/utilities/arguments.c \
	session/utilities/dd.c session/utilities/dd.h \
	session/utilities/preload.c session/utilities/preload.h \
	session/utilities/utility.c session/utilities/utility.h
pkglibexec_PROGRAMS += \
	session/utilities/bpxbatch \
	session/utilities/iebcopy \
	session/utilities/iebgener \
	session/utilities/iebupdte \
	session/utilities/iefbr14 \
	session/utilities/iehprogm \
	session/utilities/vigil
session_utilities_bpxbatch_SOURCES = session/utilities/bpxbatch.c
session_utilities_bpxbatch_LDADD = libutility.a libdatasets.a libcommon.a
session_utilities_iebcopy_SOURCES = \
	session/utilities/iebcopy.c \
	session/utilities/iebcopy-request.c session/utilities/iebcopy-request.h \
	session/utilities/iebcopy-unload.c session/utilities/iebcopy-unload.h \
	session/utilities/members.c session/utilities/members.h
session_utilities_iebcopy_LDADD = libutility.a libdatasets.a libcommon.a
session_utilities_iebgener_SOURCES = \
	session/utilities/iebgener.c \
	session/utilities/iebgener-edit.c session/utilities/iebgener-edit.h \
	session/utilities/iebgener-request.c session/utilities/iebgener-request.h \
	session/utilities/members.c session/utilities/members.h
session_utilities_iebgener_LDADD = libutility.a libdatasets.a libcommon.a
session_utilities_iebupdte_SOURCES = \
	session/utilities/iebupdte.c \
	session/utilities/iebupdte-cards.c session/utilities/iebupdte-cards.h \
	session/utilities/iebupdte-change.c session/utilities/iebupdte-change.h \
	session/utilities/members.c session/utilities/members.h
session_utilities_iebupdte_LDADD = libutility.a libdatasets.a libcommon.a
session_utilities_iefbr14_SOURCES = session/utilities/iefbr14.c
session_utilities_iehprogm_SOURCES = session/utilities/iehprogm.c
session_utilities_iehprogm_LDADD = libutility.a libjob.a libdatasets.a libcommon.a
session_utilities_vigil_SOURCES = session/utilities/vigil.c
session_utilities_vigil_LDADD = libcommands.a libjob.a libutility.a libdatasets.a libreports.a libcontrol.a libengine.a \
	libcommon.a $(ZLIB_LIBS) -lm
if !SANITIZERS
# It does nothing, so that starting it is all it costs: no dynamic loading.
session_utilities_iefbr14_LDFLAGS = -all-static
endif
