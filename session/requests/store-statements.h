/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Carries out statements on the request store (session/store): ADD to LIST of
 * requests that outlive their job.
 */
#ifndef VIGIL_SESSION_REQUESTS_STORE_STATEMENTS_H
#define VIGIL_SESSION_REQUESTS_STORE_STATEMENTS_H

#include "session/requests/carry-out.h"

/* Carries out one statement on the store that it names, or the default one. Messages are queued. */
void carry_out_stored(const struct control_statement *statement,
		      const struct carry_out_options *options, struct diag_list *diags);

#endif
