# SPDX-License-Identifier: Apache-2.0
# Waiting for something that another process does: "load waiting" in a .bats file.

# wait_for COMMAND...: until it succeeds, at most 20 seconds.
wait_for() {
	local waited
	for waited in $(seq 420); do
		"$@" && return 0
		# Most of it is there soon.
		if [ "$waited" -le 20 ]; then sleep 0.01; else sleep 0.05; fi
	done
	echo "never: $*"
	return 1
}
