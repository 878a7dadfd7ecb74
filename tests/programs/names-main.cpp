/* SPDX-License-Identifier: Apache-2.0 */
/* Calls names-unit.cpp, which is compiled into it twice. */
long first(long);
long second(long);
int main(int argc, char **) { return (int)(first(argc) + second(argc)); }
