# SPDX-License-Identifier: Apache-2.0
"""Drives a headless Chromium through its pipe (DevTools protocol): no network, no other package.

    with Browser() as browser:
        page = browser.open(path)
        page.run("document.title")
"""
import json
import os
import shutil
import subprocess
import tempfile
import time


class Failure(Exception):
    pass


def find():
    """The browser of this machine, None when there is none."""
    return next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)


class Browser:
    def __init__(self, width=1280, height=900):
        self.size = (width, height)

    def __enter__(self):
        self.home = tempfile.mkdtemp(prefix="vigil-browser-")
        to_child, self.out = os.pipe()
        self.into, from_child = os.pipe()

        def wire():
            # As 3<&to_child 4>&from_child in bash; neither descriptor is closed by the other.
            first, second = os.dup(to_child), os.dup(from_child)
            high = [os.dup2(first, 61), os.dup2(second, 62)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             # One process for all pages: starting one for each takes longer than most pages do.
             "--renderer-process-limit=1", "--process-per-site", "--remote-debugging-pipe", "--user-data-dir=" + self.home, "--window-size=%d,%d" % self.size,
             # Frames are made on request: a hidden page (open) has no screen whose clock would trigger them. Colours
             # change immediately, otherwise each transition would be drawn as often as the CPU allows.
             "--disable-frame-rate-limit", "--disable-gpu-vsync", "--force-prefers-reduced-motion",
             "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync", "about:blank"],
            preexec_fn=wire, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.number = 0
        self.buffer = b""
        self.events = {}        # of each session
        self.pages = []
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
            self.process.wait(10)
        except (Failure, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        os.close(self.into)
        shutil.rmtree(self.home, ignore_errors=True)

    def receive(self):
        while b"\0" not in self.buffer:
            data = os.read(self.into, 1 << 20)
            if not data:
                raise Failure("the browser has ended")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Failure("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]
            self.keep(answer)

    def keep(self, event):
        self.events.setdefault(event.get("sessionId"), []).append(event)

    def close(self, pages):
        """Ends what these pages do, once nobody asks them anything more."""
        for page in pages:
            self.send("Target.closeTarget", targetId=page.target)
            self.events.pop(page.session, None)
        self.pages = [page for page in self.pages if page not in pages]

    def open(self, path, scripts=True, hidden=True):
        """A page, once it has been loaded. A hidden one is in no window: the browser's own tabs and fields, which it draws anew
        with each step that a page does, cost as much as the page. Pictures are taken of one in a window."""
        target = self.send("Target.createTarget", url="about:blank", **({"hidden": True} if hidden else {}))["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        self.pages.append(page)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.send(domain + ".enable")
        if hidden:
            page.send("Emulation.setDeviceMetricsOverride", width=self.size[0], height=self.size[1], deviceScaleFactor=0, mobile=False)
        if not scripts:
            page.send("Emulation.setScriptExecutionDisabled", value=True)
        self.events[session] = []
        begin = time.monotonic()
        page.send("Page.navigate", url="file://" + os.path.abspath(path))
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events[session]):
            self.keep(self.receive())
        page.seconds = time.monotonic() - begin
        return page


class Page:
    def __init__(self, browser, session, target):
        self.browser, self.session, self.target = browser, session, target

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def run(self, script):
        """The value of a script, awaited where it is a promise."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failure(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def settle(self):
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))")

    def drawn(self):
        """What the next frame draws has been drawn; settle: it has been shown, too, which takes twice as long."""
        self.run("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")

    def go(self, view, wait=settle):
        self.run("location.hash = %s; 0" % json.dumps(view))
        wait(self)

    def key(self, key, code=0, text=""):
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, text=text if kind == "keyDown" else "")

    def mouse(self, kind, x, y, buttons=0):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if kind != "mouseMoved" or buttons else "none", buttons=buttons, clickCount=1)

    def complaints(self):
        """What the page wrote to the console as errors, what it threw, and what its policy kept from it."""
        found = []
        for event in self.browser.events[self.session]:
            parameters = event.get("params", {})
            if event["method"] == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append(parameters["entry"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append(str(parameters["args"]))
            elif event["method"] == "Page.javascriptDialogOpening":
                found.append("a dialog: " + parameters["message"])
        return found

    def requests(self):
        """All that was asked for but the page itself."""
        return [event["params"]["request"]["url"] for event in self.browser.events[self.session] if event["method"] == "Network.requestWillBeSent"][1:]

    def picture(self, path, full=False):
        import base64
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=full)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def pdf(self, path):
        import base64
        data = self.send("Page.printToPDF", printBackground=True, preferCSSPageSize=False, paperWidth=8.27, paperHeight=11.69)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
