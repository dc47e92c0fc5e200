"""Fills a Synapse server, reads it, and prints the token of a user: seed_synapse.py http://127.0.0.1:8008"""

import json
import sys
import urllib.parse
import urllib.request

base = sys.argv[1] + "/_matrix/client/"


def call(method, path, body=None, token=None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(base + path, data, headers, method=method)) as response:
        return json.loads(response.read())


def register(name):
    body = {"username": name, "password": "p", "auth": {"type": "m.login.dummy"}}
    return call("POST", "v3/register", body)["access_token"]


def send(token, kind, name, body):
    return call("PUT", f"v3/rooms/{room}/send/{kind}/{name}", body, token)["event_id"]


ann, ben = register("ann"), register("ben")
create = {"name": "n", "invite": ["@ben:localhost"], "room_alias_name": "seed"}
room = urllib.parse.quote(call("POST", "v3/createRoom", create, ann)["room_id"])
call("GET", "v3/sync?timeout=0", token=ben)
call("POST", f"v3/join/{room}", {}, ben)
first = send(ann, "m.room.message", "t0", {"msgtype": "m.text", "body": "x"})
for index in range(2):
    call("PUT", f"v3/rooms/{room}/state/m.room.topic/", {"topic": f"x{index}"}, ann)
reaction = send(ben, "m.reaction", "t1", {
    "m.relates_to": {"rel_type": "m.annotation", "event_id": first, "key": "👍"}})
send(ben, "m.room.message", "t2", {
    "msgtype": "m.text", "body": "t", "m.relates_to": {"rel_type": "m.thread", "event_id": first}})
event = urllib.parse.quote(first)
search = {"search_term": "x", "event_context": {"include_profile": True}, "include_state": True,
          "groupings": {"group_by": [{"key": "room_id"}]}}
for token in [ann, ben]:
    for path in ["v3/sync?timeout=0", "v3/sync?timeout=0&full_state=true", f"v3/rooms/{room}/state",
                 f"v3/rooms/{room}/messages?dir=b", f"v3/rooms/{room}/context/{event}", f"v3/rooms/{room}/event/{event}",
                 f"v1/rooms/{room}/relations/{event}", f"v1/rooms/{room}/relations/{event}/m.thread",
                 f"v1/rooms/{room}/threads", "v3/notifications", f"v3/rooms/{room}/members"]:
        call("GET", path, token=token)
    call("POST", "v3/search", {"search_categories": {"room_events": search}}, token)
call("PUT", f"v3/rooms/{room}/redact/{urllib.parse.quote(reaction)}/r1", {"reason": "r"}, ben)
call("GET", f"v3/rooms/{room}/event/{urllib.parse.quote(reaction)}", token=ben)
call("GET", f"v3/rooms/{room}/messages?dir=b", token=ben)
call("GET", f"v3/rooms/{room}/state/m.room.topic/?format=event", token=ann)
print(ann)
