/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that leaving.cc calls in its library. */
typedef double wide __attribute__((vector_size(32)));
typedef double wider __attribute__((vector_size(64)));

struct large {
	long values[40];
};

struct mixed {
	long a;
	double b;
};

#ifdef __cplusplus
extern "C" {
#endif
wide add_wide(wide a, wide b);
wider add_wider(wider a, wider b);
long double extended(long double a, int b, long double c);
struct large scaled(long by, struct large from);
struct mixed mixed(long a, double b);
double sum(int count, ...);
int back(int (*function)(int), int argument);
#ifdef __cplusplus
}
#endif
