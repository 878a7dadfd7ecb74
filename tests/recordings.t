#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test tags: exact, limit:120
# The library of recordings (tests/recordings): what vigil makes of each is what its program knew itself.
exec python3 -B "$VIGIL_SOURCE/tests/recordings/check.py" "$VIGIL_SOURCE/tests/recordings"
