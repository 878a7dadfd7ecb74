# SPDX-License-Identifier: Apache-2.0
message_areas = common jcl control measure dataset job cobol report request history handler
EXTRA_DIST += doc/vigil-messages.head $(message_areas:%=doc/messages/%.mdoc)
nodist_man_MANS = doc/vigil-messages.7
CLEANFILES += doc/vigil-messages.7
doc/vigil-messages.7: doc/vigil-messages.head $(message_areas:%=doc/messages/%.mdoc)
	$(AM_V_GEN)$(MKDIR_P) doc && (cat $(srcdir)/doc/vigil-messages.head && \
		awk '/SPDX/ { next } /^\.It/ { number = substr($$3, 4, 4) } { print number "\t" $$0 }' \
			$(message_areas:%=$(srcdir)/doc/messages/%.mdoc) | sort -s -k 1,1n | cut -f 2- && \
		echo '.El') >$@.tmp && mv $@.tmp $@
all-local: doc/vigil-messages.7
EXTRA_DIST += doc/vigil-metrics.head
nodist_man_MANS += doc/vigil-metrics.7
CLEANFILES += doc/vigil-metrics.7
doc/vigil-metrics.7: doc/vigil-metrics.head metrics/make-manual$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) doc && metrics/make-manual$(EXEEXT) $(srcdir)/doc/vigil-metrics.head $@.tmp && mv $@.tmp $@
all-local: doc/vigil-metrics.7
dist_man_MANS += doc/vigil-dataset.5 doc/vigil-monitor.5
dist_man_MANS += doc/vigil.1 doc/vigil-submit.1 doc/vigil-check.1 doc/vigil-run.1 doc/vigil-attach.1 \
	doc/vigil-collectors.1 doc/vigil-compare.1 doc/vigil-consolidate.1 doc/vigil-read.1 doc/vigil-control.1 doc/vigil-report.1 doc/vigil-statements.5 doc/vigil.3
dist_man_MANS += doc/vigil-request.1 doc/vigil-watch.1 doc/vigil-start.1 doc/vigil-pause.1 doc/vigil-list.1 doc/vigil-delete.1
dist_man_MANS += doc/vigil-replay.1
dist_man_MANS += doc/vigil-history.1 doc/vigil-night.1
dist_man_MANS += doc/vigil-collect.1 doc/vigil-extract.1 doc/vigil-modules.1
dist_man_MANS += doc/vigil-handler.3
dist_man_MANS += doc/vigil-module.3 doc/vigil-engine.3
dist_man_MANS += doc/vigil-config.1 doc/vigil-collector.3 doc/vigil-collectors.7
dist_man_MANS += doc/vigil-spool.5 doc/vigil-jcl.7 doc/vigil-utilities.7
dist_man_MANS += doc/vigil-idcams.7 doc/vigil-sort.7
# Example data collectors, with the programs they observe.
collectorexamplesdir = $(docdir)/collectors
dist_collectorexamples_DATA = doc/collectors/README \
	doc/collectors/STRBTSMD.c doc/collectors/tsm.h doc/collectors/tsmdrivr.c \
	doc/collectors/STRBDC1.c doc/collectors/tmain.h doc/collectors/tinterpt.c doc/collectors/payday.t4l
dist_doc_DATA = doc/collector-guide.md doc/module-guide.md
# An example event handler.
handlerexamplesdir = $(docdir)/handlers
dist_handlerexamples_DATA = doc/handlers/README doc/handlers/CEEEVPRF.c
# Example processor modules and a client of the engine.
moduleexamplesdir = $(docdir)/modules
dist_moduleexamples_DATA = doc/modules/client.c doc/modules/idle-filter.c doc/modules/live-consumer.c \
	doc/modules/limit-monitor.c \
	doc/modules/load-producer.c
