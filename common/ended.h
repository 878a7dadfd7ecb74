/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for the end of a child, and for that only. While a task is held for
 * a data collector this process traces it, and both wait4 and waitid report
 * the stop of a traced child though nobody asked for stops: the sampler, which
 * waits for it, would never see it.
 */
#ifndef VIGIL_ENDED_H
#define VIGIL_ENDED_H

#include "common/compat.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* Take the end of a child (-1: any) as wait4 does; flags: WNOHANG or 0. Returns 0 when none has
   ended yet. */
static inline pid_t ended_take(pid_t pid, int *status, int flags, struct rusage *used)
{
	siginfo_t info = { 0 };

	RETURN_IF(waitid(pid < 0 ? P_ALL : P_PID, pid < 0 ? 0 : (id_t)pid, &info,
			 WEXITED | WNOWAIT | flags) < 0,
		  -1);
	RETURN_IF(info.si_pid == 0 || info.si_code == CLD_TRAPPED || info.si_code == CLD_STOPPED, 0);
	return wait4(info.si_pid, status, 0, used);
}

#endif
