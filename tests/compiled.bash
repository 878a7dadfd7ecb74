# SPDX-License-Identifier: Apache-2.0
# Programs that several tests compile: "load compiled" in a .bats file.

# compiled COMPILER ARGUMENT... -o FILE ARGUMENT...: compiles once in a run of the tests, whichever file asks: a call
# with the same arguments gets a copy. Sources are named by their full path; one that has other contents is another.
compiled() {
	local words=("$@") at out=0 file key kept
	for ((at = 1; at < $#; at++)); do
		[ "${words[at]}" != -o ] || out=$((at + 1))
	done
	file=${words[out]}
	words[out]=
	key=$({ printf '%s\0' "${words[@]}"; for at in "${words[@]}"; do [[ $at != /*.* ]] || cat "$at"; done; } | sha256sum)
	kept=${RUN_COMPILED:-$BATS_RUN_TMPDIR}/compiled-${key%% *}
	if [ ! -e "$kept" ]; then
		words[out]=$kept.$BASHPID
		"${words[@]}" || return
		mv "${words[out]}" "$kept"
	fi
	cp "$kept" "$file"
}
