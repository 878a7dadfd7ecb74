# SPDX-License-Identifier: Apache-2.0
"""What a hypervisor takes from the machine."""

import os
import time

# Part of one processor's time from which a rest helps: tests then measure less than they expect, and vigil sees the step late.
STOLEN_PART = 0.01
# Seconds that all rests of a run may take.
RESTS = 120


class Machine:
    """Hypervisors give credit to a machine that has rested (and neighbours stop): a live test that failed while time was
    stolen is tried again after a rest."""

    def __init__(self):
        self.path = os.environ.get('RUN_STAT', '/proc/stat')
        self.rest = float(os.environ.get('RUN_REST', '10'))
        self.left = RESTS

    def stolen(self):
        """Seconds of all processors since boot."""
        with open(self.path, encoding='ascii') as file:
            numbers = file.readline().split()
        return int(numbers[8]) / os.sysconf('SC_CLK_TCK') if len(numbers) > 8 else 0.0

    def begin(self):
        return time.monotonic(), self.stolen()

    def rest_wanted(self, since):
        """Seconds to rest after what began then (begin); 0.0: none. Says how much was stolen as well."""
        began, stolen = since
        lost = self.stolen() - stolen
        if lost <= STOLEN_PART * (time.monotonic() - began) or self.left < self.rest:
            return 0.0, lost
        self.left -= self.rest
        return self.rest, lost
