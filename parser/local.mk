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
