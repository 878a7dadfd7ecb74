#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The end-to-end tests that measure no times, three at a time, and the sanitized unit tests among them: all of these wait a
# lot. "untimed.t list" names them; those that take long stand first.
names="submit page print event-torture collectors-find commands coverage patched updates import python-events programs calls handler
	rotation events idcams metrics online joblog libraries event-reports coverage-reports exports catalog config
	compile blocks filters requests watch night step-rc tracing extract monitor modules-commands openmetrics sort iebgener language tso signs
	silent terminal history night-report"
# shellcheck disable=SC2086
case $1 in
list) echo $names ;;
*) exec "$VIGIL_SOURCE/tests/end-to-end" 3 sanitizers.t $names ;;
esac
