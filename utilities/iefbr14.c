/* SPDX-License-Identifier: Apache-2.0 */
/* IEFBR14: does nothing; its step exists for the sake of its DDs. */
int main(void)
{
	return 0;
}
