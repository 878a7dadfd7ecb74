# SPDX-License-Identifier: Apache-2.0

# The utilities: each is a separate program, found by session/job/program-search.c.
noinst_LIBRARIES += libutility.a
libutility_a_SOURCES = \
	utilities/arguments.c \
	utilities/dd.c utilities/dd.h \
	utilities/preload.c utilities/preload.h \
	utilities/sign-count.c utilities/sign-count.h \
	utilities/utility-statements.c utilities/utility-statements.h \
	utilities/utility.c utilities/utility.h
pkglibexec_PROGRAMS += \
	utilities/programs/bpxbatch \
	utilities/programs/iebcopy \
	utilities/programs/iebgener \
	utilities/programs/iebupdte \
	utilities/programs/iefbr14 \
	utilities/programs/iehprogm \
	utilities/programs/vigil
utilities_programs_bpxbatch_SOURCES = utilities/bpxbatch.c
utilities_programs_bpxbatch_LDADD = libutility.a libdatasets.a libcommon.a
utilities_programs_iebcopy_SOURCES = \
	utilities/iebcopy.c \
	utilities/iebcopy-request.c utilities/iebcopy-request.h \
	utilities/iebcopy-unload.c utilities/iebcopy-unload.h \
	utilities/members.c utilities/members.h
utilities_programs_iebcopy_LDADD = libutility.a libdatasets.a libcommon.a
utilities_programs_iebgener_SOURCES = \
	utilities/iebgener.c \
	utilities/iebgener-edit.c utilities/iebgener-edit.h \
	utilities/iebgener-request.c utilities/iebgener-request.h \
	utilities/members.c utilities/members.h
utilities_programs_iebgener_LDADD = libutility.a libdatasets.a libcommon.a
utilities_programs_iebupdte_SOURCES = \
	utilities/iebupdte.c \
	utilities/iebupdte-cards.c utilities/iebupdte-cards.h \
	utilities/iebupdte-change.c utilities/iebupdte-change.h \
	utilities/members.c utilities/members.h
utilities_programs_iebupdte_LDADD = libutility.a libdatasets.a libcommon.a
utilities_programs_iefbr14_SOURCES = utilities/iefbr14.c
utilities_programs_iehprogm_SOURCES = utilities/iehprogm.c
utilities_programs_iehprogm_LDADD = libutility.a libjob.a libdatasets.a libcommon.a
utilities_programs_vigil_SOURCES = utilities/vigil.c metrics/opened-metrics.c
utilities_programs_vigil_LDADD = librequests.a libresources.a librequeststore.a libutility.a libdatasets.a libcollection.a libmeasure.a libreports.a libprofile.a libmetrics.a libevents.a libstep.a libprogram.a libcontrol.a \
	libopened.a librecords.a libengine.a libcommon.a $(NAMES_LIBS) $(SQLITE_LIBS) -lm
if !SANITIZERS
# It does nothing, so its start is its whole cost: no dynamic loading.
utilities_programs_iefbr14_LDFLAGS = -all-static
endif

check_PROGRAMS += utilities/fuzz-utilities
utilities_fuzz_utilities_SOURCES = utilities/fuzz-utilities.c utilities/iebcopy-request.c utilities/iebgener-request.c utilities/iebupdte-cards.c $(fuzz_input) $(fuzz_driver)
utilities_fuzz_utilities_LDFLAGS = $(fuzz_link)
utilities_fuzz_utilities_LDADD = libutility.a libdatasets.a libcommon.a

include utilities/idcams/local.mk
include utilities/sort/local.mk
include utilities/tso/local.mk
include utilities/cobol/local.mk
