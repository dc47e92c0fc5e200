"""Mistakes that are planted, to see that the check finds each of them, in the line and for the reason that a comment
`// finds: …` above it says, and nothing else. A mistake that is none on a platform stands in `#if`."""

import collections
import re

import platforms

# Data races and overflows are looked for only after a module has no other errors.
FOLDERS = ("Types", "Flow")
SAID = re.compile(r"^(?P<file>[^:\n]+\.swift):(?P<line>\d+):\d+: (?:error|warning): (?P<text>.*)$", re.M)


def files(folder):
    return sorted((platforms.HERE / "Planted" / folder).glob("*.swift"))


def count():
    return sum(len(files(folder)) for folder in FOLDERS)


def expected(file):
    """The reasons by line: comments stand above it."""
    reasons = []
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if line.strip().startswith("// finds: "):
            reasons.append(line.strip().removeprefix("// finds: "))
        elif reasons:
            yield number, reasons
            reasons = []


def missed(platform):
    """What was not found as expected, or found without being expected."""
    for folder in FOLDERS:
        module = platform.place / "planted.swiftmodule"
        arguments = ["-parse-as-library", "-module-name", "Planted", "-diagnostic-style", "llvm"]
        # The compiler makes the standard library once more for this, as it has for distribution.
        if platform.name == "ios":
            arguments.append("-application-extension")
        said = platform.compile([*arguments, "-emit-module", "-emit-module-path", module, *files(folder)])
        found = collections.defaultdict(list)
        for match in SAID.finditer(said):
            # A remark on the import that goes with an error about Sendable.
            if match["text"].startswith("add '@preconcurrency'"):
                continue
            found[match["file"].rsplit("/", 1)[-1], int(match["line"])].append(match["text"])
        for file in files(folder):
            active = without_inactive(file, platform)
            for number, reasons in expected(file):
                texts = found.pop((file.name, number), [])
                for reason in reasons if number in active else []:
                    if not any(reason in text for text in texts):
                        yield f"{file.name}:{number} on {platform.name}: not found: {reason}; found: {texts}"
                for text in texts:
                    if number not in active or not any(reason in text for reason in reasons):
                        yield f"{file.name}:{number} on {platform.name}: found, but not expected: {text}"
        for (file, number), texts in found.items():
            yield f"{file}:{number} on {platform.name}: found, but not expected: {texts}"


def without_inactive(file, platform):
    """The numbers of the lines that are compiled for the platform."""
    system = platforms.system(platform.name)
    facts = {f"os({name})": name.lower() == system for name in ("iOS", "macOS", "tvOS", "watchOS", "visionOS")}
    facts["_pointerBitWidth(_32)"] = platform.bits == 32
    facts["targetEnvironment(simulator)"] = platform.is_simulator
    active, lines = True, set()
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if condition := re.match(r"#if (.*)", line):
            text = condition[1]
            for fact, holds in facts.items():
                text = text.replace(fact, str(holds))
            active = eval(text.replace("||", " or ").replace("&&", " and ").replace("!", " not "))
        elif line == "#endif":
            active = True
        elif active:
            lines.add(number)
    return lines
