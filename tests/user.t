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
(cd "$VIGIL_BUILD" && find vigil vigil-config config.status .libs proclib session/utilities session/idcams/fuzz-idcams-run session/datasets/.libs sampler/agent/.libs sampler/host sampler/collectors/.libs sampler/collectors/test-drive sampler/collectors/cobol-items tests reports/bench-profile \
	\( -type f -o -type l \) ! -name '*.o' 2>/dev/null | tar cf - -T - ) | tar xf - -C "$copy/build"
(cd "$VIGIL_SOURCE" && tar cf - tests jcl-examples include doc) | tar xf - -C "$copy/source"
# vigil-config asks the Makefile where the sources are, and how it was configured.
sed "s,^abs_top_srcdir = .*,abs_top_srcdir = $copy/source," "$VIGIL_BUILD/Makefile" >"$copy/build/Makefile"
chown -R nobody "$copy"
chmod 755 "$copy"
cd "$copy/home" || exit 1
# as_nobody NAME FILE...: run tests of files; what they say goes into NAME.
as_nobody() {
	said=$1
	shift
	setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups --inh-caps=-all --bounding-set=-all \
		env HOME="$copy/home" TMPDIR="$copy/tmp" VIGIL_BUILD="$copy/build" VIGIL_SOURCE="$copy/source" \
		USER=nobody LOGNAME=nobody "$BATS" --tap "$@" >"$said" 2>&1
}

# Those that measure no times have each other beside them; the others have the machine for themselves.
tests=$copy/source/tests
failed=0
as_nobody "$copy/1" "$tests/catalog.bats" "$tests/idcams.bats" "$tests/joblog.bats" "$tests/libraries.bats" \
	"$tests/compile.bats" "$tests/tso.bats" &
first=$!
as_nobody "$copy/2" "$tests/language.bats" "$tests/programs.bats" "$tests/sort.bats" "$tests/iebgener.bats" \
	"$tests/config.bats" "$tests/step-rc.bats" || failed=1
wait $first || failed=1
for file in catalog idcams joblog libraries compile tso language programs sort iebgener config step-rc; do
	rm "$tests/$file.bats"
done
as_nobody "$copy/3" "$tests"/*.bats || failed=1
# One list of three.
awk '/^1\.\.[0-9]+$/ { planned += substr($0, 4); next }
	/^(not )?ok [0-9]+/ { sub(/ok [0-9]+/, "ok " ++count) }
	{ print }
	END { print "1.." planned }' "$copy/1" "$copy/2" "$copy/3"
exit $failed
