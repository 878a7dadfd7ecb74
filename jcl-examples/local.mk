# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += jcl-examples/payroll.jcl jcl-examples/programs/paycalc.cob jcl-examples/programs/paygen.cob
EXTRA_DIST += jcl-examples/abend.jcl jcl-examples/conditions.jcl jcl-examples/sort.jcl
