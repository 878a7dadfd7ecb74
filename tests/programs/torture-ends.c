/* SPDX-License-Identifier: Apache-2.0 */
/* ends(WHAT): ends the COBOL program that calls it, or otherwise disturbs it. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void on_alarm(int signal)
{
	(void)signal;
}

int ends(const char *what)
{
	struct itimerval every = { { 0, 100 }, { 0, 100 } };

	if (strncmp(what, "kill", 4) == 0)
		kill(getpid(), SIGKILL);
	else if (strncmp(what, "abort", 5) == 0)
		abort();
	else if (strncmp(what, "exit", 4) == 0)
		exit(5);
	else if (strncmp(what, "leave", 5) == 0)
		_exit(5);
	else if (strncmp(what, "fork", 4) == 0)
		for (int i = 0; i < 3 && fork(); i++)
			wait(NULL);
	else if (strncmp(what, "alarm", 5) == 0) {
		signal(SIGALRM, on_alarm);
		setitimer(ITIMER_REAL, &every, NULL);
	}
	return 0;
}
