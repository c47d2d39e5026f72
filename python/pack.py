"""Packs a module that Cargo has built and the package's files into a wheel, as maturin does it, in seconds.

For .ci/python.sh: pack.py MODULE FOLDER prints the wheel's name. A wheel to give
away is maturin's (`cargo xtask release --only wheels`).
"""

import base64
import hashlib
import sys
import tomllib
import zipfile
from pathlib import Path
from sysconfig import get_platform

HERE = Path(__file__).parent
PACKAGES = ("anticlock", "anticlock_tasks")


def main(module: Path, folder: Path) -> None:
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    version = tomllib.loads((HERE.parent / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    name = project["name"]
    tag = f"cp311-abi3-{get_platform().replace('-', '_').replace('.', '_')}"
    metadata = [
        "Metadata-Version: 2.1",
        f"Name: {name}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {one}" for one in project["dependencies"]),
        *(f"Provides-Extra: {extra}" for extra in project["optional-dependencies"]),
        *(f'Requires-Dist: {one}; extra == "{extra}"' for extra, all in project["optional-dependencies"].items() for one in all),
    ]
    about = f"{name}-{version}.dist-info"
    files = {
        path.relative_to(HERE).as_posix(): path.read_bytes()
        for package in PACKAGES
        for path in sorted((HERE / package).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    files[f"{name}/_{name}.abi3.so"] = module.read_bytes()
    files[f"{about}/METADATA"] = ("\n".join(metadata) + "\n").encode()
    files[f"{about}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: pack.py\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = ""
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(data)}\n"
    files[f"{about}/RECORD"] = (record + f"{about}/RECORD,,\n").encode()
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{name}-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    print(wheel)


main(Path(sys.argv[1]), Path(sys.argv[2]))
