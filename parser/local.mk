# SPDX-License-Identifier: Apache-2.0

# Control statements.
noinst_LIBRARIES += libcontrol.a
libcontrol_a_SOURCES = \
	parser/control.h \
	parser/control-block.c parser/control-block.h \
	parser/control-change.c parser/control-change.h \
	parser/control-lookup.c parser/control-lookup.h \
	parser/control-check.c \
	parser/control-grammar.y \
	parser/control-operands.c parser/control-operands.h \
	parser/control-parse.c \
	parser/control-print.c \
	parser/control-running.c parser/control-running.h \
	parser/control-schedule.c parser/control-schedule.h \
	parser/control-merge.c \
	parser/control-scanner.l \
	parser/control-tree.c parser/control-tree.h \
	parser/control-values.c parser/control-values.h \
	parser/run-time-options.c parser/run-time-options.h
AM_YFLAGS += -Wno-yacc
BUILT_SOURCES += parser/control-grammar.h
CLEANFILES += parser/control-grammar.c parser/control-grammar.h parser/control-scanner.c

if HAVE_CMOCKA
check_PROGRAMS += parser/test-control
UNIT_TESTS += parser/test-control
parser_test_control_SOURCES = parser/test-control.c
parser_test_control_LDADD = libcontrol.a libcommon.a $(CMOCKA_LIBS)
endif
EXTRA_DIST += tests/control/syntax.tsv tests/control/requests.tsv tests/control/reports.tsv \
	tests/control/profiler.tsv tests/control/cards.tsv tests/control/collections.tsv tests/control/comparisons.tsv

# JCL
noinst_LIBRARIES += libparser.a
libparser_a_SOURCES = \
	parser/jcl.h \
	parser/jcl-attributes.c \
	parser/jcl-cards.c \
	parser/jcl-condition.c \
	parser/jcl-dataset.c \
	parser/jcl-dd.c parser/jcl-dd.h \
	parser/jcl-evaluate.c parser/jcl-evaluation.h \
	parser/jcl-exec.c \
	parser/jcl-job.c \
	parser/jcl-listing.c \
	parser/jcl-operands.y \
	parser/jcl-override.c \
	parser/jcl-prepare.c \
	parser/jcl-print.c \
	parser/jcl-procedure.c parser/jcl-procedure.h \
	parser/jcl-refer.c \
	parser/jcl-scanner.l \
	parser/jcl-step.c \
	parser/jcl-symbols.c \
	parser/jcl-tree.c parser/jcl-tree.h \
	parser/jcl-values.c \
	parser/plan.c parser/plan.h
BUILT_SOURCES += parser/jcl-operands.h
CLEANFILES += test-jcl-failed.jcl parser/jcl-operands.c parser/jcl-operands.h parser/jcl-scanner.c
AM_YFLAGS += -Wno-yacc

noinst_PROGRAMS += parser/test-jcl-tool
parser_test_jcl_tool_SOURCES = parser/test-jcl-tool.c parser/test-jcl-plan.c parser/test-jcl-plan.h
parser_test_jcl_tool_LDADD = libparser.a libcommon.a

if HAVE_CMOCKA
check_PROGRAMS += parser/test-jcl parser/test-jcl-decks
UNIT_TESTS += parser/test-jcl parser/test-jcl-decks
parser_test_jcl_SOURCES = parser/test-jcl.c parser/test-jcl-outcome.c parser/test-jcl-outcome.h \
	parser/test-jcl-plan.c parser/test-jcl-plan.h
parser_test_jcl_LDADD = libparser.a libcommon.a $(CMOCKA_LIBS)
parser_test_jcl_decks_SOURCES = parser/test-jcl-decks.c \
	parser/test-mutation.c parser/test-mutation.h \
	parser/test-jcl-outcome.c parser/test-jcl-outcome.h
parser_test_jcl_decks_LDADD = libparser.a libcommon.a $(CMOCKA_LIBS)
endif
jcl_tables = cards operands symbols statements dds conditions procedures steps
EXTRA_DIST += $(jcl_tables:%=tests/jcl/%.tsv) tests/jcl/corpus-faults.tsv

noinst_PROGRAMS += parser/bench-parse
parser_bench_parse_SOURCES = parser/bench-parse.c
parser_bench_parse_LDADD = libparser.a libcommon.a

# Fuzz targets: with libFuzzer in a build of --enable-fuzzers, else with a driver of our own (tests/fuzz.t).
if FUZZERS
fuzz_driver =
fuzz_link = -fsanitize=fuzzer
else
fuzz_driver = parser/fuzz-driver.c parser/test-mutation.c parser/test-mutation.h
fuzz_link =
endif
fuzz_input = common/test-input.c common/test-input.h
fuzz_blocks = engine/test-blocks.c engine/test-blocks.h
check_PROGRAMS += parser/fuzz-control
parser_fuzz_control_SOURCES = parser/fuzz-control.c $(fuzz_driver)
parser_fuzz_control_LDFLAGS = $(fuzz_link)
parser_fuzz_control_LDADD = libcontrol.a libcommon.a
check_PROGRAMS += parser/fuzz-jcl
parser_fuzz_jcl_SOURCES = parser/fuzz-jcl.c $(fuzz_driver)
parser_fuzz_jcl_LDFLAGS = $(fuzz_link)
parser_fuzz_jcl_LDADD = libparser.a libcommon.a
