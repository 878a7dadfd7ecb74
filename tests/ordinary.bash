# SPDX-License-Identifier: Apache-2.0
# What tests of an ordinary user's rights share: "load ordinary" in a .bats file. When the tests run as root, that
# user is nobody.

# ordinary_folder: goes to a new folder that root and the user may write to; "${ordinary[@]}" COMMAND... executes a
# command as that user, under the process id of the shell that starts it. The test is skipped if the user cannot run
# $vigil.
ordinary_folder() {
	ordinary_place=$(mktemp -d /tmp/vigil-ordinary-XXXXXX)
	cd "$ordinary_place" || return 1
	ordinary=(env "HOME=$PWD")
	if [ "$(id -u)" -eq 0 ]; then
		command -v setpriv >/dev/null || skip "setpriv is not installed"
		chown nobody .
		ordinary=(setpriv --reuid=nobody "--regid=$(id -g nobody)" --clear-groups --inh-caps=-all "${ordinary[@]}")
	fi
	"${ordinary[@]}" "$vigil" --version >/dev/null 2>&1 || skip "an ordinary user cannot run $vigil"
}

# setuid_program PROGRAM NAME: makes a copy that runs with root's rights, if that is possible.
setuid_program() {
	[ "$(id -u)" -eq 0 ] || skip "only root can make a set-user-ID program"
	cp "$(command -v id)" whoami
	cp "$1" "$2"
	chmod 4755 whoami "$2"
	[ "$("${ordinary[@]}" ./whoami -u)" = 0 ] || skip "set-user-ID has no effect here"
}

# ordinary_end: for teardown.
ordinary_end() {
	cd / || return 1
	[ -z "$ordinary_place" ] || rm -rf "$ordinary_place"
}
