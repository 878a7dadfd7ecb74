/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of libsampler.
 *
 * What a session with other options would have been told, from the tape of one that
 * was: changes entries as they are read, in their order. Samples have the period of
 * their event, so the session need not know which periods were asked for; and a
 * session of an ordinary user gets no samples of the kernel, and no call chains of
 * it, as the kernel does with exclude_kernel.
 *
 * Where tasks leave the processor stays on the tape, though an ordinary user is not
 * told: what he would look up instead was not recorded.
 */
#ifndef VIGIL_SAMPLER_RECORDING_TAPE_VIEW_H
#define VIGIL_SAMPLER_RECORDING_TAPE_VIEW_H

#include "sampler/recording/tape.h"

struct tape_view;

/* user: of an ordinary user. */
struct tape_view *tape_view_new(bool user);
void tape_view_free(struct tape_view *view);
/*
 * Changes an entry; returns false if the session would not have got it. Data that
 * change are a copy of the view, valid until tape_view_forget.
 */
bool tape_view_change(struct tape_view *view, struct tape_entry *entry);
void tape_view_forget(struct tape_view *view);

#endif
