"""Passes calls on to a server, and keeps them in a HAR file.

    proxy.py 8889 http://127.0.0.1:8888 traffic.har
"""

import http.client
import http.server
import json
import sys
import threading
import urllib.parse

port, origin, path = int(sys.argv[1]), urllib.parse.urlsplit(sys.argv[2]), sys.argv[3]
entries, lock = [], threading.Lock()
HOP = {"connection", "transfer-encoding", "content-length", "keep-alive"}


def content(kind, data):
    return {"mimeType": kind or "", "text": data.decode(errors="replace")}


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def exchange(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name: value for name, value in self.headers.items()
                   if name.lower() not in HOP | {"host", "x-call", "accept-encoding"}}
        server = http.client.HTTPConnection(origin.netloc, timeout=120)
        server.request(self.command, self.path, body or None, headers)
        response = server.getresponse()
        data = response.read()
        self.keep(body, response, data)
        self.send_response(response.status)
        for name, value in response.getheaders():
            if name.lower() not in HOP:
                self.send_header(name, value)
        if response.status != 204:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def keep(self, body, response, data):
        request = {"method": self.command, "url": origin.geturl() + self.path,
                   "headers": [{"name": name, "value": value} for name, value in self.headers.items()]}
        if body:
            request["postData"] = content(self.headers.get("Content-Type"), body)
        with lock:
            entries.append({"request": request, "response": {
                "status": response.status, "headers": [], "content": content(response.getheader("Content-Type"), data)}})
            log = {"version": "1.2", "creator": {"name": "proxy.py", "version": "1"}, "entries": entries}
            with open(path, "w") as file:
                json.dump({"log": log}, file)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = exchange


http.server.ThreadingHTTPServer(("127.0.0.1", port), Proxy).serve_forever()
