/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Monitor data of z/VM: a consumer that writes vigil's data as a MONWRITE file,
 * and an extractor that reads any such file.
 *
 * 	            writes                                   reads
 * 	monitor-writer  (consumer)               monitor-reader  (extractor)
 * 	    short-names   lists of users and         domain-detail   lists with their parts
 * 	                  devices                    monitor-types   records of what was read
 * 	    application   values as                  application-read
 * 	                  application data
 * 	    monwrite-write  records in frames        monwrite-read   records out of frames
 * 	                                             frame, page-stream
 * 	                       tod, ebcdic, layout, record-names
 *
 * Data written by vigil are read back unchanged: its application data become
 * records of their types again, and each snapshot keeps its number and its times.
 */
#ifndef VIGIL_METRICS_MONITOR_MONITOR_H
#define VIGIL_METRICS_MONITOR_MONITOR_H

#include "engine/engine.h"
#include "metrics/monitor/monwrite-read.h"
#include "metrics/monitor/short-names.h"
#include "metrics/selection.h"

/* Writes snapshots to a stream. Context: */
struct monitor_output {
	FILE *stream;
	const struct selection *selection; /* NULL: all metrics */
	bool live; /* the data are from this machine, so its users and its name apply */
	/*
	 * Output: number of names replaced because of a collision, a sentence about the
	 * first, number of devices without a number.
	 */
	size_t collisions, left_out;
	struct strbuf collided;		 /* the caller's to release */
	struct monitor_writing *writing; /* for the consumer's use */
};
extern const struct module_class monitor_output_class;

/* Reads a file or stream. Context: */
struct monitor_input {
	const char *path;
	int leap;		/* seconds by which the file's clock is ahead of UTC */
	monwrite_damage damage; /* called for each damage; or NULL */
	void *damage_argument;
	/* Output. */
	struct monwrite_status status;
	bool application; /* the file has application data of vigil */
	bool application_complete;
	struct monitor_reading *reading; /* for the extractor's use */
};
extern const struct module_class monitor_input_class;

#endif
