# SPDX-License-Identifier: Apache-2.0
# vigil report --format pdf, svg and png: pages and pictures laid out here, drawn by a module.
libreports_a_SOURCES += \
	reports/print/device-pdf.c \
	reports/print/ink.c reports/print/ink.h \
	reports/print/painter.h \
	reports/print/picture.c reports/print/picture.h \
	reports/print/picture-flame.c \
	reports/print/picture-parts.c reports/print/picture-parts.h \
	reports/print/picture-shares.c \
	reports/print/picture-time.c \
	reports/print/sheets.c reports/print/sheets.h

# A module, so that only what draws loads the libraries that draw.
if HAVE_CAIRO
pkglib_LTLIBRARIES += reports/print/vigil-print.la
endif
reports_print_vigil_print_la_SOURCES = reports/print/paint.c reports/print/ink.c reports/print/ink.h \
	reports/print/painter.h reports/print/sheets.h
reports_print_vigil_print_la_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS) -fvisibility=hidden
reports_print_vigil_print_la_LDFLAGS = -module -avoid-version -no-undefined
reports_print_vigil_print_la_LIBADD = $(CAIRO_LIBS) -lm

if HAVE_CMOCKA
check_PROGRAMS += reports/print/test-sheets
UNIT_TESTS += reports/print/test-sheets
reports_print_test_sheets_SOURCES = reports/print/test-sheets.c
reports_print_test_sheets_LDADD = $(reports_test_libs) $(CMOCKA_LIBS)
endif
