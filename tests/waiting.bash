# SPDX-License-Identifier: Apache-2.0
# Waiting for another process: "load waiting" in a .bats file.

# wait_for COMMAND...: waits until it succeeds, at most 20 seconds.
wait_for() {
	local waited
	for waited in $(seq 420); do
		"$@" && return 0
		# Most conditions hold soon.
		if [ "$waited" -le 20 ]; then sleep 0.01; else sleep 0.05; fi
	done
	echo "never: $*"
	return 1
}

# shows COMMAND... holds CONDITION...: executes a measurement and has the file's holds check all conditions. The word
# of COMMAND that begins with @ is the duration. Conditions that end in "> 0", or begin with "any(" or "[", ask
# whether something was seen at all, which on a busy machine takes longer: while only they fail, it is measured again,
# for four times as long, twice.
shows() {
	local command=() strict=() condition times word words
	while [ "$1" != holds ]; do command+=("$1"); shift; done
	shift
	for condition; do
		[[ $condition == *"> 0" || $condition == "any("* || $condition == "["* ]] || strict+=("$condition")
	done
	for times in 1 4 16; do
		words=()
		for word in "${command[@]}"; do
			[[ $word != @* ]] || word=$(awk "BEGIN { print ${word#@} * $times }")
			words+=("$word")
		done
		"${words[@]}" || return
		if holds "$@"; then return 0; fi
		[ ${#strict[@]} -eq 0 ] || holds "${strict[@]}" || return 1
	done
	return 1
}
