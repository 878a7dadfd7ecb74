/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The newest text over HTTP, on a port of the loopback interface: GET /metrics.
 *
 * All is done where scrape_serve is called, and nothing there waits: a client
 * that sends or takes nothing is let go after SCRAPE_PATIENCE seconds, and
 * only SCRAPE_CLIENTS may be there at one time. libmicrohttpd speaks HTTP;
 * without it there is no port.
 */
#ifndef VIGIL_SESSION_COLLECTION_SCRAPE_H
#define VIGIL_SESSION_COLLECTION_SCRAPE_H

#include "common/error.h"

#define SCRAPE_PATIENCE 5
#define SCRAPE_CLIENTS 16

struct scrape;

/* Listen on a port of 127.0.0.1, 0: any that is free. NULL with err. */
struct scrape *scrape_open(uint16_t port, struct error *err);
void scrape_close(struct scrape *scrape);
/* The port. */
uint16_t scrape_port(const struct scrape *scrape);
/* A descriptor that is readable when scrape_serve has something to do. */
int scrape_descriptor(const struct scrape *scrape);
/* Whether clients are there, so that scrape_serve is wanted each second in any case. */
bool scrape_busy(const struct scrape *scrape);
/* Serve what can be served at once. */
void scrape_serve(struct scrape *scrape);
/* From now on answer with this text, which is copied. */
void scrape_publish(struct scrape *scrape, const struct strbuf *text);

#endif
