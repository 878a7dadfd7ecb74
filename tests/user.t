#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The end-to-end tests once more as an ordinary user ("nobody"), from a copy that this user can read. Only when
# the run is root's; otherwise the tests before this one were an ordinary user's already.
if [ "$(id -u)" != 0 ]; then
	echo "1..0 # SKIP the tests run as an ordinary user already"
	exit 0
fi
if [ -z "$BATS" ] || ! command -v setpriv >/dev/null; then
	echo "1..0 # SKIP bats or setpriv is not installed"
	exit 0
fi
copy=$(mktemp -d /tmp/vigil-user-XXXXXX) || exit 1
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/build" "$copy/source" "$copy/home" "$copy/tmp"
(cd "$VIGIL_BUILD" && find vigil vigil-config config.status .libs proclib utilities/programs utilities/idcams/fuzz-idcams session/datasets/.libs agent/.libs sampler/host sampler/collectors/.libs sampler/collectors/test-collector-drive sampler/collectors/cobol-items tests reports/bench-profile reports/test-listing \
	\( -type f -o -type l \) ! -name '*.o' 2>/dev/null | tar cf - -T - ) | tar xf - -C "$copy/build"
(cd "$VIGIL_SOURCE" && tar cf - tests jcl-examples include doc) | tar xf - -C "$copy/source"
# vigil-config asks the Makefile where the sources are, and how it was configured.
sed "s,^abs_top_srcdir = .*,abs_top_srcdir = $copy/source," "$VIGIL_BUILD/Makefile" >"$copy/build/Makefile"
chown -R nobody "$copy"
chmod 755 "$copy"
cd "$copy/home" || exit 1
as_nobody() {
	setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups --inh-caps=-all --bounding-set=-all \
		env HOME="$copy/home" TMPDIR="$copy/tmp" VIGIL_BUILD="$copy/build" VIGIL_SOURCE="$copy/source" \
		USER=nobody LOGNAME=nobody "$@" 2>&1
}

tests=$copy/source/tests
failed=0
as_nobody sh "$tests/untimed.t" >"$copy/1" || failed=1
for name in $(sh "$tests/untimed.t" list); do
	rm "$tests/$name.bats"
done
as_nobody "$BATS" --tap "$tests"/*.bats >"$copy/2" || failed=1
sh "$tests/one-list" "$copy/1" "$copy/2"
exit $failed
