# SPDX-License-Identifier: Apache-2.0
# The process in which a data collector runs.
pkglibexec_PROGRAMS += sampler/host/collector-host
sampler_host_collector_host_SOURCES = \
	sampler/host/access.c sampler/host/access.h \
	sampler/host/answer.c sampler/host/answer.h \
	sampler/host/guard.c sampler/host/guard.h \
	sampler/host/host.c \
	sampler/host/load.c sampler/host/load.h \
	sampler/host/process.c sampler/host/process.h \
	sampler/host/symbols.c sampler/host/symbols.h
sampler_host_collector_host_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/include
sampler_host_collector_host_LDADD = libsampler.a libcommon.a -lelf
