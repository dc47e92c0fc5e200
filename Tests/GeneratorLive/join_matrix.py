"""Joins the descriptions of Matrix's client-server API, a file each subject, to one: join_matrix.py DATA-FOLDER OUTPUT

The output is in the data folder, and its references lead to the files there. The base path of each file becomes part of its
paths.
"""

import json
import pathlib
import posixpath
import sys

import yaml

data, output = pathlib.Path(sys.argv[1]), sys.argv[2]
FOLDER = "api/client-server"


def moved(node, file):
    """The node with its references from the output."""
    if isinstance(node, list):
        return [moved(entry, file) for entry in node]
    if not isinstance(node, dict):
        return node
    return {key: target(value, file) if key == "$ref" else moved(value, file) for key, value in node.items()}


def target(reference, file):
    path, mark, fragment = reference.partition("#")
    return posixpath.normpath(posixpath.join(FOLDER, path or file)) + mark + fragment


joined = {"openapi": "3.1.0", "info": {"title": "Matrix", "version": "3"}, "servers": [{"url": "http://localhost:8008"}],
          "components": {"securitySchemes": yaml.safe_load((data / FOLDER / "definitions/security.yaml").read_text())},
          "paths": {}}
for path in sorted((data / FOLDER).glob("*.yaml")):
    description = yaml.safe_load(path.read_text())
    base = description["servers"][0]["variables"]["basePath"]["default"]
    for template, item in moved(description["paths"], path.name).items():
        joined["paths"].setdefault(base + template, {}).update(item)
with open(output, "w") as file:
    json.dump(joined, file, default=str)
