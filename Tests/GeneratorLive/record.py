"""Calls all operations of a Jupyter server that it describes, as any client would, and writes a HAR file.

    record.py http://127.0.0.1:8888 TOKEN traffic.har
"""

import json
import sys
import urllib.error
import urllib.request

base, token, path = sys.argv[1:]
entries = []


def call(method, place, body=None):
    """Sends a call and keeps it; returns the response's JSON."""
    headers = [{"name": "Accept", "value": "application/json"}]
    request = urllib.request.Request(base + place, method=method)
    request.add_header("Authorization", "token " + token)
    entry = {"method": method, "url": base + place, "headers": headers}
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
        entry["postData"] = {"mimeType": "application/json", "text": json.dumps(body)}
    try:
        with urllib.request.urlopen(request) as response:
            status, mime, text = response.status, response.headers.get("Content-Type", ""), response.read().decode()
    except urllib.error.HTTPError as error:
        status, mime, text = error.code, error.headers.get("Content-Type", ""), error.read().decode()
        print(method, place, status, text[:200], file=sys.stderr)
    entries.append(
        {"request": entry, "response": {"status": status, "headers": [], "content": {"mimeType": mime, "text": text}}}
    )
    return json.loads(text) if text and "json" in mime else None


for place in ["/api/", "/api/status", "/api/kernelspecs", "/api/me", "/api/me?permissions=%7B%22contents%22%3A%5B%22read%22%5D%7D"]:
    call("GET", place)
call("GET", "/api/spec.yaml")
call("PATCH", "/api/config/notebook", {"theme": "dark", "wide": True})
call("GET", "/api/config/notebook")

call("PUT", "/api/contents/poem.txt", {"type": "file", "format": "text", "content": "春眠不觉晓"})
call("PUT", "/api/contents/poems", {"type": "directory"})
notebook = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
call("PUT", "/api/contents/book.ipynb", {"type": "notebook", "content": notebook})
for place in ["poem.txt", "poem.txt?content=0", "poem.txt?hash=1", "poems", "book.ipynb", ""]:
    call("GET", "/api/contents/" + place)
made = call("POST", "/api/contents/poems", {"type": "file", "ext": ".txt"})
call("PATCH", "/api/contents/poem.txt", {"path": "spring.txt"})
checkpoint = call("POST", "/api/contents/spring.txt/checkpoints")
call("GET", "/api/contents/spring.txt/checkpoints")
call("POST", "/api/contents/spring.txt/checkpoints/" + checkpoint["id"])
call("DELETE", "/api/contents/spring.txt/checkpoints/" + checkpoint["id"])
call("GET", "/api/resolvePath?path=spring.txt")
call("DELETE", "/api/contents/spring.txt")

kernel = call("POST", "/api/kernels", {"name": "python3"})
call("GET", "/api/kernels")
call("GET", "/api/kernels/" + kernel["id"])
call("POST", "/api/kernels/%s/interrupt" % kernel["id"])
call("POST", "/api/kernels/%s/restart" % kernel["id"])
call("DELETE", "/api/kernels/" + kernel["id"])

session = call("POST", "/api/sessions", {"path": "book.ipynb", "type": "notebook", "name": "book", "kernel": {"name": "python3"}})
call("GET", "/api/sessions")
call("GET", "/api/sessions/" + session["id"])
call("PATCH", "/api/sessions/" + session["id"], {"name": "second"})
call("DELETE", "/api/sessions/" + session["id"])

terminal = call("POST", "/api/terminals")
call("GET", "/api/terminals")
call("GET", "/api/terminals/" + terminal["name"])
call("DELETE", "/api/terminals/" + terminal["name"])

with open(path, "w") as file:
    json.dump({"log": {"version": "1.2", "creator": {"name": "record.py", "version": "1"}, "entries": entries}}, file)
