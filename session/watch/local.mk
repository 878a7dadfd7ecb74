# SPDX-License-Identifier: Apache-2.0

# Programs that vigil does not start, measured for requests of the store.
noinst_LIBRARIES += libwatch.a
libwatch_a_SOURCES = \
	session/watch/connector.c session/watch/connector.h \
	session/watch/lookout.c session/watch/lookout.h \
	session/watch/meant.c session/watch/meant.h \
	session/watch/watched.c session/watch/watched.h \
	session/watch/watching.c session/watch/watching.h
EXTRA_DIST += tests/watch.bats

if HAVE_CMOCKA
check_PROGRAMS += session/watch/test-lookout
UNIT_TESTS += session/watch/test-lookout
session_watch_test_lookout_SOURCES = session/watch/test-lookout.c common/test-folder.c common/test-folder.h
session_watch_test_lookout_LDADD = libwatch.a libcontrol.a libcommon.a $(CMOCKA_LIBS)
endif

# The units of systemd, of a user and of the machine: they name the installed program.
systemduserdir = $(prefix)/lib/systemd/user
systemdsystemdir = $(prefix)/lib/systemd/system
systemduser_DATA = session/watch/user/vigil-watch.service
systemdsystem_DATA = session/watch/system/vigil-watch.service
CLEANFILES += session/watch/user/vigil-watch.service session/watch/system/vigil-watch.service
EXTRA_DIST += session/watch/user-unit.in session/watch/system-unit.in
session/watch/%/vigil-watch.service: session/watch/%-unit.in Makefile
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)sed 's,@bindir@,$(bindir),' $(top_srcdir)/session/watch/$*-unit.in >$@
