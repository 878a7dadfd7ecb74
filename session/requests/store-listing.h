/* SPDX-License-Identifier: Apache-2.0 */
/* Formats the request store for LIST, as text and as JSON. */
#ifndef VIGIL_SESSION_REQUESTS_STORE_LISTING_H
#define VIGIL_SESSION_REQUESTS_STORE_LISTING_H

#include "session/store/request-store.h"

/* Appends the state of a request, with when it starts or until when it waits. */
void stored_list_state(const struct stored_request *request, struct strbuf *sb);
/* Appends a heading and one line per request. */
void stored_list_table(const struct stored_requests *list, struct strbuf *sb);
/* Appends all facts about one request, with its history and sessions. */
void stored_list_one(const struct stored_request *request, struct strbuf *sb);
/* Appends an array of objects; times are seconds since 1970 UTC. */
void stored_list_json(const struct stored_requests *list, struct strbuf *sb);

#endif
