; SPDX-License-Identifier: Apache-2.0
; Measure all steps of all jobs of the night.
  ADD NIGHT*,SAMPLES=5000
  REPORT NIGHT*
