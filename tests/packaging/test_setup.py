"""The set-up finds the machine's own Debian source in every form that apt reads, and copies nothing else."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("PLUMBLINE_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
SETUP = SOURCE / "packaging" / "setup" / "setup.sh"
MIRROR = "http://mirror.invalid/debian"


def entry_for(files, release="bookworm"):
    """What setup.sh would add for a machine whose /etc/apt holds `files`; None when it finds no source."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        run = subprocess.run([str(SETUP), "--source", release], capture_output=True, text=True, check=False,
                             env={**os.environ, "PLUMBLINE_APT_DIR": folder})
        return run.stdout if run.returncode == 0 else None


class SourceDetection(unittest.TestCase):
    def test_stanza_with_several_suites(self):
        text = f"""Types: deb
# a remark
URIs: {MIRROR}
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: {MIRROR}-security
Suites: bookworm-security
Components: main
"""
        self.assertEqual(entry_for({"sources.list.d/debian.sources": text}), f"""Types: deb
URIs: {MIRROR}
Suites: trixie
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
""")

    def test_stanza_after_the_security_one_with_inline_key(self):
        text = f"""Types: deb
URIs: {MIRROR}-security
Suites: bookworm-security
Components: main

Types: deb deb-src
URIs: {MIRROR}
Suites: bookworm
Components: main
Architectures: amd64
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc
 -----END PGP PUBLIC KEY BLOCK-----
"""
        self.assertEqual(entry_for({"sources.list.d/debian.sources": text}), f"""Types: deb
URIs: {MIRROR}
Suites: trixie
Components: main
Architectures: amd64
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc
 -----END PGP PUBLIC KEY BLOCK-----
""")

    def test_other_products_disabled_and_source_only_entries_are_passed_over(self):
        other = "Types: deb\nURIs: http://other.invalid/\nSuites: nodistro\nComponents: main\n"
        disabled = f"Enabled: no\nTypes: deb\nURIs: {MIRROR}-off\nSuites: bookworm\nComponents: main\n"
        only_source = f"Types: deb-src\nURIs: {MIRROR}-src\nSuites: bookworm\nComponents: main\n"
        good = f"Types: deb\nURIs: {MIRROR}\nSuites: bookworm\nComponents: main\n"
        found = entry_for({"sources.list.d/a.sources": other, "sources.list.d/b.sources": disabled + "\n" + only_source,
                           "sources.list.d/c.sources": good})
        self.assertEqual(found, f"Types: deb\nURIs: {MIRROR}\nSuites: trixie\nComponents: main\n")

    def test_two_files_give_one_entry(self):
        good = f"Types: deb\nURIs: {MIRROR}\nSuites: bookworm\nComponents: main\n"
        found = entry_for({"sources.list.d/a.sources": good, "sources.list.d/b.sources": good})
        self.assertEqual(found.count("URIs:"), 1)

    def test_one_line_format(self):
        text = f"""# comment
#deb {MIRROR}-off bookworm main
deb cdrom:[Debian]/ bookworm main
deb-src {MIRROR} bookworm main
deb {MIRROR}-security bookworm-security main
deb {MIRROR} bookworm main contrib
"""
        self.assertEqual(entry_for({"sources.list": text}), f"deb {MIRROR} trixie main\n")

    def test_one_line_format_with_options_in_a_part_file(self):
        text = f"deb [arch=amd64 signed-by=/k.gpg]   {MIRROR}\tbookworm main\n"
        self.assertEqual(entry_for({"sources.list": "", "sources.list.d/x.list": text}),
                         f"deb [arch=amd64 signed-by=/k.gpg] {MIRROR} trixie main\n")

    def test_no_source_is_an_error(self):
        self.assertIsNone(entry_for({"sources.list": f"deb {MIRROR} sid main\n"}))


class PackageList(unittest.TestCase):
    def test_every_package_says_what_it_is_for(self):
        for line in (SETUP.parent / "packages.txt").read_text().splitlines():
            if line and not line.startswith("#"):
                self.assertRegex(line, r"^[a-z0-9][a-z0-9.+-]+( >= [0-9.]+)? +# \S")


if __name__ == "__main__":
    unittest.main()
