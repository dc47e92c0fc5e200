"""The places of Swift code that `mutate` breaks, and the code that each becomes.

A condition is negated; a bound, moved by one; a statement, left out; an error, swallowed; two arguments, swapped.
"""

import collections
import re
import sys

Place = collections.namedtuple("Place", "path line kind before after")


def parts(text, separator=", "):
    """The parts of a list that stand outside of parentheses."""
    found, depth, start = [], 0, 0
    for index, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0 and text.startswith(separator, index):
            found.append(text[start:index])
            start = index + len(separator)
    return found + [text[start:]]


def is_balanced(text):
    return all(text.count(pair[0]) == text.count(pair[1]) for pair in ("()", "[]", "{}"))


def is_condition(text):
    return is_balanced(text) and not re.match(r"(let|var|case|#|await |try )", text) and " = " not in text


def mutants(line, follows):
    """The ways to break a line: pairs of a kind and a line, with `NUMBER` for that of the mutant.

    `follows`: whether a statement may begin with this line.
    """
    if '"""' in line:
        return
    texts = []
    code = re.sub(r'"(?:[^"\\]|\\.)*"', lambda text: texts.append(text[0]) or f'"{len(texts) - 1}"', line)
    for kind, after in mutants_without_texts(code.split(" //")[0], follows):
        yield kind, re.sub(r'"(\d+)"', lambda text: texts[int(text[1])], after)


def mutants_without_texts(code, follows):
    where = re.match(r"(\s*(?:case|for|catch)\b.*\bwhere )(.*?)(:.*| \{.*)$", code)
    if where and is_condition(where[2]):
        yield "negated", f"{where[1]}({where[2]}) != mutated(NUMBER){where[3]}"
    if code.lstrip().startswith(("//", "@", "*", "func ", "case ", "import ", "#", "}", "assert")):
        return
    head = re.match(r"(\s*)(guard|if) (.*?)((?: else)? \{.*)$", code)
    if head:
        conditions = parts(head[3])
        for index, condition in enumerate(conditions):
            if is_condition(condition):
                negated = conditions[:index] + [f"({condition}) != mutated(NUMBER)"] + conditions[index + 1:]
                yield "negated", f"{head[1]}{head[2]} {', '.join(negated)}{head[4]}"
    for bound in re.finditer(r"(?<=[\w)\]]) (<|>|<=|>=) ([\w.]+)(?=[ ,)]|$)", code):
        yield "bound", f"{code[:bound.start(2)]}moved(NUMBER, {bound[2]}){code[bound.end(2):]}"
    swap = re.search(r"\w\((\w+: )?(\w+), (\w+: )?(\w+)\)", code)
    if swap and swap[2] != swap[4] and " func " not in code and "init(" not in code:
        first = f"{swap[1] or ''}mutated(NUMBER) ? {swap[4]} : {swap[2]}"
        second = f"{swap[3] or ''}mutated(NUMBER) ? {swap[2]} : {swap[4]}"
        yield "swapped", f"{code[:swap.start() + 2]}{first}, {second}{code[swap.end() - 1:]}"
    call = re.match(r"(\s*)((?:_ = )?(?:try )?(?:await )?[a-zA-Z_$][\w.?!]*\(.*\)(?: \{.*\})?)$", code)
    change = re.match(r"(\s*)((?:self\.|\$0\.)?[a-z][\w.?!]* (?:=|\+=|-=) .*[^{,(\[?:])$", code)
    statement = call or change
    if statement and follows and is_balanced(statement[2]) and not re.match(
            r"(return|guard|if|for|while|switch|defer|throw|precondition|super|self\.init|init)\b", statement[2]):
        indent, text = statement[1], statement[2]
        yield "left out", f"{indent}if !mutated(NUMBER) {{ {text} }}"
        if text.startswith("try "):
            yield "swallowed", f"{indent}if mutated(NUMBER) {{ _ = try? {text[4:]} }} else {{ {text} }}"


def is_compiled_on_linux(condition):
    apple = r"(?<!!)(?:canImport\((?:Darwin|Combine|os|Network|CryptoKit|Compression|UIKit|Security|Musl)\)|os\(|targetEnv)"
    absent = r"!(?:os\(Linux\)|canImport\((?:Glibc|FoundationNetworking)\))"
    return bool(re.search(r"(?<!!)os\(Linux\)", condition)) or not re.search(f"{apple}|{absent}", condition)


def uncompiled_lines(text):
    """The lines of other platforms, whose mutants nothing here would notice."""
    found, blocks = set(), []
    for index, line in enumerate(text):
        words = line.split(maxsplit=1) or [""]
        if words[0] == "#if":
            blocks.append([is_compiled_on_linux(words[1])])
        elif words[0] == "#elseif":
            blocks[-1].append(not any(blocks[-1]) and is_compiled_on_linux(words[1]))
        elif words[0] == "#else":
            blocks[-1].append(not any(blocks[-1]))
        elif words[0] == "#endif":
            blocks.pop()
        if not all(block[-1] for block in blocks):
            found.add(index)
    return found


def places(path, lines=None):
    text = path.read_text().split("\n")
    uncompiled = uncompiled_lines(text) if sys.platform == "linux" else set()
    for index, line in enumerate(text):
        if index in uncompiled:
            continue
        before = next((text[k].rstrip() for k in range(index - 1, -1, -1) if text[k].strip()), "")
        follows = not re.search(r"([,(\[=?:.&|+]|else|return|\bin)$", before) or before.endswith(" in")
        follows = follows and not text[min(index + 1, len(text) - 1)].lstrip().startswith((".", "?", "||", "&&", "{"))
        if lines is None or index + 1 in lines:
            for kind, after in mutants(line, follows):
                yield Place(path, index, kind, line, after)


def with_negation(text):
    """A negated condition, without the switch behind it."""
    end = text.find(" != mutated(NUMBER)")
    depth, start = 0, end
    while start > 0 and (start == end or depth > 0):
        start -= 1
        depth += (text[start] == ")") - (text[start] == "(")
    return text if end < 0 else f"{text[:start]}!{text[start:].replace(' != mutated(NUMBER)', '')}"


def shown(place):
    """What a place says when it is broken; a statement that is left out, or its error swallowed, as it is."""
    if place.kind in ("left out", "swallowed"):
        text = place.before
    else:
        text = re.sub(r"moved\(NUMBER, ([\w.]+)\)", r"\1 + 1", place.after)
        text = re.sub(r"mutated\(NUMBER\) \? (\w+) : \w+", r"\1", text)
        text = with_negation(text)
    return f"{place.path}:{place.line + 1}: {place.kind}: {text.strip()}"
