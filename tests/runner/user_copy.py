# SPDX-License-Identifier: Apache-2.0
"""What tests read of the build and of the sources, copied for the ordinary user where root runs them: a clone may lie in a
folder that only root can read."""

import os
import pwd
import re
import shutil
import subprocess
import tempfile

BUILT = ('vigil vigil-config config.status .libs proclib utilities/programs utilities/idcams/fuzz-idcams '
         'session/measure/replay-variants datasets/.libs agent/.libs sampler/host '
         'include/vigil/vigil-engine.pc collectors/.libs collectors/test-collector-drive '
         'collectors/cobol-items tests reports/bench-profile reports/test-listing reports/print/.libs '
         'session/watch')
SOURCES = 'tests jcl-examples include doc'


class UserCopy:
    """A context; build, source, names and compiled are folders that the user nobody can read, and write to."""

    def __init__(self, build, source, wanted):
        self.from_build, self.from_source = build, source
        self.wanted = wanted and os.getuid() == 0
        self.folder = self.build = self.source = self.names = self.compiled = None

    def __enter__(self):
        if self.wanted:
            self.folder = tempfile.mkdtemp(prefix='vigil-user-', dir='/tmp')
            self.build, self.source, self.names, self.compiled = (
                os.path.join(self.folder, name) for name in ('build', 'source', 'names', 'compiled'))
            self.fill()
        return self

    def fill(self):
        os.makedirs(self.build)
        os.makedirs(self.source)
        os.makedirs(self.names)
        os.makedirs(self.compiled)
        subprocess.run(f"find {BUILT} \\( -type f -o -type l \\) ! -name '*.o' ! -path 'tests/names/*' 2>/dev/null | "
                       f"tar cf - -T - | tar xf - -C '{self.build}'", shell=True, cwd=self.from_build, check=True)
        subprocess.run(f"tar cf - {SOURCES} | tar xf - -C '{self.source}'", shell=True, cwd=self.from_source, check=True)
        # vigil-config reads in the Makefile where the sources are, and how it was configured.
        with open(os.path.join(self.from_build, 'Makefile'), encoding='utf-8') as file:
            text = re.sub(r'^abs_top_srcdir = .*', f'abs_top_srcdir = {self.source}', file.read(), flags=re.M)
        with open(os.path.join(self.build, 'Makefile'), 'w', encoding='utf-8') as file:
            file.write(text)
        nobody = pwd.getpwnam('nobody')
        subprocess.run(['chown', '-R', f'{nobody.pw_uid}:{nobody.pw_gid}', self.folder], check=True)
        os.chmod(self.folder, 0o755)

    def __exit__(self, *_):
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
