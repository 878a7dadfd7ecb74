/* SPDX-License-Identifier: Apache-2.0 */
/* Exports that are protocol buffers: one message, whose texts are numbers in a table. */
#ifndef VIGIL_EXPORTS_PACKED_H
#define VIGIL_EXPORTS_PACKED_H

#include "exports/export-form.h"

#include <protobuf-c/protobuf-c.h>

/* The number of a text in a table that began empty, as valid UTF-8; "" is 0. */
uint32_t packed_text(struct strmap *texts, const char *text);
/* Writes the message, compressed as gzip does. */
void packed_write(struct exporting *exporting, const ProtobufCMessage *message, bool compressed);

#endif
