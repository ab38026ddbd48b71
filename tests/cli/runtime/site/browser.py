#!/usr/bin/env python3
"""Drives Chromium over a pipe and uses a site by keyboard. Each check prints "ok what" or "not ok what"; exit code 1
if one failed.

  browser.py BROWSER SITE [--api FILE] [--words WORDS] [--shots DIR FILE…]

FILE is a page of SITE with a picture; a search for WORDS must list it first. --shots saves screenshots of each
FILE in light and dark. Prints the first page's load time, the median of nine, which is not checked."""

from __future__ import annotations

import argparse
import base64
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

PATIENCE = 60.0


class Browser:
    """A headless browser with one page, driven by the DevTools protocol: JSON messages that end with NUL."""

    def __init__(self, program: str, folder: str) -> None:
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()
        self.process = subprocess.Popen(
            [
                "sh",
                "-c",
                f'exec "$0" "$@" 3<&{to_read} 4>&{from_write}',
                program,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--remote-debugging-pipe",
                f"--user-data-dir={folder}",
                "about:blank",
            ],
            pass_fds=(to_read, from_write),
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(from_write)
        self.write, self.read = to_write, from_read
        self.rest = b""
        self.number = 0
        self.session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.ask(f"{domain}.enable")

    def message(self) -> dict[str, Any]:
        """The next message."""
        while b"\0" not in self.rest:
            more = os.read(self.read, 1 << 16)
            if not more:
                raise EOFError("the browser ended")
            self.rest += more
        line, self.rest = self.rest.split(b"\0", 1)
        found: dict[str, Any] = json.loads(line)
        return found

    def ask(self, method: str, **parameters: object) -> dict[str, Any]:
        """The browser's answer; events that arrive before it are kept."""
        self.number += 1
        request: dict[str, object] = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.write, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def value(self, expression: str) -> Any:
        """The value of an expression in the page."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, expression: str) -> bool:
        """Whether the expression becomes true within the time limit."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.value(expression):
                return True
            time.sleep(0.05)
        return False

    def open(self, page: Path, query: str = "") -> None:
        """Loads a page and waits until it is complete."""
        self.ask("Page.navigate", url=page.resolve().as_uri() + query)
        end = json.dumps("/" + page.name)
        self.until(f"location.pathname.endsWith({end}) && document.readyState === 'complete'")

    def key(self, name: str, text: str = "") -> None:
        """Presses a key."""
        code = {"ArrowDown": 40, "ArrowUp": 38, "ArrowRight": 39, "Enter": 13, "Tab": 9, "Escape": 27}.get(name, 0)
        common = {"key": name, "windowsVirtualKeyCode": code, **({"text": text} if text else {})}
        self.ask("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **common)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=name, windowsVirtualKeyCode=code)

    def type(self, text: str) -> None:
        """Types a text."""
        for c in text:
            self.key(c, c)

    def addresses(self) -> list[str]:
        """All requested URLs."""
        return [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]

    def complaints(self) -> list[str]:
        """Errors of the console: exceptions and violations of the page's policy."""
        found = [str(e["params"]) for e in self.events if e.get("method") == "Runtime.exceptionThrown"]
        logged = [e["params"]["entry"] for e in self.events if e.get("method") == "Log.entryAdded"]
        return found + [entry["text"] for entry in logged if entry["level"] == "error"]

    def close(self) -> None:
        """Ends the browser."""
        self.session = None
        self.ask("Browser.close")
        self.process.wait(timeout=PATIENCE)


class Checks:
    """Prints checks and counts failures."""

    def __init__(self) -> None:
        self.failed = 0

    def __call__(self, what: str, holds: object, told: object = "") -> None:
        print(f"{'ok' if holds else 'not ok'} {what}" + (f": {told}" if told and not holds else ""))
        self.failed += not holds


def look_at_index(b: Browser, site: Path, words: str, api: str, check: Checks) -> None:
    """The first page: search by keyboard, and load time."""
    took = []
    b.ask("Performance.enable", timeDomain="threadTicks")
    for _ in range(9):
        b.open(site / "index.html")
        b.until("performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
        took.append(b.value("performance.getEntriesByType('navigation')[0].loadEventEnd"))
    spent = {m["name"]: m["value"] for m in b.ask("Performance.getMetrics")["metrics"]}["TaskDuration"]
    middle, best = statistics.median(took), min(took)
    print(f"# the first page: {middle:.0f} ms to its load event, the median of {len(took)} ({best:.0f} at best)")
    print(f"# … with CPU time of the page's thread: {1000 * spent:.0f} ms")
    links = "document.querySelectorAll('#index li a').length"
    check("the index has a link for each API", b.value(links) > 0)
    b.key("/", "/")
    check("/ goes to the search", b.value("document.activeElement.id") == "search")
    check("… and types no slash", b.value("document.activeElement.value") == "")
    b.type(words)
    first = "document.querySelector('#results [aria-selected=true] a')"
    check("the search finds the page first", str(b.value(f"{first}.getAttribute('href')")) == api, b.value(f"{first}?.href"))
    named = "document.activeElement.getAttribute('aria-activedescendant')"
    check("the selection is announced", b.value(f"document.getElementById({named}).getAttribute('aria-selected')") == "true")
    check("the list is announced as open", b.value("document.activeElement.getAttribute('aria-expanded')") == "true")
    b.key("ArrowDown")
    moved = b.value("[...document.querySelectorAll('#results li')].findIndex(e => e.getAttribute('aria-selected') === 'true')")
    check("an arrow key moves on", moved == min(1, b.value("document.querySelectorAll('#results li').length") - 1), moved)
    b.key("ArrowUp")
    b.key("Enter", "\r")
    end = json.dumps("/" + api)
    check("Enter opens the page", b.until(f"location.pathname.endsWith({end}) && document.readyState === 'complete'"))


def look_at_api(b: Browser, check: Checks) -> None:
    """The picture on an API's page."""
    check("one h1 heading", b.value("document.querySelectorAll('h1').length") == 1)
    check("table headers have a scope", b.value("[...document.querySelectorAll('th')].every(e => e.scope)"))
    check("form fields have labels", b.value("[...document.querySelectorAll('select')].every(e => e.labels.length)"))
    check("symbols can be selected", b.value("!document.getElementById('choices').hidden"))
    path = "document.querySelector('#picture .in').getAttribute('d')"
    first, said = b.value(path), b.value("document.getElementById('told').textContent")
    b.value("document.getElementById('picture').focus()")
    b.key("ArrowRight")
    check("an arrow key moves in the picture", b.value("document.getElementById('told').textContent") != said)
    pairs = (
        "const x = document.getElementById('x'), y = document.getElementById('y'), seen = new Set();"
        "for (const i of x.options) for (const j of y.options) { x.value = i.value; y.value = j.value;"
        " x.dispatchEvent(new Event('change')); y.dispatchEvent(new Event('change')); seen.add(" + path + "); } seen.size"
    )
    check("other symbols change the picture", b.value("{" + pairs + "}") > 1)
    check("the picture exists without the script", bool(first))


def shoot(b: Browser, site: Path, folder: Path, names: list[str]) -> None:
    """Screenshots of pages in light and dark."""
    for name in names:
        page, _, words = name.partition("?")
        for scheme in ("light", "dark"):
            b.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            b.ask("Emulation.setDeviceMetricsOverride", width=1160, height=1000, deviceScaleFactor=1, mobile=False)
            b.open(site / page)
            if words:
                b.key("/", "/")
                b.type(words)
            image = b.ask("Page.captureScreenshot", format="png", captureBeyondViewport=False)
            path = folder / (page.replace("/", ".").removesuffix(".html") + ("." + words if words else "") + f".{scheme}.png")
            path.write_bytes(base64.b64decode(image["data"]))
    b.ask("Emulation.setEmulatedMedia", features=[])


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("browser")
    parser.add_argument("site", type=Path)
    parser.add_argument("--api", default="torch/max_pool2d.html")
    parser.add_argument("--words", default="max_pool2d")
    parser.add_argument("--shots", nargs="+", default=[])
    o = parser.parse_args()
    check = Checks()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        b = Browser(o.browser, folder)
        if o.shots:
            shoot(b, o.site, Path(o.shots[0]), o.shots[1:])
        else:
            look_at_index(b, o.site, o.words, o.api, check)
            look_at_api(b, check)
        outside = [a for a in b.addresses() if not a.startswith(("file:", "about:"))]
        check("no network requests", not outside, outside[:3])
        check("no script errors or policy violations", not b.complaints(), b.complaints()[:3])
        b.close()
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
