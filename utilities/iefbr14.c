/* SPDX-License-Identifier: Apache-2.0 */
/* IEFBR14: does nothing; a step of it is there for what its DDs ask for. */
int main(void)
{
	return 0;
}
