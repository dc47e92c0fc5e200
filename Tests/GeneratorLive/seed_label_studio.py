#!/usr/bin/env python3
"""Fills a Label Studio server and reads it: seed_label_studio.py http://127.0.0.1:8080 TOKEN FOLDER"""
import json, sys, urllib.error, urllib.request

base, token, folder = sys.argv[1:]


def call(method, path, body=None):
    request = urllib.request.Request(
        base + "/api" + path, method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": "Token " + token, "Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request) as response:
            return json.loads(response.read() or "null")
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path}: {error.code} {error.read()[:300]!r}")


config = ('<View><Text name="text" value="$text"/><Choices name="c" toName="text">'
          '<Choice value="好"/><Choice value="bad"/></Choices></View>')
projects = [call("POST", "/projects/", {
    "title": title, "description": description, "label_config": config, "maximum_annotations": count,
    "control_weights": {"c": {"overall": 0.5, "labels": {"好": 1.0}}}, "sampling": sampling})["id"]
    for title, description, count, sampling in [
        ("春眠不觉晓", "d", 1, "Sequential sampling"), ("Second – “quoted” é", "x\ny", 2, "Uniform sampling"),
        ("Third 🙂", None, 3, "Uncertainty sampling")]]
project = projects[0]
for index in range(4):
    data = {"text": f"行 {index} \u2028 \"q\"", "n": None, "big": 9007199254740993, "f": 1.0, "e": 1e-7,
            "deep": {"a": [1, 2.5, None, {"z": []}]}}
    task = call("POST", "/tasks/", {"project": project, "data": data, "meta": {"m": None}})["id"]
    result = [{"id": f"r{index}", "from_name": "c", "to_name": "text", "type": "choices",
               "value": {"choices": ["好"], "score": 0.1 + index}, "meta": None}]
    call("POST", f"/tasks/{task}/annotations/", {
        "result": result, "lead_time": [None, 1.5, 12, 0.0001][index], "was_cancelled": index == 2})
    call("POST", "/predictions/", {"task": task, "result": result, "score": [0.5, 1, 1 / 3, 0][index]})
    for path in [f"/tasks/{task}/", f"/tasks/{task}/annotations/"]:
        call("GET", path)
call("PATCH", f"/tasks/{task}/", {"data": {"text": "changed"}})
call("POST", f"/projects/{project}/import?return_task_ids=true", [{"data": {"text": "imported"}}])
call("POST", f"/projects/{project}/validate/", {"label_config": config})
call("POST", f"/projects/{project}/exports/", {"title": "出口"})
call("PATCH", f"/projects/{project}/", {"pinned_at": "2026-01-02T03:04:05.678901Z"})
filters = {"conjunction": "and", "items": [
    {"filter": "filter:tasks:id", "operator": "greater", "type": "Number", "value": 0}]}
call("POST", "/dm/views/", {"project": project, "data": {"title": "视图", "filters": filters, "gone": None}})
call("POST", "/labels/", [{"project": project, "from_name": "c", "value": {"a": [None, 1.5]}, "title": "坏"}])
call("POST", "/webhooks/", {"project": project, "url": "https://example.com/é", "is_active": False, "headers": {"A": "1"}})
call("POST", "/users/", {"email": "tea@example.com", "username": "茶", "first_name": "Ann", "last_name": "O’Neil"})
storage = call("POST", "/storages/localfiles/", {"path": folder, "project": project, "title": "local"})["id"]
call("PATCH", f"/storages/localfiles/{storage}", {"path": folder, "title": "本地"})
for path in ["/dm/columns/", "/dm/actions/", "/tasks/", "/predictions/", "/dm/views/"]:
    call("GET", f"{path}?project={project}")
call("GET", f"/tasks/?project={project}&fields=all")
for path in ["/users/", "/current-user/whoami", "/current-user/token", "/organizations/1/memberships", "/projects/",
             f"/projects/{project}/", f"/projects/{project}/tasks/", f"/projects/{project}/annotators/", "/webhooks/",
             f"/projects/{project}/exports/", f"/storages/localfiles/?project={project}", "/labels/", "/dm/project/?project=1"]:
    call("GET", path)
