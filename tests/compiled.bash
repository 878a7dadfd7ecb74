# SPDX-License-Identifier: Apache-2.0
# Programs that several tests of a file compile: "load compiled" in a .bats file.

# compiled COMPILER ARGUMENT... -o FILE ARGUMENT...: compiles, once per test file: a call with the same arguments gets
# a copy. Only for sources that no test changes, named by their full path.
compiled() {
	local words=("$@") at out=0 file key kept
	for ((at = 1; at < $#; at++)); do
		[ "${words[at]}" != -o ] || out=$((at + 1))
	done
	file=${words[out]}
	words[out]=
	key=$(printf '%s\0' "${words[@]}" | sha256sum)
	kept=$BATS_RUN_TMPDIR/compiled-${key%% *}
	if [ ! -e "$kept" ]; then
		words[out]=$kept.new
		"${words[@]}" || return
		mv "$kept.new" "$kept"
	fi
	cp "$kept" "$file"
}
