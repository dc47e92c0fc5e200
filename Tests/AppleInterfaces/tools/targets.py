"""What is checked: every target of the package, and the code that its documentation and Tests/Worlds consist of."""

import dataclasses
import functools
import hashlib
import json
import pathlib
import re
import subprocess

import platforms

CATALOG = platforms.ROOT / "Sources/DiscreteNetworking/DiscreteNetworking.docc"
SNIPPET_IMPORTS = "import DiscreteNetworking\nimport DiscreteNetworkingTesting\nimport Foundation\nimport XCTest\n"


def described(*arguments):
    command = ["swift", "package", *arguments]
    return json.loads(subprocess.run(command, cwd=platforms.ROOT, check=True, capture_output=True, text=True).stdout)


# Packages of their own inside of this one, whose targets are checked as well.
BESIDE = ["Samples/ShopAPI/Generated", "Tests/Fuzz", "Tests/ManagerGeneratorTests/Generated"]


@functools.cache
def package(folder="."):
    return described("--package-path", folder, "--scratch-path", ".build", "describe", "--type", "json")


def floors():
    """The deployment targets of the manifest."""
    return {platform["name"]: platform["version"] for platform in package()["platforms"]}


@dataclasses.dataclass
class Target:
    name: str
    kind: str
    sources: list
    dependencies: list
    settings: tuple
    embedded: list = dataclasses.field(default_factory=list)
    headers: list = dataclasses.field(default_factory=list)
    only: tuple = ()

    @property
    def module(self):
        return re.sub(r"\W", "_", self.name)

    @property
    def is_c(self):
        return self.kind == "c"

    def state(self):
        """Changes with the sources and the settings."""
        digest = hashlib.sha256(repr((self.kind, self.settings, self.embedded)).encode())
        for source in [*self.sources, *(header for folder in self.headers for header in sorted(folder.glob("*.h")))]:
            digest.update(str(source).encode() + source.read_bytes())
        return digest.hexdigest()

    def check(self, platform, modules=None, more=()):
        """What a compiler says of it. A module is made, because only then are data races looked for."""
        if self.is_c:
            return platform.compile_c(self.sources, self.headers)
        modules = modules or platform.modules
        sources = list(self.sources)
        if self.embedded:
            resources = platform.place / f"{self.module}-resources.swift"
            # What SwiftPM makes of files that are embedded in code, without their content.
            names = [re.sub(r"\W", "_", pathlib.Path(path).name) for path in self.embedded]
            lines = "".join(f"    static let {name}: [UInt8] = []\n" for name in names)
            resources.write_text("struct PackageResources {\n" + lines + "}\n")
            sources.append(resources)
        program = any(source.name == "main.swift" for source in sources)
        arguments = [*([] if program else ["-parse-as-library"]), "-module-name", self.module, "-enable-testing"]
        arguments += ["-emit-module", "-emit-module-path", modules / f"{self.module}.swiftmodule", *sources]
        return platform.compile([*arguments, *more], self.settings, modules)


def flags(target):
    """The compiler's flags for the settings of a target in a manifest."""
    words = ["-swift-version", "6"]
    for setting in target["settings"]:
        (kind, value), = setting["kind"].items()
        value = value["_0"]
        match kind:
            case "swiftLanguageMode": words += ["-swift-version", value]
            case "defaultIsolation": words += ["-default-isolation", value]
            case "enableUpcomingFeature": words += ["-enable-upcoming-feature", value]
            case "unsafeFlags": words += value
            case "treatAllWarnings": pass
            case _: raise ValueError(f"{target['name']} has a setting that the check does not know: {kind}")
    return tuple(words)


def of_package():
    """In the order in which they can be compiled."""
    targets = {}
    for folder in [".", *BESIDE]:
        targets = {**targets_of(folder), **targets}
    ordered = []

    def add(target):
        if target in ordered:
            return
        for name in target.dependencies:
            add(targets[name])
            target.headers += targets[name].headers
        # A C target is nothing that Swift imports on Apple's platforms: each is used on Linux only.
        target.dependencies = [name for name in target.dependencies if not targets[name].is_c]
        ordered.append(target)

    for name in sorted(targets):
        add(targets[name])
    return ordered


def targets_of(folder):
    """Those of one manifest, by their names. A library product has the name of its target."""
    manifest = described("--package-path", folder, "dump-package")
    settings = {target["name"]: flags(target) for target in manifest["targets"]}
    targets = {}
    for target in package(folder)["targets"]:
        root = platforms.ROOT / folder / target["path"]
        kind = "c" if target["module_type"] == "ClangTarget" else target["type"]
        targets[target["name"]] = Target(
            target["name"], kind, [root / source for source in target["sources"]],
            target.get("target_dependencies", []) + target.get("product_dependencies", []),
            (*settings[target["name"]], "-package-name", "discretenetworking"),
            embedded=[item["path"] for item in target.get("resources", []) if "embed" in str(item["rule"])],
            headers=[root / "include"] if kind == "c" else [],
            # A plugin runs where Xcode and SwiftPM do. Only `.ci/fuzz` links libFuzzer, on Linux.
            only=("macos",) if kind == "plugin" else ("linux",) if target["name"] == "fuzz" else ())
    return targets


def shipped(own):
    """The library targets that users build, of those of the package: the library products, and what they depend on."""
    targets = {target.name: target for target in own}
    names = {
        name for product in package()["products"] if "library" in product["type"] for name in product["targets"]}

    def all_below(names):
        return names | {name for each in names for name in all_below(set(targets[each].dependencies))}

    return [target for target in own if target.name in all_below(names) and not target.is_c]


def for_simulators(everything):
    """The targets with code that only simulators compile, what the planted errors import, and what these depend on."""
    names = {"DiscreteNetworking"}
    for target in reversed(everything):
        if target.name in names or any("targetEnvironment(simulator)" in file.read_text() for file in target.sources):
            names |= {target.name, *target.dependencies}
    return [target for target in everything if target.name in names]


def of_worlds():
    """The code of an outside package in the settings of each of its targets. Apps are what they are about: iOS."""
    manifest = described("--package-path", "Tests/Worlds", "dump-package")
    # Their code is made when they are built; what the generator makes is checked as ShopAPI and EverythingAPI.
    built = {target["name"] for target in manifest["targets"] if target.get("pluginUsages")}
    for target in manifest["targets"]:
        if target["name"] in built or any(built & set(map(str, kind.get("byName", []))) for kind in target["dependencies"]):
            continue
        root = platforms.ROOT / "Tests/Worlds" / (target.get("path") or f"Sources/{target['name']}")
        yield Target(
            "World" + target["name"], "test", sorted(root.glob("*.swift")), ["DiscreteNetworking", "DiscreteNetworkingTesting"],
            flags(target), only=("ios",))


def of_app():
    """The sample app as its Xcode project describes it: folders, products and settings."""
    folder = platforms.ROOT / "Samples/StorefrontApp"
    project = folder / "StorefrontApp.xcodeproj/project.pbxproj"
    read = subprocess.run(["plutil", "-convert", "json", "-o", "-", project], check=True, capture_output=True, text=True)
    objects = json.loads(read.stdout)["objects"].values()

    def all_of(kind):
        return [found for found in objects if found["isa"] == kind]

    sources = [
        file for group in all_of("PBXFileSystemSynchronizedRootGroup")
        for file in sorted((folder / group["path"]).resolve().rglob("*.swift"))]
    settings = [found["buildSettings"] for found in all_of("XCBuildConfiguration") if "SDKROOT" in found["buildSettings"]]
    # Debug and Release.
    language, isolation, floor = (
        only({found[name] for found in settings})
        for name in ("SWIFT_VERSION", "SWIFT_DEFAULT_ACTOR_ISOLATION", "IPHONEOS_DEPLOYMENT_TARGET"))
    if floor != floors()["ios"]:
        raise ValueError(f"{project} has the deployment target {floor}, not that of Package.swift")
    words = ["-swift-version", language.removesuffix(".0")]
    if isolation != "nonisolated":
        words += ["-default-isolation", isolation]
    yield Target(
        "StorefrontApp", "executable", sources,
        [found["productName"] for found in all_of("XCSwiftPackageProductDependency")], tuple(words), only=("ios",))


def only(values):
    """The one value that a set has."""
    value, = values
    return value


def of_tutorial():
    """The tutorial's files after each of its sections, as TutorialTests puts them together on Linux."""
    program = {}
    files = sorted((CATALOG / "Tutorials/Code").glob("*.swift"))
    for section in sorted({file.name[:2] for file in files} - {"01"}):
        for file in files:
            if file.name[:2] == section:
                program[file.name.split("-")[-1]] = file.read_text().replace("\n@testable import Shop\n", "")
        if "Shop.swift" in program:
            yield from written("Tutorial" + section, program)


def of_snippets():
    """The snippets of the README and the articles as ReadmeTests compiles them on Linux, with those for SwiftUI and
    Objective-C and, on iOS, UIKit; without CurlTransport, manifests and adapters to packages that are not here."""
    def snippets(*files):
        blocks = [block for file in files for block in re.findall(r"^```swift\n(.*?)^```", file.read_text(), re.M | re.S)]
        elsewhere = ("CurlTransport", "PackageDescription", ".package(", "import Tracing", "import Logging")
        return [on_ios(block) for block in blocks if not any(word in block for word in elsewhere)]

    def on_ios(block):
        return f"#if os(iOS)\n{block}#endif\n" if "import UIKit" in block else block

    first, *rest = snippets(platforms.ROOT / "README.md")
    yield from written("Readme", {"main.swift": first, "Readme.swift": SNIPPET_IMPORTS + "".join(rest)})
    # The Chinese pages have the same snippets, see .ci/translations.py.
    articles = snippets(*sorted(page for page in (CATALOG / "Articles").rglob("*.md") if page.parent.name != "zh-CN"))
    yield from written("Articles", {"Articles.swift": SNIPPET_IMPORTS + "".join(articles)})


def written(name, files):
    folder = platforms.ROOT / ".build/AppleInterfaces/written" / name
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        if not (folder / file).exists() or (folder / file).read_text() != text:
            (folder / file).write_text(text)
    yield Target(
        name, "test", [folder / file for file in sorted(files)],
        ["DiscreteNetworking", "DiscreteNetworkingTesting", "DiscreteNetworkingTelemetry", "DiscreteNetworkingOAuth", "DiscreteNetworkingOutbox",
         "DiscreteNetworkingSigning"],
        ("-swift-version", "6"))
