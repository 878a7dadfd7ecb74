# SPDX-License-Identifier: Apache-2.0

# The resource library: sample data sets by name, listed, deleted, printed and consolidated.
noinst_LIBRARIES += libresources.a
libresources_a_SOURCES = \
	session/library/library-index.c session/library/library-index.h \
	session/library/resource.c session/library/resource.h \
	session/library/resources.c session/library/resources.h

if HAVE_CMOCKA
check_PROGRAMS += session/library/test-resource
UNIT_TESTS += session/library/test-resource
session_library_test_resource_SOURCES = session/library/test-resource.c common/test-folder.c common/test-folder.h
session_library_test_resource_LDADD = libresources.a libdatasets.a libreports.a libprofile.a librecords.a libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS) -lm
check_PROGRAMS += session/library/test-library-index
UNIT_TESTS += session/library/test-library-index
session_library_test_library_index_SOURCES = session/library/test-library-index.c common/test-folder.c common/test-folder.h
session_library_test_library_index_LDADD = libresources.a libdatasets.a libreports.a libprofile.a librecords.a libengine.a libcommon.a $(NAMES_LIBS) $(CMOCKA_LIBS) -lm
endif
