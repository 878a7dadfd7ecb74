# SPDX-License-Identifier: Apache-2.0
# What live tests share: "load live" in a .bats file. Their model is near() in tests/profile.py.

# stolen_ms: ms that a hypervisor has taken from all processors since boot.
stolen_ms() {
	awk '/^cpu / { print $9 * 10 }' /proc/stat
}

# valid COMMAND...: executes a measurement that writes $data until its profile can be judged (void() in
# tests/profile.py), at most three times. It checks whether the model holds, never whether the result is right.
# With late=out many samples may be late() if a hypervisor took time: for tests that leave these out of what they judge.
valid() {
	local before stolen
	for _ in 1 2 3; do
		before=$(stolen_ms)
		"$@" || return 1
		stolen=$(($(stolen_ms) - before))
		[ "$late" = out ] || stolen=0
		STOLEN_MS=$stolen python3 "$VIGIL_SOURCE/tests/profile.py" "$data" 'void() == ""' && return 0
		echo "measured again"
	done
	echo "the machine was never in a state in which this can be judged"
	return 1
}
