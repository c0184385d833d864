"""The Python package as a wheel: python3 -m build --wheel --no-isolation (docs/python.md)."""

import re
from pathlib import Path

from skbuild import setup

project = (Path(__file__).parent / "CMakeLists.txt").read_text(encoding="utf-8")

setup(
    version=re.search(r"project\(drystone VERSION ([\d.]+)", project)[1],
    packages=["drystone"],
    package_dir={"": "bindings/python"},
    package_data={"drystone": ["*.pyi", "py.typed"]},
    include_package_data=False,
    cmake_source_dir="packaging/wheel",
    cmake_install_dir="bindings/python/drystone",
)
