"""Chromium, headless, driven by the DevTools protocol over a pipe, so that nothing but it and Python is needed."""
import json, os, shutil, subprocess, sys


class Browser:
    """Chromium, and the messages that it has sent."""

    def __init__(self, profile):
        names = ("chromium", "chromium-browser", "google-chrome")
        program = next((p for p in map(shutil.which, names) if p), None) or sys.exit("no Chromium; apt-get install chromium")
        to_browser, self.out = os.pipe()
        self.input, from_browser = os.pipe()

        def descriptors():  # the protocol is on 3 and 4
            low, high = os.dup(to_browser), os.dup(from_browser)
            os.dup2(low, 3), os.dup2(high, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"],
            preexec_fn=descriptors, close_fds=False, stderr=subprocess.DEVNULL)
        os.close(to_browser), os.close(from_browser)
        self.buffer, self.number, self.events = bytearray(), 0, []

    def receive(self):
        while (end := self.buffer.find(b"\0")) < 0:
            self.buffer += os.read(self.input, 1 << 20) or sys.exit("Chromium has ended")
        message, self.buffer = self.buffer[:end], self.buffer[end + 1:]
        return json.loads(message)

    def send(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params} | ({"sessionId": session} if session else {})
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        while (answer := self.receive()).get("id") != self.number:
            self.events.append(answer)
        if "error" in answer:
            sys.exit(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def page(self, url):
        """A session with a page that is loaded; what it says from now on is in `events`."""
        self.events.clear()
        self.target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Network", "Runtime", "Log", "Page"):
            self.send(f"{domain}.enable", session)
        self.send("Page.navigate", session, url=url)
        while not any(e["method"] == "Page.loadEventFired" for e in self.events):
            self.events.append(self.receive())
        return session

    def evaluate(self, session, expression):
        """The value of an expression, or of the promise that it is."""
        answer = self.send("Runtime.evaluate", session, expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            sys.exit(f"{expression[:200]}: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def complaints(self):
        """Failed requests, exceptions, and errors in the console."""
        return [text for event in self.events if (text := self.complaint(event["method"], event["params"]))]

    @staticmethod
    def complaint(method, params):
        if method == "Network.responseReceived" and params["response"]["status"] >= 400:
            return f"{params['response']['status']} for {params['response']['url']}"
        if method == "Network.loadingFailed" and not params.get("canceled"):
            return f"a request failed: {params['errorText']}"
        if method == "Runtime.exceptionThrown":
            return f"an exception: {params['exceptionDetails']['text']}"
        if method == "Runtime.consoleAPICalled" and params["type"] == "error":
            return f"an error in the console: {[a.get('value') or a.get('description') for a in params['args']]}"
        if method == "Log.entryAdded" and params["entry"]["level"] == "error":
            return f"an error in the log: {params['entry']['text']} {params['entry'].get('url', '')}"

    def close(self):
        self.process.terminate()
        self.process.wait()
