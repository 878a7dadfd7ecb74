/* SPDX-License-Identifier: Apache-2.0 */
/* A plug-in for covered.c, with code that is executed while it is loaded. */
static int loaded, never;

__attribute__((constructor)) static void begin(void)
{
	loaded = 1; /* yes */
}

__attribute__((destructor)) static void end(void)
{
	loaded = 0; /* yes */
}

int plugged(int value)
{
	if (value == 2)
		return loaded ? 2 : -1; /* yes */
	if (value > 2)
		return never; /* no */
	return 0;
}
