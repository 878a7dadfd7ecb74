# SPDX-License-Identifier: Apache-2.0
# What the tests of findings share: "load findings" in a .bats file. They run a program with a fault as bad, and one
# without it as good.

# measured NAME COMMAND...: writes all reports on a command to NAME.json, its summary to NAME.summary. With $rate, it is
# measured at this rate, whatever that costs.
measured() {
	local name=$1
	shift
	"$vigil" run ${rate:+--rate "$rate" --cost 100} -o "$name.vprf" -- "$@" 2>"$name.summary"
	"$vigil" report --format json --all "$name.vprf" >"$name.json"
}

# found EXPRESSION...: each holds for bad.json and good.json.
found() {
	python3 "$VIGIL_SOURCE/tests/findings.py" "$@"
}
