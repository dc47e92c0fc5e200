"""What is compiled for: a target triple, a standard library and declarations that are turned to it, a compiler."""

import dataclasses
import hashlib
import pathlib
import shutil
import subprocess

import toolchain

ROOT = pathlib.Path(__file__).resolve().parents[3]
HERE = ROOT / "Tests/AppleInterfaces"
DECLARED = HERE / "Interfaces"

# The name of a platform: its name in a triple, the folder of its modules in a toolchain, and the processor.
PLATFORMS = {
    "ios": ("ios", "iphoneos", "arm64"),
    "iossimulator": ("ios", "iphonesimulator", "arm64"),
    "macos": ("macosx", "macosx", "arm64"),
    "tvos": ("tvos", "appletvos", "arm64"),
    "watchos": ("watchos", "watchos", "arm64"),
    # Watches before Series 9 and Ultra 2: pointers and Int have 32 bits.
    "watchos32": ("watchos", "watchos", "arm64_32"),
    "visionos": ("xros", "xros", "arm64"),
}


def system(name):
    """The name without the variant."""
    return name.removesuffix("32").removesuffix("simulator")


@dataclasses.dataclass
class Platform:
    name: str
    version: str
    system: str = ""
    folder: str = ""
    processor: str = ""

    def __post_init__(self):
        self.system, self.folder, self.processor = PLATFORMS[self.name]
        self.place = ROOT / ".build/AppleInterfaces" / self.name
        self.modules = self.place / "modules"

    @property
    def triple(self):
        return self.triple_of(self.version)

    def triple_of(self, version):
        variant = "-simulator" if self.is_simulator else ""
        return f"{self.processor}-apple-{self.system}{version}{variant}"

    @property
    def is_simulator(self):
        return self.name.endswith("simulator")

    @property
    def is_whole(self):
        """Whether the tests and the samples of this package are checked, not only what users build."""
        return self.name in ("ios", "macos")

    @property
    def bits(self):
        return 32 if self.processor == "arm64_32" else 64

    def prepare(self):
        """Writes the interfaces, and returns what the compiler says of the declarations themselves."""
        for folder in (self.modules, self.place / "sdk"):
            folder.mkdir(parents=True, exist_ok=True)
        texts = {module: toolchain.interface(module, self) for module in toolchain.MODULES}
        texts["Swift"] += (DECLARED / "Swift.swiftinterface").read_text()
        names = sorted(path.name for path in DECLARED.iterdir() if path.is_dir())
        for name in names:
            declarations = "".join(file.read_text() for file in sorted((DECLARED / name).glob("*.swiftinterface")))
            texts[name] = self.header(name) + toolchain.name_visionos(declarations) \
                if self.name == "visionos" else self.header(name) + declarations
        headers = "".join(file.read_text() for file in sorted(DECLARED.glob("*/include/*")))
        self.state = hashlib.sha256(("".join(texts.values()) + headers).encode()).hexdigest()
        stamp = self.place / "interfaces"
        if stamp.exists() and stamp.read_text() == self.state:
            return ""
        # The compiler notices that an interface has changed, but not each header, nor what a change means for others.
        for folder in ("resources", "cache", "modules"):
            shutil.rmtree(self.place / folder, ignore_errors=True)
        self.modules.mkdir()
        for name, text in texts.items():
            target = self.triple_of("").replace("macosx", "macos")
            file = self.place / "resources" / self.folder / f"{name}.swiftmodule" / f"{target}.swiftinterface"
            file.parent.mkdir(parents=True)
            file.write_text(text)
        for name in ("shims", "clang"):
            (self.place / "resources" / name).symlink_to(toolchain.library() / name)
        # Errors of the declarations themselves are told once, and not for each file that imports them.
        imports = self.place / "imports.swift"
        imports.write_text("".join(f"import {name}\n" for name in names))
        said = self.compile(["-typecheck", imports])
        if not said:
            stamp.write_text(self.state)
        return said

    def header(self, module):
        return (
            "// swift-interface-format-version: 1.0\n"
            f"// swift-compiler-version: {toolchain.compiler_version()}\n"
            f"// swift-module-flags: -target {self.triple} -enable-library-evolution -swift-version 5 "
            f"-disable-availability-checking -module-name {module}\n")

    def compile(self, arguments, settings=("-swift-version", "6"), modules=None):
        """What the compiler says: nothing, if there are neither errors nor warnings."""
        command = ["swiftc", "-frontend", *arguments, *settings, "-target", self.triple, "-warnings-as-errors"]
        command += ["-resource-dir", self.place / "resources", "-sdk", self.place / "sdk"]
        command += ["-module-cache-path", self.place / "cache", "-I", modules or self.modules]
        for folder in DECLARED.glob("*/include"):
            command += ["-I", folder]
        command += ["-plugin-path", toolchain.library() / "host/plugins"]
        return run(command)

    def compile_c(self, sources, folders):
        command = ["clang", "-target", self.triple, "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        command += ["-ffreestanding", "-nostdlibinc", "-isystem", HERE / "CHeaders", "-isystem", DECLARED / "Darwin/include"]
        command += [*(f"-I{folder}" for folder in folders), *sources]
        return run(command)


def run(command):
    done = subprocess.run(
        [str(word) for word in command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return "" if done.returncode == 0 else done.stdout or f"{command[0]} ended with {done.returncode}"
