"""The toolchain's textual interfaces, turned from Linux to a platform of Apple's."""

import functools
import pathlib
import re
import shutil
import subprocess

MODULES = [
    "Swift", "SwiftOnoneSupport", "_Concurrency", "_StringProcessing", "_RegexParser", "Observation", "RegexBuilder",
    "Testing",
]


@functools.cache
def compiler_version():
    said = subprocess.run(["swiftc", "--version"], capture_output=True, text=True).stdout
    return re.search(r"Swift version [^)\n]*\)", said)[0]


@functools.cache
def library():
    """The folder lib/swift of the toolchain."""
    return pathlib.Path(shutil.which("swiftc")).resolve().parent.parent / "lib/swift"


def interface(module, platform):
    """A module of the standard library for the platform.

    The interfaces were checked for availability when they were made, for the newest system. Float80 needs shims that
    only the machine has that they were made for.
    """
    source = next((library() / f"linux/{module}.swiftmodule").glob("*-linux-gnu.swiftinterface"))
    text = source.read_text()
    flags = re.search(r"^// swift-module-flags:.*$", text, re.M)[0]
    turned = re.sub(r"-target \S+", "-target " + platform.triple, flags).replace("-disable-objc-interop", "")
    turned = turned.replace(" -O ", " -Onone -disable-availability-checking ")
    # Without bodies, a module takes a sixth of the time. Constants beyond 32 bits are found by those of the literals, and the
    # macros of Testing in our tests need constants.
    if platform.bits == 64 and not platform.is_whole:
        turned += " -experimental-skip-all-function-bodies"
    text = text.replace(flags, turned, 1)
    text = re.sub(r"^import Glibc$", "", text, flags=re.M)
    text = re.sub(r"@backDeployed\(before:[^)]*\)", "", text)
    text = re.sub(r"self = _stdlib_(remainder|squareRoot)l\(.*\)", "fatalError()", text)
    if platform.bits == 32 and module == "Swift":
        text = narrow(text)
    return name_visionos(text) if platform.name == "visionos" else text


def name_visionos(text):
    """visionOS has what iOS has, from a version on that the SDK's settings would say."""

    def named(line):
        if "@available(" not in line or "visionOS" in line:
            return line
        line = re.sub(r"iOS ([0-9]|1[0-7])(\.[0-9]+)*,", r"\g<0> visionOS 1.0,", line)
        line = re.sub(r"iOS 18(\.[0-9]+)*,", r"\g<0> visionOS 2.0,", line)
        return re.sub(r"iOS 26(\.[0-9]+)*,", r"\g<0> visionOS 26.0,", line)

    return "".join(named(line) for line in text.splitlines(keepends=True))


def narrow(text):
    """Gives `Int` and `UInt` 32 bits, so that the compiler refuses literals and constants beyond them."""

    def body(match):
        struct = match[0].replace("Int128", "Int_wide")
        struct = re.sub(r"Int64(?![a-z])", "Int32", struct).replace("Int_wide", "Int64")
        struct = re.sub(r"Swift\.(U?)Int32\b", r"Swift.\1Int64", struct)
        struct = re.sub(r"\b64\b", "32", struct).replace("rhs & 63", "rhs & 31")
        for wide, small in [
            ("9223372036854775808.0", "2147483648.0"), ("18446744073709551616.0", "4294967296.0"),
            ("-9223373136366403584.0", "-2147483904.0"), ("-9223372036854777856.0", "-2147483649.0"),
        ]:
            struct = struct.replace(wide, small)
        struct = re.sub(r"[sz]extOrBitCast_Word_Int32", "truncOrBitCast_Word_Int32", struct)
        struct = struct.replace("truncOrBitCast_Int32_Word", "zextOrBitCast_Int32_Word")
        return struct

    def word(match):
        bits = match[1]
        return "truncOrBitCast_Int64_Int32" if bits == "64" else f"zextOrBitCast_Int{bits}_Int32"

    def of_word(match):
        bits = match[1]
        return ("zextOrBitCast_Int32_Int64" if bits == "64" else f"truncOrBitCast_Int32_Int{bits}") + "(bits._value)"

    def vectors(match):
        block = match[0].replace("xInt64", "xInt32").replace("_Int64_", "_Int32_")
        return block.replace("seed, UInt64(_value)", "seed, UInt64(Builtin.zext_Int32_Int64(_value))")

    struct = re.compile(r"^@frozen public struct U?Int : .*?^\}$", re.M | re.S)
    others = re.compile(r"^@frozen public struct U?Int(?:8|16|32|64) : .*?^\}$", re.M | re.S)

    def other(match):
        width = re.match(r"@frozen public struct U?Int(\d+)", match[0])[1]
        changed = re.sub(r"(?:[sz]extOrBitCast|truncOrBitCast)_Int(%s)_Int64(?=\(_value\))" % width, word, match[0])
        return re.sub(r"(?:truncOrBitCast|zextOrBitCast)_Int64_Int(%s)\(bits\._value\)" % width, of_word, changed)

    text = struct.sub(body, text)
    text = others.sub(other, text)
    text = text.replace("return 0x4000_0000_0000_0000\n", "return 0x4000_0000\n")
    text = text.replace("UInt(Builtin.trunc_Int128_Int64(_value))", "UInt(Builtin.trunc_Int128_Int32(_value))")
    text = re.sub(r"([su]itofp)_Int64(_FPIEEE\d+\((?:v|extended)\._value\))", r"\1_Int32\2", text)
    text = text.replace("Int(Builtin.assumeNonNegative_Int64(x", "Int(Builtin.assumeNonNegative_Int32(x")
    blocks = re.compile(
        r"^extension Swift\.(?:\w+ where \w+ == (?:Swift\.SIMD\d+<Swift\.U?Int>|Swift\.U?Int)"
        r"|U?Int : Swift\.(?:SIMDScalar|Hashable)) \{.*?^\}$", re.M | re.S)
    return blocks.sub(vectors, text)
