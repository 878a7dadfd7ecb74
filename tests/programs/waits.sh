# SPDX-License-Identifier: Apache-2.0
# Waits for children in seven ways; tests/collectors-shell.bats knows the lines.
nap() {
	sleep 0.4
}
sleep 0.41
nap
for i in 1 2; do
	:
	sleep 0.21
done
( sleep 0.43 )
:
sleep 0.1 | sleep 0.44
:
x=$(sleep 0.45)
sleep 0.46 &
:
wait
