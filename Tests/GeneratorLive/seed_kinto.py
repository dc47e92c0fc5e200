"""Fills a Kinto server, as the user `seed` with this password: seed_kinto.py http://127.0.0.1:8888/v1"""

import base64
import json
import sys
import urllib.request

base = sys.argv[1]
CREDENTIAL = {"Authorization": "Basic " + base64.b64encode(b"seed:seed").decode()}


def call(method, path, body, **headers):
    request = urllib.request.Request(
        base + path, json.dumps(body).encode(), {"Content-Type": "application/json"} | headers, method=method)
    urllib.request.urlopen(request).close()


call("POST", "/accounts", {"data": {"id": "seed", "password": "seed"}})
for path in ["", "/collections/b", "/groups/c", "/collections/b/records/d"]:
    call("PUT", "/buckets/a" + path, {"data": {"members": []} if "groups" in path else {}}, **CREDENTIAL)
