# SPDX-License-Identifier: Apache-2.0
# The page of vigil report and vigil compare --format html: its content in C, its style and script embedded.
libreports_a_SOURCES += \
	reports/page/page-axis.c reports/page/page-axis.h \
	reports/page/page-content.c reports/page/page-content.h \
	reports/page/page-difference.c reports/page/page-difference.h \
	reports/page/page-files.h \
	reports/page/page-sources.c reports/page/page-sources.h \
	reports/page/page-text.c reports/page/page-text.h \
	reports/page/page-tree.c reports/page/page-tree.h
nodist_libreports_a_SOURCES = reports/page/page-files.c
CLEANFILES += reports/page/page-files.c

# In the order they stand in the page.
page_files = \
	reports/page/vendor/uPlot.min.css \
	reports/page/page.css \
	reports/page/vendor/uPlot.iife.min.js \
	reports/page/content.js \
	reports/page/elements.js \
	reports/page/selection.js \
	reports/page/calls.js \
	reports/page/selected.js \
	reports/page/picture.js \
	reports/page/flames.js \
	reports/page/procedure.js \
	reports/page/difference.js \
	reports/page/trend.js \
	reports/page/times.js \
	reports/page/lines.js \
	reports/page/lists.js \
	reports/page/tables.js \
	reports/page/page.js
EXTRA_DIST += $(page_files) reports/page/vendor/LICENSE.uPlot reports/page/vendor/README.md reports/page/vendor/SHA256SUMS
noinst_PROGRAMS += reports/page/make-page
reports_page_make_page_SOURCES = reports/page/make-page.c
reports_page_make_page_LDADD = libcommon.a
reports/page/page-files.c: reports/page/make-page$(EXEEXT) $(page_files)
	$(AM_V_GEN)reports/page/make-page$(EXEEXT) $@.tmp $(addprefix $(srcdir)/,$(page_files)) && mv $@.tmp $@
