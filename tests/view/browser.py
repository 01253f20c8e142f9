"""A browser without a screen, told what to do by its DevTools protocol over pipes; one page of it."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 180  # seconds: on a machine with other work everything takes long


class Late(RuntimeError):
    """Something has not come in time."""


def find():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    def __init__(self, width=1280, height=900):
        self.folder = tempfile.mkdtemp(prefix="view-browser-")
        to_browser, self.to = os.pipe()
        self.come, from_browser = os.pipe()

        def place():
            os.dup2(to_browser, 13)
            os.dup2(from_browser, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen(
            [find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--remote-debugging-pipe", "--user-data-dir=" + self.folder, "--window-size=%d,%d" % (width, height),
             "--force-device-scale-factor=1"],
            preexec_fn=place, pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.folder, "ASAN_OPTIONS": ""})
        os.close(to_browser)
        os.close(from_browser)
        self.received, self.last_id, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def message(self, timeout):
        """The next message, or None when none has come in time."""
        end = time.monotonic() + timeout
        while b"\0" not in self.received:
            if not select.select([self.come], [], [], max(0, end - time.monotonic()))[0]:
                return None
            part = os.read(self.come, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.received += part
        text, self.received = self.received.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message(PATIENCE)
            if answer is None:
                raise Late("no answer to " + method)
            if answer.get("id") == self.last_id:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]
            self.events.append(answer)

    def complaints(self):
        """What the page's code threw, and what the browser refused to load or run."""
        found = []
        for event in self.events:
            if event["method"] == "Runtime.exceptionThrown":
                found.append(str(event["params"]["exceptionDetails"]))
            if event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
                found.append(event["params"]["entry"]["text"])
        return found

    def requests(self):
        return [event["params"]["request"]["url"] for event in self.events if event["method"] == "Network.requestWillBeSent"]

    def go(self, address):
        self.leave("Page.navigate", url=address)

    def reload(self):
        self.leave("Page.reload")

    def leave(self, method, **parameters):
        """Until another document has come: for a while what is asked is asked of the old one, or of none."""
        self.value("window.isLeft = true")
        self.call(method, **parameters)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                if self.value("!window.isLeft"):
                    return
            except RuntimeError:
                pass
            if time.monotonic() > end:
                raise Late("no other document")
            time.sleep(0.01)

    def value(self, expression):
        """Of JavaScript, which may be a promise."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError("%s: %s" % (expression, result["exceptionDetails"]))
        return result["result"].get("value")

    def wait(self, expression, seconds=PATIENCE):
        """Until it is true."""
        end = time.monotonic() + seconds
        while not self.value(expression):
            if time.monotonic() > end:
                raise Late("not in %d s: %s" % (seconds, expression))
            time.sleep(0.01)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, start, end, n_moves=8):
        self.mouse("mousePressed", *start, button="left", clickCount=1)
        for k in range(1, n_moves + 1):
            self.mouse("mouseMoved", *(a + (b - a) * k / n_moves for a, b in zip(start, end)), button="left", buttons=1)
        self.mouse("mouseReleased", *end, button="left", clickCount=1)

    def key(self, key, text=None, modifiers=0):
        parameters = {"key": key, "modifiers": modifiers, **({"text": text} if text else {})}
        self.call("Input.dispatchKeyEvent", type="keyDown", **parameters)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, modifiers=modifiers)

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def downloads(self, folder):
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder, eventsEnabled=True)

    def n_downloaded(self):
        """Files that are complete."""
        self.value("0")  # takes what has come
        return sum(event["method"] == "Browser.downloadProgress" and event["params"]["state"] == "completed" for event in self.events)

    def end(self):
        os.close(self.to)
        os.close(self.come)
        self.process.terminate()
        try:
            self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
