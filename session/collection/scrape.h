/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Serves the newest text over HTTP, on a port of the loopback interface: GET
 * /metrics.
 *
 * All work is done in scrape_serve, which never blocks: a client that neither
 * sends nor receives is disconnected after SCRAPE_PATIENCE seconds, and at most
 * SCRAPE_CLIENTS are connected at once. HTTP is provided by libmicrohttpd; without
 * it there is no port.
 */
#ifndef VIGIL_SESSION_COLLECTION_SCRAPE_H
#define VIGIL_SESSION_COLLECTION_SCRAPE_H

#include "common/error.h"

#define SCRAPE_PATIENCE 5
#define SCRAPE_CLIENTS 16

struct scrape;

/* Listens on a port of 127.0.0.1; 0: any free port. NULL with err. */
struct scrape *scrape_open(uint16_t port, struct error *err);
void scrape_close(struct scrape *scrape);
/* Returns the port. */
uint16_t scrape_port(const struct scrape *scrape);
/* Returns a descriptor that is readable when scrape_serve has work. */
int scrape_descriptor(const struct scrape *scrape);
/* Returns whether clients are connected, so that scrape_serve must also be called every second. */
bool scrape_busy(const struct scrape *scrape);
/* Does all work that is possible without blocking. */
void scrape_serve(struct scrape *scrape);
/* Replaces the text to serve by a copy of this one. */
void scrape_publish(struct scrape *scrape, const struct strbuf *text);

#endif
