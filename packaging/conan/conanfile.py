"""A recipe for conan 2: conan create packaging/conan
Not tried: it needs conan and its index of packages."""

from pathlib import Path

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Drystone(ConanFile):
    name = "drystone"
    version = "0.1.0"
    license = "MIT"
    description = "Rigid-body physics with pluggable, certified contact solvers"
    settings = "os", "compiler", "build_type", "arch"
    requires = (
        "bullet3/3.25",
        "cli11/2.4.2",
        "eigen/3.4.0",
        "fmt/10.2.1",
        "hdf5/1.14.3",
        "nlohmann_json/3.11.3",
        "openblas/0.3.27",
        "spdlog/1.14.1",
    )
    default_options = {"bullet3/*:double_precision": True, "openblas/*:build_lapack": True}

    def export_sources(self):
        root = Path(self.recipe_folder).parents[1]
        copy(self, "*", root, self.export_sources_folder, excludes=("build/*", ".git/*"))

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "EXAMPLES", "VIEWER", "PYTHON"):
            toolchain.variables[f"DRYSTONE_BUILD_{part}"] = False
        toolchain.variables["DRYSTONE_INSTALL"] = True
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # The package's own files say what it links: find_package(drystone).
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/drystone"]
