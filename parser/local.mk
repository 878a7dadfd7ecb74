# SPDX-License-Identifier: Apache-2.0

# Control statements.
noinst_LIBRARIES += libcontrol.a
libcontrol_a_SOURCES = \
	parser/control.h \
	parser/control-check.c \
	parser/control-grammar.y \
	parser/control-operands.c parser/control-operands.h \
	parser/control-print.c \
	parser/control-scanner.l \
	parser/control-tree.c parser/control-tree.h \
	parser/control-values.c parser/control-values.h
AM_YFLAGS += -Wno-yacc
BUILT_SOURCES += parser/control-grammar.h
CLEANFILES += parser/control-grammar.c parser/control-grammar.h parser/control-scanner.c
# JCL
noinst_LIBRARIES += libparser.a
libparser_a_SOURCES = \
	parser/jcl.h \
	parser/jcl-cards.c \
	parser/jcl-condition.c \
	parser/jcl-dataset.c \
	parser/jcl-dd.c parser/jcl-dd.h \
	parser/jcl-evaluate.c parser/jcl-evaluation.h \
	parser/jcl-exec.c \
	parser/jcl-job.c \
	parser/jcl-operands.y \
	parser/jcl-print.c \
	parser/jcl-scanner.l \
	parser/jcl-symbols.c \
	parser/jcl-tree.c parser/jcl-tree.h \
	parser/jcl-values.c \
	parser/plan.c parser/plan.h
BUILT_SOURCES += parser/jcl-operands.h
CLEANFILES += parser/jcl-operands.c parser/jcl-operands.h parser/jcl-scanner.c
AM_YFLAGS += -Wno-yacc

noinst_PROGRAMS += parser/jcl-tool
parser_jcl_tool_SOURCES = parser/jcl-tool.c
parser_jcl_tool_LDADD = libparser.a libcommon.a
