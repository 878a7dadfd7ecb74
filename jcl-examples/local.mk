# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += jcl-examples/payroll.jcl jcl-examples/programs/paycalc.cob jcl-examples/programs/paygen.cob
EXTRA_DIST += jcl-examples/events.jcl jcl-examples/programs/app.cob
EXTRA_DIST += jcl-examples/abend.jcl jcl-examples/conditions.jcl jcl-examples/sort.jcl
EXTRA_DIST += \
	jcl-examples/night/cobol/QWCHECK \
	jcl-examples/night/cobol/QWDATE \
	jcl-examples/night/cobol/QWFEED \
	jcl-examples/night/cobol/QWINIT \
	jcl-examples/night/cobol/QWPOST \
	jcl-examples/night/cobol/QWPRICE \
	jcl-examples/night/cobol/QWREPT \
	jcl-examples/night/cobol/QWUPDT \
	jcl-examples/night/cobol/QWVAT \
	jcl-examples/night/copy/QWCTL \
	jcl-examples/night/copy/QWCUST \
	jcl-examples/night/copy/QWMASTER \
	jcl-examples/night/copy/QWPAY \
	jcl-examples/night/copy/QWREAD \
	jcl-examples/night/README.md \
	jcl-examples/night/feed.jcl \
	jcl-examples/night/install.jcl \
	jcl-examples/night/night.ctl \
	jcl-examples/night/night.map \
	jcl-examples/night/night1.jcl \
	jcl-examples/night/night2.jcl \
	jcl-examples/night/night3.jcl \
	jcl-examples/night/night4.jcl \
	jcl-examples/night/night5.jcl \
	jcl-examples/night/proclib/QWBILL \
	jcl-examples/night/proclib/QWLOAD \
	jcl-examples/night/proclib/QWPRC \
	jcl-examples/night/proclib/QWRATES \
	jcl-examples/night/proclib/QWRUN \
	jcl-examples/night/proclib/QWSAVE
