"""Compares each value that a live program has decoded with Python's, and what it has sent with the description.

    compare.py traffic.har output.txt openapi.json AUTHORIZATION-HEADER [UNDESCRIBED]

The HAR file is from proxy.py. Each line of the output has the name of a call, a tab, its output encoded again as JSON, a tab, and
the body that it has to send, written by hand. An optional without a value is not encoded, and a date has milliseconds: both are
counted, and are no faults. Nor is a member that the server sends although the description does not have it: UNDESCRIBED is a
regular expression for the ends of their places, such as `/age$`.
"""

import collections
import datetime
import decimal
import json
import pathlib
import re
import sys
import urllib.parse

traffic, output, description, credential, *undescribed = sys.argv[1:]
counts, faults = collections.Counter(), []


def loads(text):
    return json.loads(text, parse_float=decimal.Decimal)


def date(value):
    try:
        date = datetime.datetime.fromisoformat(value.replace("Z", "+00:00")) if len(value) > 10 else None
    except ValueError:
        return None
    return date and (date if date.tzinfo else date.replace(tzinfo=datetime.timezone.utc))


def compare(theirs, ours, place, drops_null=True):
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for name in theirs.keys() | ours.keys():
            if name in ours and name in theirs:
                compare(theirs[name], ours[name], f"{place}/{name}", drops_null)
            elif drops_null and theirs.get(name, 0) is None:
                counts["null"] += 1
            elif name not in ours and any(re.search(each, f"{place}/{name}") for each in undescribed):
                counts["undescribed"] += 1
            else:
                faults.append(f"{place}/{name} is {'missing' if name in theirs else 'added'}")
        return
    if isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        for index, (first, second) in enumerate(zip(theirs, ours)):
            compare(first, second, f"{place}/{index}", drops_null)
        return
    counts["values"] += 1
    if theirs == ours and isinstance(theirs, bool) == isinstance(ours, bool):
        return
    if isinstance(theirs, str) and isinstance(ours, str) and (first := date(theirs)) and (second := date(ours)):
        if abs((first - second).total_seconds()) < 0.001:
            counts["dates"] += first != second
            return
    faults.append(f"{place} is {ours!r} and not {theirs!r}")


def resolved(parameter):
    """A parameter, which may be in another file, in YAML."""
    if "$ref" not in parameter:
        return parameter
    path, _, pointer = parameter["$ref"].partition("#")
    node = spec
    if path:
        import yaml
        node = yaml.safe_load((pathlib.Path(description).parent / path).read_text())
    for key in pointer.split("/")[1:]:
        node = node[urllib.parse.unquote(key).replace("~1", "/").replace("~0", "~")]
    return node


class Operation:
    def __init__(self, method, path, item, node):
        self.method, self.path = method.upper(), spec.get("basePath", "") + path.rstrip(" ")
        self.pattern = re.compile(re.sub(r"\\\{.*?\\\}", "[^/]*", re.escape(self.path)) + "$")
        parameters = [resolved(entry) for entry in node.get("parameters", []) + item.get("parameters", [])]
        self.query = {entry.get("name") for entry in parameters if entry.get("in") == "query"}
        self.security = node.get("security", spec.get("security", []))


spec = json.load(open(description))
operations = [Operation(method, path, item, node) for path, item in spec["paths"].items()
              for method, node in item.items() if isinstance(node, dict)]
operations.sort(key=lambda operation: operation.path.count("{"))
exchanges = collections.defaultdict(list)
for entry in json.load(open(traffic))["log"]["entries"]:
    request = entry["request"]
    headers = [(header["name"].lower(), header["value"]) for header in request["headers"]]
    exchanges[dict(headers).get("x-call")].append((request, headers, entry["response"]))
called = set()
for line in open(output):
    if "\t" not in line:
        continue
    name, text, sent = line.rstrip("\n").split("\t")
    counts["calls"] += 1
    if len(exchanges[name]) != 1:
        faults.append(f"{name} was sent {len(exchanges[name])} times")
        continue
    request, headers, response = exchanges[name][0]
    url = urllib.parse.urlsplit(request["url"])
    operation = next((each for each in operations
                      if each.method == request["method"] and each.pattern.match(url.path)), None)
    if operation is None:
        faults.append(f"{name}: {request['method']} {url.path} is not described")
        continue
    called.add((operation.method, operation.path))
    values = [value for key, value in headers if key == credential.lower()]
    if len(values) not in {bool(alternative) for alternative in operation.security or [{}]}:
        faults.append(f"{name} has {len(values)} credentials")
    for key, _ in urllib.parse.parse_qsl(url.query, keep_blank_values=True):
        if key not in operation.query:
            faults.append(f"{name} has the query field {key}, which is not described")
    if sent:
        counts["bodies"] += 1
        compare(loads(sent), loads(request["postData"]["text"]), f"{name}, sent", drops_null=False)
    if text:
        compare(loads(response["content"]["text"]), loads(text), name)
print(f"{counts['calls']} calls of {len(called)} operations with {counts['bodies']} bodies, {counts['values']} values; "
      f"{counts['null']} null and {counts['undescribed']} undescribed members left out, {counts['dates']} dates to the "
      f"millisecond; {len(faults)} faults")
for fault in faults:
    print("   ", fault[:300])
sys.exit(bool(faults))
