#!/usr/bin/env python3
"""Puts the same data into a Prefect server: seed.py http://127.0.0.1:4200/api"""
import json, sys, urllib.error, urllib.request
base = sys.argv[1]
def call(method, path, body=None):
    r = urllib.request.Request(base + path, method=method, data=None if body is None else json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(r) as a: return json.loads(a.read() or "null")
    except urllib.error.HTTPError as e: print(method, path, e.code, e.read()[:200], file=sys.stderr)
flow = call("POST", "/flows/", {"name": "trial", "tags": ["a"]})
run = call("POST", "/flow_runs/", {"flow_id": flow["id"], "name": "one", "state": {"type": "RUNNING", "name": "Running"}})
task = call("POST", "/task_runs/", {"flow_run_id": run["id"], "task_key": "t", "dynamic_key": "0", "name": "t-0", "state": {"type": "RUNNING", "name": "Running"}})
call("POST", "/variables/", {"name": "v", "value": "1", "tags": []})
call("POST", "/artifacts/", {"key": "report", "type": "markdown", "data": "# x", "flow_run_id": run["id"]})
call("POST", "/concurrency_limits/", {"tag": "t", "concurrency_limit": 2})
call("POST", "/v2/concurrency_limits/", {"name": "c", "limit": 2})
call("POST", "/deployments/", {"name": "d", "flow_id": flow["id"], "schedules": [{"active": True, "schedule": {"interval": 3600}}]})
call("POST", "/logs/", [{"name": "l", "level": 20, "message": "m", "timestamp": "2026-01-01T00:00:00Z", "flow_run_id": run["id"]}])
