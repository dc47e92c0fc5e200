"""Writes the YAML document of standard input as JSON, by the core schema of YAML 1.2 (section 10.3).

Arguments: the lengths of the documents in bytes, with commas, the seconds of processor time, the limit of values. Standard input stays
open as long as the process lives that asks for the conversion: its end ends this one, too. Several documents are written as
one array.
"""

import os
import sys

# Without the working directory among the places of modules: a yaml.py there would be run.
sys.path = [path for path in sys.path if path]

import json
import re
import resource
import threading

import yaml

LENGTHS = [int(length) for length in sys.argv[1].split(",")]
SECONDS, LIMIT = (int(argument) for argument in sys.argv[2:4])
CORE = "tag:yaml.org,2002:"


def fail(reason):
    print(reason, file=sys.stderr, flush=True)
    os._exit(1)


def end_with_parent():
    while os.read(0, 4096):
        pass
    os._exit(3)


class Core(yaml.SafeLoader):
    yaml_implicit_resolvers = {}
    count = 0

    def compose_node(self, parent, index):
        Core.count += 1
        if Core.count > LIMIT:
            fail(f"it has more than {LIMIT} values")
        return super().compose_node(parent, index)


for name, pattern, first in [
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"^(?:[-+]?[0-9]{1,400}|0o[0-7]{1,400}|0x[0-9a-fA-F]{1,400})$", list("-+0123456789")),
    ("float", r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", list("-+.0123456789")),
    ("merge", r"^<<$", ["<"]),
]:
    Core.add_implicit_resolver(CORE + name, re.compile(pattern), first)


def scalar(node):
    kind = node.tag[len(CORE):] if node.tag.startswith(CORE) else node.tag
    text = node.value
    if kind in ("str", "merge", "!"):
        return text
    if kind == "null":
        return None
    if kind == "bool":
        return text.lower() == "true"
    if kind == "int":
        return int(text, 0 if text[:2] in ("0o", "0x") else 10)
    if kind == "float":
        return float(text)
    return fail(f"the tag {node.tag} is not one of JSON's types")


# By the identity of a node: its value and how many values are in it; for a mapping, those of its members.
known = {}
members = {}
merged = 0


def convert(node):
    identity = id(node)
    if identity not in known:
        known[identity] = (None, LIMIT + 1)
        known[identity] = contents(node)
    if known[identity][1] > LIMIT:
        fail(f"its aliases make more than {LIMIT} values of it")
    return known[identity]


def contents(node):
    if isinstance(node, yaml.ScalarNode):
        return scalar(node), 1
    if node.tag not in (CORE + "seq", CORE + "map", "!"):
        fail(f"the tag {node.tag} is not one of JSON's types")
    if isinstance(node, yaml.SequenceNode):
        parts = [convert(child) for child in node.value]
        return [value for value, _ in parts], 1 + sum(size for _, size in parts)
    parts = pairs(node)
    members[id(node)] = parts
    return {name: value for name, (value, _) in parts.items()}, 1 + sum(size for _, size in parts.values())


def pairs(node):
    """The members of a mapping: its own, then those of the mappings that it merges, of which the first wins."""
    global merged
    own, sources = {}, []
    for key, child in node.value:
        if not isinstance(key, yaml.ScalarNode):
            fail("a key is not a text")
        if key.tag == CORE + "merge":
            sources += child.value if isinstance(child, yaml.SequenceNode) else [child]
        elif key.value in own:
            fail(f"line {key.start_mark.line + 1} has the key {key.value} again, of which one would be lost")
        else:
            own[key.value] = convert(child)
    for source in sources:
        if not isinstance(source, yaml.MappingNode):
            fail("a merge key needs mappings")
        convert(source)
        merged += len(members[id(source)])
        if merged > LIMIT:
            fail(f"its merge keys make more than {LIMIT} values of it")
        for name, part in members[id(source)].items():
            own.setdefault(name, part)
    return own


def document(text):
    """The value of one document. The limits are for each."""
    global merged
    Core.count, merged = 0, 0
    known.clear()
    members.clear()
    node = yaml.compose(text, Core)
    return None if node is None else convert(node)[0]


def main():
    # Enforced by the system, even where no other thread has a turn.
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    text = bytearray()
    while len(text) < sum(LENGTHS):
        piece = os.read(0, min(sum(LENGTHS) - len(text), 1 << 20))
        if not piece:
            os._exit(3)
        text += piece
    threading.Thread(target=end_with_parent, daemon=True).start()
    try:
        values = []
        for length in LENGTHS:
            values.append(document(bytes(text[:length])))
            del text[:length]
        json.dump(values[0] if len(values) == 1 else values, sys.stdout, allow_nan=False)
        sys.stdout.flush()
    except RecursionError:
        fail("it is nested too deeply")
    except (yaml.YAMLError, ValueError) as error:
        fail(" ".join(str(error).split()))
    os._exit(0)


main()
