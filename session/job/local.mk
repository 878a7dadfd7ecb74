# SPDX-License-Identifier: Apache-2.0

# Running jobs.
noinst_LIBRARIES += libjob.a
libjob_a_SOURCES = \
	session/job/abend.c session/job/abend.h \
	session/job/allocate.c session/job/allocate.h \
	session/job/concatenate.c session/job/concatenate.h \
	session/job/conditions.c session/job/conditions.h \
	session/job/data-sets.c session/job/data-sets.h \
	session/job/dispositions.c \
	session/job/environment.c session/job/environment.h \
	session/job/groups.c session/job/groups.h \
	session/job/guard.c session/job/guard.h \
	session/job/jes.h session/job/jesjcl.c session/job/jesysmsg.c \
	session/job/job.c session/job/job.h \
	session/job/job-history.c session/job/job-history.h \
	session/job/launch.c session/job/launch.h \
	session/job/learned.c session/job/learned.h \
	session/job/log.c session/job/log.h \
	session/job/measured.c session/job/measured.h \
	session/job/own-cards.c session/job/own-cards.h \
	session/job/parm.c session/job/parm.h \
	session/job/process-tree.c session/job/process-tree.h \
	session/job/program.c session/job/program.h \
	session/job/reader.c session/job/reader.h \
	session/job/remains.c session/job/remains.h \
	session/job/settled.c session/job/settled.h \
	session/job/reserve.c session/job/reserve.h \
	session/job/run-options.c session/job/run-options.h \
	session/job/runner.c session/job/runner.h \
	session/job/restart.c session/job/restart.h \
	session/job/program-search.c session/job/program-search.h \
	session/job/spool.c session/job/spool.h \
	session/job/step.c session/job/step.h \
	session/job/stored-step.c session/job/stored-step.h \
	session/job/supervise.c session/job/supervise.h \
	session/job/update-copies.c session/job/update-copies.h

if HAVE_CMOCKA
check_PROGRAMS += session/job/test-log
UNIT_TESTS += session/job/test-log
session_job_test_log_SOURCES = session/job/test-log.c
session_job_test_log_LDADD = libjob.a libdatasets.a libparser.a libcommon.a $(CMOCKA_LIBS)
check_PROGRAMS += session/job/test-run-options
UNIT_TESTS += session/job/test-run-options
session_job_test_run_options_SOURCES = session/job/test-run-options.c
session_job_test_run_options_LDADD = libjob.a libdatasets.a libparser.a libcontrol.a libcommon.a $(CMOCKA_LIBS)
check_PROGRAMS += session/job/test-settled
UNIT_TESTS += session/job/test-settled
session_job_test_settled_SOURCES = session/job/test-settled.c
session_job_test_settled_LDADD = libjob.a libdatasets.a libparser.a libcommon.a $(CMOCKA_LIBS)
check_PROGRAMS += session/job/test-stored-step
UNIT_TESTS += session/job/test-stored-step
session_job_test_stored_step_SOURCES = session/job/test-stored-step.c common/test-folder.c common/test-folder.h session/store/test-statement.c session/store/test-statement.h
session_job_test_stored_step_LDADD = libjob.a libdatasets.a librequeststore.a libparser.a libcontrol.a libcommon.a $(SQLITE_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += session/job/test-remains
UNIT_TESTS += session/job/test-remains
session_job_test_remains_SOURCES = session/job/test-remains.c metrics/opened-metrics.c
session_job_test_remains_LDADD = $(session_job_test_job_LDADD)
check_PROGRAMS += session/job/test-job
UNIT_TESTS += session/job/test-job
session_job_test_job_SOURCES = session/job/test-job.c common/test-folder.c common/test-folder.h metrics/opened-metrics.c
session_job_test_job_LDADD = libjob.a librequests.a libresources.a libhistory.a librequeststore.a libdatasets.a libcollection.a libmeasure.a libreports.a libprofile.a libmetrics.a libsampler.a libevents.a libstep.a libprogram.a libparser.a libcontrol.a \
	libopened.a librecords.a libengine.a libcommon.a $(NAMES_LIBS) $(SQLITE_LIBS) $(CMOCKA_LIBS) -lm
endif
