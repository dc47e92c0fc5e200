"""Compares each value that a live program has decoded with Python's, and what it has sent with the description.

    compare.py traffic.har output.txt openapi.json AUTHORIZATION-HEADER

The HAR file is from proxy.py. Each line of the output has the name of a call, a tab, and its output encoded again as JSON. An
optional without a value is not encoded, and a date has milliseconds: both are counted, and are no faults.
"""

import collections
import datetime
import decimal
import json
import re
import sys
import urllib.parse

traffic, output, description, credential = sys.argv[1:]
counts, faults = collections.Counter(), []


def loads(text):
    return json.loads(text, parse_float=decimal.Decimal)


def date(value):
    try:
        date = datetime.datetime.fromisoformat(value.replace("Z", "+00:00")) if len(value) > 10 else None
    except ValueError:
        return None
    return date and (date if date.tzinfo else date.replace(tzinfo=datetime.timezone.utc))


def compare(theirs, ours, place):
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for name in theirs.keys() | ours.keys():
            if name in ours and name in theirs:
                compare(theirs[name], ours[name], f"{place}/{name}")
            elif theirs.get(name, 0) is None:
                counts["null"] += 1
            else:
                faults.append(f"{place}/{name} is {'missing' if name in theirs else 'added'}")
        return
    if isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        for index, (first, second) in enumerate(zip(theirs, ours)):
            compare(first, second, f"{place}/{index}")
        return
    counts["values"] += 1
    if theirs == ours and isinstance(theirs, bool) == isinstance(ours, bool):
        return
    if isinstance(theirs, str) and isinstance(ours, str) and (first := date(theirs)) and (second := date(ours)):
        if abs((first - second).total_seconds()) < 0.001:
            counts["dates"] += first != second
            return
    faults.append(f"{place} is {ours!r} and not {theirs!r}")


class Operation:
    def __init__(self, method, path, item, node):
        self.method, self.path = method.upper(), path
        self.pattern = re.compile(re.sub(r"\\\{.*?\\\}", "[^/]+", re.escape(path)) + "$")
        parameters = node.get("parameters", []) + item.get("parameters", [])
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
    name, tab, text = line.rstrip("\n").partition("\t")
    if not tab:
        continue
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
    if len(values) != bool(operation.security):
        faults.append(f"{name} has {len(values)} credentials")
    for key, _ in urllib.parse.parse_qsl(url.query, keep_blank_values=True):
        if key not in operation.query:
            faults.append(f"{name} has the query field {key}, which is not described")
    if text:
        compare(loads(response["content"]["text"]), loads(text), name)
print(f"{counts['calls']} calls of {len(called)} operations, {counts['values']} values; {counts['null']} null members "
      f"left out, {counts['dates']} dates to the millisecond; {len(faults)} faults")
for fault in faults:
    print("   ", fault[:300])
sys.exit(bool(faults))
