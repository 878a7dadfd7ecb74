# SPDX-License-Identifier: Apache-2.0
# Waiting for something that another process does: "load waiting" in a .bats file.

# wait_for COMMAND...: until it succeeds, at most 20 seconds.
wait_for() {
	for _ in $(seq 400); do
		"$@" && return 0
		sleep 0.05
	done
	echo "never: $*"
	return 1
}
