"""The inspector's page for .ci/inspector-check: clicks, keys, and what is on the screen."""
import base64, json, re


class Inspector:
    """The page, as its user sees it."""

    def __init__(self, browser, url, folder, shots):
        self.browser, self.folder, self.shots = browser, folder, shots
        self.session = browser.page(url)
        self.send("Emulation.setDeviceMetricsOverride", width=1400, height=780, deviceScaleFactor=1, mobile=False)
        browser.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder), eventsEnabled=True)

    def send(self, method, **params):
        return self.browser.send(method, self.session, **params)

    def js(self, expression):
        return self.browser.evaluate(self.session, expression)

    def until(self, condition, seconds=60):
        """Waits for the page, frame by frame."""
        found = self.js(f"""new Promise(done => {{
            const end = performance.now() + {seconds * 1000};
            const look = () => ({condition}) ? done(true) : performance.now() > end ? done(false) : requestAnimationFrame(look);
            look();
        }})""")
        assert found, f"waited {seconds} s in vain for {condition}: {self.js('document.body.innerText.slice(0, 2000)')}"

    def click(self, id):
        self.js(f"document.getElementById('{id}').click()")

    def tab(self, name):
        """Opens a tab of the details."""
        self.click(f"tab-{name}")
        self.until(f"document.getElementById('tab-{name}').getAttribute('aria-selected') === 'true'", seconds=5)

    def key(self, name, modifiers=0):
        for kind in ("keyDown", "keyUp"):
            text = {"text": name} if len(name) == 1 and kind == "keyDown" else {}
            code = {"ArrowDown": 40, "ArrowUp": 38, "End": 35, "Home": 36, "Escape": 27}.get(name, 0)
            self.send("Input.dispatchKeyEvent", type=kind, key=name, modifiers=modifiers, windowsVirtualKeyCode=code, **text)

    def fill(self, id, value):
        self.js(f"(() => {{ const field = document.getElementById('{id}'); field.value = {json.dumps(value)};"
                "field.dispatchEvent(new Event('input')); field.dispatchEvent(new Event('change')); })()")
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def rows(self):
        """The texts of the rows on screen, from the top."""
        return self.js("""[...document.querySelectorAll('#rows .row')]
            .sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
            .map(row => [...row.children].map(cell => cell.textContent))""")

    def count(self):
        return [int(part) for part in re.findall(r"\d+", self.js("document.getElementById('count').textContent"))]

    def text(self, id):
        return self.js(f"document.getElementById('{id}').innerText")

    def theme(self, name):
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def export(self):
        """The archive that the page hands out."""
        for file in self.folder.glob("*.har"):
            file.unlink()
        self.click("export")
        while not any(e["method"] == "Browser.downloadProgress" and e["params"]["state"] == "completed" for e in self.browser.events):
            self.browser.events.append(self.browser.receive())
        self.browser.events[:] = [e for e in self.browser.events if e["method"] != "Browser.downloadProgress"]
        return json.loads(next(self.folder.glob("*.har")).read_text())

    def open(self, content):
        file = self.folder / "opened.json"
        file.write_text(content)
        node = self.send("DOM.getDocument")["root"]["nodeId"]
        field = self.send("DOM.querySelector", nodeId=node, selector="#file")["nodeId"]
        self.send("DOM.setFileInputFiles", nodeId=field, files=[str(file)])

    def open_another(self, content):
        """Opens an archive in place of one that may look the same."""
        self.js("(() => { if (opened) opened.isOld = true; })()")
        self.open(json.dumps(content))
        self.until("opened && !opened.isOld && list.rows.length === opened.calls.all.length && list.selection.size === 0")

    def shoot(self, name):
        if self.shots:
            self.shots.mkdir(parents=True, exist_ok=True)
            image = self.send("Page.captureScreenshot", format="png")["data"]
            (self.shots / name).write_bytes(base64.b64decode(image))
