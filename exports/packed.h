/* SPDX-License-Identifier: Apache-2.0 */
/* Exports as protocol buffers: one message, in which texts are indices into a table. */
#ifndef VIGIL_EXPORTS_PACKED_H
#define VIGIL_EXPORTS_PACKED_H

#include "exports/export-form.h"

#include <protobuf-c/protobuf-c.h>

/*
 * Returns the index of a text, as valid UTF-8, in a table that was initially
 * empty; adds it if needed. "" is 0.
 */
uint32_t packed_text(struct strmap *texts, const char *text);
/* Writes the message; compressed: in gzip format. */
void packed_write(struct exporting *exporting, const ProtobufCMessage *message, bool compressed);

#endif
