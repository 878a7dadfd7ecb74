/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data for the script of a page: one JSON object, compact, without any '<'.
 * Its members (numbers are whole unless noted, times in ns):
 *
 *   period     ns of CPU time that a sample stands for, real
 *   run        length of the run
 *   axis       start (relative to the origin of all times, the start of the run), width, count: the slices
 *   texts      strings; all names are numbers of these
 *   functions  by number: name, section, module, kind (page-tree.h), reason
 *   nodes      by number from 0, four each: parent, function, file, line
 *   tasks, transactions     names, by number
 *   files      of waits, from 1: name, data set, device
 *   reasons    names, by enum wait_reason
 *   cpu        rows, four each: node, task, transaction, count of cells
 *   cpuCells   of all these rows in order, two each: slice, samples
 *   waits      rows, six each: node, task, transaction, reason, file, count of cells
 *   waitCells  three each: slice, ns waited by the task, ns charged to the step
 *   totals     samples, charged, waited: what the cells must add up to
 *   groups     series over time: id, title, unit, start, width, series (name, values)
 *   sources    file, state, lines (number, text); page-sources.h
 */
#ifndef VIGIL_REPORTS_PAGE_PAGE_CONTENT_H
#define VIGIL_REPORTS_PAGE_PAGE_CONTENT_H

#include "profile/profile.h"

/*
 * Appends the object. resolution: bytes per block of code without names, as in
 * profile/call-places.h.
 */
void page_content_json(const struct profile *profile, unsigned resolution, struct strbuf *out);

#endif
