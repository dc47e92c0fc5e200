#!/usr/bin/env python3
"""Puts the same data into a Prefect server: seed.py http://127.0.0.1:4200/api"""
import json, sys, urllib.error, urllib.request


def post(path, body):
    request = urllib.request.Request(
        sys.argv[1] + path, method="POST", data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request) as response:
            return json.loads(response.read() or "null")
    except urllib.error.HTTPError as error:
        sys.exit(f"{path}: {error.code} {error.read()[:200]!r}")


running = {"type": "RUNNING", "name": "Running"}
flow = post("/flows/", {"name": "trial", "tags": ["a"]})["id"]
run = post("/flow_runs/", {"flow_id": flow, "name": "one", "state": running})["id"]
post("/task_runs/", {
    "flow_run_id": run, "task_key": "t", "dynamic_key": "0", "name": "t-0", "state": running})
post("/variables/", {"name": "v", "value": "1", "tags": []})
post("/artifacts/", {"key": "report", "type": "markdown", "data": "# x", "flow_run_id": run})
post("/concurrency_limits/", {"tag": "t", "concurrency_limit": 2})
post("/v2/concurrency_limits/", {"name": "c", "limit": 2})
post("/deployments/", {
    "name": "d", "flow_id": flow, "schedules": [{"active": True, "schedule": {"interval": 3600}}]})
post("/logs/", [{
    "name": "l", "level": 20, "message": "m", "timestamp": "2026-01-01T00:00:00Z", "flow_run_id": run}])
