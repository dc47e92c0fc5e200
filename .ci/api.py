#!/usr/bin/env python3
"""The text of API/<module>.txt from symbol graphs: api.py FOLDER MODULES"""
import json
import pathlib
import sys

# Of every type that does not say otherwise.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}


def declarations(graph):
    """Yields one line for each public declaration and each conformance."""
    paths = {}
    for symbol in graph["symbols"]:
        path = ".".join(symbol["pathComponents"])
        paths[symbol["identifier"]["precise"]] = path
        text = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
        text = " ".join(text.split())
        gone = any(entry.get("isUnconditionallyDeprecated") for entry in symbol.get("availability", []))
        yield f"{path} | {'@available(*, deprecated) ' if gone else ''}{text}"
    for relation in graph["relationships"]:
        if relation["kind"] != "conformsTo" or relation["source"] not in paths:
            continue
        name = relation.get("targetFallback") or paths.get(relation["target"])
        if name and name.rsplit(".", 1)[-1] not in IMPLIED:
            yield f"{paths[relation['source']]} : {name}"


def functions(graph):
    """Yields the name of each function, its labels, those that a call cannot leave out, and whether a call waits."""
    for symbol in graph["symbols"]:
        path, signature = symbol["pathComponents"], symbol.get("functionSignature")
        if signature is None or "(" not in path[-1]:
            continue
        name, labels = path[-1][:-1].split("(", 1)
        labels = labels.split(":")[:-1]
        text = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
        head, arguments = text.split(name, 1)[-1], []
        depth = start = end = 0
        for end, character in enumerate(head):
            depth += {"(": 1, "[": 1, "<": 1, ")": -1, "]": -1}.get(character, 0) - (
                character == ">" and head[end - 1] != "-")
            if depth == 1 and character == "(" and not start:
                start = end + 1
            elif start and depth == 1 and character == ",":
                arguments.append(head[start:end])
                start = end + 1
            elif start and depth == 0 and character == ")":
                arguments.append(head[start:end])
                break
        needed = [label for label, argument in zip(labels, arguments) if " = " not in argument]
        waits = "async" in head[end + 1 :].split("->")[0].split()
        yield ".".join([*path[:-1], name]), labels, needed, waits


def is_call(needed, labels):
    """Whether labels that cannot be left out are a call of a function with these labels."""
    remaining = iter(labels)
    return all(label in remaining for label in needed)


def ambiguities(graphs):
    """Yields functions of which one returns at once and one waits, and that one call may mean."""
    known = {}
    for graph in graphs:
        for name, labels, needed, waits in functions(graph):
            for other_labels, other_needed, other_waits in known.setdefault(name, []):
                if waits != other_waits and is_call(needed, other_labels) and is_call(other_needed, labels):
                    yield f"{name}({':'.join([*labels, ''])}) and {name}({':'.join([*other_labels, ''])})"
            known[name].append((labels, needed, waits))


def main():
    """Writes the file of each module, says how much it is, and fails if a call may or may not wait."""
    place, faults = pathlib.Path(sys.argv[1]), []
    for module in sys.argv[2:]:
        graphs = [json.loads(path.read_text()) for path in (place / module).glob("*.symbols.json")]
        lines = {line for graph in graphs for line in declarations(graph)}
        faults += [f"{module}: {fault}" for fault in ambiguities(graphs)]
        text = "".join(f"{line}\n" for line in sorted(lines))
        pathlib.Path(f"API/{module}.txt").write_text(text)
        print(f"{module}: {len(lines)} lines")
    for fault in faults:
        print(f"error: One returns at once, and one waits, which a call does not show: {fault}")
    sys.exit(bool(faults))


main()
