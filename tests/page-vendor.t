#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The third-party files in the page are those that were released, each with its licence.
cd "$VIGIL_SOURCE/reports/page/vendor" || exit 1
echo 1..2
if sha256sum --quiet --check SHA256SUMS >&2; then echo "ok 1 - the files have their checksums"; else echo "not ok 1 - the files have their checksums"; fi
missing=
for file in *; do
	case $file in SHA256SUMS | README.md) continue ;; esac
	grep -q " $file\$" SHA256SUMS && grep -q "\`$file\`" README.md || missing="$missing $file"
done
if [ -z "$missing" ]; then echo "ok 2 - each file is listed"; else echo "not ok 2 - each file is listed:$missing"; fi
